// Reads what `go test -json` prints (test2json's events, one a line) as a reporter would tell it.
import path from 'node:path';
import { z } from 'zod';
import type { RawFailure, ReporterMessage, TestRef } from '../../model/reporterMessage.ts';
import type { ProcessResult } from '../../process/runProcess.ts';
import { escapePattern } from '../filter.ts';
import type { Interpretation, Interpreter } from '../framework.ts';
import { buildFailure, stopFailure, testFailure } from './goFailure.ts';
import type { GoPackage } from './goPackages.ts';

const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Elapsed: z.number().optional(),
  Output: z.string().optional(),
  FailedBuild: z.string().optional(),
});
type GoEvent = z.infer<typeof eventSchema>;

interface RunningTest {
  readonly key: string;
  readonly file: string;
  output: string;
  hasFailedBelow: boolean;
  /** Did it say `--- PASS`? Where its process ended before, `go test -json` makes up that it passed. */
  saidPass: boolean;
  ended: boolean;
}

interface RunningPackage {
  readonly pack: GoPackage;
  /** The file of each test function, as discovery knows it. */
  readonly fileOfTest: Map<string, string>;
  readonly tests: Map<string, RunningTest>;
  output: string;
  hasFailed: boolean;
  /** Ends of tests that failed without a word: a panic that comes later may tell why. */
  readonly silent: TestEnd[];
  /** Are its files told? */
  queued: boolean;
  ended: boolean;
}

/** What `go test -v` prints around what a test prints. */
const heading = /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|FAIL|SKIP|BENCH):)/;

type TestEnd = Extract<ReporterMessage, { type: 'testEnded' }>;

/** For one process that tests these packages of the module in `root`; `isEverything`: all of their tests are to run. */
export function interpretGoTest(
  root: string,
  packages: readonly GoPackage[],
  isEverything: boolean,
): Interpreter {
  return new GoInterpreter(root, packages, isEverything);
}

class GoInterpreter implements Interpreter {
  readonly #root: string;
  readonly #isEverything: boolean;
  readonly #packages: ReadonlyMap<string, RunningPackage>;
  /** What did not build, by the name of the build. */
  readonly #builds = new Map<string, string>();
  readonly #rest = { stdout: '', stderr: '' };
  #messages: ReporterMessage[] = [];
  #errors = '';
  /** Of packages without test files, by what is said. */
  readonly #brokenBuilds = new Map<string, RawFailure>();
  readonly #toldBuilds = new Set<string>();

