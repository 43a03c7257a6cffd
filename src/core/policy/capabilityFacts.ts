// What the code of one JavaScript or TypeScript file can reach beyond its own values: names, modules, places that it writes to.
import ts from 'typescript';
import { valueConstructors } from '../syntax/javascript/globalNames.ts';
import { takesClass } from '../syntax/javascript/matchers.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { importsFrom } from './bindings.ts';
import type { FileFacts } from './fileFacts.ts';
import { globalReferences, type Reference } from './globalReferences.ts';
import { shapeOf } from './parseSource.ts';
import { assertionRoots, hookNames, isSourceModule, isTestLibrary, testNames, words } from './testApi.ts';

/** Something that a file can do; one with the same key in another version of the file is the same. */
interface Capability {
  readonly key: string;
  readonly node: ts.Node;
  /** For people, with its verb: "reaches `node:fs`". */
  readonly does: string;
}

/** What only makes values of values. */
const pureRoots: ReadonlySet<string> = new Set([
  ...valueConstructors,
  ...words(
    'Math JSON Number String Boolean Array Intl undefined NaN Infinity parseInt parseFloat isNaN isFinite',
    'structuredClone encodeURIComponent decodeURIComponent EvalError ReferenceError URIError WeakMap WeakSet',
    'ArrayBuffer DataView BigInt64Array BigUint64Array Uint8ClampedArray TextEncoder TextDecoder',
  ),
]);
const pureOfObject: ReadonlySet<string> = new Set(words('keys values entries fromEntries freeze is'));
/** Node modules without an effect on anything but their arguments. */
const pureModule = /^(?:node:)?(?:path(?:\/posix|\/win32)?|url|querystring|string_decoder)$/;
/** Links of `test`, `it` and `describe` that only say which tests there are. */
const testLinks: ReadonlySet<string> = new Set(
  words('each for only skip todo concurrent sequential failing fails serial step describe test it suite'),
);
/** From any object they lead to what makes code of text, or to what all objects share. */
const innerNames: ReadonlySet<string> = new Set(
  words('constructor __proto__ prototype __defineGetter__ __defineSetter__ callee caller'),
);

/** All that the file does which is neither pure, nor its own, nor a call of the code under test or of an assertion. */
export function capabilitiesOf(facts: FileFacts): readonly Capability[] {
  const found: Capability[] = [];
  const add = (key: string | undefined, node: ts.Node, does: () => string): void => {
    if (key !== undefined) found.push({ key, node, does: does() });
  };
  for (const reference of globalReferences(facts))
    add(reachOf(reference, facts), reference.node, () => `reaches ${referredTo(reference)}`);
  visitNodes(facts.source, (node) => {
    add(moduleOf(node), node, () => `reaches ${loadedBy(node)}`);
    add(innerMember(node), node, () => `reaches ${codeOf(node)}`);
    const does = ts.isDeleteExpression(node) ? 'delete' : 'write';
    for (const target of targetsOf(node))
      add(writtenPlace(target, facts, does), target, () =>
        does === 'delete' ? `deletes ${codeOf(target)}` : `writes to ${codeOf(target)}`,
      );
    if (ts.isMetaProperty(node) || node.kind === ts.SyntaxKind.ThisKeyword) {
      const { top } = chainUp(node);
      add(isOwnThis(node) ? undefined : `read ${shapeOf(top)}`, node, () => `reaches ${codeOf(top)}`);
    }
    if (ts.isWithStatement(node)) add('with', node, () => 'reaches all members of an object by `with`');
  });
  return found;
}

/** In one short line. */
function codeOf(node: ts.Node): string {
  const [line = ''] = node.getText().split('\n', 1);
  return `\`${line.slice(0, 60)}\``;
}

/** The module that a name comes from, or the global with the members that are named. */
function referredTo({ node, from }: Reference): string {
  if (from !== undefined && from !== 'context') return `\`${from.module}\``;
  return `\`${[node.text, ...chainUp(node).names].join('.').slice(0, 60)}\``;
}

function loadedBy(node: ts.Node): string {
  const specifier = specifierOf(node);
  const module = specifier && unwrap(specifier);
  return module !== undefined && ts.isStringLiteralLike(module)
    ? `\`${module.text.slice(0, 60)}\``
    : 'a module whose name is computed';
}

function specifierOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  return ts.isCallExpression(node) ? node.arguments[0] : undefined;
}

interface ChainUp {
  /** The outermost access of names. */
  readonly top: ts.Node;
  readonly names: readonly string[];
  /** The call (or `new`) of it, if it is called. */
  readonly call: ts.CallExpression | ts.NewExpression | undefined;
}

