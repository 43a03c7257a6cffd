// Changes the fixed parts of a template string or of a concatenation, when its inserted values reappear in the new text.
import ts from 'typescript';
import { rewriteText, type Quote } from '../../syntax/javascript/literalSource.ts';
import { startOf, styleOf, textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { Value } from '../../model/value.ts';
import { insertedValues, newFixedTexts } from './fixedTexts.ts';
import { refuse, type LiteralChange, type Patch } from './literalChange.ts';
import type { PatchContext, PatchInner, PatchRequest } from './patchRequest.ts';

type TextPart =
  | {
      readonly kind: 'fixed';
      readonly text: string;
      readonly start: number;
      readonly end: number;
      readonly quote: Quote;
    }
  | { readonly kind: 'inserted'; readonly node: ts.Expression };

/**
 * Patches `node`, a template with substitutions or a `+` of texts: its fixed parts, or the one inserted value that all of the
 * difference lies in.
 */
export async function patchText(
  node: ts.TemplateExpression | ts.BinaryExpression,
  request: PatchRequest,
  { expected, actual }: { readonly expected: string; readonly actual: string },
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { tree, path } = request;
  const parts = textParts(tree, node);
  if (parts === undefined) return refuse('The expected text is computed, not a literal.');
  const wanted = newFixedTexts(parts, expected, actual);
  if (wanted === undefined) {
    const inserted = changedInsertion(parts, expected, actual);
    if (inserted !== undefined) return patchInner({ ...request, ...inserted }, context);
    return refuse(
      'The values inserted into the expected text do not each appear exactly once in the actual text.',
    );
  }
  const changes: LiteralChange[] = [];
  for (const [index, part] of parts.filter((part) => part.kind === 'fixed').entries()) {
    const text = wanted[index] ?? '';
    if (text === part.text) continue;
    const raw = tree.text.slice(part.start, part.end);
    const newText = rewriteText(raw, part.quote, text, styleOf(tree).eol);
    if (newText === undefined) return refuse('The expected text cannot be read.');
    changes.push({ tree, start: part.start, end: part.end, newText, path, old: '', new: '' });
  }
  const shown = { old: textOf(tree, node), new: shownText(tree, node, changes) };
  return changes.map((change) => ({ ...change, ...shown }));
}

/** The inserted value that turns the one text into the other when everything else stays; undefined when it is not one alone. */
function changedInsertion(
  parts: readonly TextPart[],
  expected: string,
  actual: string,
): Pick<PatchRequest, 'node' | 'expected' | 'actual'> | undefined {
  const values = insertedValues(parts, expected);
  const found = insertedValues(parts, actual);
  if (values === undefined || found === undefined) return undefined;
  const inserted = parts.flatMap((part) => (part.kind === 'inserted' ? [part.node] : []));
  const changed = inserted.flatMap((node, index) => {
    const [was, now] = [values[index], found[index]];
    return was === undefined || now === undefined || was === now ? [] : [{ node, was, now }];
  });
  const [only] = changed;
  if (only === undefined || changed.length > 1 || only.now === '') return undefined;
  const text = (value: string): Value => ({ kind: 'string', value });
  return { node: only.node, expected: text(only.was), actual: text(only.now) };
}

function shownText(tree: SourceTree, node: ts.Node, changes: readonly LiteralChange[]): string {
  const start = startOf(tree, node);
  let result = '';
  let position = start;
  for (const change of [...changes].sort((a, b) => a.start - b.start)) {
    result += tree.text.slice(position, change.start) + change.newText;
    position = change.end;
  }
  return result + tree.text.slice(position, node.end);
}

function textParts(tree: SourceTree, expression: ts.Expression): TextPart[] | undefined {
  const node = unwrap(expression);
  if (ts.isStringLiteralLike(node)) {
    const start = startOf(tree, node);
    const quote = tree.text.charAt(start);
    if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
    return [{ kind: 'fixed', text: node.text, start: start + 1, end: node.end - 1, quote }];
  }
  if (ts.isTemplateExpression(node)) {
    const parts: TextPart[] = [fixed(node.head, startOf(tree, node.head) + 1, node.head.end - 2)];
    for (const { expression: inserted, literal } of node.templateSpans) {
      parts.push({ kind: 'inserted', node: inserted });
      const isTail = literal.kind === ts.SyntaxKind.TemplateTail;
      parts.push(fixed(literal, startOf(tree, literal) + 1, literal.end - (isTail ? 1 : 2)));
    }
    return parts;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const left = textParts(tree, node.left);
    const right = textParts(tree, node.right);
    return left === undefined || right === undefined ? undefined : [...left, ...right];
  }
  return [{ kind: 'inserted', node }];
}

function fixed(node: ts.TemplateLiteralLikeNode, start: number, end: number): TextPart {
  return { kind: 'fixed', text: node.text, start, end, quote: '`' };
}
