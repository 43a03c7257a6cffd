// Writes variables and helpers of a test file where they are used, as far as that changes nothing of what is done, and in which order.
import ts from 'typescript';
import type { TextChange } from '../model/fileEdit.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { isMember } from './sameTests.ts';
import { isFunction, type TestTree } from './testTree.ts';

/** Of one pass; the next one sees what came of it. */
type Changes = readonly TextChange[];

/** Constants that are used once: what is written down anywhere, all else by the very next statement. */
export function withoutVariables(source: ts.SourceFile, tree: TestTree): Changes {
  const changes: TextChange[] = [];
  visitNodes(source, (node) => {
    if (!ts.isVariableStatement(node) || node.modifiers !== undefined) return;
    const [declaration, ...more] = node.declarationList.declarations;
    if (declaration?.initializer === undefined || more.length > 0 || !ts.isIdentifier(declaration.name))
      return;
    if ((node.declarationList.flags & ts.NodeFlags.Const) === 0) return;
    const { name } = declaration;
    const [use, ...others] = usesIn(node.parent, name.text).filter((one) => one !== name);
    const value = declaration.initializer;
    if (use === undefined || others.length > 0 || isWritten(use) || isFunction(unwrap(value))) return;
    if (isWrittenDown(value) ? !isReachedOnce(use, node, tree, value) : !isNext(use, node)) return;
    const put = { start: use.getStart(), end: use.end, newText: written(use, `(${value.getText()})`) };
    const cut = { start: node.getStart(), end: node.end, newText: '' };
    if (changes.some(({ start, end }) => [put, cut].some((one) => one.start < end && start < one.end)))
      return;
    changes.push(put, cut);
  });
  return changes;
}

/** Functions whose names the other version does not have, at their calls. One at a time. */
export function withoutHelpers(source: ts.SourceFile, others: ReadonlySet<string>): Changes {
  const declared = declarationsIn(source);
  let changes: Changes = [];
  visitNodes(source, (node) => {
    if (changes.length > 0) return;
    const helper = helperOf(node);
    if (helper === undefined || others.has(helper.name.text)) return;
    if (!isPlainBody(helper, declared)) return;
    const uses = usesIn(source, helper.name.text).filter((one) => one !== helper.name);
    const calls = uses.map((use) => callAt(use, helper, node));
    if (calls.length === 0 || !calls.every((call) => call !== undefined)) return;
    const put = calls.map((call) => ({
      start: call.getStart(),
      end: call.end,
      newText: bodyWith(helper, call.arguments),
    }));
    if (
      put.some((one, index) =>
        put.some((two, nth) => nth !== index && one.start < two.end && two.start < one.end),
      )
    )
      return;
    changes = [...put, { start: node.getStart(), end: node.end, newText: '' }];
  });
  return changes;
}

interface Helper {
  readonly name: ts.Identifier;
  readonly parameters: readonly string[];
  /** One expression, or statements. */
  readonly body: ts.Expression | ts.Block;
}

function helperOf(node: ts.Node): Helper | undefined {
  let name: ts.Identifier | undefined;
  let made: ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | undefined;
  if (ts.isFunctionDeclaration(node)) [name, made] = [node.name, node];
  else if (ts.isVariableStatement(node) && (node.declarationList.flags & ts.NodeFlags.Const) !== 0) {
    const [declaration, ...more] = node.declarationList.declarations;
    const value = declaration?.initializer && unwrap(declaration.initializer);
    if (declaration && more.length === 0 && value && isFunction(value) && ts.isIdentifier(declaration.name))
      [name, made] = [declaration.name, value];
    if (node.modifiers !== undefined) return undefined;
  }
  if (name === undefined || made?.body === undefined) return undefined;
  if (made.modifiers !== undefined || made.asteriskToken !== undefined) return undefined;
  const parameters = made.parameters.map((one) =>
    ts.isIdentifier(one.name) && one.initializer === undefined && one.dotDotDotToken === undefined
      ? one.name.text
      : undefined,
  );
  if (!parameters.every((one) => one !== undefined)) return undefined;
  const [only, ...more] = ts.isBlock(made.body) ? made.body.statements : [];
  const returned =
    only !== undefined && more.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined;
  return { name, parameters, body: returned ?? made.body };
}

