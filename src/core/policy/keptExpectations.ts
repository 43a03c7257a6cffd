// Who follows names, imports or awaits changes no expected value along the way: what is written there stays, in its order.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { isCallOfCode } from './callRules.ts';
import { sidesOf, type FileChange, type FileFacts, type Finding } from './fileFacts.ts';
import { isValue, isWritten } from './inputRules.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { testModules } from './redirectionRules.ts';
import { valueFlow } from './valueFlow.ts';

/** For fixes that say that the meaning of the test does not change. */
export function* keptExpectations(
  change: FileChange,
  isTestFile: (file: string) => boolean,
): Generator<Finding> {
  const { file, before, after } = change;
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const isTestModule = testModules(file, isTestFile);
  const [was, is] = sidesOf(change).map((facts) => [
    ...writtenIn(facts, isTestModule),
    ...behindNames(facts),
  ]);
  const other = is?.find(({ shape }, index) => shape !== was?.[index]?.shape);
  if (other === undefined && was?.length === is?.length) return;
  yield {
    rule: 'changed-expectation',
    line: other === undefined ? 1 : lineOf(other.node),
    text: 'A fix that follows a rename must not change an expectation.',
  };
}

interface Written {
  readonly node: ts.Node;
  readonly shape: string;
}

/** Every text, number, true, false and null of the file that is compared with what the code gives. */
function writtenIn(facts: FileFacts, isTestModule: (module: string) => boolean): readonly Written[] {
  const flow = valueFlow(facts, isTestModule);
  const written: Written[] = [];
  visitNodes(facts.source, (node) => {
    if (isKept(node) && flow(node).expected) written.push({ node, shape: shapeOf(node, { anyName: true }) });
  });
  return written;
}

/** The key in `row['total']` is a name. */
const isKept = (node: ts.Node): boolean =>
  isWritten(node) && isValue(node) && !ts.isElementAccessExpression(unwrap(node.parent));

/** By assertion, what stands there and behind the names there: one name may not take the place of another. */
function behindNames(facts: FileFacts): readonly Written[] {
  return facts.assertions.flatMap(({ family, args, owner, node }) => {
    if (family !== 'expect' && family !== 'assert') return [];
    const valuesOf = facts.valuesFor(owner);
    const seen = new Set<string>();
    const shapes: string[] = [];
    const follow = (inner: ts.Node): void => {
      if (isCallOfCode(inner, facts)) return;
      if (isKept(inner)) shapes.push(shapeOf(inner, { anyName: true }));
      if (ts.isIdentifier(inner) && isValue(inner) && !isAccessed(inner) && !seen.has(inner.text)) {
        seen.add(inner.text);
        for (const value of valuesOf(inner.text)) follow(value);
      }
      ts.forEachChild(inner, follow);
    };
    for (const arg of args) follow(arg);
    return [{ node, shape: shapes.join('\n') }];
  });
}

/** Which part of it is expected is followed by the way of the value. */
const isAccessed = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent);