  constructor(root: string, packages: readonly GoPackage[], isEverything: boolean) {
    this.#root = root;
    this.#isEverything = isEverything;
    this.#packages = new Map(
      packages.map((pack) => [
        pack.path,
        {
          pack,
          fileOfTest: new Map(),
          tests: new Map(),
          output: '',
          hasFailed: false,
          silent: [],
          queued: false,
          ended: false,
        },
      ]),
    );
  }

  read(stream: 'stdout' | 'stderr', text: string): Interpretation {
    const lines = (this.#rest[stream] + text).split('\n');
    this.#rest[stream] = lines.pop() ?? '';
    const shown = lines.map((line) => this.#line(stream, line)).join('');
    return { messages: this.#messages.splice(0), shown };
  }

  async end(result: ProcessResult): Promise<Interpretation> {
    const shown = [this.#line('stdout', this.#rest.stdout), this.#line('stderr', this.#rest.stderr)].join('');
    for (const running of this.#packages.values()) this.#queue(running);
    const open = [...this.#packages.values()].filter(({ ended }) => !ended);
    const isOver = result.ended === 'exited' && open.length === 0;
    // Without a word on a package: go.mod is broken, the version is too old, a module cannot be had.
    const isRefused = result.ended === 'exited' && open.length === this.#packages.size && this.#errors !== '';
    if (isRefused) {
      const message = this.#errors.trim();
      for (const { pack } of open) this.#failFiles(pack, { message });
    }
    // What broke tests, too, is told by them.
    const unhandled = [...this.#brokenBuilds].flatMap(([said, failure]) =>
      this.#toldBuilds.has(said) ? [] : [failure],
    );
    if (isOver || isRefused) this.#messages.push({ type: 'runFinished', unhandled });
    return { messages: this.#messages.splice(0), shown: shown.trim() === '' ? '' : shown };
  }

  /** One package at a time, when its turn comes: to look through all of a module at once would hold up others. */
  #queue(running: RunningPackage): void {
    if (running.queued) return;
    running.queued = true;
    const files = running.pack.files.filter(({ tests }) => tests.length > 0);
    // Of two functions of one name, which do not build, the first counts.
    for (const { file, tests } of files.toReversed())
      for (const { title } of tests) running.fileOfTest.set(title, file);
    this.#messages.push({ type: 'filesQueued', files: files.map(({ file }) => ({ file })) });
    const reason = 'Not built here: its name or its //go:build line asks for something else.';
    for (const file of running.pack.leftOut) this.#messages.push({ type: 'fileSkipped', file, reason });
  }

  /** Takes one line; returns what of it the user sees. */
  #line(stream: 'stdout' | 'stderr', line: string): string {
    if (stream === 'stdout' && isHeading(line)) return '';
    const event = stream === 'stdout' ? eventOf(line) : undefined;
    if (event) {
      this.#take(event);
      return '';
    }
    if (stream === 'stderr' && line !== '') this.#errors = `${this.#errors}${line}\n`.slice(-20_000);
    return line === '' ? '' : `${line}\n`;
  }

  #take(event: GoEvent): void {
    const { Action: action, ImportPath: build, Output: output = '' } = event;
    if (action === 'build-output' && build !== undefined) {
      this.#builds.set(build, (this.#builds.get(build) ?? '') + output);
      return;
    }
    const running = this.#packages.get(event.Package ?? '');
    if (!running || running.ended) return;
    this.#queue(running);
    if (event.Test === undefined) this.#takePackage(running, event);
    else this.#takeTest(running, event.Test, event);
  }

  #takePackage(
    running: RunningPackage,
    { Action: action, Output: output = '', FailedBuild: build }: GoEvent,
  ): void {
    if (action === 'output') {
      running.output = (running.output + output).slice(-50_000);
      const [first] = running.pack.files;
      if (first && !/^(?:PASS|FAIL|ok|\?|coverage:|exit status)\b/.test(output.trim()))
        this.#messages.push({ type: 'output', file: first.file, stream: 'stdout', text: output });
    } else if (action === 'pass' || action === 'skip' || action === 'fail') {
      running.ended = true;
      this.#endPackage(running, action === 'fail', build);
    }
  }

  #takeTest(running: RunningPackage, name: string, event: GoEvent): void {
    const { Action: action, Output: output = '', Elapsed: elapsed = 0 } = event;
    const test = running.tests.get(name) ?? this.#collect(running, name);
    if (action === 'run') return void this.#messages.push({ type: 'testStarted', key: test.key });
    if (action === 'output') {
      if (output.includes(`--- PASS: ${name} (`)) test.saidPass = true;
      if (heading.test(output)) return;
      test.output = (test.output + output).slice(-200_000);
      return void this.#messages.push({ type: 'output', key: test.key, stream: 'stdout', text: output });
    }
    if (action !== 'pass' && action !== 'fail' && action !== 'skip') return;
    // As one whose end nobody told: its package says so.
    if (action === 'pass' && !test.saidPass) return;
    test.ended = true;
    const told = { type: 'testEnded', key: test.key, durationMs: elapsed * 1000 } as const;
    if (action !== 'fail')
      return void this.#messages.push({ ...told, outcome: action === 'pass' ? 'passed' : 'skipped' });
    running.hasFailed = true;
    const parent = running.tests.get(parentOf(running, name) ?? '');
    if (parent) parent.hasFailedBelow = true;
    // It is judged by what it says itself: its subtests are told for themselves.
    if (test.hasFailedBelow && test.output.trim() === '')
      return void this.#messages.push({ ...told, outcome: 'passed' });
    if (test.output.trim() === '') return void running.silent.push({ ...told, outcome: 'failed' });
    const failures = [testFailure(test.output, running.pack.folder, this.#root)];
    this.#messages.push({ ...told, outcome: 'failed', failures });
  }

  #collect(running: RunningPackage, name: string): RunningTest {
    const parent = parentOf(running, name);
    const above = parent === undefined ? undefined : running.tests.get(parent);
    const file = above?.file ?? fileOf(running, name);
    const suites = parent === undefined ? [] : namesOf(running, parent);
    const title = parent === undefined ? name : name.slice(parent.length + 1);
    const key = `${running.pack.path} ${name}`;
    const test = { key, file, output: '', hasFailedBelow: false, saidPass: false, ended: false };
    running.tests.set(name, test);
    const template = templateOf(running.pack, file, suites, title);
    const ref: TestRef = { key, suites: [...suites], title, ...(template !== undefined && { template }) };
    this.#messages.push({ type: 'fileCollected', file, tests: [ref], more: true });
    return test;
  }

  #endPackage(running: RunningPackage, hasFailed: boolean, build: string | undefined): void {
    const { pack, tests, output } = running;
    const panicked = [...tests.values()].find((test) => /^(?:panic|fatal error): /m.test(test.output));
    for (const end of running.silent) {
      const failures = [testFailure(panicked?.output ?? '', pack.folder, this.#root)];
      this.#messages.push({ ...end, failures });
    }
    if (hasFailed && tests.size === 0 && (build !== undefined || /\[(?:build|setup) failed\]/.test(output))) {
      const told = this.#builds.get(build ?? '') ?? this.#plainBuild(pack);
      const failure = buildFailure(told || output, pack.folder, this.#root);
      if (pack.files.length > 0) {
        this.#toldBuilds.add(failure.message);
        return this.#failFiles(pack, failure);
      }
      // `./...` passes over it, but for the want of cgo.
      if (/build constraints exclude all Go files|no non-test Go files/.test(failure.message)) {
        const text = `The package ${pack.path} is not built here: its build constraints leave no Go file.`;
        return void this.#messages.push({ type: 'note', text });
      }
      const message = failure.message.replace('package', `package ${build ?? pack.path}`);
      this.#brokenBuilds.set(failure.message, { ...failure, message });
      return;
    }
    const open = [...tests.values()].filter(({ ended }) => !ended);
    if (panicked && !panicked.ended) {
      const failures = [testFailure(panicked.output, pack.folder, this.#root)];
      this.#messages.push({
        type: 'testEnded',
        key: panicked.key,
        outcome: 'failed',
        durationMs: 0,
        failures,
      });
    }
    const isSilent =
      this.#isEverything && tests.size === 0 && pack.files.some((file) => file.tests.length > 0);
    if (open.length > 0 || panicked || isSilent) {
      // What had not run by then never will.
      const failure = stopFailure(panicked?.output ?? output, { hasFailed, isSilent });
      for (const { file, tests: known } of pack.files) {
        if (known.length === 0) continue;
        this.#messages.push({ type: 'fileCollected', file, tests: [], more: true });
        this.#messages.push({ type: 'fileFailed', file, onlyOpen: true, failure });
      }
      return;
    }
    const [first] = pack.files;
    if (hasFailed && !running.hasFailed && first) {
      const message = `No test failed, but the package did.\n${output.trim()}`;
      this.#messages.push({ type: 'fileFailed', file: first.file, failure: { message } });
    }
    if (this.#isEverything) this.#tellLeftOut(running);
    for (const { file } of pack.files) {
      const hasTests = [...tests.values()].some((test) => test.file === file);
      if (!hasTests) this.#messages.push({ type: 'fileCollected', file, tests: [], helper: true });
      this.#messages.push({ type: 'fileEnded', file, durationMs: 0 });
    }
  }

  /** Tests of a package that has ended: flags of the user, or its TestMain, chose others. */
  #tellLeftOut(running: RunningPackage): void {
    const text = 'Not run: flags or TestMain leave it out.\n';
    for (const { title } of running.pack.files.flatMap(({ tests }) => tests)) {
      if (running.tests.has(title)) continue;
      const { key } = this.#collect(running, title);
      this.#messages.push({ type: 'output', key, stream: 'stdout', text });
      this.#messages.push({ type: 'testEnded', key, outcome: 'skipped', durationMs: 0 });
    }
  }

  /** Before Go 1.24 a build that fails is told in plain text: `# package [package.test]`, then what is wrong. */
  #plainBuild({ path: name }: GoPackage): string {
    const parts = this.#errors.split(/^(?=# )/m);
    return (
      parts.find((part) => part.startsWith(`# ${name}`) && /[\s[]/.test(part.charAt(2 + name.length))) ?? ''
    );
  }

  #failFiles({ files }: GoPackage, failure: RawFailure): void {
    for (const { file, tests } of files) {
      if (tests.length === 0) continue;
      this.#messages.push({ type: 'fileFailed', file, failure });
      this.#messages.push({ type: 'fileEnded', file, durationMs: 0 });
    }
  }
}

/** Many lines: of a test, and saying only what its other events say; but that it passed must be said. Quotes inside of a text are escaped: these are the fields. */
function isHeading(line: string): boolean {
  const at = line.indexOf(',"Output":"');
  const said = line.slice(at + 11, at + 50);
  return at > 0 && heading.test(said) && !said.includes('--- PASS:') && line.lastIndexOf(',"Test":"', at) > 0;
}

function eventOf(line: string): GoEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return eventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The longest test that this one is part of: names of subtests may hold slashes of their own. */
function parentOf({ tests }: RunningPackage, name: string): string | undefined {
  for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
    if (tests.has(name.slice(0, at))) return name.slice(0, at);
  return undefined;
}

function namesOf(running: RunningPackage, name: string): readonly string[] {
  const parent = parentOf(running, name);
  return parent === undefined ? [name] : [...namesOf(running, parent), name.slice(parent.length + 1)];
}

/** Discovery knows it; what it does not know goes to the first file. */
function fileOf({ fileOfTest, pack: { files, folder } }: RunningPackage, name: string): string {
  return fileOfTest.get(name) ?? files[0]?.file ?? path.join(folder, 'main_test.go');
}

/** Which computed name of the source this one comes from; undefined when it is written out, or when several could be it. */
function templateOf(
  { files }: GoPackage,
  file: string,
  suites: readonly string[],
  title: string,
): string | undefined {
  let siblings = files.find((one) => one.file === file)?.tests ?? [];
  for (const suite of suites) siblings = siblings.find((test) => test.title === suite)?.children ?? [];
  if (siblings.some((test) => test.title === title && test.kind !== 'template')) return undefined;
  const templates = siblings.filter(({ kind }) => kind === 'template').map((test) => test.title);
  const fitting = templates.filter((one) => formatOf(one)?.test(title) ?? true);
  return fitting.length === 1 || new Set(fitting).size === 1 ? fitting[0] : undefined;
}

/** What `fmt.Sprintf("n %d", n)` can print; undefined for another expression. */
function formatOf(expression: string): RegExp | undefined {
  const format = /^fmt\.Sprintf\(\s*"((?:[^"\\]|\\.)*)"/.exec(expression)?.[1];
  if (format === undefined || format.includes('\\')) return undefined;
  const parts = format
    .split(/%[-+# 0]*[\d.*]*[a-zA-Z]/)
    .map((part) => escapePattern(part.replace(/\s/g, '_')));
  return new RegExp(`^${parts.join('.*')}(?:#\\d+)?$`, 's');
}
