// Literals that an expected value may have been written as, and the same with a mark that is recognised wherever it turns up.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { staticValue } from '../../syntax/javascript/literalSource.ts';
import { startOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { sameValue } from './sameValue.ts';
import { isInTitle } from './testCalls.ts';

/** A literal of the text that has the wanted value, and the part of it that takes the mark. */
export interface LikelyLiteral {
  readonly node: ts.Expression;
  readonly tree: SourceTree;
  readonly leaf: ts.Expression;
}

/** One value in the place of another for a while. */
export interface Mark {
  readonly literal: LikelyLiteral;
  readonly was: Value;
  readonly now: Value;
  readonly newText: string;
}

/** Texts, numbers, lists and objects with this value, those in the place of a last item or a member first. */
export function literalsLike(tree: SourceTree, wanted: Value): readonly LikelyLiteral[] {
  if (!isWritten(wanted)) return [];
  const found: LikelyLiteral[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isExpression(node) || !isValuePlace(node)) return;
    const value = mayBe(node, wanted) ? staticValue(node) : undefined;
    if (value === undefined || !sameValue(wanted, value, 'strict')) return;
    const leaf = leafOf(node);
    if (leaf !== undefined) found.push({ node, tree, leaf });
  });
  return found.sort((one, other) => Number(isLast(other.node)) - Number(isLast(one.node)));
}

/** What can be told from other values by a mark: an empty text or list cannot. */
function isWritten(value: Value): boolean {
  if (value.kind === 'string') return value.value !== '';
  if (value.kind === 'array') return value.items.length > 0;
  if (value.kind === 'object') return value.entries.length > 0;
  return value.kind === 'number' && Number.isFinite(Number(value.text));
}

function mayBe(node: ts.Node, { kind }: Value): boolean {
  if (kind === 'string') return ts.isStringLiteralLike(node);
  if (kind === 'array') return ts.isArrayLiteralExpression(node);
  if (kind === 'object') return ts.isObjectLiteralExpression(node);
  return ts.isNumericLiteral(node) || ts.isPrefixUnaryExpression(node);
}

/** Names of members and modules, types and titles are no values; of what a name stands for, the text itself tells. */
function isValuePlace(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isLiteralTypeNode(parent) || ts.isExternalModuleReference(parent)) return false;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isVariableDeclaration(parent))
    return false;
  if (ts.isPrefixUnaryExpression(parent) && ts.isNumericLiteral(node)) return false;
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) return false;
  if ((ts.isPropertyAssignment(parent) || ts.isEnumMember(parent)) && parent.name === node) return false;
  return !isInTitle(node);
}

function isLast(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isArrayLiteralExpression(parent)) return parent.elements.at(-1) === node;
  if (ts.isCallExpression(parent)) return parent.arguments.at(-1) === node;
  return ts.isPropertyAssignment(parent);
}

/** The first text or number in it. */
function leafOf(node: ts.Expression): ts.Expression | undefined {
  const inner = unwrap(node);
  if (ts.isStringLiteralLike(inner)) return inner.text === '' ? undefined : inner;
  if (ts.isNumericLiteral(inner) || ts.isPrefixUnaryExpression(inner))
    return staticValue(inner)?.kind === 'number' ? inner : undefined;
  const parts = ts.isArrayLiteralExpression(inner)
    ? inner.elements
    : ts.isObjectLiteralExpression(inner)
      ? inner.properties.flatMap((property) =>
          ts.isPropertyAssignment(property) ? [property.initializer] : [],
        )
      : [];
  for (const part of parts) {
    const leaf = leafOf(part);
    if (leaf !== undefined) return leaf;
  }
  return undefined;
}

/** The literal with a mark on its leaf, on as many lines as before. */
export function marked(literal: LikelyLiteral, number: number): Mark | undefined {
  const { leaf, tree } = literal;
  const was = staticValue(leaf);
  const text = tree.text.slice(startOf(tree, leaf), leaf.end);
  if (was?.kind === 'string') {
    const mark = `Qz${number}Zq`;
    const now: Value = { kind: 'string', value: was.value + mark };
    return { literal, was, now, newText: text.slice(0, -1) + mark + text.slice(-1) };
  }
  if (was?.kind !== 'number') return undefined;
  const digits = `${was.text.startsWith('-') ? '-' : ''}${7_000_003 + number * 1009}`;
  const newText = was.text.includes('.') ? `${digits}.25` : digits;
  return { literal, was, now: { kind: 'number', text: newText }, newText };
}

/** Does the mark turn up anywhere in the value, also within a longer text and in other letters? */
export function shows(value: Value, { now }: Mark): boolean {
  const text = JSON.stringify(value);
  if (now.kind !== 'string') return text.includes(JSON.stringify(now));
  const mark = /Qz\d+Zq$/.exec(now.value)?.[0] ?? now.value;
  return text.toLowerCase().includes(mark.toLowerCase());
}

/** The value as it would be without the mark; a text that merely holds the mark stays. */
export function unmarked(value: Value, mark: Mark): Value {
  const was = JSON.stringify(mark.was);
  const text = JSON.stringify(value).replaceAll(JSON.stringify(mark.now), () => was);
  const parsed: Value = JSON.parse(text);
  return parsed;
}
