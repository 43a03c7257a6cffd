// A framework found at one place of the workspace, and what of its tests to run.
import type { FrameworkId } from './testNode.ts';

/** One framework at one place of the workspace; plain data, so that it can cross a process. */
export interface FrameworkProject {
  readonly framework: FrameworkId;
  /** Absolute folder in which the framework is started. */
  readonly root: string;
  /** Installed version, when it is installed. */
  readonly version?: string;
  /** Absolute path of what is started: the framework's script for `node`, else its program; absent when it is named but not installed. */
  readonly entry?: string;
  /** Absolute path of its configuration file, when it has one. */
  readonly configFile?: string;
  /** What in its folder says that the framework is used there: the strongest sign. */
  readonly sign?: 'config' | 'script' | 'dependency';
  /** Absolute folders below that belong to other projects of the framework: what is in them is not this one's. */
  readonly innerRoots?: readonly string[];
  /** Test files that its patterns, as far as they can be read, do not have and a run had: relative to its root. */
  readonly ranFiles?: readonly { readonly file: string; readonly project?: string }[];
  /** Which names are tests, where the configuration says so: beginnings or globs. */
  readonly testNames?: { readonly classes: readonly string[]; readonly functions: readonly string[] };
  /** Of a project in a sandbox copy: the root of the workspace, and folders of the copy that come first on the import path. */
  readonly copy?: { readonly original: string; readonly importPaths: readonly string[] };
  /** What it runs with, for whoever looks why: a browser, a library. */
  readonly about?: string;
  /** Why its tests cannot run, as a sentence with the remedy. */
  readonly problem?: { readonly message: string; readonly file?: string; readonly remedy: string };
  /** Its tests cannot run, which is a note while others run and nobody asked for its files: an example, a tool of its own. */
  readonly aside?: true;
}

/** The browser of tests that have one, in place of what the configuration says (CONTRACTS Q2). */
export interface BrowserChoice {
  /** Shown while the tests run. */
  readonly headed?: true;
  readonly name?: 'chromium' | 'firefox' | 'webkit';
}

/** Of a run of scenarios. */
export interface ScenarioChoice {
  /** Name of an environment of scenario.config.yaml. */
  readonly environment?: string;
  /** Healed locators above their threshold are written into the scenarios. */
  readonly autoApprove?: true;
  /** The scenarios come from somebody else: private addresses and files are refused. */
  readonly untrusted?: true;
}

/** What to run; everything absent means everything. */
export interface Selection {
  /** Absolute test files. */
  readonly files?: readonly string[];
  /** Tests by the names of their suites and title, per absolute file; a prefix of names selects a suite. */
  readonly tests?: readonly { readonly file: string; readonly names: readonly string[] }[];
  /** A rule chose the files, nobody named them: one without a test, like a helper among the tests, is noted and is no failure. */
  readonly byRule?: true;
  /** Case-insensitive substring of the full title (suites and title joined by one space). */
  readonly filter?: string;
  /** The framework's own filter syntax. */
  readonly nativeFilter?: string;
  /** Only for frameworks that drive one; the others run as ever. */
  readonly browser?: BrowserChoice;
  /** Only for scenarios. */
  readonly scenario?: ScenarioChoice;
  /**
   * true: the framework's own update of stored snapshots (`-u`). false: nothing is written, and a snapshot that is not stored fails.
   * Absent: what the framework does by itself, which is never to write over a stored one.
   */
  readonly updateSnapshots?: boolean;
  /** Under a debugger: one process at a time, and no time limit of the framework may end a test that stands at a breakpoint. */
  readonly debug?: true;
  /**
   * Where the framework keeps what it compiled, instead of in its own cache: an absolute folder, and a name of what the sources
   * hold, since a compiler may look at more than one file. What others are judged by comes from no former text.
   */
  readonly compiled?: { readonly folder: string; readonly state: string };
  /** Count what of the sources runs; the framework leaves what it finds in the folder (absolute, private to this project and run). */
  readonly coverage?: { readonly folder: string };
}
