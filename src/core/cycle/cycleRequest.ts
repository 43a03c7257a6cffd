// What a fix cycle is asked for.
import type { CycleFix, Strategy } from '../model/cycle.ts';
import type { CycleProgress } from './cycleProgress.ts';
import type { CycleBudget } from './cycleCosts.ts';
import type { FormerCycle } from './formerCycle.ts';
import type { FixProvider } from '../fixes/fixProvider.ts';
import type { FrameworkProject, Selection } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { LayerChoice } from '../run/layers.ts';
import type { RunRequest } from '../run/runTests.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { WeighPatch } from '../verification/verifyPatch.ts';

/** What a person says about a changed expectation that was proven. */
export type Decision = 'accept' | 'bug' | 'skip';

/** Where fixes are sought and proven. */
export interface BenchRequest extends Pick<RunRequest, 'frameworks' | 'env' | 'start'> {
  readonly workspace: Workspace;
  readonly projects: readonly FrameworkProject[];
  /** May a fix touch this file (relative to the root)? `testFileRule` makes it. */
  isTestFile(file: string): boolean;
  readonly assume: 'ask' | 'source-is-right';
  readonly preset: 'tester' | 'qa';
  /** Default: `askedProviders()`. */
  readonly providers?: readonly FixProvider[];
  /** Tests whose failure the user called a bug of the source: they are not mended. */
  readonly bugs?: ReadonlySet<string>;
  /** Asked about edits that nobody vouches for, where only what their tests notice can decide. */
  readonly weigh?: WeighPatch;
  /** A warm sandbox of this root; the caller ends it. */
  readonly sandbox?: Sandbox;
  /** Parent folder of a new sandbox. */
  readonly sandboxFolder?: string;
  readonly signal?: AbortSignal;
  /** Told how far a step is; a cycle brings its own. */
  readonly progress?: CycleProgress;
}

export interface OpenBench extends BenchRequest {
  /** Test files of the workspace, relative to the root. */
  readonly testFiles: readonly string[];
  /** Those that count as the suite, relative to the root; default all. */
  readonly suiteFiles?: readonly string[];
  /** What to run at the start, relative to the root; undefined means the suite. */
  readonly startFiles: readonly string[] | undefined;
  /** What the original did for `startFiles` just now; absent: it is run. */
  readonly original?: RunSummary;
  /** Told what the original did, also when its run was cut off and there is no bench. */
  readonly onOriginal?: (original: RunSummary) => void;
  readonly onNote: (note: string) => void;
}

export interface CycleRequest extends BenchRequest {
  /** Only failures of these absolute test files are mended; the status still needs the full suite. */
  readonly files?: readonly string[];
  /** Only tests of this layer are run and mended: they are the suite that the status speaks of (CONTRACTS F1). */
  readonly layer?: LayerChoice;
  /** Only these tests are mended; a prefix of names means a suite. */
  readonly tests?: Selection['tests'];
  readonly strategy: 'auto' | Strategy;
  readonly maxIterations: number;
  /** Percent. */
  readonly targetPassRate: number;
  readonly budget?: CycleBudget;
  /** What the tests run of the sources (CONTRACTS F3): counted in one more run at the end, or by whoever asks, after it. */
  readonly coverage?: 'counted' | 'by-caller';
  /** Told what is going on within a step. */
  readonly onProgress?: (text: string) => void;
  /**
   * Told once, before the end: what each test that ran does as the workspace is, without any of the fixes. `readText`: of a file as it
   * lies in the sandbox, until the end.
   */
  readonly onResults?: (
    tests: readonly TestResult[],
    readText?: (file: string) => Promise<string | undefined>,
  ) => void;
  /** Asked about each proven change of an expectation; without it they stay unreviewed. */
  readonly accept?: (fix: CycleFix) => Promise<Decision>;
  /** Names the cycle in its record, for whoever takes it up after a kill. */
  readonly cycleId?: string;
  /** A cycle that was killed: what it had proven comes first, its iterations count. */
  readonly resume?: FormerCycle;
}

/** What a cycle found before it starts. */
export interface CyclePlan {
  /** Of the workspace, relative to the root. */
  readonly testFiles: readonly string[];
  /** Those that count as the suite, with a layer. */
  readonly suiteFiles?: readonly string[];
  /** What to run first; undefined means the suite. */
  readonly startFiles: readonly string[] | undefined;
  readonly notes: readonly string[];
}
