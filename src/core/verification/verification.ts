// What a verification works with: a warm sandbox, what its tests did without any fix, and a way to run them.
import type { FrameworkProject, Selection } from '../frameworks/framework.ts';
import type { Fix, Verdict } from '../model/fix.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { Workspace } from '../model/settings.ts';
import type { FileChange, KnownChanges } from '../policy/fileFacts.ts';
import type { CoverageOptions } from '../run/runCoverage.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { StrengthAnswer } from '../strength/compareStrength.ts';
import type { Standing } from './progress.ts';

export interface VerificationContext {
  readonly sandbox: Sandbox;
  /** The workspace as it lies in the sandbox. */
  readonly workspace: Workspace;
  /** The projects as they lie in the sandbox. */
  readonly projects: readonly FrameworkProject[];
  /** Result of each test in the sandbox without the fix, by id; `baselineOf(summary)` makes it. */
  readonly baseline: ReadonlyMap<string, TestResult>;
  /** Test files (relative) whose outcomes the sandbox does not reproduce, with the reason; fixes for them are unverifiable. */
  readonly unreproduced?: ReadonlyMap<string, string>;
  /** Tests (ids) that fail in the sandbox in another way than in the original, with the reason; fixes for them are unverifiable. */
  readonly failsOtherwise?: ReadonlyMap<string, string>;
  /** Copied files (relative) that the tests write even without a fix. */
  readonly drift?: ReadonlySet<string>;
  /** Runs tests in the sandbox; files of the selection are sandbox paths. */
  run(selection: Selection, signal: AbortSignal, more?: RunMore): Promise<RunSummary>;
  /** May a fix touch this file (relative to the root)? INTERFACES "Test files". */
  isTestFile(file: string): boolean;
  /** Files (relative) of the workspace that a test file runs, itself among them; absent where that is not known. */
  readonly reaches?: (file: string) => Promise<ReadonlySet<string>>;
  /** The tests that ran before the change in a file (by its id) that does not load now; empty where that is not known. */
  readonly ranBefore?: (fileId: string) => readonly TestResult[];
  /**
   * What tests notice with a change of what they noticed without it, each that changes by itself; undefined where that cannot be asked
   * of them. Nothing lies in the sandbox meanwhile but what `before` has. Absent where nothing is asked.
   */
  readonly weigh?: (files: readonly FileChange[]) => Promise<StrengthAnswer | undefined>;
  /** What the gate said of changes before; without it each change is judged anew. */
  readonly known?: KnownChanges;
  /** Told of each verdict as soon as it is certain, in the order in which they fall. */
  readonly onVerdict?: (fix: Fix, verdict: Verdict, told: Fix) => void;
  readonly signal: AbortSignal;
}

interface RunMore {
  /** Count what of the sources runs; no verdict comes from such a run. */
  readonly coverage?: CoverageOptions;
  /** Most likely no other run follows: no process need be started for one. */
  readonly isLast?: boolean;
}

export type EndsWithSuite = 'known' | 'new' | undefined;

export interface VerificationScope {
  readonly scope: 'test' | 'file' | 'affected' | 'suite';
  /** Test files to run, relative to the root; for `suite` unused. */
  readonly files: readonly string[];
  /**
   * What tests do further on, with edits that only let them get there; fixes may be meant for failures that nothing else shows. A fix
   * after which they get further still is told so.
   */
  readonly ahead?: Standing;
  /**
   * The full suite is due when these fixes are kept: the last run of their verdict is it. What the verdict says is of the same files all
   * the same. `new`: nobody knows yet what the other tests do without the fixes, so that they decide nothing.
   */
  readonly endsWithSuite?: EndsWithSuite;
  /** Most likely no other run follows once these fixes are verified. */
  readonly isEnd?: boolean;
  /** Hears the last run of a trial that shows nothing that got worse, with the fixes that were in place. */
  readonly onTrial?: (inPlace: readonly Fix[], summary: RunSummary, isSuite: boolean) => void;
  /** Leave the edits of verified fixes in the sandbox, so that the next fix builds on them. Default false. */
  readonly keep?: boolean;
}

/** Results by id, as a verification compares them. */
export function baselineOf(summary: RunSummary): ReadonlyMap<string, TestResult> {
  return new Map(summary.tests.map((test) => [test.id, test]));
}
