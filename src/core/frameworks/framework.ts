// The seam for adding a test framework: how it is detected, how its tests are found, how it is started.
import type { CoverageByTest, FileCoverage } from '../model/coverage.ts';
import type { FrameworkProject, Selection } from '../model/frameworkProject.ts';
import type { FrameworkId, ScannedTest } from '../model/testNode.ts';
import type { Workspace } from '../model/settings.ts';
import type { ReporterMessage } from '../model/reporterMessage.ts';
import type { OutputFilter } from '../process/outputReaders.ts';
import type { ProcessResult } from '../process/runProcess.ts';
import type { HookVocabulary, TestVocabulary } from '../syntax/vocabulary.ts';
import type { FileTree } from '../workspace/walk.ts';

export type { FrameworkProject, Selection } from '../model/frameworkProject.ts';

/** What `detect` may look at: one folder, read once for all frameworks. */
export interface FolderFacts {
  readonly folder: string;
  /** Names of the entries of the folder. */
  readonly names: ReadonlySet<string>;
  /** Parsed package.json, or undefined when there is none or it is broken. */
  readonly packageJson?: PackageJson;
  /** Every file of the workspace; its root is the workspace's. */
  readonly tree: FileTree;
  /** Frameworks before this one in the registry that were found in the folder. */
  readonly found: readonly FrameworkId[];
  /** The user's choice of a Python, when they made one. */
  readonly pythonPath?: string;
}

export interface PackageJson {
  readonly name?: string;
  readonly type?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** It configures jest. */
  readonly jest?: true;
}

/** A test file as a framework lists it; `project` where the framework has several (vitest projects). */
export interface ListedFile {
  /** Absolute. */
  readonly file: string;
  readonly project?: string;
  /** A source file with tests inside. */
  readonly inSource?: true;
  /** Known from a run, not from a pattern. */
  readonly ran?: true;
}

export interface ListContext {
  /** A walk of a folder that holds the project's, to share; absent means the framework walks itself. */
  readonly tree?: FileTree;
  /** Told what could not be read, as sentences for the user. */
  readonly note?: (text: string) => void;
}

export interface ScanOptions {
  /** Parse in full, for syntax errors too; for files that are open. */
  readonly thorough?: boolean;
  /** The project that lists the file; some say which names are tests. */
  readonly project?: FrameworkProject;
}

export interface ScanResult {
  readonly tests: readonly ScannedTest[];
  readonly warnings: readonly string[];
  /** It depends on other files or on the configuration too: it cannot be remembered by the text alone. */
  readonly readsOthers?: true;
}

/** One process to start. Arguments are a list and never meet a shell. */
export interface Launch {
  readonly project: FrameworkProject;
  /** Absolute path of the program; absent means the user's node. */
  readonly program?: string;
  /** How a debugger starts what `program` starts; what node runs can always be debugged. */
  readonly debugged?: 'python' | GoDebugging;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Absolute files this process is expected to run; what it does not report is errored. Empty = whatever it collects. */
  readonly files: readonly string[];
  readonly timeoutMs: number;
  /** The framework exits non-zero only for a failure: a green run that exits so hides one (a teardown that threw). */
  readonly exitTells?: boolean;
  /** The exit code by which the framework says that there was no test: no failure where none passed. */
  readonly exitWithoutTests?: number;
  /** A process started before it is needed can run it: with these arguments it waits for the task, and runs none of the user's code. */
  readonly spare?: SpareWay;
  /** Launches of one lane run one after the other: their tests do not bear company. */
  readonly lane?: string;
  /** Does the native filter let a test of these names (suites and title) through? What it does not is left out of the results. */
  readonly accepts?: (names: readonly string[]) => boolean;
  /** What was found in a file of it already, so that nobody looks twice; undefined for another file. */
  readonly scanned?: (file: string) => readonly ScannedTest[] | undefined;
  /** For a framework that takes no reporter of ours on board: reads what its process prints instead. Called once a start, when the process
   *  runs: what it needs can be loaded meanwhile. */
  readonly interpret?: () => Interpreter | Promise<Interpreter>;
  /** Beside our reporter: reads what processes that the tests start report to the framework through stdout. Called once a start. */
  readonly inherited?: () => InheritedResults;
}

export interface InheritedResults extends OutputFilter {
  /** A sentence on the first test that failed there. */
  readonly failure: string | undefined;
}

export interface SpareWay {
  readonly args: readonly string[];
  readonly task: Readonly<Record<string, unknown>>;
  /**
   * It has loaded the framework as it is installed when it starts: of use only for a run that follows soon, in the folder that it starts
   * in. What we tell our own code by the environment comes with the task.
   */
  readonly isLoaded?: true;
  /** The next run is one like it in this folder, and follows soon: its process can start meanwhile. */
  readonly nextFolder?: string;
}

/** For one package of Go: the debugger builds its test binary. `interpret` gets what `go test -json` would print for it. */
interface GoDebugging {
  /** Absolute. */
  readonly folder: string;
  readonly importPath: string;
  /** Arguments of the test binary: `-test.run=…`. */
  readonly args: readonly string[];
}

