// Who changes what a test expects may not change what it asks: the arguments of the code under test stay.
import ts from 'typescript';
import { alignAssertions } from './alignAssertions.ts';
import { chainOf } from './bindings.ts';
import { factsOf, type FileChange, type FileFacts, type Finding } from './fileFacts.ts';
import { macroInputs } from './macroInputs.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { testModules } from './redirectionRules.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

/** For changes of expectations only; a repaired call is another matter. */
export function* inputRules(
  { file, before, after }: FileChange,
  isTestFile: (file: string) => boolean,
): Generator<Finding> {
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
  const isTestModule = testModules(file, isTestFile);
  const [steps, left] = [stepsOf(was, isTestModule), stepsOf(is, isTestModule)];
  for (const [shape, line] of left) {
    if (steps.has(shape)) continue;
    yield {
      rule: 'changed-input',
      line,
      text: 'A change of what is expected may not change what the test does.',
    };
  }
}

/**
 * Calls that stand for themselves and assert nothing: what the test does before it looks. A helper of the tests may assert, and
 * its arguments may be what is expected.
 */
function stepsOf(
  { source, assertions, bindings, tree }: FileFacts,
  isTestModule: (module: string) => boolean,
): ReadonlyMap<string, number> {
  const asserting = assertions.map(({ node }) => node);
  const steps = new Map<string, number>();
  const isHelper = (call: ts.Node): boolean => {
    const root = chainOf(call, bindings)?.root ?? '';
    const functions = (bindings.declared.get(root) ?? []).filter((node) => isFunctionName(node));
    return functions.length > 0 || isTestModule(bindings.imports.get(root)?.module ?? '');
  };
  visitNodes(source, (node) => {
    if (!ts.isExpressionStatement(node)) return;
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    const holds = asserting.some((inner) => node.pos <= inner.pos && inner.end <= node.end);
    const isDefinition = ts.isCallExpression(call) && tree.definitionAt(call) !== undefined;
    const isAround = /=>|\bfunction\b/.test(call.getText());
    if (holds || isAround || isHelper(call)) return;
    steps.set(isDefinition ? macroInputs(call, { assertions, bindings }) : shapeOf(call), lineOf(node));
  });
  return steps;
}

function isFunctionName(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node)) return true;
  const { parent } = node;
  return (
    ts.isVariableDeclaration(parent) &&
    parent.initializer !== undefined &&
    ts.isFunctionLike(unwrap(parent.initializer))
  );
}
