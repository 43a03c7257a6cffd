// A test that is written for another runner is the same test when both sides say the same in the words of one table.
import ts from 'typescript';
import { doneCallbacks, promisedCallback } from '../fixes/drift/doneCallbacks.ts';
import { memberMeaning } from '../fixes/drift/memberMeaning.ts';
import { factoryOf, isAsync } from '../fixes/drift/moduleMocks.ts';
import { runnerImports } from '../fixes/drift/runnerImports.ts';
import { mockTypes, plainName, runnerNames } from '../fixes/drift/runnerTable.ts';
import { freeUses, rootOf } from '../fixes/drift/runnerUses.ts';
import { actualAwaits, aliasedMatcher, importedNames } from '../fixes/drift/translateFile.ts';
import { applyChanges, type TextChange } from '../model/edit.ts';
import { parseTree, startOf, unwrap, visitNodes, type SourceTree } from '../syntax/javascript/sourceTree.ts';
import { oncePerFile, type FileFacts } from './fileFacts.ts';
import { shapeOf } from './parseSource.ts';

/**
 * Do both versions differ in nothing but the names of test runners, each the counterpart of the other, in where those come from, and
 * in tests that say by a promise what they said by a callback? False when nothing of the kind differs.
 */
export function isRunnerMove(before: FileFacts, after: FileFacts): boolean {
  if (wholeShape(before) === wholeShape(after)) return false;
  const was = plainShape(before);
  return was !== undefined && was === plainShape(after);
}

const wholeShape = oncePerFile(({ source }) => shapeOf(source));

const plainShape = oncePerFile(({ file, text, source }) => inPlainWords({ file, text, ast: source }));

/** The shape of the file without its runner's import and with one word for each thing; undefined where that is not certain. */
function inPlainWords(tree: SourceTree): string | undefined {
  const imports = runnerImports(tree.ast);
  if ('reason' in imports) return undefined;
  const known = new Set(
    Object.values(runnerNames)
      .flatMap((names) => [...names])
      .concat([...mockTypes.values()]),
  );
  const changes: TextChange[] = [];
  const change = (node: ts.Node, newText: string): void => {
    changes.push({ start: startOf(tree, node), end: node.end, newText });
  };
  for (const { declaration, names } of imports) {
    if (names.some(({ name }) => !known.has(name.text))) return undefined;
    change(declaration, '');
  }
  changes.push(...plainMembers(tree));
  // What another module gives under such a name is something else.
  const others = new Set(importedNames(tree.ast));
  for (const use of freeUses(tree.ast, new Set(plainName.keys())))
    if (rootOf(use.parent) === use && !others.has(use.text)) change(use, plainName.get(use.text) ?? use.text);
  visitNodes(tree.ast, (node) => {
    const matcher = aliasedMatcher(node);
    if (matcher !== undefined) change(matcher.name, matcher.plain);
    if (!ts.isCallExpression(node)) return;
    const promised = promisedCallback(node);
    if (promised === undefined) return;
    const { outer, name, body, answer } = promised;
    changes.push(...untilDone(tree, outer, name, body));
    if (answer !== undefined) change(answer, '');
  });
  for (const { callback, name, reason } of doneCallbacks(tree.ast))
    if (reason === undefined) changes.push(...untilDone(tree, callback, name, callback.body));
  try {
    return shapeOf(parseTree(tree.file, applyChanges(changes, tree.text)).ast);
  } catch {
    return undefined;
  }
}

/** A callback that says when the test is done, written in one way however it does that. */
function untilDone(
  tree: SourceTree,
  callback: ts.Node,
  name: string,
  body: ts.ConciseBody,
): readonly TextChange[] {
  const [open, close] = ts.isBlock(body) ? ['', ''] : ['{ ', '; }'];
  return [
    { start: startOf(tree, callback), end: startOf(tree, body), newText: `untilDone((${name}) => ${open}` },
    { start: body.end, end: callback.end, newText: `${close})` },
  ];
}

/** `jest.fn` and `vi.fn` are `mocks.fn`; what has no counterpart stays, and differs. */
function plainMembers(tree: SourceTree): readonly TextChange[] {
  const changes: TextChange[] = [];
  const change = (start: number, end: number, newText: string): void => {
    changes.push({ start, end, newText });
  };
  const others = new Set(importedNames(tree.ast));
  for (const use of freeUses(tree.ast, new Set(['jest', 'vi']))) {
    if (others.has(use.text)) continue;
    const start = startOf(tree, use);
    if (ts.isQualifiedName(use.parent)) {
      const now = typeName(use.parent);
      if (now !== undefined) change(start, use.parent.end, now);
      continue;
    }
    const meaning = memberMeaning(use, use.text === 'jest' ? 'jest' : 'vitest');
    if ('reason' in meaning || (meaning.factory?.kind === 'other' && use.text === 'jest')) continue;
    const { name, member, call, factory } = meaning;
    change(start, member.end, `mocks.${name}`);
    if (factory?.kind === 'wrap') {
      const inner = unwrap(factory.value);
      const at = startOf(tree, inner);
      change(at, at, '({ default: ');
      change(inner.end, inner.end, ' })');
    }
    if (use.text === 'vi' && call !== undefined && factory !== undefined)
      for (const { start: from, end } of waits(tree, call)) change(from, end, '');
  }
  return changes;
}

/** The words `async` and `await` of a factory that waits for the real module and for nothing else. */
function waits(tree: SourceTree, call: ts.CallExpression): readonly { start: number; end: number }[] {
  const awaits = actualAwaits(call);
  const factory = factoryOf(call);
  if (awaits.length === 0 || factory === undefined || !isAsync(factory)) return [];
  const start = startOf(tree, factory);
  return [
    { start, end: start + 'async'.length },
    ...awaits.map((one) => ({ start: startOf(tree, one), end: startOf(tree, one) + 'await'.length })),
  ];
}

function typeName({ parent, right }: ts.QualifiedName): string | undefined {
  const hasArguments = ts.isTypeReferenceNode(parent) && (parent.typeArguments?.length ?? 0) > 0;
  const own = mockTypes.get(right.text);
  return (hasArguments ? own : mockTypes.get(`${right.text}()`)) ?? own;
}
