// The context that a test is given (`t`) stays the library's own: no second one, no other meaning for what it asserts.
import ts from 'typescript';
import { contextsOf, importsFrom } from './bindings.ts';
import { calleeText, contextPlacesIn, missingContexts, type ContextPlaces } from './contextArguments.ts';
import type { FileFacts, Finding } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { contextAssertions } from './testApi.ts';

const rule = 'test-api-tampering';

export function* contextRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const [was, is] = [contextsIn(before), contextsIn(after)];
  if (was === undefined && is === undefined) return;
  // What was a context may be something else now.
  const names = new Set(['t', ...(was?.names ?? []), ...(is?.names ?? [])]);
  const givenIn = (facts: FileFacts): ReadonlySet<ts.Node> =>
    (facts === before ? was : is)?.given ?? new Set<ts.Node>();
  const isContext = isContextOf(names);
  const places = contextPlacesIn(before.source, isContext);
  yield* noNewMarks((facts) => [
    ...marksOf(facts, names, givenIn(facts)),
    ...replacedContexts(facts, places, isContext),
  ])(before, after);
  const [handed, left] = [before, after].map((facts) => handedContexts(facts, isContext));
  for (const [owner, { count, line }] of handed ?? [])
    if ((left?.get(owner)?.count ?? 0) < count)
      yield { rule, line, text: 'Fewer calls than before receive the test context.' };
}

/** How many calls of each test are given a context, under whatever name they are called; the line of the first. */
function handedContexts(
  { source, tree }: FileFacts,
  isContext: (node: ts.Node | undefined) => boolean,
): ReadonlyMap<string, { readonly count: number; readonly line: number }> {
  const handed = new Map<string, { count: number; line: number }>();
  visitNodes(source, (node) => {
    if (!ts.isCallExpression(node) || !node.arguments.some((argument) => isContext(argument))) return;
    const owner = tree.ownerOf(node);
    const known = handed.get(owner);
    if (known === undefined) handed.set(owner, { count: 1, line: lineOf(node) });
    else known.count++;
  });
  return handed;
}

interface Contexts {
  readonly names: ReadonlySet<string>;
  /** The names of parameters that the library itself fills. */
  readonly given: ReadonlySet<ts.Node>;
}

/** Undefined in a file whose tests are given no context. */
function contextsIn({ source, bindings, tree }: FileFacts): Contexts | undefined {
  const { names, given } = contextsOf(source, bindings);
  // Tests of AVA whose `test` comes from another file, and those of other libraries with a `t`.
  const parameters = tree.definitions.flatMap(({ callback }) => {
    const name = callback?.parameters[0]?.name;
    return name !== undefined && ts.isIdentifier(name) && name.text === 't' ? [name] : [];
  });
  if (names.size === 0 && parameters.length === 0 && !importsFrom('ava', bindings)) return undefined;
  return { names, given: new Set<ts.Node>([...given, ...parameters]) };
}

const isContextOf =
  (names: ReadonlySet<string>) =>
  (node: ts.Node | undefined): boolean => {
    const inner = node && unwrap(node);
    return inner !== undefined && ts.isIdentifier(inner) && names.has(inner.text);
  };

/** Calls that were given a context and are given something else in its place, also of functions of other files. */
function replacedContexts(
  facts: FileFacts,
  places: ContextPlaces,
  isContext: (node: ts.Node | undefined) => boolean,
): Mark[] {
  const marks: Mark[] = [];
  visitNodes(facts.source, (node) => {
    if (!ts.isCallExpression(node)) return;
    for (const place of missingContexts(node, places, isContext)) {
      const callee = calleeText(node);
      const text = `${callee} no longer receives the test context.`;
      marks.push({
        rule,
        owner: facts.tree.ownerOf(node),
        key: `give ${callee} ${place}`,
        line: lineOf(node),
        text,
      });
    }
  });
  return marks;
}

function marksOf(facts: FileFacts, names: ReadonlySet<string>, given: ReadonlySet<ts.Node>): Mark[] {
  const marks: Mark[] = [];
  const add = (node: ts.Node, key: string, text: string): void => {
    marks.push({ rule, owner: facts.tree.ownerOf(node), key, line: lineOf(node), text });
  };
  const isContext = isContextOf(names);
  visitNodes(facts.source, (node) => {
    const own = ownAssertion(node);
    if (own !== undefined) add(node, `own ${own}`, `${own} is an assertion of the test library.`);
    if (ts.isCallExpression(node)) {
      const helper = helperWithContext(node, facts, names);
      if (helper !== undefined && !isContext(node.arguments[0]))
        add(node, `call ${helper}`, `${helper} no longer receives the test context.`);
    }
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      const member = memberName(node);
      if (contextAssertions.has(member) && isAssigned(node))
        add(node, `assign ${shapeOf(node)}`, `${node.getText()} is redefined.`);
    }
    if (!ts.isIdentifier(node) || !names.has(node.text)) return;
    const name = node.text;
    if (isDeclared(node)) {
      if (!given.has(node)) add(node, `declare ${name}`, `${name} is redefined.`);
      return;
    }
    if (isMemberName(node)) return;
    const changed = changedPlace(node);
    if (changed !== undefined) add(node, `change ${changed}`, `${changed} is redefined.`);
    const passed = passedTo(node);
    if (passed !== undefined) add(node, passed, `${name} is passed to other code: ${passed}.`);
  });
  return marks;
}

