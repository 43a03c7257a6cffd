// Which text in the changed sources became which other text: the evidence that a message was reworded.
import ts from 'typescript';
import { changesReaching } from '../../diagnosis/stops.ts';
import { lineOf, parseTree, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';

/** One text of a source as it was and as it is; in pieces where values are put in between. */
export interface ChangedText {
  readonly file: string;
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What the changed sources say about an expected message. */
interface SourceOfMessage {
  /** The text that was reworded, when exactly one held the expected message before and exactly one new one makes the actual. */
  readonly reworded?: ChangedText;
  /** A changed source that still has the expected message: then something else was thrown in its place. */
  readonly stillIn?: string;
  /** A changed source that had the actual message before as well: then another error is thrown in the place of one that is gone. */
  readonly alreadyIn?: string;
}

/** Compares the texts of the changed sources that reach the test. */
export async function sourceOfMessage(
  testFile: string,
  { changes, readText }: Pick<FixContext, 'changes' | 'readText'>,
  expected: string,
  message: string,
): Promise<SourceOfMessage> {
  const { reaching, base } = await changesReaching(testFile, changes);
  const found: ChangedText[] = [];
  let stillIn: string | undefined;
  let alreadyIn: string | undefined;
  for (const { file, from, status } of reaching.slice(0, 50)) {
    if (status === 'deleted' || !/\.[cm]?[jt]sx?$/.test(file)) continue;
    const [before, after] = await Promise.all([base.baseText(from ?? file), readText(file)]);
    if (before === undefined || after === undefined || before.length + after.length > 2_000_000) continue;
    const [old, now] = [textsOf(parseTree(file, before)), textsOf(parseTree(file, after))];
    // A text of which half is in both messages, and the rest is put into it, is one and the same check.
    const isSame = ({ pieces }: SourceText): boolean =>
      pieces.some((piece) => sharesHalf(piece, expected)) && matches(pieces, message);
    if (now.some((text) => holds(text.pieces, expected) && !isSame(text))) stillIn ??= file;
    if (old.some((text) => matches(text.pieces, message) && !isSame(text))) alreadyIn ??= file;
    const gone = without(old, now).filter(({ pieces }) => holds(pieces, expected));
    const fresh = without(now, old).filter(({ pieces }) => matches(pieces, message));
    for (const { pieces } of gone)
      for (const { pieces: newPieces, line } of fresh)
        found.push({ file, line, before: pieces, after: newPieces });
  }
  const [reworded] = found;
  return {
    ...(reworded !== undefined && found.length === 1 && { reworded }),
    ...(stillIn !== undefined && { stillIn }),
    ...(alreadyIn !== undefined && { alreadyIn }),
  };
}

interface SourceText {
  readonly pieces: readonly string[];
  readonly line: number;
}

function textsOf(tree: SourceTree): SourceText[] {
  const texts: SourceText[] = [];
  visitNodes(tree.ast, (node) => {
    if (ts.isStringLiteralLike(node)) texts.push({ pieces: [node.text], line: lineOf(tree, node) });
    else if (ts.isTemplateExpression(node))
      texts.push({
        pieces: [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)],
        line: lineOf(tree, node),
      });
  });
  return texts;
}

/** The texts that the other list does not have, counted. */
function without(texts: readonly SourceText[], others: readonly SourceText[]): SourceText[] {
  const left = others.map(({ pieces }) => JSON.stringify(pieces));
  return texts.filter(({ pieces }) => {
    const index = left.indexOf(JSON.stringify(pieces));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Is at least half of the expected text a run of the piece? */
function sharesHalf(piece: string, expected: string): boolean {
  const length = Math.max(4, Math.ceil(expected.length / 2));
  for (let start = 0; start + length <= expected.length; start++)
    if (piece.includes(expected.slice(start, start + length))) return true;
  return false;
}

function holds(pieces: readonly string[], text: string): boolean {
  return pieces.some((piece) => piece.includes(text)) || matches(pieces, text);
}

function matches(pieces: readonly string[], text: string): boolean {
  if (pieces.join('').trim().length < 3) return false;
  const escaped = pieces.map((piece) => piece.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[^]*')}$`).test(text);
}

/**
 * The part of the reworded text that stands where `expected` stood in it, or undefined when it stood across values that were
 * put in.
 */
export function correspondingPart({ before, after }: ChangedText, expected: string): string | undefined {
  const index = before.findIndex((piece) => piece.includes(expected));
  const piece = before[index];
  const now = after[index];
  if (piece === undefined || now === undefined || before.length !== after.length) return undefined;
  if (piece === expected) return now;
  const start = piece.indexOf(expected);
  const end = start + expected.length;
  const shortest = Math.min(piece.length, now.length);
  let head = 0;
  while (head < shortest && piece[head] === now[head]) head++;
  let tail = 0;
  while (tail < shortest - head && piece[piece.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  // What changed must lie inside, or the part has no certain border in the new text.
  if (head < start || piece.length - tail > end) return undefined;
  return now.slice(start, now.length - (piece.length - end));
}