/** Nothing of it means something else where it is called, or ends what stands around it. */
function isPlainBody({ body, parameters, name }: Helper, declared: ReadonlyMap<string, number>): boolean {
  let isPlain = true;
  visitNodes(body, (node) => {
    const isOwn =
      ts.isReturnStatement(node) ||
      ts.isVariableStatement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassLike(node) ||
      ts.isAwaitExpression(node) ||
      ts.isYieldExpression(node) ||
      node.kind === ts.SyntaxKind.ThisKeyword ||
      ts.isVariableDeclaration(node) ||
      (isFunction(node) && (node.parameters.length > 0 || ts.isFunctionExpression(node)));
    if (isOwn) isPlain = false;
    if (!ts.isIdentifier(node) || isMemberOnly(node)) return;
    if (node.text === 'arguments' || node.text === name.text) isPlain = false;
    else if (parameters.includes(node.text)) isPlain &&= !isWritten(node);
    else isPlain &&= (declared.get(node.text) ?? 0) <= 1;
  });
  return isPlain;
}

function callAt(
  use: ts.Identifier,
  { body, parameters }: Helper,
  declaration: ts.Node,
): ts.CallExpression | undefined {
  const call = use.parent;
  if (!ts.isCallExpression(call) || call.expression !== use || isWithin(call, declaration)) return undefined;
  if (call.arguments.length !== parameters.length || call.questionDotToken !== undefined) return undefined;
  if (ts.isBlock(body) && !(ts.isExpressionStatement(call.parent) && ts.isBlock(call.parent.parent)))
    return undefined;
  const uses = parameters.map((name) => usesIn(body, name));
  const doing = call.arguments.filter((arg) => !isQuiet(arg));
  const fits = call.arguments.every((arg, index) => {
    const places = uses[index] ?? [];
    if (ts.isSpreadElement(arg)) return false;
    if (isQuiet(arg)) return isName(arg) || places.length <= 1;
    const [place] = places;
    return doing.length === 1 && places.length === 1 && place !== undefined && isFirst(place, body);
  });
  return fits ? call : undefined;
}

/** The body with what is given in place of the parameters. */
function bodyWith({ body, parameters }: Helper, args: readonly ts.Expression[]): string {
  const from = ts.isBlock(body) ? body.statements.pos : body.getStart();
  const to = ts.isBlock(body) ? body.statements.end : body.end;
  const puts = parameters
    .flatMap((name, index) => usesIn(body, name).map((use) => ({ use, arg: args[index]?.getText() ?? '' })))
    .toSorted((a, b) => b.use.pos - a.use.pos);
  let text = body.getSourceFile().text.slice(from, to);
  for (const { use, arg } of puts)
    text =
      text.slice(0, use.getStart() - from) +
      written(use, /^[\w$]+$/.test(arg) ? arg : `(${arg})`) +
      text.slice(use.end - from);
  return ts.isBlock(body) ? text.trim().replace(/;$/, '') : `(${text})`;
}

/** `{ name }` keeps its key. */
const written = (use: ts.Identifier, text: string): string =>
  ts.isShorthandPropertyAssignment(use.parent) ? `${use.text}: ${text}` : text;

const usesIn = (body: ts.Node, name: string): readonly ts.Identifier[] => {
  const found: ts.Identifier[] = [];
  visitNodes(body, (node) => {
    if (ts.isIdentifier(node) && node.text === name && !isMemberOnly(node)) found.push(node);
  });
  return found;
};

/** Names of variables, functions and types, without those of members and keys. */
export function namesIn(source: ts.SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  visitNodes(source, (node) => {
    if (ts.isIdentifier(node) && !isMemberOnly(node)) found.add(node.text);
  });
  return found;
}

/** How often a name is declared in a file, in whatever scope. */
function declarationsIn(source: ts.SourceFile): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  visitNodes(source, (node) => {
    const isDeclaring =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isFunctionExpression(node) ||
      ts.isClassLike(node) ||
      ts.isImportClause(node) ||
      ts.isImportSpecifier(node) ||
      ts.isNamespaceImport(node);
    if (!isDeclaring || node.name === undefined || !ts.isIdentifier(node.name)) return;
    found.set(node.name.text, (found.get(node.name.text) ?? 0) + 1);
  });
  return found;
}

/** A key or a member, and no variable. */
const isMemberOnly = (node: ts.Identifier): boolean =>
  isMember(node) &&
  !ts.isShorthandPropertyAssignment(node.parent) &&
  !(ts.isBindingElement(node.parent) && node.parent.propertyName !== node) &&
  !ts.isFunctionDeclaration(node.parent);