/** `process.env.X` from its root up to the first call or the first computed member. */
function chainUp(root: ts.Node): ChainUp {
  const names: string[] = [];
  let top = outer(root);
  for (;;) {
    const { parent } = top;
    const name = memberName(parent);
    if (name === undefined || !isAccess(parent) || parent.expression !== top) break;
    names.push(name);
    top = outer(parent);
  }
  const { parent } = top;
  const isCalled = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === top;
  return { top, names, call: isCalled ? parent : undefined };
}

/** With the parentheses and casts around it. */
function outer(node: ts.Node): ts.Node {
  let up = node;
  while (ts.isExpression(up.parent) && unwrap(up.parent) !== up.parent) up = up.parent;
  return up;
}

const isAccess = (node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);

function memberName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isElementAccessExpression(node)) return undefined;
  const key = unwrap(node.argumentExpression);
  return ts.isStringLiteralLike(key) ? key.text : undefined;
}

/** What a name from outside of the file is used for, where that is more than a value. */
function reachOf({ node, from }: Reference, facts: FileFacts): string | undefined {
  const { top, names, call } = chainUp(node);
  const [first] = names;
  if (from === 'context') return ofContext(node, facts) ? undefined : useOf(node, facts);
  if (from === undefined) {
    if (node.text === 'require' && call !== undefined && names.length === 0) return undefined;
    if (node.text === 'Object') {
      const isPure = first === undefined ? isPlainValue(top, names, undefined) : pureOfObject.has(first);
      return isPure && (first === undefined) === (call === undefined) ? undefined : useOf(node, facts);
    }
    if (pureRoots.has(node.text)) return isPlainValue(top, names, call) ? undefined : useOf(node, facts);
  } else {
    if (isSourceModule(from.module) || pureModule.test(from.module)) return undefined;
    if (from.module.startsWith('@testing-library/') && call !== undefined) return undefined;
  }
  const isApi = from === undefined || isTestLibrary(from.module);
  return isApi && isTestUse(node, names, call, facts) ? undefined : useOf(node, facts);
}

/** A definition of tests, or an assertion. */
function isTestUse(
  node: ts.Identifier,
  names: readonly string[],
  call: ChainUp['call'],
  { bindings }: FileFacts,
): boolean {
  const [root = '', ...more] = bindings.aliases.get(node.text) ?? [node.text];
  const links = [...more, ...names];
  const imported = bindings.imports.get(node.text);
  // `chai.expect(…)`, `v.test(…)`
  const isWhole = root === 'chai' || (imported !== undefined && /^(?:\*|default)$/.test(imported.name));
  if (isWhole && !testNames.has(root) && assertionRoots.has(links[0] ?? '')) return call !== undefined;
  const isCalled = call !== undefined || ts.isTaggedTemplateExpression(outer(node).parent);
  if (assertionRoots.has(root)) return isCalled && links.every((name) => !/^(?:extend|setState)$/.test(name));
  if (testNames.has(root) || hookNames.has(root)) return links.every((name) => testLinks.has(name));
  return /^(?:vi|vitest|jest)$/.test(root) && links.join() === 'fn' && call !== undefined;
}

/** A built-in that is called, compared with or asked for; nobody gets hold of it who could change it. */
function isPlainValue(top: ts.Node, names: readonly string[], call: ChainUp['call']): boolean {
  if (call !== undefined || names.length > 0) return true;
  const { parent } = top;
  if (ts.isTaggedTemplateExpression(parent)) return true;
  if (ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression)) {
    const { text } = parent.expression.name;
    return takesClass(text) || /^(?:map|filter|flatMap|every|some|find)$/.test(text);
  }
  if (ts.isTypeOfExpression(parent) || ts.isExpressionWithTypeArguments(parent)) return true;
  if (ts.isIdentifier(top) && /^(?:undefined|NaN|Infinity)$/.test(top.text)) return true;
  return (
    ts.isBinaryExpression(parent) &&
    (parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword ||
      parent.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken)
  );
}

/** What the runner hands to a test: assertions, subtests, and the end of the test. */
function ofContext(node: ts.Identifier, facts: FileFacts): boolean {
  const { names, call } = chainUp(node);
  const [first] = names;
  if (call === undefined) return false;
  if (first === undefined || assertionRoots.has(node.text)) return true;
  const { bindings, tree } = facts;
  if (first === 'test' && names.length === 1 && importsFrom('node:test', bindings))
    return tree.definitionAt(call) !== undefined;
  return assertionRoots.has(first) || (importsFrom('ava', bindings) && names.length <= 2);
}

