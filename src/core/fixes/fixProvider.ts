// The seam for adding a fixer: it looks at failing tests and proposes edits; it proves and applies nothing.
import type { CapturedAssertion } from '../model/value.ts';
import type { Fix, Outsider } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { TrialRecord } from '../diagnosis/recordTrial.ts';
import type { ReachedChange } from '../diagnosis/reachedChange.ts';
import type { SourceChanges } from '../diagnosis/sourceChanges.ts';
import type { OwnCopy, Written } from '../sandbox/sandbox.ts';
import type { WorkspaceSources } from './renameDoubts/workspaceSources.ts';

/** One failing test with what was recorded while it failed. */
export interface FailingTest {
  readonly result: TestResult;
  /** Failed assertions of this test, in order; empty when none was recorded. */
  readonly captured: readonly CapturedAssertion[];
}

/** What a framework's snapshot update did to the files below the root. */
export interface SnapshotUpdate {
  /** New texts of files that it changed, by path relative to the root. */
  readonly changed: ReadonlyMap<string, string>;
  /** Files that it made. */
  readonly added: readonly string[];
  /** What the tests did in this run, by id. */
  readonly results: ReadonlyMap<string, TestResult>;
}

/** What runs tell of a failing test that passes by itself. */
export interface OrderEvidence {
  /** What it did on the base revision, with its sources and its tests; `new`: it was not among them. */
  readonly onBase: 'green' | 'red' | 'new' | 'unknown';
  /** With the sources of the base and the tests as they are now it fails in the same way (`tests`), or it does not (`sources`). */
  readonly spoiltBy: 'tests' | 'sources';
}

export interface FixContext {
  /** Absolute root that all relative paths belong to (the sandbox's, while a cycle works in one). */
  readonly root: string;
  readonly failing: readonly FailingTest[];
  /** Text of a file relative to the root, or undefined when it does not exist. */
  readText(file: string): Promise<string | undefined>;
  /** May a fix touch this file (INTERFACES "Test files")? */
  isTestFile(file: string): boolean;
  /** All test files of the workspace, relative to the root, where they are known. */
  readonly testFiles?: readonly string[];
  readonly changes: SourceChanges;
  /** What the fixers of a cycle share to look through the sources of the workspace; absent, each reads them for itself. */
  readonly sources?: WorkspaceSources;
  readonly signal: AbortSignal;
  /**
   * Runs failing tests with their framework's own snapshot update, each time from the stored state, and gives what it wrote;
   * nothing of that stays. Absent where nothing can be run.
   */
  updateSnapshots?(tests: readonly TestResult[], times: number): Promise<readonly SnapshotUpdate[]>;
  /**
   * Tries each of these in the sandbox, once: is the gate content, does its target pass, and fails nothing that passed? Nothing
   * of them stays. Absent where nothing can be run.
   */
  prove?(fixes: readonly Fix[]): Promise<readonly boolean[]>;
  /**
   * What fails in the files of these tests on the sources before the change, while test files (relative to the root) have other
   * texts; nothing of it stays. Undefined where that cannot be run or recorded. Absent where nothing can be run.
   */
  tryOnFormer?(
    texts: ReadonlyMap<string, string>,
    tests: readonly TestResult[],
  ): Promise<TrialRecord | undefined>;
  /**
   * Those of the failing tests that pass without the tests around them, each of several times. Costs a few runs. Absent where nothing
   * can be run.
   */
  passingAlone?(tests: readonly TestResult[]): Promise<ReadonlyMap<string, OrderEvidence>>;
  /**
   * Gives this work a copy of its own, and tells what it wrote there; nothing of it stays. `isJailed`: can it write nowhere else?
   * Absent where nothing can be run.
   */
  inOwnCopy?(isJailed: boolean, work: (copy: OwnCopy) => Promise<void>): Promise<Written>;
  /** A text from a run, told of the workspace instead of the copy. */
  told?(text: string): string;
  /** Tells what is going on, while it takes time. */
  progress?(text: string): void;
  /** Tells the user something that is about no single test. */
  note?(text: string): void;
  /** As `note`, and at once: what the user should know before it happens. */
  warn?(text: string): void;
  /** What the providers before this one proposed. */
  readonly proposed?: readonly Fix[];
  /** Tells why a changed expectation may be the wrong answer for a failing test: nobody but a person may then apply one. */
  doubt?(testId: string, reason: string): void;
  /** Tells the change of the source that a failing test runs into, fix or not; the first account of a test holds. */
  reach?(testId: string, change: ReachedChange): void;
  /** Tells why a failing test gets no fix from this provider, one sentence for the user. */
  refuse?(testId: string, reason: string): void;
}

/** What asking somebody outside took. */
export interface Spending {
  readonly author: Outsider;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** As the service reports it, in its currency. */
  readonly cost?: number;
}

export interface FixProvider {
  readonly id: string;
  /** One sentence for users: what it does and when. */
  readonly description: string;
  propose(context: FixContext): Promise<readonly Fix[]>;
  /** So far; only of those who ask somebody outside. */
  spent?(): Spending;
}
