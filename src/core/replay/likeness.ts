// H of the score: how an edit of tests compares with what the author of the commit did at the same places.
import { templateOf } from '../model/testId.ts';
import type { TestNode } from '../model/testNode.ts';
import { diffOfLines } from '../workspace/lineDiff.ts';
import type { Likeness } from './replayReport.ts';
import { literalsIn, tokensIn } from './tokens.ts';

export interface ComparedFile {
  /** Relative to the root. */
  readonly file: string;
  /** Before the commit. */
  readonly before: string;
  readonly ours: string;
  /** The author's, under whatever name the file has in the commit; empty when the commit deletes it. */
  readonly theirs: string;
  /** Ids (of `before`) of the tests in it that the edit is for. */
  readonly mended: readonly string[];
  /** The tests in a text of this file. */
  readonly testsIn: (text: string) => Promise<readonly TestNode[]>;
}

/**
 * The worst likeness of all places that count: the whole text of each test the edit is for, and whatever the edit changes outside
 * of those. What the author did elsewhere (new tests, other helpers) does not count.
 */
export async function likenessOf(files: readonly ComparedFile[]): Promise<Likeness> {
  const found: Likeness[] = [];
  for (const file of files) found.push(...(await likenessesIn(file)));
  return found.reduce(worse, 'identical');
}

const order: readonly Likeness[] = ['identical', 'formatting', 'literals', 'different'];
const worse = (a: Likeness, b: Likeness): Likeness => (order.indexOf(a) >= order.indexOf(b) ? a : b);

/** Of one place in a file of this name: before, as the edit has it, and as the author has it. */
export function compareTexts(file: string, before: string, ours: string, theirs: string): Likeness {
  if (ours.trimEnd() === theirs.trimEnd()) return 'identical';
  const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join('\0') === b.join('\0');
  if (isSame(tokensIn(file, ours), tokensIn(file, theirs))) return 'formatting';
  const values = literalsIn(file, ours);
  // Values that nobody changed say nothing.
  const isChanged = !isSame(values, literalsIn(file, before));
  return isChanged && isSame(values, literalsIn(file, theirs)) ? 'literals' : 'different';
}

async function likenessesIn({
  file,
  before,
  ours,
  theirs,
  mended,
  testsIn,
}: ComparedFile): Promise<readonly Likeness[]> {
  if (ours === theirs) return ['identical'];
  const [was, is, other] = await Promise.all([testsIn(before), testsIn(ours), testsIn(theirs)]);
  const covered: Lines[] = [];
  const found: Likeness[] = [];
  for (const id of new Set(mended)) {
    const index = was.findIndex((node) => node.id === id || node.id === templateOf(id));
    const node = was[index];
    // A title that only the run knows: the places of the edit alone are compared.
    if (node === undefined) continue;
    covered.push(linesOf(node));
    const own = is.length === was.length ? is[index] : is.find((one) => one.id === node.id);
    const partner = partnerOf(node, was, other);
    found.push(
      own === undefined || partner === undefined
        ? 'different'
        : compareTexts(file, textOf(before, node), textOf(ours, own), textOf(theirs, partner)),
    );
  }
  return [...found, ...hunkLikenesses(file, before, ours, theirs, covered)];
}

/** The author's version of a test: the one of the same id, else the one that took the place of it in its suite. */
function partnerOf(
  node: TestNode,
  was: readonly TestNode[],
  theirs: readonly TestNode[],
): TestNode | undefined {
  const same = theirs.find(({ id }) => id === node.id);
  if (same !== undefined) return same;
  const suite = (one: TestNode): string => JSON.stringify(one.suites);
  const isIn = (nodes: readonly TestNode[], { id }: TestNode): boolean => nodes.some((one) => one.id === id);
  const vanished = was.filter((one) => suite(one) === suite(node) && !isIn(theirs, one));
  const appeared = theirs.filter((one) => suite(one) === suite(node) && !isIn(was, one));
  return vanished.length === appeared.length ? appeared[vanished.indexOf(node)] : undefined;
}

/** Lines [start, end), from 0. */
interface Lines {
  readonly start: number;
  readonly end: number;
}

interface Hunk extends Lines {
  readonly lines: readonly string[];
}

const linesOf = ({ range }: TestNode): Lines => ({ start: range.start.line - 1, end: range.end.line });
const textOf = (text: string, node: TestNode): string =>
  splitLines(text)
    .slice(node.range.start.line - 1, node.range.end.line)
    .join('');

/** Compares what the edit changes outside of `covered` with what the author made of the same lines. */
function hunkLikenesses(
  file: string,
  before: string,
  ours: string,
  theirs: string,
  covered: readonly Lines[],
): readonly Likeness[] {
  const [mine, others] = [hunksOf(before, ours), hunksOf(before, theirs)];
  const old = splitLines(before);
  return mine
    .filter((hunk) => !covered.some(({ start, end }) => start <= hunk.start && hunk.end <= end))
    .map((hunk) => {
      const region = closure(hunk, [...mine, ...others]);
      const is = old.slice(region.start, region.end).join('');
      return compareTexts(file, is, applied(old, region, mine), applied(old, region, others));
    });
}

/** The hunk, widened until every hunk that touches it lies in it. */
function closure(hunk: Lines, hunks: readonly Hunk[]): Lines {
  let { start, end } = hunk;
  for (let grown = true; grown;) {
    grown = false;
    for (const other of hunks) {
      if (other.start > end || other.end < start || (other.start >= start && other.end <= end)) continue;
      if ((other.start === end || other.end === start) && other.start !== other.end && start !== end)
        continue;
      start = Math.min(start, other.start);
      end = Math.max(end, other.end);
      grown = true;
    }
  }
  return { start, end };
}

function applied(old: readonly string[], { start, end }: Lines, hunks: readonly Hunk[]): string {
  const result: string[] = [];
  let line = start;
  for (const hunk of hunks.filter((one) => one.start >= start && one.end <= end)) {
    result.push(...old.slice(line, hunk.start), ...hunk.lines);
    line = hunk.end;
  }
  return [...result, ...old.slice(line, end)].join('');
}

function hunksOf(before: string, after: string): readonly Hunk[] {
  const hunks: { start: number; end: number; lines: string[] }[] = [];
  let line = 0;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const { added, removed, value, count } of diffOfLines(before, after)) {
    if (!added && !removed) {
      open = undefined;
      line += count;
      continue;
    }
    if (open === undefined) hunks.push((open = { start: line, end: line, lines: [] }));
    if (added) open.lines.push(...splitLines(value));
    else open.end = line += count;
  }
  return hunks;
}

/** Lines with their ends. */
const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
