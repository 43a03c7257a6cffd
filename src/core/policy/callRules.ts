// Who changes how the code under test is called may not change what is expected of it.
import ts from 'typescript';
import { alignAssertions } from './alignAssertions.ts';
import { factsOf, type FileChange, type Finding } from './fileFacts.ts';
import { shapeOf } from './parseSource.ts';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';

/** For changes of calls only: every expected value stays, unless a call stands in it. */
export function* callRules({ file, before, after }: FileChange): Generator<Finding> {
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const [was, is] = [factsOf(file, before), factsOf(file, after)];
  for (const owner of new Set(was.assertions.map((fact) => fact.owner))) {
    const [old, now] = [was, is].map(({ assertions }) => assertions.filter((fact) => fact.owner === owner));
    for (const [left, right] of alignAssertions(old ?? [], now ?? []).pairs) {
      // The condition of a hand-made check holds the call itself.
      if (left.family === 'manual' || left.family === 'helper') continue;
      const [expected, expects] = [left, right].map((fact) => fact.args.filter((one) => !holdsCall(one)));
      if (shapes(expected) !== shapes(expects) || left.matcher !== right.matcher)
        yield {
          rule: 'changed-expectation',
          line: right.line,
          text: 'A change of a call may not change what is expected.',
        };
    }
  }
}

const shapes = (args: readonly ts.Expression[] = []): string => args.map((one) => shapeOf(one)).join(',');

function holdsCall(node: ts.Node): boolean {
  let found = false;
  visitNodes(node, (inner) => {
    found ||= ts.isCallExpression(inner) || ts.isNewExpression(inner);
  });
  return found;
}