/** Turns what a process prints into what a reporter would have told (model/reporterMessage.ts). */
export interface Interpreter {
  /** Takes the next part of a stream; parts end anywhere. `shown` is what of it the user sees as output. */
  read(stream: 'stdout' | 'stderr', text: string): Interpretation;
  /** The process is gone. Says `runFinished` only when the framework itself came to its end: without it the run is no pass. */
  end(result: ProcessResult): Promise<Interpretation>;
}

export interface Interpretation {
  readonly messages: readonly ReporterMessage[];
  readonly shown: string;
}

/** What a run with coverage has left, for the framework to read. */
export interface CoverageRequest {
  readonly project: FrameworkProject;
  /** That of `Selection.coverage`. */
  readonly folder: string;
  /** Root of the workspace: what lies outside is not told. */
  readonly root: string;
  readonly signal?: AbortSignal;
}

export interface CoverageReading {
  readonly files: readonly FileCoverage[];
  /** Present where the framework tells what single tests ran: by their ids. */
  readonly byTest?: CoverageByTest;
  /** Sentences for the user on what could not be told and what to do about it. */
  readonly notes: readonly string[];
}

/**
 * How the hooks that record values (captureHooks.cjs) get into a run of failing tests.
 * `testFile`: a line at the head of each test file loads a file of ours with the hooks and then `activation`, JavaScript that
 * sees `hooks` and, in a CommonJS file, `require`. The file is CommonJS unless `module` says that it must be an ES module.
 * `process`: loaded through NODE_OPTIONS before everything else; `activation` as above, in a CommonJS file.
 * `worker`: such a file too, but TESTMEND_CAPTURE_HOOKS names it, for what of ours the framework loads beside each test file.
 */
export interface HookedCapture {
  readonly loadedBy: 'testFile' | 'process' | 'worker';
  readonly activation: string;
  readonly module?: 'esm';
}

/**
 * `reporter`: the reporter of the framework records them itself, where TESTMEND_CAPTURE names a file. `ownText`: the comparisons in the
 * text of Go's test files tell what they compare; with `goesOn` tests go on after those that end them.
 */
export type CaptureWay =
  | HookedCapture
  | { readonly loadedBy: 'reporter' }
  | { readonly loadedBy: 'ownText'; readonly goesOn?: boolean };

export interface TestFramework {
  readonly id: FrameworkId;
  /** As people write it: "Vitest". */
  readonly label: string;
  /** Of its tests; absent: JavaScript or TypeScript. */
  readonly language?: 'go' | 'python' | 'yaml';
  /** What it calls its tests, suites, hooks and marks; absent where a test file holds none by name. */
  readonly vocabulary?: TestVocabulary | HookVocabulary;
  /** Names of files, beside package.json, that make their folder worth a look. */
  readonly marks?: readonly string[];
  /** CONTRACTS T1; undefined when this folder does not use the framework. Runs none of the user's code. */
  detect(facts: FolderFacts): Promise<FrameworkProject | undefined>;
  /** Every test file of the project, without running the user's code. */
  listTestFiles(
    project: FrameworkProject,
    signal?: AbortSignal,
    context?: ListContext,
  ): Promise<readonly ListedFile[]>;
  /** Tells of projects in folders below whether starting this one runs their tests; absent means it never does. */
  covers?(project: FrameworkProject, tree: FileTree): Promise<(inner: FrameworkProject) => boolean>;
  /** Absent where the values of failed assertions cannot be recorded: then only certain printed values count. */
  readonly capture?: CaptureWay;
  /** Absent where what the tests ran of the sources cannot be told. Throws nothing for reports that are missing or broken. */
  readCoverage?(request: CoverageRequest): Promise<CoverageReading>;
  /** One process runs all test files of a project: what one of them leaves behind another one meets. */
  readonly sharesProcess?: true;
  /** Titles are names and never computed: a parametrised test can be asked for by its own. */
  readonly literalTitles?: true;
  /** Present where a whole file is one test: the title of that test. */
  fileTitle?(file: string): string;
  /** Its own filter is no regular expression, and nothing that could take long: it is not tried on titles before a run. */
  readonly plainNativeFilter?: true;
  /** Its tests drive a browser, and `Selection.browser` chooses it. */
  readonly drivesBrowser?: true;
  /** Tests of one file from its text alone; throws nothing, reports trouble as warnings. */
  scan(file: string, text: string, options?: ScanOptions): Promise<ScanResult>;
  /**
   * What of a project changes in a sandbox copy, beyond the places of its files; `original` is the root of the workspace, `toCopy`
   * gives the counterpart of an absolute path in the repository, and other paths as they are.
   */
  inCopy?(
    project: FrameworkProject,
    original: string,
    toCopy: (file: string) => string,
  ): Partial<FrameworkProject>;
  /** The processes that run the selection; refuses hostile filters with a HumanError (CONTRACTS Q4). */
  launches(project: FrameworkProject, selection: Selection, workspace: Workspace): Promise<readonly Launch[]>;
}