/** A call as it is written, with what it is given; a value with where it goes. */
function useOf(node: ts.Identifier, facts: FileFacts): string {
  const { top, names, call } = chainUp(node);
  const whole = call ?? (names.length > 0 ? top : top.parent);
  const isLong = ts.isStatement(whole) || ts.isSourceFile(whole);
  return `use ${node.text} ${call === undefined ? 'as value' : 'called'} ${isLong ? '' : `${shapeOf(whole)} ${givenOf(whole, facts)}`}`;
}

/** What the names in it were given: the same words with other values say another thing. */
function givenOf(whole: ts.Node, facts: FileFacts): string {
  const valuesOf = facts.valuesFor(facts.tree.ownerOf(whole));
  const seen = new Set<string>();
  const given: string[] = [];
  const look = (node: ts.Node): void =>
    visitNodes(node, (inner) => {
      if (!ts.isIdentifier(inner) || seen.size === seen.add(inner.text).size) return;
      for (const value of valuesOf(inner.text)) {
        given.push(`${inner.text}=${shapeOf(value)}`);
        look(value);
      }
    });
  look(whole);
  return given.join(' ');
}

/** A module that is loaded, with what is taken of it. */
function moduleOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node)) {
    const { importClause, moduleSpecifier } = node;
    if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return undefined;
    return namesModule(moduleSpecifier);
  }
  if (ts.isExportDeclaration(node))
    return node.moduleSpecifier === undefined ? undefined : namesModule(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return namesModule(node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  const callee = unwrap(node.expression);
  const isRequire = ts.isIdentifier(callee) && callee.text === 'require';
  if (callee.kind !== ts.SyntaxKind.ImportKeyword && !isRequire) return undefined;
  const [argument] = node.arguments;
  const module = argument === undefined ? undefined : unwrap(argument);
  if (module === undefined || !ts.isStringLiteralLike(module)) return `load ${shapeOf(node)}`;
  if (module.text.startsWith('.') && node.arguments.length === 1) return namesModule(module);
  // Of a package, with all that is done with it.
  let up: ts.Node = node;
  while (!ts.isStatement(up) && !ts.isSourceFile(up)) up = up.parent;
  return `load ${shapeOf(up)}`;
}

const namesModule = (specifier: ts.Node): string =>
  ts.isStringLiteralLike(specifier) ? `module ${specifier.text}` : `load ${shapeOf(specifier)}`;

/** A way to the inside of the language, or a name that is not written down. */
function innerMember(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node))
    // Chai, and what looks for paths, take members by such texts.
    return node.text.split(/[.[\]'"]+/).some((name) => innerNames.has(name)) && !isTitle(node)
      ? `inner ${shapeOf(node)}`
      : undefined;
  if (ts.isCallExpression(node)) {
    const asked = memberName(unwrap(node.expression)) ?? '';
    const key = node.arguments[0] && unwrap(node.arguments[0]);
    const isWritten = key === undefined || ts.isStringLiteralLike(key) || ts.isNumericLiteral(key);
    return /^(?:o|haveO|p).*roperty/.test(asked) && !isWritten ? `computed ${shapeOf(node)}` : undefined;
  }
  if (isAccess(node)) {
    const name = memberName(node);
    if (name !== undefined) return innerNames.has(name) ? `inner ${shapeOf(node)}` : undefined;
    if (!ts.isElementAccessExpression(node)) return undefined;
    return isNumber(node.argumentExpression) ? undefined : `computed ${shapeOf(node)}`;
  }
  const isPattern =
    ts.isBindingElement(node) ||
    ((ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) && isKeyed(node));
  const name = !isPattern
    ? undefined
    : ts.isBindingElement(node)
      ? (node.propertyName ?? node.name)
      : node.name;
  if (name === undefined) return undefined;
  if (ts.isComputedPropertyName(name) && !ts.isStringLiteralLike(unwrap(name.expression)))
    return ts.isBindingElement(node) || isTarget(node.parent) ? `computed ${shapeOf(node)}` : undefined;
  const text = ts.isComputedPropertyName(name) ? unwrap(name.expression) : name;
  const written = ts.isIdentifier(text) || ts.isStringLiteralLike(text) ? text.text : '';
  const isInner =
    ts.isBindingElement(node) || isTarget(node.parent) ? innerNames.has(written) : written === '__proto__';
  return isInner ? `inner ${shapeOf(node)}` : undefined;
}

/** Of a test, which is called what a person likes. */
const isTitle = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) && ts.isIdentifier(parent.expression) && testNames.has(parent.expression.text);

const isKeyed = (node: ts.Node): boolean => ts.isObjectLiteralExpression(node.parent);

/** Is this object the left side of an assignment, or a part of one? */
function isTarget(node: ts.Node): boolean {
  for (let [inner, up] = [node, node.parent]; up !== undefined; [inner, up] = [up, up.parent]) {
    if (isAssignment(up)) return up.left === inner;
    if (ts.isForOfStatement(up) || ts.isForInStatement(up)) return up.initializer === inner;
    if (ts.isStatement(up) || ts.isFunctionLike(up)) return false;
  }
  return false;
}

