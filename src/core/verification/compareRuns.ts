// Compares a run with the fix in place against the baseline: targets that still fail, tests that got worse or vanished.
import type { Failure, RunSummary, TestResult } from '../model/testResult.ts';
import { caseId, caseNumberOf, fileIdOf, isFileId, isInFile, templateOf } from '../model/testId.ts';
import { fullName } from '../model/testName.ts';
import { codeLine } from '../model/visibleText.ts';

/** A test that is worse off than before, with one sentence that says how. */
export interface Regression {
  readonly id: string;
  /** Relative to the root. */
  readonly file: string;
  readonly reason: string;
}

/** A run against the baseline; `inScope` says which baseline tests the run was to include. */
export class Comparison {
  readonly #baseline: ReadonlyMap<string, TestResult>;
  readonly #after: ReadonlyMap<string, TestResult>;
  /** New id of a test that an edit retitled (a row whose value is in the title). */
  readonly #retitled: ReadonlyMap<string, string>;

  constructor(
    baseline: ReadonlyMap<string, TestResult>,
    summary: RunSummary,
    inScope: (test: TestResult) => boolean,
    deleted: readonly string[] = [],
  ) {
    const gone = new Set(deleted);
    this.#baseline = new Map([...baseline].filter(([id, test]) => inScope(test) && !gone.has(id)));
    const formerId = beforeDeletion(gone);
    this.#after = new Map(summary.tests.map((test) => [formerId(test.id), test]));
    this.#retitled = matchRetitled(this.#baseline, this.#after);
  }

  /** What became of a test of the baseline, under its old or its new id. */
  after(id: string): TestResult | undefined {
    return this.#after.get(id) ?? this.#after.get(this.#retitled.get(id) ?? '');
  }

  /**
   * Why a target does not count as passing; undefined when it passes. A file that did not load passes when it loads and one of its
   * tests passes: what still fails in it is a failure of its own, which nobody saw before.
   */
  targetProblem(id: string): string | undefined {
    // What failed as a whole file, by an import or by what its own lines throw, is gone when its tests pass.
    const isFile =
      isFileId(id) && /^(?:load|error|assertion)$/.test(this.#baseline.get(id)?.failure?.kind ?? '');
    if (this.#after.get(id) === undefined && isFile) {
      const tests = this.testsIn(id).filter(({ outcome }) => outcome !== 'skipped');
      if (tests.some((test) => test.outcome === 'passed')) return undefined;
      if (tests[0] !== undefined) return describeStanding(tests[0]);
    }
    const cases = this.#casesOf(id);
    const [first] = cases;
    if (first === undefined) return 'The test did not run.';
    const bad = cases.find((test) => test.outcome !== 'passed');
    return bad === undefined ? undefined : describeStanding(bad);
  }

  /** Of a test, or of the first of its cases that does not pass. */
  failureOf(id: string): Failure | undefined {
    return this.#casesOf(id).find(({ outcome }) => outcome !== 'passed')?.failure;
  }

  /** Tests that ran in a file, which its id names. */
  testsIn(fileId: string): readonly TestResult[] {
    return [...this.#after.values()].filter((test) => isInFile(test.id, fileId));
  }

  /** Why a test that was to go does not count as gone; undefined when it is. */
  stillThere(id: string): string | undefined {
    const now = this.#after.get(id);
    return now === undefined ? undefined : `"${now.title}" still exists.`;
  }

  /** Tests that passed before and do not now. */
  regressions(): readonly Regression[] {
    const found: Regression[] = [];
    for (const [id, before] of this.#baseline) {
      if (before.outcome !== 'passed') continue;
      const now = this.after(id);
      if (now?.outcome === 'passed') continue;
      const title = fullName(before);
      const file = this.#after.get(fileIdOf(id));
      const how =
        now?.outcome === 'skipped' ? 'is skipped' : now ? 'fails' : file ? 'cannot be loaded' : 'is gone';
      found.push({ id, file: before.file, reason: `"${title}" passed before and ${how} now.` });
    }
    return found;
  }

  /** A target may be a template whose cases the run tells one by one. */
  #casesOf(id: string): readonly TestResult[] {
    const exact = this.after(id);
    if (exact) return [exact];
    return [...this.#after.values()].filter((test) => test.id !== id && templateOf(test.id) === id);
  }
}

/** Cases of a template are numbered: behind a row that is gone they have lower numbers now. */
function beforeDeletion(gone: ReadonlySet<string>): (id: string) => string {
  const numbers = new Map<string, number[]>();
  for (const id of gone) {
    const template = templateOf(id);
    if (template === id) continue;
    numbers.set(template, [...(numbers.get(template) ?? []), caseNumberOf(id) ?? 0]);
  }
  return (id) => {
    const template = templateOf(id);
    const rows = numbers.get(template)?.sort((a, b) => a - b);
    if (rows === undefined || template === id) return id;
    let number = caseNumberOf(id) ?? 0;
    for (const row of rows) if (row <= number) number++;
    return caseId(template, number);
  };
}

/** `"adds" still fails: 2 !== 3`, in one line. */
export function describeStanding(test: TestResult): string {
  const [first = '', ...more] = test.failure?.message.split('\n') ?? [];
  // Node says behind a colon, on lines of their own, which values they are.
  const values = first.endsWith(':') ? ` ${codeLine(more.join('\n').trim())}` : '';
  const message = `${first}${values}`.slice(0, 300);
  if (test.outcome === 'skipped') return `"${test.title}" is skipped.`;
  return `"${test.title}" still fails: ${message === '' ? test.outcome : message}`;
}

/**
 * Pairs tests that vanished from a file with tests that are new in it, in order and at the same depth, when there are as many of
 * the one as of the other. Without that, every row with its value in the title would look deleted.
 * A file that loads now is not retitled: its tests are new, be it a single one.
 */
function matchRetitled(
  baseline: ReadonlyMap<string, TestResult>,
  after: ReadonlyMap<string, TestResult>,
): ReadonlyMap<string, string> {
  const place = (test: TestResult): string => JSON.stringify([test.file, test.suites.length]);
  const vanished = groupBy(
    [...baseline.values()].filter(({ id }) => !isFileId(id) && !after.has(id)),
    place,
  );
  const appeared = groupBy(
    [...after.values()].filter(({ id }) => !isFileId(id) && !baseline.has(id)),
    place,
  );
  const pairs = new Map<string, string>();
  for (const [key, old] of vanished) {
    const fresh = appeared.get(key) ?? [];
    if (fresh.length !== old.length) continue;
    for (const [index, test] of old.entries()) {
      const partner = fresh[index];
      if (partner) pairs.set(test.id, partner.id);
    }
  }
  return pairs;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
