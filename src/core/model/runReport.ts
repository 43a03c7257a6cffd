// What the HTML report of a run shows: made by the core, drawn by the script of the page.
import type { CycleReport } from './cycle.ts';
import type { Share } from './coverage.ts';
import type { Outcome, RunSummary, Severity } from './testResult.ts';

export interface ReportedTest {
  readonly id: string;
  readonly suites: readonly string[];
  readonly title: string;
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  readonly line: number;
  readonly outcome: Outcome;
  readonly durationMs: number;
  /** It passed when it was tried again, or in another of several runs. */
  readonly isFlaky?: true;
  readonly quarantined?: true;
  /** Of a test that did not pass, and of one that passed on a retry. */
  readonly failures?: readonly ReportedFailure[];
  /** What a test that failed printed. */
  readonly output?: string;
  /** Of the newest runs that are kept, oldest first: P passed, F failed, R both; absent where only this one is known. */
  readonly outcomes?: string;
}

export interface ReportedFailure {
  readonly message: string;
  readonly severity: Severity;
  /** Expected against actual, as lines of a diff; absent where there are no values. */
  readonly difference?: string;
  /** `add (src/cart.js:14:3)` */
  readonly frames: readonly string[];
}

/** A run of the history. */
export interface ReportedRun {
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Seconds. */
  readonly duration: number;
}

/** A test that the history shows as broken, flaky or slower. */
export interface ReportedTrend {
  readonly id: string;
  readonly category: string;
  readonly runs: number;
  /** 0 to 1. */
  readonly flakeScore: number;
  readonly outcomes: string;
  /** Seconds. */
  readonly meanDuration: number;
  /** Of the last three runs, seconds. */
  readonly recentDuration: number;
}

export interface FolderCoverage {
  /** Relative to the root; `.` for files in the root itself. */
  readonly folder: string;
  readonly lines: Share;
}

export interface RunReport extends Omit<RunSummary, 'tests' | 'coverage'> {
  /** Name of the root's folder. */
  readonly folder: string;
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  /** Tests that both passed and failed. */
  readonly flaky: number;
  readonly tests: readonly ReportedTest[];
  /** Oldest first, this run last; one run where no other is known. */
  readonly history: readonly ReportedRun[];
  readonly trends: readonly ReportedTrend[];
  /** By folder, in the order of their names; empty for a run without coverage. */
  readonly coverage: readonly FolderCoverage[];
  /** The last fix cycle of the root. */
  readonly cycle?: CycleReport;
}
