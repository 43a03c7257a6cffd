// Reads `page.getByRole('button', { name: 'Buy' }).click()` as data: a name to begin with, and calls with literal arguments.
import ts from 'typescript';
import { unwrap } from '../../syntax/javascript/sourceTree.ts';
import { CannotCarry } from './leftOut.ts';

export interface Chain {
  readonly root: string;
  readonly links: readonly Link[];
}

/** A member, called or not: `.not` has no arguments. */
export interface Link {
  readonly name: string;
  readonly args?: readonly ts.Expression[];
}

/** Undefined where it begins with something else than a name. `expect(x).toBe(y)` begins with a link without a name. */
export function readChain(expression: ts.Expression): Chain | undefined {
  const links: Link[] = [];
  let node = unwrap(expression);
  for (;;) {
    if (ts.isIdentifier(node)) return { root: node.text, links: links.reverse() };
    if (ts.isPropertyAccessExpression(node)) {
      links.push({ name: node.name.text });
      node = unwrap(node.expression);
    } else if (ts.isCallExpression(node)) {
      const called = unwrap(node.expression);
      if (ts.isPropertyAccessExpression(called)) {
        links.push({ name: called.name.text, args: node.arguments });
        node = unwrap(called.expression);
      } else {
        links.push({ name: '', args: node.arguments });
        node = called;
      }
    } else return undefined;
  }
}

/** Names of the file with a value that is known: constants. */
type Scope = ReadonlyMap<string, Value>;
export type Value =
  string | number | boolean | null | RegExp | readonly Value[] | { readonly [key: string]: Value };

/** What the reader of values needs: the constants, and where variables of the environment are collected. */
export interface Reading {
  readonly scope: Scope;
  /** Gives `{{password}}` for `process.env.PASSWORD`. */
  readonly fromEnv: (name: string, defaultValue?: string) => string;
}

/** The value of literals, constants and `process.env.NAME`. Throws `CannotCarry` for what is only known when the code runs. */
export function readValue(expression: ts.Expression, reading: Reading): Value {
  const node = unwrap(expression);
  if (ts.isStringLiteralLike(node)) return plain(node.text);
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const value = readValue(node.operand, reading);
    if (typeof value === 'number') return -value;
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isRegularExpressionLiteral(node)) return readRegExp(node.text);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((one) => readValue(one, reading));
  if (ts.isObjectLiteralExpression(node)) return readObject(node, reading);
  if (ts.isIdentifier(node) && reading.scope.has(node.text)) return reading.scope.get(node.text) ?? null;
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, span) => `${text}${asText(readValue(span.expression, reading))}${plain(span.literal.text)}`,
      plain(node.head.text),
    );
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken) {
      const name = envName(node.left);
      const otherwise = unwrap(node.right);
      if (name !== undefined && ts.isStringLiteralLike(otherwise))
        return reading.fromEnv(name, plain(otherwise.text));
    }
    if (kind === ts.SyntaxKind.PlusToken)
      return asText(readValue(node.left, reading)) + asText(readValue(node.right, reading));
  }
  const name = envName(node);
  if (name !== undefined) return reading.fromEnv(name);
  throw new CannotCarry('its value is only known when the code runs');
}

function plain(text: string): string {
  if (text.includes('{{')) throw new CannotCarry('in a scenario {{ begins a variable');
  return text;
}

function asText(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new CannotCarry('its text is only known when the code runs');
}

function readRegExp(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  try {
    return new RegExp(literal.slice(1, end), literal.slice(end + 1));
  } catch {
    throw new CannotCarry('the regular expression cannot be read');
  }
}

function readObject(node: ts.ObjectLiteralExpression, reading: Reading): Record<string, Value> {
  const entries = node.properties.map((property): [string, Value] => {
    const name = property.name;
    const key = name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) ? name.text : undefined;
    if (key !== undefined && ts.isPropertyAssignment(property))
      return [key, readValue(property.initializer, reading)];
    if (key !== undefined && ts.isShorthandPropertyAssignment(property))
      return [key, readValue(property.name, reading)];
    throw new CannotCarry('its value is only known when the code runs');
  });
  return Object.fromEntries(entries);
}

/** NAME of `process.env.NAME` and `process.env['NAME']`. */
function envName(expression: ts.Expression): string | undefined {
  const node = unwrap(expression);
  const isMember = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  if (!isMember || unwrap(node.expression).getText() !== 'process.env') return undefined;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : undefined;
}

/** The options of a call: a member that is none of `known` cannot be carried over. */
export function readOptions(
  expression: ts.Expression | undefined,
  known: readonly string[],
  reading: Reading,
): Readonly<Record<string, Value>> {
  if (expression === undefined) return {};
  const value = readValue(expression, reading);
  if (!isRecord(value)) throw new CannotCarry('its options are no object');
  const other = Object.keys(value).find((key) => !known.includes(key));
  if (other !== undefined) throw new CannotCarry(`a scenario has no option ${other} there`);
  return value;
}

export function isRecord(value: Value | undefined): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RegExp);
}

/** Throws `CannotCarry` for everything but a text. */
export function textIn(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  throw new CannotCarry(
    value instanceof RegExp ? 'a scenario compares with texts there' : 'there is no text in it',
  );
}

/** A text, or the text of a regular expression that is nothing else, which finds parts. */
export function textOrPart(value: Value | undefined): { readonly text: string; readonly part: boolean } {
  if (!(value instanceof RegExp)) return { text: textIn(value), part: false };
  const text = value.source.replace(/\\([^\w\s])/g, '$1');
  if (/[\\^$*+?()[\]{}|]|(?<!\\)\./.test(value.source.replace(/\\[^\w\s]/g, '')))
    throw new CannotCarry('a scenario has no regular expressions there');
  return { text, part: true };
}
