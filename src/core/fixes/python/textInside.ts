// Which part of a longer text stands now where a test looked for another one: `assert "no such file" in output`.
import { refuse, type Refusal } from '../assertion/literalChange.ts';

/** Lines longer than this are data, not something that a person reads. */
const longestLine = 2000;

/**
 * The part of one line that begins and ends as `wanted` does and has most of its words in their order; refused when no line or
 * several differ in what they give, or when less would be asked for.
 */
export function textInside(actual: string, wanted: string): string | Refusal {
  if (wanted.includes('\n')) return refuse('The text that the test looks for has several lines.');
  const words = tokensOf(wanted);
  const content = words.filter(isWord).length;
  if (content < 2) return refuse('The text that the test looks for is too short to identify its new form.');
  let best: Found | undefined;
  let rivals = new Set<string>();
  for (const line of new Set(actual.split('\n'))) {
    if (line.length > longestLine) continue;
    const found = align(words, tokensOf(line));
    if (found === undefined || found.words < content / 2) continue;
    if (best === undefined || found.words > best.words) [best, rivals] = [found, new Set([found.text])];
    else if (found.words === best.words) rivals.add(found.text);
  }
  if (best === undefined) return refuse(`Nothing in the actual text resembles ${JSON.stringify(wanted)}.`);
  if (rivals.size > 1) return refuse(`Several lines of the actual text resemble ${JSON.stringify(wanted)}.`);
  const signs = (text: string): number => text.match(/\S/gu)?.length ?? 0;
  if (best.text.length < wanted.length || signs(best.text) < signs(wanted))
    return refuse('The new text to look for is shorter, so it matches more easily.');
  return best.text;
}

interface Found {
  readonly text: string;
  /** How many words they have in common. */
  readonly words: number;
}

const tokensOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];
const isWord = (token: string): boolean => /[\p{L}\p{N}_]/u.test(token);

/** The longest common subsequence of tokens (words count, signs break ties) that has the first and the last one of `wanted`. */
function align(wanted: readonly string[], line: readonly string[]): Found | undefined {
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  let best: (Found & { readonly score: number }) | undefined;
  for (const [start, token] of line.entries()) {
    if (token !== first) continue;
    // One row for each token of the line from here on; the value is 1000 for a word and 1 for anything else.
    let row = wanted.map(() => 0);
    for (let at = start; at < line.length; at++) {
      const before = row;
      const now = wanted.map(() => 0);
      for (const [index, one] of wanted.entries()) {
        const diagonal = index === 0 ? 0 : (before[index - 1] ?? 0);
        const gain = one === line[at] && (at === start) === (index === 0) ? (isWord(one) ? 1000 : 1) : 0;
        now[index] = Math.max(before[index] ?? 0, now[index - 1] ?? 0, gain === 0 ? 0 : diagonal + gain);
      }
      row = now;
      if (line[at] !== last || (at === start && wanted.length > 1)) continue;
      const score = row.at(-1) ?? 0;
      const text = line.slice(start, at + 1).join('');
      if (
        best === undefined ||
        score > best.score ||
        (score === best.score && text.length < best.text.length)
      )
        best = { text: closed(text, line.slice(at + 1).join('')), words: Math.floor(score / 1000), score };
    }
  }
  return best;
}

/** With the quote that its last word is closed by. */
function closed(text: string, rest: string): string {
  const [next = ''] = rest;
  return /['"`]/.test(next) && text.split(next).length % 2 === 0 ? text + next : text;
}
