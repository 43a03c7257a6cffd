// No change of what `expect`, `test` and their like mean, and no forged result.
import ts from 'typescript';
import { chainOf, type Bindings } from './bindings.ts';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { apiNames, isTestLibrary } from './testApi.ts';

export const tamperingRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  const add = (node: ts.Node, key: string, text: string, rule = 'test-api-tampering'): void => {
    marks.push({ rule, owner: facts.tree.ownerOf(node), key, line: lineOf(node), text });
  };
  for (const [name, { module, node }] of facts.bindings.imports)
    if (apiNames.has(name) && !isTestLibrary(module))
      add(node, `import ${name}`, `${name} is imported from ${module}.`);
  for (const [name, nodes] of facts.bindings.declared)
    if (apiNames.has(name))
      for (const node of nodes)
        if (!isFromLibrary(node)) add(node, `declare ${name}`, `${name} is redefined.`);
  visitNodes(facts.source, (node) => {
    const api = aliasedApi(node, facts.bindings);
    if (api !== undefined) add(node, `alias ${api}`, `${api} is aliased under another name.`);
    const built = aliasedFoundation(node);
    if (built !== undefined) add(node, `alias ${built}`, `${built} is aliased under another name.`);
    const inner = innerPart(node);
    if (inner !== undefined) add(node, `part ${inner}`, `${inner} is an internal part of the test library.`);
    const assigned = assignedPlace(node);
    if (assigned !== undefined) add(node, `assign ${assigned}`, `${assigned} is redefined.`);
    const call = changingCall(node, facts.bindings);
    if (call !== undefined) add(node, `call ${call}`, `${call} changes the meaning of the tests.`);
    const hidden = hiddenMember(node);
    if (hidden !== undefined)
      add(node, `hidden ${hidden}`, `A member is accessed by a computed name: ${hidden}`);
    const result = forgedResult(node);
    if (result !== undefined)
      add(node, result, `The number that the test checks is set by the test: ${result}`, 'forged-result');
  });
  yield* marks;
});

/** A parameter or a destructured import of a test library is its ordinary use. */
function isFromLibrary(node: ts.Node): boolean {
  let up: ts.Node = node.parent;
  while (ts.isBindingElement(up) || ts.isObjectBindingPattern(up)) up = up.parent;
  if (ts.isParameter(up)) return node.parent !== up;
  if (!ts.isVariableDeclaration(up) || up.initializer === undefined) return false;
  const value = unwrap(up.initializer);
  const inner = ts.isAwaitExpression(value) ? unwrap(value.expression) : value;
  const module = ts.isCallExpression(inner) ? inner.arguments[0] : undefined;
  return module !== undefined && ts.isStringLiteral(module) && isTestLibrary(module.text);
}

/** A part of the test library that is used as a value: neither called, nor accessed, nor imported. */
function aliasedApi(node: ts.Node, bindings: Bindings): string | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  const name = bindings.aliases.get(node.text)?.[0] ?? node.text;
  if (!apiNames.has(name) || (bindings.declared.has(node.text) && !bindings.aliases.has(node.text)))
    return undefined;
  let used: ts.Node = node;
  while (unwrap(used.parent) !== used.parent && ts.isExpression(used.parent)) used = used.parent;
  const { parent } = used;
  if (ts.isPropertyAccessExpression(parent)) return undefined;
  const isValue =
    (ts.isVariableDeclaration(parent) && parent.initializer === used) ||
    (ts.isCallExpression(parent) && parent.expression !== used) ||
    ts.isPropertyAssignment(parent) ||
    ts.isShorthandPropertyAssignment(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isArrowFunction(parent) ||
    ts.isSpreadAssignment(parent) ||
    (ts.isBinaryExpression(parent) && parent.right === used);
  return isValue ? name : undefined;
}

/** What assertions themselves are built on. */
const foundations =
  /^(?:Object|Array|String|Number|Boolean|Promise|Error|Map|Set|JSON|Reflect|Symbol|RegExp|Math|Date)$/;

/** `const O = Object`, through which its functions could be replaced. */
function aliasedFoundation(node: ts.Node): string | undefined {
  const value = ts.isVariableDeclaration(node) && node.initializer ? unwrap(node.initializer) : undefined;
  return value && ts.isIdentifier(value) && foundations.test(value.text) ? value.text : undefined;
}

const builtIns =
  /^(?:globalThis|global|window|self|Object|Array|String|Number|Boolean|Promise|Error|Map|Set|JSON|Reflect|Symbol|process|console)$/;

/** The running test's own record, or a fixture that takes the place of `expect`. */
function innerPart(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'task' ? 'task' : undefined;
  if (ts.isBindingElement(node)) {
    const own = node.propertyName ?? node.name;
    return ts.isIdentifier(own) && own.text === 'task' ? 'task' : undefined;
  }
  const isProperty = ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node);
  return isProperty && /^['"]?(?:expect|assert)['"]?$/.test(node.name.getText())
    ? node.name.getText()
    : undefined;
}