/** `0`, `-1`, and the counter of a loop. */
function isNumber(key: ts.Expression): boolean {
  const inner = unwrap(key);
  if (ts.isNumericLiteral(inner)) return true;
  if (ts.isPrefixUnaryExpression(inner)) return ts.isNumericLiteral(inner.operand);
  if (!ts.isIdentifier(inner)) return false;
  for (let up: ts.Node = inner; up.parent !== undefined; up = up.parent) {
    if (!ts.isForStatement(up) || up.initializer === undefined) continue;
    if (!ts.isVariableDeclarationList(up.initializer)) continue;
    const counter = up.initializer.declarations.find(({ name }) => name.getText() === inner.text);
    if (counter === undefined) continue;
    let isWritten = false;
    visitNodes(up, (node) => {
      isWritten ||= isAssignment(node) && node.left.getText().includes(inner.text);
      const isOther = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
      isWritten ||= isOther && node !== counter && node.name.getText().includes(inner.text);
    });
    return !isWritten && counter.initializer !== undefined && ts.isNumericLiteral(counter.initializer);
  }
  return false;
}

const isAssignment = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

/** The places that the node itself writes to. */
function targetsOf(node: ts.Node): readonly ts.Expression[] {
  if (isAssignment(node)) return [...placesIn(node.left)];
  if (ts.isDeleteExpression(node)) return [node.expression];
  if (ts.isPostfixUnaryExpression(node)) return [node.operand];
  if (ts.isPrefixUnaryExpression(node)) return /^(?:\+\+|--)/.test(node.getText()) ? [node.operand] : [];
  if ((ts.isForOfStatement(node) || ts.isForInStatement(node)) && ts.isExpression(node.initializer))
    return [...placesIn(node.initializer)];
  return [];
}

/** `a`, `b.c` of `[a, { d: b.c = 1 }]`. */
function* placesIn(pattern: ts.Expression): Generator<ts.Expression> {
  const inner = unwrap(pattern);
  if (ts.isArrayLiteralExpression(inner)) for (const element of inner.elements) yield* placesIn(element);
  else if (ts.isSpreadElement(inner)) yield* placesIn(inner.expression);
  else if (isAssignment(inner)) yield* placesIn(inner.left);
  else if (ts.isObjectLiteralExpression(inner))
    for (const property of inner.properties) {
      if (ts.isPropertyAssignment(property)) yield* placesIn(property.initializer);
      else if (ts.isShorthandPropertyAssignment(property)) yield property.name;
      else if (ts.isSpreadAssignment(property)) yield* placesIn(property.expression);
    }
  else if (!ts.isOmittedExpression(inner)) yield inner;
}

/** A place that is not the code's own: neither a variable, nor a member of what it has made itself. */
function writtenPlace(target: ts.Expression, facts: FileFacts, does: string): string | undefined {
  const { bindings } = facts;
  const place = unwrap(target);
  const isVariable = ts.isIdentifier(place) && bindings.declared.has(place.text);
  if (isVariable) return undefined;
  const root = isAccess(place) ? unwrap(place.expression) : place;
  if (isAccess(place) && root.kind === ts.SyntaxKind.ThisKeyword && isOwnThis(root)) return undefined;
  const values = ts.isIdentifier(root) ? (bindings.values.get(root.text) ?? []) : [];
  const declared = ts.isIdentifier(root) ? (bindings.declared.get(root.text) ?? []) : [];
  const isFresh =
    isAccess(place) &&
    ts.isIdentifier(root) &&
    !bindings.imports.has(root.text) &&
    declared.length > 0 &&
    declared.every(isConstant) &&
    values.every((value) => isLiteral(unwrap(value)));
  if (isFresh) return undefined;
  return `${does} ${shapeOf(place)} ${givenOf(place, facts)}`;
}

const isConstant = ({ parent }: ts.Node): boolean =>
  ts.isVariableDeclaration(parent) &&
  parent.initializer !== undefined &&
  (parent.parent.flags & ts.NodeFlags.Const) !== 0;

const isLiteral = (node: ts.Node): boolean =>
  ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node);

/** `this` of a class that is written here; anywhere else it may be the global object. */
function isOwnThis(node: ts.Node): boolean {
  if (node.kind !== ts.SyntaxKind.ThisKeyword) return false;
  for (let up = node.parent; up !== undefined; up = up.parent) {
    if (ts.isClassLike(up)) return true;
    if (ts.isFunctionDeclaration(up) || ts.isFunctionExpression(up) || ts.isObjectLiteralExpression(up))
      return false;
  }
  return false;
}
