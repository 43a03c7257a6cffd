// What the tests of a cycle do while no fix lies in the sandbox, and whether the original does the same.
import type { Outcome, RunSummary, TestResult } from '../model/testResult.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { checkBaselineParity, describeDifferences } from '../verification/baselineParity.ts';
import { describeOthers, otherFailures, stillOther } from '../verification/failsOtherwise.ts';

interface FirstRun {
  /** Files that were run at the start, relative to the root: they are compared already. */
  readonly files: readonly string[];
  readonly results: ReadonlyMap<string, TestResult>;
  /** Files whose outcomes the sandbox does not reproduce, with the reason. */
  readonly unreproduced: ReadonlyMap<string, string> | undefined;
  /** Tests that fail otherwise in the sandbox, with the reason. */
  readonly failsOtherwise: ReadonlyMap<string, string> | undefined;
  readonly sandbox: Pick<Sandbox, 'originalRoot' | 'told' | 'inPlace'>;
  /** Runs files (relative to the root) in the original. */
  readonly runOriginal: (files: readonly string[]) => Promise<RunSummary>;
}

export class WithoutFixes {
  readonly #runOriginal: FirstRun['runOriginal'];
  readonly #compared: Set<string>;
  readonly #results: Map<string, TestResult>;
  readonly #originalOutcomes = new Map<string, Outcome>();
  /** Files whose outcomes the sandbox does not reproduce, with the reason. */
  readonly unreproduced: Map<string, string>;
  /** Tests (ids) that fail otherwise in the sandbox, with the reason. */
  readonly failsOtherwise: Map<string, string>;
  readonly #sandbox: FirstRun['sandbox'];

  constructor({ files, results, unreproduced, failsOtherwise, sandbox, runOriginal }: FirstRun) {
    this.#runOriginal = runOriginal;
    this.#sandbox = sandbox;
    this.failsOtherwise = new Map(failsOtherwise);
    this.#compared = new Set(files);
    this.#results = new Map(results);
    this.unreproduced = new Map(unreproduced);
  }

  /** What the original did, for tests that first ran after the start. */
  originalOutcome(id: string): Outcome | undefined {
    return this.#originalOutcomes.get(id);
  }

  /** Tests that ran for the first time after the start: does the original do the same? Only failing ones matter. */
  async learn(summary: RunSummary, hasFixes: boolean): Promise<void> {
    if (!hasFixes) this.#replace(summary.tests);
    const fresh = new Set<string>();
    const failing = new Set<string>();
    for (const test of summary.tests) {
      if (this.#compared.has(test.file)) continue;
      fresh.add(test.file);
      if (isRed(test)) failing.add(test.file);
    }
    for (const file of fresh) this.#compared.add(file);
    if (failing.size === 0) return;
    const original = await this.#runOriginal([...failing]);
    const own = { ...summary, tests: summary.tests.filter(({ file }) => failing.has(file)) };
    for (const { id, outcome } of original.tests) this.#originalOutcomes.set(id, outcome);
    // With fixes in place a difference may be their doing: the cycle takes them back and looks again.
    if (hasFixes) return;
    const { differing } = checkBaselineParity(original, own);
    for (const [file, reason] of describeDifferences(differing)) this.unreproduced.set(file, reason);
    const others = otherFailures(original, own, this.#sandbox);
    if (others.length === 0 || this.#sandbox.inPlace) return;
    const anew = await this.#runOriginal([...new Set(others.map(({ copy }) => copy.file))]);
    const left = stillOther(others, anew, this.#sandbox);
    for (const [id, reason] of describeOthers(left, this.#sandbox)) this.failsOtherwise.set(id, reason);
  }

  /**
   * As the workspace is, given what the tests do with the fixes: what is still red is told as it is now, what passes and fails by itself
   * too, and everything else as it was. Files that only ran with fixes in place are told as they are.
   */
  resultsBeside(mended: ReadonlyMap<string, TestResult>, flaky: ReadonlySet<string>): readonly TestResult[] {
    const files = new Set([...this.#results.values()].map(({ file }) => file));
    const isNews = (test: TestResult): boolean => isRed(test) || flaky.has(test.id);
    const own = [...this.#results.values()].map((test) => {
      const now = mended.get(test.id);
      return now !== undefined && isNews(now) ? now : test;
    });
    const others = [...mended.values()].filter(
      (test) => !this.#results.has(test.id) && (isRed(test) || !files.has(test.file)),
    );
    return [...own, ...others];
  }

  #replace(tests: readonly TestResult[]): void {
    const files = new Set(tests.map(({ file }) => file));
    for (const [id, { file }] of this.#results) if (files.has(file)) this.#results.delete(id);
    for (const test of tests) this.#results.set(test.id, test);
  }
}

const isRed = ({ outcome }: TestResult): boolean => outcome === 'failed' || outcome === 'errored';
