// What a cycle knows beside its sandbox: iterations so far, attempts, failures that are stuck, notes, and how it ended.
import type { ReachedChange } from '../diagnosis/reachedChange.ts';
import { HumanError, errorMessage } from '../base/humanError.ts';
import type { CycleCoverage, CycleReport, IterationRecord } from '../model/cycle.ts';
import type { Diagnosis } from '../model/fix.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { Attempts } from './attempts.ts';
import { CycleCosts } from './cycleCosts.ts';
import { CycleProgress } from './cycleProgress.ts';
import type { CycleRequest } from './cycleRequest.ts';
import type { IterationOutcome } from './strategy.ts';
import { StuckFailures } from './stuck.ts';
import { ResumedFixes } from './resumedFixes.ts';

export class CycleState {
  readonly attempts: Attempts;
  readonly stuck = new StuckFailures();
  readonly history: IterationOutcome[] = [];
  readonly records: IterationRecord[] = [];
  readonly diagnoses = new Map<string, Diagnosis>();
  /** Why fixers had nothing for a test, by its id. */
  readonly refusals = new Map<string, readonly string[]>();
  /** The change of the source that a test runs into, by its id. */
  readonly reached = new Map<string, ReachedChange>();
  /** How far tests came with fixes that were taken back, since they did not pass in the end; by the ids that they have without those. */
  readonly advanced = new Map<string, Diagnosis>();
  readonly notes: string[] = [];
  /** How far it is, for whoever looks on. */
  readonly progress = new CycleProgress();
  readonly costs: CycleCosts;
  /** The cycle that is taken up. */
  readonly takenUp: ResumedFixes | undefined;
  /** How the last complete run of the full suite stands: undefined until there was one. */
  suiteIsKnown = false;
  /** What the workspace did before anything was tried, as far as it ran; undefined until that run ended or was cut off. */
  firstRun: RunSummary | undefined;
  /** Nothing failed before any fix. */
  wasGreen = false;
  ended: CycleReport['ended'] = 'no-progress';
  /** Once it was counted. */
  coverage: CycleCoverage | undefined;
  readonly #wanted: (test: TestResult) => boolean;

  constructor(request: CycleRequest) {
    this.takenUp = request.resume && new ResumedFixes(request.resume);
    this.attempts = new Attempts([...(request.bugs ?? []), ...(this.takenUp?.bugs ?? [])]);
    this.attempts.skip(this.takenUp?.skipped ?? []);
    this.costs = new CycleCosts(request.budget ?? {}, request.providers ?? [], request.start);
    this.#wanted = wantedTests(request);
  }

  /** Was this test asked for? */
  isWanted(test: TestResult): boolean {
    return this.#wanted(test);
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  end(how: CycleReport['ended']): void {
    this.ended = how;
  }

  /** T10: an error ends the cycle, and what was found before it is still told. */
  fail(error: unknown): void {
    this.note(
      error instanceof HumanError
        ? `The cycle ended early: ${error.message} ${error.details.remedy}`
        : `The cycle ended early because of an unexpected error: ${errorMessage(error)}`,
    );
    this.suiteIsKnown = false;
    this.ended = 'no-progress';
  }

  /** Tests that pass only because of changed expectations that nobody accepted. */
  doubtful(): ReadonlySet<string> {
    return new Set(
      this.attempts.fixes.filter(({ state }) => state === 'unreviewed').flatMap(({ failures }) => failures),
    );
  }
}

function wantedTests({ workspace, files, tests }: CycleRequest): (test: TestResult) => boolean {
  if ((files?.length ?? 0) + (tests?.length ?? 0) === 0) return () => true;
  const absolute = (file: string): string => `${workspace.root}/${file}`;
  const wholeFiles = new Set(files);
  return ({ file, suites, title }) =>
    wholeFiles.has(absolute(file)) ||
    (tests ?? []).some(
      (test) =>
        test.file === absolute(file) && test.names.every((name, index) => [...suites, title][index] === name),
    );
}
