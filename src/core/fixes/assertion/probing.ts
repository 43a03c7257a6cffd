// Finds the literal that an expected value comes from by trying: with a mark in it, that expectation must change and nothing else.
import path from 'node:path';
import type { TrialRecord } from '../../diagnosis/recordTrial.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { CapturedAssertion, Value } from '../../model/value.ts';
import { startOf, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { scanSpecifiers } from '../../modules/importScan.ts';
import type { FixContext } from '../fixProvider.ts';
import { moduleCandidates } from './findExport.ts';
import { literalsLike, marked, shows, unmarked, type LikelyLiteral, type Mark } from './markedLiteral.ts';
import { refuse, type Refusal } from './literalChange.ts';
import type { TracedLiteral } from './patchRequest.ts';
import { sameValue } from './sameValue.ts';
import { stackPlaces } from './stackPlaces.ts';

type ReadTree = (file: string) => Promise<SourceTree | undefined>;

interface ProbeQuestion {
  readonly captured: CapturedAssertion;
  readonly test: TestResult;
  /** The part of the expected value whose literal is looked for. */
  readonly wanted: Value;
}

export interface Probing {
  /** The literal, or why it is not known; what was not tried yet is remembered for `ask`. */
  literalOf(question: ProbeQuestion): Promise<TracedLiteral | Refusal>;
  /** Tries what was asked for since; false when there is nothing to try. */
  ask(): Promise<boolean>;
}

interface Entry {
  readonly question: ProbeQuestion;
  readonly left: LikelyLiteral[];
  answer?: TracedLiteral | Refusal;
}

interface Attempt {
  readonly entry: Entry;
  readonly mark: Mark;
}

const mostLiterals = 8;
/** Of the test files, for all failing tests of one fixer together. */
const mostRuns = 16;

/** Trials are runs of the test files: all that is asked for together takes part in the same ones. */
export function createProbing(context: FixContext, readTree: ReadTree): Probing {
  const entries = new Map<string, Entry>();
  const bases = new Map<string, TrialRecord | undefined>();
  let runs = 0;
  let marks = 0;

  const run = async (
    texts: ReadonlyMap<string, string>,
    tests: readonly TestResult[],
  ): Promise<TrialRecord | undefined> => {
    runs++;
    return context.tryOnFormer?.(texts, tests);
  };

  /** Everything at once; where one mark disturbs what others show, each half by itself. */
  async function attempt(attempts: readonly Attempt[]): Promise<void> {
    if (attempts.length === 0 || context.signal.aborted || runs >= mostRuns) return;
    const tests = attempts.map(({ entry }) => entry.question.test);
    const own = [...new Map(tests.map((test) => [test.file, test])).values()];
    const key = JSON.stringify(own.map(({ file }) => file).sort());
    const base = bases.get(key) ?? (await run(new Map(), own));
    bases.set(key, base);
    const ran = base && (await run(markedTexts(attempts.map(({ mark }) => mark)), own));
    if (base === undefined || ran === undefined) return;
    const shown = { base, run: ran, root: context.root };
    if (!isDisturbed(attempts, shown)) {
      for (const { entry, mark } of attempts)
        if (isAnswer(mark, entry.question, shown))
          entry.answer = { node: mark.literal.node, tree: mark.literal.tree };
      return;
    }
    const marked = [...new Set(attempts.map(({ mark }) => mark))];
    if (marked.length < 2) return;
    const half = new Set(marked.slice(0, Math.ceil(marked.length / 2)));
    await attempt(attempts.filter(({ mark }) => half.has(mark)));
    await attempt(attempts.filter(({ mark }) => !half.has(mark)));
  }

  /** The next literal of each question; one literal takes one mark. */
  function nextAttempts(open: readonly Entry[]): readonly Attempt[] {
    const attempts: Attempt[] = [];
    for (const entry of open) {
      const [next] = entry.left;
      const same = attempts.find(({ mark }) => mark.literal.node === next?.node)?.mark;
      const free = entry.left.find((one) => !attempts.some(({ mark }) => overlap(mark.literal, one)));
      const mark = same ?? (free && marked(free, ++marks));
      if (mark === undefined) continue;
      const index = entry.left.findIndex(({ node }) => node === mark.literal.node);
      entry.left.splice(index, 1);
      attempts.push({ entry, mark });
    }
    return attempts;
  }

  return {
    async literalOf(question) {
      const key = JSON.stringify([question.test.id, question.captured, question.wanted]);
      const known = entries.get(key);
      if (known?.answer !== undefined) return known.answer;
      const left = known?.left ?? [...(await likelyLiterals(question, context, readTree))];
      const entry: Entry = known ?? { question, left };
      entries.set(key, entry);
      if (left.length === 0 || left.length > mostLiterals) entry.answer = notFound;
      return entry.answer ?? notFound;
    },
    async ask() {
      const open = (): Entry[] =>
        [...entries.values()].filter(({ answer, left }) => answer === undefined && left.length > 0);
      if (open().length === 0 || context.tryOnFormer === undefined) return false;
      for (let next = nextAttempts(open()); next.length > 0; next = nextAttempts(open())) {
        if (runs >= mostRuns || context.signal.aborted) break;
        await attempt(next);
      }
      for (const entry of entries.values()) entry.answer ??= notFound;
      return true;
    },
  };
}

const notFound = refuse('No literal that the expected value comes from was found in the tests.');

/** In the file of the test, in those the failure went through, and in modules of the tests that it imports. */
async function likelyLiterals(
  { captured, test, wanted }: ProbeQuestion,
  context: FixContext,
  readTree: ReadTree,
): Promise<readonly LikelyLiteral[]> {
  const own = await readTree(test.file);
  const imported = own === undefined ? [] : relativeModules(own);
  const files = new Set([
    test.file,
    ...stackPlaces(captured.stack, context.root).map(({ file }) => file),
    ...imported,
  ]);
  const found: LikelyLiteral[] = [];
  for (const file of files) {
    if (!context.isTestFile(file)) continue;
    const tree = await readTree(file);
    if (tree !== undefined) found.push(...literalsLike(tree, wanted));
  }
  return found;
}

function relativeModules(tree: SourceTree): readonly string[] {
  const folder = path.posix.dirname(tree.file);
  return scanSpecifiers(tree.text).modules.flatMap((specifier) =>
    specifier.startsWith('.') ? moduleCandidates(path.posix.join(folder, specifier)) : [],
  );
}

function overlap(one: LikelyLiteral, other: LikelyLiteral): boolean {
  if (one.tree.file !== other.tree.file) return false;
  return one.node.pos < other.node.end && other.node.pos < one.node.end;
}

function markedTexts(marks: readonly Mark[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const distinct = [...new Set(marks)].sort((a, b) => b.literal.leaf.pos - a.literal.leaf.pos);
  for (const { literal, newText } of distinct) {
    const { tree, leaf } = literal;
    const text = texts.get(tree.file) ?? tree.text;
    texts.set(tree.file, text.slice(0, startOf(tree, leaf)) + newText + text.slice(leaf.end));
  }
  return texts;
}

interface Shown {
  readonly base: TrialRecord;
  readonly run: TrialRecord;
  readonly root: string;
}

/** Did anything fail beside the assertions in which a mark shows? Then some mark reached the code under test. */
function isDisturbed(attempts: readonly Attempt[], { base, run, root }: Shown): boolean {
  const known = new Set(base.failed.map((one) => keyOf(one, root)));
  const isMarked = (one: CapturedAssertion): boolean =>
    attempts.some(({ mark }) => shows(one.expected, mark) || shows(one.actual, mark));
  const spoilt = new Set(run.failed.filter(isMarked).map(({ testName }) => testName));
  return (
    run.tests.length !== base.tests.length ||
    failures(run) > failures(base) + spoilt.size ||
    run.failed.some((one) => !isMarked(one) && !known.has(keyOf(one, root)))
  );
}

/**
 * On the former sources, where the test held: does the mark show in this expectation, as it was written, and does every assertion
 * that it shows in compare it with what it was? Then the literal feeds expectations and nothing that the tests give to the code.
 */
function isAnswer(mark: Mark, { captured }: ProbeQuestion, { run, root }: Shown): boolean {
  let isShown = false;
  for (const one of run.failed) {
    const sides = (['expected', 'actual'] as const).filter((side) => shows(one[side], mark));
    const [side] = sides;
    if (side === undefined) continue;
    const was = unmarked(one[side], mark);
    if (sides.length > 1 || !sameValue(was, one[side === 'expected' ? 'actual' : 'expected'], 'loose'))
      return false;
    isShown ||=
      nameWithout(mark, one.testName) === captured.testName &&
      placesOf(one, root) === placesOf(captured, root) &&
      sameValue(captured[side], was, 'strict');
  }
  return isShown;
}

/** A title may hold the value. */
function nameWithout({ was, now }: Mark, name: string): string {
  const text = (value: Value): string =>
    value.kind === 'string' ? value.value : value.kind === 'number' ? value.text : '';
  return name.replaceAll(text(now), () => text(was));
}

const failures = ({ tests }: TrialRecord): number =>
  tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored').length;

/** Columns move with the mark, lines do not. */
function placesOf({ stack }: CapturedAssertion, root: string): string {
  return stackPlaces(stack, root)
    .map(({ file, line }) => `${file}:${line}`)
    .join(' ');
}

function keyOf(one: CapturedAssertion, root: string): string {
  return JSON.stringify([placesOf(one, root), one.expected, one.actual]);
}
