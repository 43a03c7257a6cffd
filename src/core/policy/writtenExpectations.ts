// Whether what a test expects is still written down: as values, or as the expression that stood there before with other literals in it.
import ts from 'typescript';
import { bareCopy, isBareCreation } from '../syntax/javascript/bareObjects.ts';
import { propertyKey } from '../syntax/javascript/literalSource.ts';
import { unwrap } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts } from './fileFacts.ts';
import { shapeOf } from './parseSource.ts';

type Node = ts.Node | undefined;

/** Does one name stand where the source gave up the other? */
type IsFollowed = (old: ts.Node, now: ts.Node) => boolean;

/**
 * An operator, an index, a call, a name: each may give anything, so that nothing that is read in the text (a weaker pattern, a value of
 * broken code) tells what is expected. `old` and `now` stand at the same place; of assertions only the arguments are looked at.
 */
export function isStillWritten(old: ts.Node, now: ts.Node, is: FileFacts, isFollowed: IsFollowed): boolean {
  const isAssertion = ts.isCallExpression(now) && is.assertions.some(({ args }) => args === now.arguments);
  if (isAssertion && ts.isCallExpression(old))
    return areWritten(old.arguments, now.arguments, { is, isFollowed });
  return isWrittenFor(old, now, { is, isFollowed });
}

interface Reading {
  readonly is: FileFacts;
  readonly isFollowed: IsFollowed;
}

function isWrittenFor(before: Node, after: ts.Node, reading: Reading): boolean {
  const [old, now] = [before && unwrap(before), unwrap(after)];
  if (old && (shapeOf(old) === shapeOf(now) || reading.isFollowed(old, now))) return true;
  if (isPlain(now)) return true;
  if (ts.isArrayLiteralExpression(now))
    return areWritten(old && ts.isArrayLiteralExpression(old) ? old.elements : [], now.elements, reading);
  if (ts.isObjectLiteralExpression(now)) return isObjectWritten(old, now, reading);
  if (ts.isCallExpression(now) || ts.isNewExpression(now)) return isCallWritten(old, now, reading);
  if (ts.isIdentifier(now) && isWrittenName(now, reading)) return true;
  return old !== undefined && isSameWithOthers(old, now, reading);
}

/** The same expression, in which other literals stand. */
function isSameWithOthers(old: ts.Node, now: ts.Node, reading: Reading): boolean {
  const [parts, others] = [partsOf(old), partsOf(now)];
  return (
    old.kind === now.kind &&
    !isChoice(now) &&
    !reckons(now, reading) &&
    operatorOf(old) === operatorOf(now) &&
    parts.length === others.length &&
    parts.length > 0 &&
    parts.every((part, index) => {
      const other = others[index];
      return other !== undefined && isWrittenFor(part, other, reading);
    })
  );
}

/** What is one of several: with another literal it may be another one of them. */
const isChoice = (node: ts.Node): boolean =>
  ts.isElementAccessExpression(node) ||
  ts.isConditionalExpression(node) ||
  (ts.isBinaryExpression(node) && /^(?:\|\||&&|\?\?|,)$/.test(node.operatorToken.getText()));

/** What gives something else than its parts say: `!0`, `+'x'`, `3 > 4`, `'x' | 0`, `'a' - 1`. What numbers come to is judged as a value. */
function reckons(node: ts.Node, reading: Reading): boolean {
  if (ts.isPrefixUnaryExpression(node) || ts.isTypeOfExpression(node) || ts.isVoidExpression(node))
    return true;
  if (!ts.isBinaryExpression(node)) return false;
  const operator = node.operatorToken.getText();
  if (operator === '+') return false;
  const isNumeric = [node.left, node.right].every((side) => isNumeral(side, reading));
  return !(isNumeric && /^(?:[-*/%]|\*\*)$/.test(operator));
}

/** A number, a name, what the project's code gives, or an operation of these. */
function isNumeral(expression: ts.Node, reading: Reading): boolean {
  const node = unwrap(expression);
  if (ts.isPrefixUnaryExpression(node)) return isPlain(node);
  if (ts.isBinaryExpression(node)) return [node.left, node.right].every((side) => isNumeral(side, reading));
  return isNumber(node) || ts.isIdentifier(node) || !isMadeHere(node, reading);
}

/** Does the language alone give the value: a literal, a global, a method of these? The project's own functions are named in the file. */
function isMadeHere(expression: ts.Node, { is }: Reading, depth = 0): boolean {
  let node = unwrap(expression);
  while (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isAwaitExpression(node)
  )
    node = unwrap(node.expression);
  if (!ts.isIdentifier(node))
    return node.kind !== ts.SyntaxKind.ThisKeyword && node.kind !== ts.SyntaxKind.ImportKeyword;
  if (node.text === 'require') return false;
  const { declared, imports, replaced } = is.bindings;
  if (imports.has(node.text) || replaced.has(node.text)) return false;
  const names = declared.get(node.text);
  if (names === undefined) return true;
  return (
    depth < 5 &&
    names.some((name) => {
      const { parent } = name;
      const value = parent !== undefined && ts.isVariableDeclaration(parent) ? parent.initializer : undefined;
      return (
        value !== undefined &&
        !ts.isFunctionLike(unwrap(value)) &&
        isMadeHere(value, { is, isFollowed: () => false }, depth + 1)
      );
    })
  );
}