/** `{ is: () => true }`, `class { is() {} }`: something that can stand where a context stood. */
function ownAssertion(node: ts.Node): string | undefined {
  const isFunction =
    ts.isMethodDeclaration(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isGetAccessor(node) ||
    ((ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) &&
      node.initializer !== undefined &&
      ts.isFunctionLike(unwrap(node.initializer)));
  if (!isFunction) return undefined;
  const name = node.name.getText().replace(/['"`[\]]/g, '');
  return contextAssertions.has(name) ? name : undefined;
}

/** The name of a function of this file that takes a context first, when the call is one of it. */
function helperWithContext(
  call: ts.CallExpression,
  { bindings }: FileFacts,
  names: ReadonlySet<string>,
): string | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isIdentifier(callee)) return undefined;
  const { text } = callee;
  const functions = [
    ...(bindings.declared.get(text) ?? []),
    ...(bindings.values.get(text) ?? []).map(unwrap),
  ];
  const takes = functions.some((each) => {
    const first = ts.isFunctionLike(each) ? each.parameters[0]?.name : undefined;
    return first !== undefined && ts.isIdentifier(first) && names.has(first.text);
  });
  return takes ? text : undefined;
}

function memberName(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  const key = unwrap(node.argumentExpression);
  return ts.isStringLiteralLike(key) ? key.text : '';
}

/** Is this the name of a variable, parameter, function, class or import where that is declared? */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  const names =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isFunctionExpression(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isClassExpression(parent) ||
    ts.isEnumDeclaration(parent) ||
    ts.isModuleDeclaration(parent) ||
    ts.isImportClause(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isNamespaceImport(parent) ||
    ts.isImportEqualsDeclaration(parent);
  // The parameter of a function type declares nothing.
  const isType = ts.isParameter(parent) && !('body' in parent.parent);
  return names && parent.name === node && !isType;
}

/** `x.t` and `{ t: 1 }` are no contexts. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertySignature(parent)) &&
    parent.name === node
  );
}

/** The place of the context that is written to or deleted, if any; `t.context` belongs to the tests. */
function changedPlace(node: ts.Identifier): string | undefined {
  const place = outermostAccess(node);
  if (!isAssigned(place)) return undefined;
  const text = place.getText().replace(/\s+/g, '');
  return /^[\w$]+!?\.context(?![\w$])/.test(text) ? undefined : text;
}

function outermostAccess(node: ts.Node): ts.Node {
  let place = node;
  for (;;) {
    const { parent } = place;
    const isAccess =
      (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) &&
      parent.expression === place;
    if (!isAccess && unwrap(parent) === parent) return place;
    place = parent;
  }
}

/** Written to by an assignment, also of a pattern or a loop; counted up or down; deleted. */
function isAssigned(node: ts.Node): boolean {
  let place = node;
  while (
    unwrap(place.parent) !== place.parent ||
    ts.isArrayLiteralExpression(place.parent) ||
    ts.isObjectLiteralExpression(place.parent) ||
    ts.isSpreadElement(place.parent) ||
    ts.isSpreadAssignment(place.parent) ||
    ts.isShorthandPropertyAssignment(place.parent) ||
    (ts.isPropertyAssignment(place.parent) && place.parent.initializer === place)
  )
    place = place.parent;
  const { parent } = place;
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === place;
  if (ts.isDeleteExpression(parent)) return true;
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return /^(?:\+\+|--)|(?:\+\+|--)$/.test(parent.getText());
  if (!ts.isBinaryExpression(parent) || parent.left !== place) return false;
  const { kind } = parent.operatorToken;
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** Where the context itself becomes the value of something else, through which it could be changed. */
function passedTo(node: ts.Identifier): string | undefined {
  let used: ts.Node = node;
  while (unwrap(used.parent) !== used.parent) used = used.parent;
  const { parent } = used;
  if (ts.isCallExpression(parent) && parent.expression !== used) return `to ${calleeText(parent)}`;
  const isValue =
    (ts.isVariableDeclaration(parent) && parent.initializer === used && ts.isIdentifier(parent.name)) ||
    (ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      parent.right === used) ||
    (ts.isPropertyAssignment(parent) && parent.initializer === used) ||
    ts.isShorthandPropertyAssignment(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isSpreadAssignment(parent) ||
    ts.isConditionalExpression(parent);
  return isValue ? 'under another name' : undefined;
}