/** `expect = …`, `globalThis.test = …`, `assert.equal = …`, `Object.prototype.x = …`, `ctx.task.result = …`. */
function assignedPlace(node: ts.Node): string | undefined {
  const isAssignment =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  if (!isAssignment) return undefined;
  const text = unwrap(node.left).getText().replace(/\s+/g, '');
  const path = text.split(/[.[?]+/).map((part) => part.replace(/['"`\]!]/g, ''));
  const [root = ''] = path;
  if (apiNames.has(root) || (path.length > 1 && foundations.test(root))) return text;
  const second = path[1] ?? '';
  if (
    builtIns.test(root) &&
    (apiNames.has(second) ||
      path.includes('prototype') ||
      /^(?:Promise|Error|Object|Math|Date)$/.test(second))
  )
    return text;
  return path.includes('task') || path.includes('prototype') || path.includes('__proto__') ? text : undefined;
}

/** `context['ta' + 'sk']`: who writes a name in parts hides it. */
function hiddenMember(node: ts.Node): string | undefined {
  if (!ts.isElementAccessExpression(node)) return undefined;
  const key = unwrap(node.argumentExpression);
  if (ts.isLiteralExpression(key) || ts.isPrefixUnaryExpression(key)) return undefined;
  let isOpen = false;
  let hasText = false;
  visitNodes(key, (inner) => {
    isOpen ||= ts.isIdentifier(inner) && !isNameOfMember(inner);
    hasText ||= ts.isStringLiteralLike(inner) || ts.isTemplateExpression(inner);
  });
  return hasText && !isOpen ? key.getText() : undefined;
}

const isNameOfMember = (node: ts.Identifier): boolean =>
  ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;

function changingCall(node: ts.Node, bindings: Bindings): string | undefined {
  if (ts.isNewExpression(node))
    return /^(?:Function|Proxy)$/.test(node.expression.getText())
      ? `new ${node.expression.getText()}`
      : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const callee = unwrap(node.expression);
  if (ts.isIdentifier(callee) && callee.text === 'eval') return 'eval';
  const method = ts.isPropertyAccessExpression(callee) ? callee : undefined;
  const isChanging = /^(?:extend|setState|addEqualityTesters|addSnapshotSerializer)$/.test(
    method?.name.text ?? '',
  );
  if (method !== undefined && isChanging && isExpectOfContext(unwrap(method.expression), bindings))
    return `expect.${method.name.text}`;
  const chain = chainOf(callee, bindings);
  if (chain === undefined) return undefined;
  const [first] = chain.links;
  const name = first?.kind === 'name' ? first.name : '';
  if (chain.root === 'expect' && /^(?:extend|setState|addEqualityTesters|addSnapshotSerializer)$/.test(name))
    return `expect.${name}`;
  const target = node.arguments[0];
  const text = target === undefined ? '' : unwrap(target).getText();
  if (/^(?:Object|Reflect)$/.test(chain.root) && /^(?:define|assign|set)/.test(name)) {
    const isApi = apiNames.has(text.split('.')[0] ?? '') || builtIns.test(text) || /prototype/.test(text);
    return isApi ? `${chain.root}.${name}(${text})` : undefined;
  }
  const isPrototype = /^(?:get|set)PrototypeOf$/.test(name) && target !== undefined;
  if (isPrototype && apiNames.has(chainOf(target, bindings)?.root ?? ''))
    return `${chain.root}.${name}(${text})`;
  if (chain.root === 'Reflect' && apiNames.has(text)) return `Reflect.${name}(${text})`;
  if (name === 'stubGlobal' && target !== undefined && ts.isStringLiteralLike(unwrap(target))) {
    const global = text.replace(/['"`]/g, '');
    return apiNames.has(global) || /^(?:Promise|Error|Object|process)$/.test(global)
      ? `stubGlobal(${global})`
      : undefined;
  }
  if (/^(?:spyOn|stub|replaceProperty)$/.test(name) && foundations.test(text)) return `${name}(${text})`;
  return name === 'chai' || (chain.root === 'chai' && /^(?:use|util)$/.test(name)) ? 'chai.use' : undefined;
}

/** `context.expect`, or `x` of `({ expect: x }) => …`. */
function isExpectOfContext(node: ts.Node, { declared }: Bindings): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'expect';
  if (ts.isElementAccessExpression(node)) return !ts.isNumericLiteral(unwrap(node.argumentExpression));
  if (!ts.isIdentifier(node)) return false;
  return (declared.get(node.text) ?? []).some(
    ({ parent }) =>
      ts.isBindingElement(parent) && (parent.propertyName ?? parent.name).getText() === 'expect',
  );
}

/** `return { passed: 3, failed: 0 }` instead of what was counted (a skill's result). */
function forgedResult(node: ts.Node): string | undefined {
  const counters = /^(?:passed|failed|errors|failures|success)$/;
  if (ts.isPropertyAssignment(node) && counters.test(node.name.getText())) {
    const value = unwrap(node.initializer);
    const isWritten =
      ts.isLiteralExpression(value) || shapeOf(value) === 'ArrayLiteralExpression()' || isTruth(value);
    return isWritten && ts.isReturnStatement(statementOf(node))
      ? `${node.name.getText()}: ${value.getText()}`
      : undefined;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const target = unwrap(node.left);
    return ts.isIdentifier(target) && counters.test(target.text) ? shapeOf(node) : undefined;
  }
  const isCount = ts.isPostfixUnaryExpression(node) && node.operand.getText() === 'passed';
  const isAdded =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.PlusEqualsToken &&
    node.left.getText() === 'passed';
  return isCount || isAdded ? 'passed++' : undefined;
}

const isTruth = (node: ts.Node): boolean =>
  node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;

function statementOf(node: ts.Node): ts.Node {
  let up = node.parent;
  while (ts.isObjectLiteralExpression(up) || ts.isPropertyAssignment(up) || unwrap(up) !== up) up = up.parent;
  return up;
}