/** Given a value here. */
function isWritten(use: ts.Identifier): boolean {
  const { parent } = use;
  if (ts.isBinaryExpression(parent) && parent.left === use) {
    const { kind } = parent.operatorToken;
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  }
  if (ts.isPostfixUnaryExpression(parent) || ts.isTypeOfExpression(parent) || ts.isExportSpecifier(parent))
    return true;
  if (ts.isPrefixUnaryExpression(parent))
    return (
      parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken
    );
  return (
    ts.isForOfStatement(parent) ||
    ts.isForInStatement(parent) ||
    ts.isTypeQueryNode(parent) ||
    ts.isBindingElement(parent)
  );
}

const isName = (node: ts.Expression): boolean => ts.isIdentifier(node) || isPrimitive(node);

function isPrimitive(node: ts.Expression): boolean {
  const inner = unwrap(node);
  if (ts.isPrefixUnaryExpression(inner)) return ts.isNumericLiteral(inner.operand);
  return (
    ts.isStringLiteralLike(inner) ||
    ts.isNumericLiteral(inner) ||
    inner.kind === ts.SyntaxKind.TrueKeyword ||
    inner.kind === ts.SyntaxKind.FalseKeyword ||
    inner.kind === ts.SyntaxKind.NullKeyword
  );
}

/** Written values all the way down. */
export function isWrittenDown(node: ts.Expression): boolean {
  const inner = unwrap(node);
  if (isPrimitive(inner)) return true;
  if (ts.isArrayLiteralExpression(inner)) return inner.elements.every(isWrittenDown);
  return (
    ts.isObjectLiteralExpression(inner) &&
    inner.properties.every(
      (one) =>
        ts.isPropertyAssignment(one) &&
        !ts.isComputedPropertyName(one.name) &&
        isWrittenDown(one.initializer),
    )
  );
}

/** To be read does nothing, whenever it is. */
const isQuiet = (node: ts.Expression): boolean =>
  ts.isIdentifier(unwrap(node)) || isWrittenDown(node) || ts.isArrowFunction(unwrap(node));

function isWithin(node: ts.Node, outer: ts.Node): boolean {
  return outer.pos <= node.pos && node.end <= outer.end;
}

/** Whoever uses it runs once for each time that it is declared; numbers and texts are the same every time. */
function isReachedOnce(use: ts.Node, statement: ts.Statement, tree: TestTree, value: ts.Expression): boolean {
  if (isWithin(use, statement) || !isWithin(use, statement.parent)) return false;
  if (isPrimitive(value)) return true;
  for (let at = use.parent; at !== statement.parent; at = at.parent) {
    if (ts.isIterationStatement(at, false)) return false;
    if (!ts.isFunctionLike(at)) continue;
    const owner = tree.definitionAt(at.parent);
    if (!tree.isBody(at) || owner === undefined || owner.kind === 'hook' || owner.tables.length > 0)
      return false;
  }
  return true;
}

/** In the very next statement, before that does anything else. */
function isNext(use: ts.Identifier, statement: ts.VariableStatement): boolean {
  const { parent } = statement;
  if (!ts.isBlock(parent) && !ts.isSourceFile(parent)) return false;
  const next = parent.statements[parent.statements.indexOf(statement) + 1];
  const isPlain =
    next && (ts.isExpressionStatement(next) || ts.isVariableStatement(next) || ts.isReturnStatement(next));
  return isPlain === true && isWithin(use, next) && isFirst(use, next);
}

/** Nothing within `outer` is done before this is read, and it is read for certain. */
function isFirst(use: ts.Identifier, outer: ts.Node): boolean {
  let first = true;
  visitNodes(outer, (node) => {
    const does =
      ts.isCallExpression(node) ||
      ts.isNewExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isTaggedTemplateExpression(node) ||
      ts.isPostfixUnaryExpression(node) ||
      ts.isDeleteExpression(node);
    if (does && node.end <= use.getStart()) first = false;
  });
  for (let at: ts.Node = use; at !== outer; at = at.parent) {
    const { parent } = at;
    if (ts.isFunctionLike(parent) || ts.isConditionalExpression(parent)) return false;
    if (ts.isIterationStatement(parent, false) || ts.isTryStatement(parent) || ts.isIfStatement(parent))
      return false;
    const isSecond = ts.isBinaryExpression(parent) && parent.right === at;
    if (isSecond && /^(?:&&|\|\||\?\?)/.test(parent.operatorToken.getText())) return false;
    if (ts.isCallExpression(parent) && parent.questionDotToken !== undefined) return false;
  }
  return first;
}
