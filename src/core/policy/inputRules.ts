// Who changes what a test expects may not change what it asks: the arguments of the code under test stay.
import { alignAssertions } from './alignAssertions.ts';
import ts from 'typescript';
import { factsOf, type FileChange, type FileFacts, type Finding } from './fileFacts.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';

/** For changes of expectations only; a repaired call is another matter. */
export function* inputRules({ file, before, after }: FileChange): Generator<Finding> {
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const [was, is] = [factsOf(file, before), factsOf(file, after)];
  const owners = new Set(was.assertions.map(({ owner }) => owner));
  for (const owner of owners) {
    const mine = (facts: FileFacts): FileFacts['assertions'] =>
      facts.assertions.filter((fact) => fact.owner === owner);
    for (const [old, now] of alignAssertions(mine(was), mine(is)).pairs)
      if (old.subject && now.subject && shapeOf(old.subject) !== shapeOf(now.subject))
        yield {
          rule: 'changed-input',
          line: now.line,
          text: 'A change of what is expected may not change what is asked.',
        };
  }
  const [steps, left] = [stepsOf(was), stepsOf(is)];
  for (const [shape, line] of left) {
    if (steps.has(shape)) continue;
    yield {
      rule: 'changed-input',
      line,
      text: 'A change of what is expected may not change what the test does.',
    };
  }
}

/** Calls that stand for themselves and assert nothing: what the test does before it looks. */
function stepsOf({ source, assertions }: FileFacts): ReadonlyMap<string, number> {
  const asserting = assertions.map(({ node }) => node);
  const steps = new Map<string, number>();
  visitNodes(source, (node) => {
    if (!ts.isExpressionStatement(node)) return;
    const holds = asserting.some((inner) => node.pos <= inner.pos && inner.end <= node.end);
    const isAround =
      node.expression.getText().includes('=>') || /\bfunction\b/.test(node.expression.getText());
    if (!holds && !isAround) steps.set(shapeOf(node.expression), lineOf(node));
  });
  return steps;
}
