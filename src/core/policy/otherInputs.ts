// Who does not say what a change means may not give the code under test other values than before: it may be right with these, and wrong.
import ts from 'typescript';
import { unwrap } from '../syntax/javascript/sourceTree.ts';
import { changedLiterals } from './changedLiterals.ts';
import { sidesOf, type FileChange, type Finding } from './fileFacts.ts';
import { isValue } from './inputRules.ts';
import { lineOf } from './parseSource.ts';
import { testModules } from './redirectionRules.ts';
import { valueFlow } from './valueFlow.ts';

/** New arguments, and other names for them, are a matter of signatures: only written values that became others count. */
export function* otherInputs(change: FileChange, isTestFile: (file: string) => boolean): Generator<Finding> {
  const { file, before, after } = change;
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const [was, is] = sidesOf(change);
  const changed = [...changedLiterals(was.source, is.source)].filter((pair) => pair.every(isGiveable));
  if (changed.length === 0) return;
  const isTestModule = testModules(file, isTestFile);
  const [flowed, flows] = [valueFlow(was, isTestModule), valueFlow(is, isTestModule)];
  for (const [old, now] of changed) {
    const [then, today] = [flowed(old), flows(now)];
    if (!then.given || then.expected || !today.given || today.expected) continue;
    const text = `The input of the code under test changed from ${old.getText().slice(0, 40)} to ${now.getText().slice(0, 40)}: the code may be right for the new input and still wrong for the old one.`;
    yield { rule: 'changed-input', line: lineOf(now), text };
  }
}

/** A value, no name of a member. */
const isGiveable = (node: ts.Node): boolean =>
  isValue(node) && !ts.isElementAccessExpression(unwrap(node.parent));