/** Each is written, or it is the one at its place, or one that was among them. */
function areWritten(old: readonly ts.Node[], now: readonly ts.Node[], reading: Reading): boolean {
  const known = new Set(old.map((node) => shapeOf(node)));
  return now.every((node, index) => known.has(shapeOf(node)) || isWrittenFor(old[index], node, reading));
}

function isObjectWritten(old: Node, now: ts.ObjectLiteralExpression, reading: Reading): boolean {
  const had = old && ts.isObjectLiteralExpression(old) ? old.properties : [];
  const known = new Set(had.map((property) => shapeOf(property)));
  return now.properties.every((property, index) => {
    if (known.has(shapeOf(property))) return true;
    const key = property.name && propertyKey(property.name);
    const before =
      had.find(({ name }) => key !== undefined && name !== undefined && propertyKey(name) === key) ??
      had[index];
    if (ts.isShorthandPropertyAssignment(property)) return isWrittenName(property.name, reading);
    if (!ts.isPropertyAssignment(property) || key === undefined)
      return before !== undefined && isSameWithOthers(before, property, reading);
    const value = before && ts.isPropertyAssignment(before) ? before.initializer : undefined;
    return isWrittenFor(value, property.initializer, reading);
  });
}

/** Constructors whose arguments say what the value is; a pattern from a text is read by nobody. */
const values =
  /^(?:Date|Map|Set|URL|(?:Type|Range|Syntax|Aggregate)?Error|BigInt|(?:Ui|I)nt(?:8|16|32)Array|Float(?:32|64)Array|Headers|URLSearchParams)$/;

/** `expect.objectContaining`, `expect.any`; which of them ask for less is looked at elsewhere. */
const holders = /^(?:expect|jasmine)(?:\.not)?\.\w+$/;

function isCallWritten(old: Node, now: ts.CallExpression | ts.NewExpression, reading: Reading): boolean {
  if (isBareCreation(now)) return true;
  const copied = bareCopy(now);
  if (copied !== undefined) return isWrittenFor(old && (bareCopy(old) ?? old), copied, reading);
  const before = old && (ts.isCallExpression(old) || ts.isNewExpression(old)) ? old : undefined;
  const name = now.expression.getText();
  const isSame = before !== undefined && isWrittenFor(before.expression, now.expression, reading);
  const { replaced, declared, imports } = reading.is.bindings;
  const isPlainName = !replaced.has(name) && !declared.has(name) && !imports.has(name);
  const isValue = (values.test(name) && isPlainName) || name === 'Symbol.for' || holders.test(name);
  const given = now.arguments ?? [];
  if (name === 'Date' && given.some(isNoDate)) return false;
  if (!isValue && isMadeHere(now.expression, reading)) return false;
  if (!isSame && (!isValue || given.length === 0)) return false;
  const isClass = name.endsWith('.any') && given.every((arg) => types.test(arg.getText()));
  return isClass || areWritten(before?.arguments ?? [], given, reading);
}

const isNoDate = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) && Number.isNaN(Date.parse(node.text));

const types = /^(?:String|Number|Boolean|Array|Function|BigInt|Symbol|Date|Map|Set)$/;

/** A constant of the file to which one written value is given. */
function isWrittenName({ text }: ts.Identifier, { is, isFollowed }: Reading): boolean {
  const [declaration, ...others] = is.bindings.declared.get(text) ?? [];
  const variable = declaration?.parent;
  return (
    others.length === 0 &&
    variable !== undefined &&
    ts.isVariableDeclaration(variable) &&
    (variable.parent.flags & ts.NodeFlags.Const) !== 0 &&
    variable.initializer !== undefined &&
    isWrittenFor(undefined, variable.initializer, { is, isFollowed })
  );
}

/** A text, a number with its sign, a pattern, true, false, null, undefined, NaN; a class of errors that nothing throws by mistake. */
function isPlain(node: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.MinusToken && isNumber(unwrap(node.operand));
  if (ts.isIdentifier(node)) return /^(?:undefined|NaN|Infinity|RangeError)$/.test(node.text);
  return (
    ts.isLiteralExpression(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword ||
    // Of a template what stands between its holes.
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}

const isNumber = (node: ts.Node): boolean =>
  ts.isNumericLiteral(node) ||
  ts.isBigIntLiteral(node) ||
  (ts.isIdentifier(node) && node.text === 'Infinity');

/** Of `-x` and `x++`; that of `a + b` is a part. */
const operatorOf = (node: ts.Node): ts.SyntaxKind | undefined =>
  ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) ? node.operator : undefined;

/** Types say nothing to the code. */
function partsOf(node: ts.Node): readonly ts.Node[] {
  const parts: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    if (!ts.isTypeNode(child)) parts.push(child);
  });
  return parts;
}
