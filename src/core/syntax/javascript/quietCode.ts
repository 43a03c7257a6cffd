// Whether code of a test file only prepares mocks, timers and values, or may run the code under test before the tests do.
import ts from 'typescript';
import { valueConstructors } from './globalNames.ts';
import type { TestVocabulary } from '../vocabulary.ts';
import { unwrap } from './sourceTree.ts';

/** What forgets the calls that a mock recorded. */
export const erasing =
  /^(?:mockClear|mockReset|mockRestore|(?:clear|reset|restore)AllMocks|resetHistory|resetCalls)$/;

/** Does the code do nothing but prepare mocks and timers? Functions in it count as if they ran. */
export function isQuiet(code: ts.Node): boolean {
  return loudPart(code, undefined) === undefined;
}

/** The first part of the file that may run the code under test before any test: where it is loaded, in a suite, or in a `beforeAll`. */
export function loudBeforeTests(source: ts.SourceFile, vocabulary: TestVocabulary): ts.Node | undefined {
  return loudPart(source, vocabulary);
}

/** `vocabulary`: of what declares tests here; absent inside functions, where nothing does. */
function loudPart(node: ts.Node, vocabulary: TestVocabulary | undefined): ts.Node | undefined {
  const isInFunction = vocabulary === undefined;
  const inside = (parent: ts.Node): ts.Node | undefined =>
    ts.forEachChild(parent, (child) => loudPart(child, vocabulary));
  if (ts.isTypeNode(node)) return undefined;
  if (ts.isFunctionLike(node) && !isInFunction) return undefined;
  if (ts.isImportDeclaration(node)) {
    const isBare = node.importClause === undefined && /^['"][./~@#]+\//.test(node.moduleSpecifier.getText());
    return isBare ? node : undefined;
  }
  if (ts.isCallExpression(node)) {
    const kind = vocabulary && testCallKind(node, vocabulary);
    if (vocabulary && kind !== undefined) return loudDefinition(node, kind, vocabulary);
    if (isHarmlessCall(node)) return loudIn(node, vocabulary);
    return !isInFunction && isImport(node) ? undefined : node;
  }
  if (ts.isNewExpression(node)) {
    const isValue =
      valueConstructors.has(node.expression.getText()) && node.expression.getText() !== 'Promise';
    return isValue && !isInFunction ? inside(node) : node;
  }
  if (ts.isTaggedTemplateExpression(node)) {
    const isTable = vocabulary !== undefined && isTestFunction(rootOf(node.tag), vocabulary);
    return isTable ? inside(node.template) : node;
  }
  if (ts.isExpressionStatement(node) && reads(node.expression)) return node;
  if (ts.isAwaitExpression(node) && !ts.isCallExpression(unwrap(node.expression))) return node;
  const changed = changedPlace(node);
  if (changed !== undefined && !ts.isIdentifier(changed) && !globals.test(rootOf(changed))) return node;
  return inside(node);
}

const globals = /^(?:process|globalThis|global|window|self|document|console)$/;

/** `suite`, `before all` or `other` for a call that defines something of that kind for the tests. */
function testCallKind(
  call: ts.CallExpression,
  vocabulary: TestVocabulary,
): 'suite' | 'before all' | 'other' | undefined {
  const root = rootOf(call.expression);
  if (!isTestFunction(root, vocabulary)) return undefined;
  const names = [root, ...(call.expression.getText().match(/(?<=\.)\w+/g) ?? [])];
  if (names.includes('extend')) return undefined;
  if (names.some((name) => vocabulary.hooks.get(name) === 'beforeAll')) return 'before all';
  return names.some((name) => vocabulary.roots.get(name)?.role === 'suite') ? 'suite' : 'other';
}

const isTestFunction = (name: string, { roots, hooks, benches }: TestVocabulary): boolean =>
  roots.has(name) || hooks.has(name) || benches?.has(name) === true;

function loudDefinition(
  call: ts.CallExpression,
  kind: 'suite' | 'before all' | 'other',
  vocabulary: TestVocabulary,
): ts.Node | undefined {
  const callee = unwrap(call.expression);
  // The table of `each` is made when the file is loaded.
  if (ts.isCallExpression(callee) || ts.isTaggedTemplateExpression(callee)) {
    const loud = loudPart(callee, vocabulary);
    if (loud !== undefined) return loud;
  }
  for (const given of call.arguments.map(unwrap)) {
    const isOwn = ts.isArrowFunction(given) || ts.isFunctionExpression(given);
    if (!isOwn) {
      // A function that is only named may do anything.
      const loud = kind !== 'other' && ts.isIdentifier(given) ? given : loudPart(given, vocabulary);
      if (loud !== undefined) return loud;
      continue;
    }
    if (kind === 'other') continue;
    const loud = loudPart(given.body, kind === 'before all' ? undefined : vocabulary);
    if (loud !== undefined) return loud;
  }
  return undefined;
}

/** What a harmless call is given: functions only where they may run at once. */
function loudIn(call: ts.CallExpression, vocabulary: TestVocabulary | undefined): ts.Node | undefined {
  const runsAtOnce = /^vi\.hoisted$/.test(call.expression.getText());
  const callee = loudPart(call.expression, vocabulary);
  if (callee !== undefined) return callee;
  for (const given of call.arguments) {
    const inner = unwrap(given);
    const isFunction = ts.isArrowFunction(inner) || ts.isFunctionExpression(inner);
    const loud = loudPart(isFunction && runsAtOnce ? inner.body : given, vocabulary);
    if (loud !== undefined) return loud;
  }
  return undefined;
}

const libraries = /^(?:vi|vitest|jest|sinon)$/;
const runs = /^(?:advance|run|import|wait|dynamic|isolate|require|mocked)/;
const programs =
  /^mock(?:Name|ReturnThis|Implementation(?:Once)?|(?:Return|Resolved|Rejected)Value(?:Once)?)$|^setSystemTime$/;
const pure =
  /^(?:Object\.(?:keys|values|entries|freeze|fromEntries)|JSON\.(?:stringify|parse)|Math\.\w+|Date\.(?:now|UTC|parse)|path\.\w+|String|Number|BigInt|Symbol|fileURLToPath|expect\.\w+)$/;

function isHarmlessCall(call: ts.CallExpression): boolean {
  const callee = unwrap(call.expression);
  if (pure.test(callee.getText())) return true;
  const name = nameOf(callee);
  if (name === undefined) return false;
  if (erasing.test(name) || programs.test(name)) return true;
  const on = ts.isPropertyAccessExpression(callee) ? unwrap(callee.expression) : callee;
  if (!ts.isIdentifier(on)) return false;
  return libraries.test(on.text) && (!runs.test(name) || name === 'mocked');
}

/** The name of the member that is called, when it is written down. */
export function nameOf(callee: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  const key = ts.isElementAccessExpression(callee) ? unwrap(callee.argumentExpression) : undefined;
  return key !== undefined && ts.isStringLiteralLike(key) ? key.text : undefined;
}

/** `const a = require('a')` and `const a = await import('a')`, which do what an import does. */
function isImport(call: ts.CallExpression): boolean {
  if (call.expression.kind !== ts.SyntaxKind.ImportKeyword && call.expression.getText() !== 'require')
    return false;
  let up: ts.Node = call.parent;
  while (ts.isAwaitExpression(up) || ts.isPropertyAccessExpression(up) || ts.isParenthesizedExpression(up))
    up = up.parent;
  return ts.isVariableDeclaration(up);
}

/** Asks for a member and does nothing with it: a getter may do anything. */
function reads(expression: ts.Expression): boolean {
  let node = unwrap(expression);
  while (ts.isVoidExpression(node) || ts.isAwaitExpression(node)) node = unwrap(node.expression);
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
}

function changedPlace(node: ts.Node): ts.Node | undefined {
  if (ts.isPostfixUnaryExpression(node)) return unwrap(node.operand);
  if (ts.isPrefixUnaryExpression(node))
    return /^(?:\+\+|--)/.test(node.getText()) ? unwrap(node.operand) : undefined;
  const isAssignment =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  return isAssignment ? unwrap(node.left) : undefined;
}

/** The name a chain of members and calls begins with. */
function rootOf(expression: ts.Node): string {
  let node = expression;
  while (
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isParenthesizedExpression(node)
  )
    node = node.expression;
  return ts.isTaggedTemplateExpression(node) ? rootOf(node.tag) : node.getText();
}
