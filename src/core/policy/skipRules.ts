// No new skip, only, todo or expected failure, however it is written.
import ts from 'typescript';
import { chainOf, importsFrom } from './bindings.ts';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf, shapeOf, writtenName } from './parseSource.ts';
import { isOutermost } from './testTree.ts';
import { skippingFunctions, skippingNames, testNames } from './testApi.ts';

export const skipRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  visitNodes(facts.source, (node) => {
    const name = skippingName(node, facts);
    if (name !== undefined) {
      const text = `${name} keeps a test from running or from failing.`;
      marks.push({
        rule: 'skip-or-only',
        owner: facts.tree.ownerOf(node),
        key: name,
        line: lineOf(node),
        text,
      });
    }
  });
  yield* marks;
});

function skippingName(node: ts.Node, facts: FileFacts): string | undefined {
  if (ts.isBinaryExpression(node) && /\bpending$/.test(node.left.getText()))
    return ts.isPropertyAccessExpression(unwrap(node.left)) ? 'pending' : undefined;
  if (ts.isPropertyAccessExpression(node) && skippingNames.has(node.name.text)) return node.name.text;
  if (ts.isPropertyAccessExpression(node) && isExpectedFailure(node)) return 'fail';
  // What failed in an attempt, `await t.try(…)`, is forgotten with it.
  if (ts.isIdentifier(node) && node.text === 'discard' && importsFrom('ava', facts.bindings))
    return 'discard';
  if (ts.isElementAccessExpression(node)) {
    const key = unwrap(node.argumentExpression);
    if (ts.isStringLiteralLike(key)) return skippingNames.has(key.text) ? key.text : undefined;
    return isComputedTest(node, facts) ? `[${shapeOf(key, { anyName: true })}]` : undefined;
  }
  if (ts.isBindingElement(node)) {
    const own = node.propertyName ?? node.name;
    const name = ts.isIdentifier(own) || ts.isStringLiteral(own) ? own.text : '';
    return skippingNames.has(name) && name !== 'only' ? name : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.getText() === 'pending')
    return facts.bindings.declared.has('pending') ? undefined : 'pending()';
  if (ts.isIdentifier(node) && isUse(node)) {
    // `const later = test.skip`, `import { xit as later }`
    const names = [node.text, ...(facts.bindings.aliases.get(node.text) ?? [])];
    const [root = '', ...links] = names.slice(1);
    if (names.some((name) => skippingFunctions.has(name))) return node.text;
    if (testNames.has(root) && links.some((name) => skippingNames.has(name))) return node.text;
  }
  const isOption = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
  if (isOption && isTestOption(node, facts)) {
    const name = writtenName(node.name);
    const isOff = ts.isPropertyAssignment(node) && node.initializer.kind === ts.SyntaxKind.FalseKeyword;
    return skippingNames.has(name) && !isOff ? name : undefined;
  }
  return undefined;
}

/** Playwright's `test.fail`, `test.describe.fail`, `test.info().fail()`, `testInfo.fail()`; not `assert.fail`. */
function isExpectedFailure({ name, expression }: ts.PropertyAccessExpression): boolean {
  if (name.text !== 'fail') return false;
  const holder = expression.getText();
  const root = /^[\w$]+/.exec(holder)?.[0] ?? '';
  return testNames.has(root) || /^(?:testInfo|info)$|\.info\(\)$/.test(holder);
}

function isComputedTest(node: ts.ElementAccessExpression, facts: FileFacts): boolean {
  const chain = chainOf(node, facts.bindings);
  return chain !== undefined && testNames.has(chain.root);
}

/** Used as a function or a value, not as the name of a property. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  return !(ts.isPropertyAccessExpression(parent) && parent.name === node) && !ts.isPropertyAssignment(parent);
}

/** Inside the options of a test or suite: `test('t', { skip: true }, …)`. */
function isTestOption(node: ts.ObjectLiteralElementLike, facts: FileFacts): boolean {
  const object = node.parent;
  const call = object.parent;
  if (!ts.isCallExpression(call) || !isOutermost(call)) return ts.isVariableDeclaration(call);
  return facts.tree.definitionAt(call) !== undefined;
}
