// Changes the fixed parts of a template string or of a concatenation, when its inserted values reappear in the new text.
import ts from 'typescript';
import { rewriteText, type Quote } from '../../syntax/javascript/literalSource.ts';
import { startOf, styleOf, textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { Value } from '../../model/value.ts';
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
  if (parts === undefined) return refuse('The expected text is computed, not written out.');
  const wanted = newFixedTexts(parts, expected, actual);
  if (wanted === undefined) {
    const inserted = changedInsertion(parts, expected, actual);
    if (inserted !== undefined) return patchInner({ ...request, ...inserted }, context);
    return refuse('The values inserted into the expected text do not reappear uniquely in the actual text.');
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

/** The new texts of the fixed parts, in order; undefined when there is more than one way, or none. */
function newFixedTexts(parts: readonly TextPart[], expected: string, actual: string): string[] | undefined {
  const values = insertedValues(parts, expected);
  const occurrences = (text: string, value: string): number => text.split(value).length - 1;
  if (values === undefined || !parts.some((part) => part.kind === 'fixed')) return undefined;
  // "5" in "Total: 5" is not the same five in "Total: 55".
  if (values.some((value) => value === '' || occurrences(actual, value) !== occurrences(expected, value)))
    return undefined;
  const single = changeInOnePart(parts, values, expected, actual);
  if (single !== undefined) return single;
  // A run of fixed parts without a value between them has no border in the new text.
  if (parts.some((part, index) => part.kind === 'fixed' && parts[index + 1]?.kind === 'fixed'))
    return undefined;
  const texts: string[] = [];
  let position = 0;
  let afterValue = true;
  for (const part of parts) {
    if (part.kind === 'fixed') {
      afterValue = false;
      continue;
    }
    const value = values.shift() ?? '';
    if (occurrences(actual, value) !== 1) return undefined;
    const at = actual.indexOf(value, position);
    if (at < position || (afterValue && at !== position)) return undefined;
    if (!afterValue) texts.push(actual.slice(position, at));
    position = at + value.length;
    afterValue = true;
  }
  if (afterValue) return position === actual.length ? texts : undefined;
  return [...texts, actual.slice(position)];
}

/** The usual case: what differs lies inside one fixed part. */
function changeInOnePart(
  parts: readonly TextPart[],
  inserted: readonly string[],
  expected: string,
  actual: string,
): string[] | undefined {
  const values = [...inserted];
  let start = 0;
  while (start < expected.length && start < actual.length && expected[start] === actual[start]) start++;
  let end = 0;
  while (
    end < expected.length - start &&
    end < actual.length - start &&
    expected[expected.length - 1 - end] === actual[actual.length - 1 - end]
  )
    end++;
  let position = 0;
  let found = false;
  const texts: string[] = [];
  for (const part of parts) {
    const text = part.kind === 'fixed' ? part.text : (values.shift() ?? '');
    const from = position;
    position += text.length;
    if (part.kind !== 'fixed') continue;
    // The changed stretch may be moved over equal characters; inside the part is enough.
    if (!found && from <= start && expected.length - end <= position) {
      found = true;
      texts.push(
        text.slice(0, start - from) +
          actual.slice(start, actual.length - end) +
          text.slice(expected.length - end - from),
      );
    } else texts.push(text);
  }
  return found ? texts : undefined;
}

/** What the substitutions were when the test ran, if the fixed parts leave only one possibility. Linear in the text. */
function insertedValues(parts: readonly TextPart[], expected: string): string[] | undefined {
  // The texts before, between and after the substitutions.
  const fixed = [''];
  for (const part of parts)
    if (part.kind === 'inserted') fixed.push('');
    else fixed.push((fixed.pop() ?? '') + part.text);
  const [prefix = '', ...rest] = fixed;
  const suffix = rest.pop();
  if (suffix === undefined) return expected === prefix ? [] : undefined;
  const isFramed = expected.startsWith(prefix) && expected.endsWith(suffix);
  if (!isFramed || expected.length < prefix.length + suffix.length || rest.includes('')) return undefined;
  const text = expected.slice(prefix.length, expected.length - suffix.length);
  const shortest = splitAt(rest, text, 'first');
  const longest = splitAt(rest, text, 'last');
  return JSON.stringify(shortest) === JSON.stringify(longest) ? shortest : undefined;
}

/** The pieces between the separators, each found at its first or its last place. */
function splitAt(separators: readonly string[], text: string, which: 'first' | 'last'): string[] | undefined {
  const pieces: string[] = [];
  let rest = text;
  for (const separator of which === 'first' ? separators : separators.toReversed()) {
    const at = which === 'first' ? rest.indexOf(separator) : rest.lastIndexOf(separator);
    if (at < 0) return undefined;
    const [before, after] = [rest.slice(0, at), rest.slice(at + separator.length)];
    pieces.push(which === 'first' ? before : after);
    rest = which === 'first' ? after : before;
  }
  pieces.push(rest);
  return which === 'first' ? pieces : pieces.toReversed();
}
