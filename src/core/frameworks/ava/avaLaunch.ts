// The processes that run a selection of an AVA project, with the options of its own test script.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import type { ScannedTest } from '../../model/testNode.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { textOfFile } from '../configFiles.ts';
import { checkFilter } from '../filter.ts';
import type { FrameworkProject, Launch, ScanResult, Selection } from '../framework.ts';
import { batches, selectedFiles } from '../launchParts.ts';
import { nodeCoverageEnv } from '../nodeCoverage.ts';
import { readAvaSettings } from './avaConfig.ts';
import { avaScript } from './avaScript.ts';

type Scan = (file: string, text: string) => Promise<ScanResult>;

/**
 * `node avaHost.mjs …`; several processes when one command line cannot hold the names of the files. `listed` gives the files when
 * the selection names none and some below belong to others. Throws a HumanError: `not-installed` when the project has no AVA,
 * `bad-input` for filters that CONTRACTS Q4 refuses.
 */
export async function avaLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
  scan: Scan,
  listed: () => Promise<readonly string[]>,
): Promise<readonly Launch[]> {
  const { entry, root, innerRoots = [] } = project;
  const native = selection.nativeFilter === undefined ? undefined : checkFilter(selection.nativeFilter);
  const narrowing = await narrowed(selection, native, scan);
  if (entry === undefined) {
    throw new HumanError('not-installed', project.problem?.message ?? `AVA is not installed in ${root}.`, {
      file: project.problem?.file ?? path.join(root, 'package.json'),
      remedy: project.problem?.remedy ?? 'Install it, for example with `npm install`.',
    });
  }
  const script = avaScript(root);
  const chosen =
    selectedFiles(selection) ??
    (innerRoots.length > 0 || script.patterns.length > 0 ? await listed() : undefined);
  if (chosen?.length === 0) return [];
  const options = selection.debug ? withoutWorkers(script.options) : script.options;
  const workers = selection.debug ? debugOptions : await concurrencyOption(project, options, workspace);
  const linesOf = (file: string): string => {
    const lines = narrowing.lines.get(file);
    return lines ? `${file}:${lines.join(',')}` : file;
  };
  return batches(chosen ?? []).map((batch) => ({
    project,
    args: [
      ...script.nodeFlags,
      injectedFile('frameworks/ava', 'avaHost.mjs'),
      '--entry',
      entry,
      ...snapshotWay(selection),
      ...(batch.length === 0 ? [] : ['--files', String(batch.length), ...batch.map(linesOf)]),
      '--',
      ...(script.config === undefined ? [] : [`--config=${script.config}`]),
      ...options,
      ...workers,
      ...narrowing.patterns.map((pattern) => `--match=${pattern}`),
      ...(script.workerArguments.length > 0 ? ['--', ...script.workerArguments] : []),
    ],
    cwd: root,
    env: { ...script.env, ...nodeCoverageEnv(selection) },
    files: batch,
    timeoutMs: workspace.limits.timeoutMs,
    exitTells: true,
    ...(native === undefined ? {} : { accepts: (names) => matchesPattern(names.join(' '), native) }),
  }));
}

interface Narrowing {
  /** For `--match`; it is coarse: what it lets through too much is left out of the results later. */
  readonly patterns: readonly string[];
  /** Lines of the chosen tests by file. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
}

/** A pattern given by the user, or the lines of single tests where AVA can read them; else their titles. */
async function narrowed(
  { files, tests, filter }: Selection,
  native: string | undefined,
  scan: Scan,
): Promise<Narrowing> {
  const none = new Map<string, readonly number[]>();
  if (native !== undefined) return { patterns: [native], lines: none };
  if (filter !== undefined) return { patterns: [`*${asPattern(checkFilter(filter))}*`], lines: none };
  // Whole files beside single tests: all their tests must run, so nothing can narrow the run.
  const named = (files ?? []).length === 0 && tests?.every(({ names }) => names.length > 0);
  if (tests === undefined || !named) return { patterns: [], lines: none };
  const lines = await linesOf(tests, scan);
  if (lines) return { patterns: [], lines };
  return { patterns: [...new Set(tests.map(({ names }) => asPattern(names.join(' '))))], lines: none };
}

/** AVA finds the test at a line in plain JavaScript only. */
async function linesOf(
  tests: NonNullable<Selection['tests']>,
  scan: Scan,
): Promise<ReadonlyMap<string, readonly number[]> | undefined> {
  const found = new Map<string, number[]>();
  for (const file of new Set(tests.map((test) => path.normalize(test.file)))) {
    if (!/\.[cm]?js$/.test(file)) return undefined;
    const text = textOfFile(file);
    if (text === undefined) return undefined;
    const known = (await scan(file, text)).tests;
    const wanted = tests.filter((test) => path.normalize(test.file) === file);
    const places = wanted.map(({ names }) => known.find(({ title }) => title === names[0]));
    if (!places.every((place): place is ScannedTest => place !== undefined)) return undefined;
    found.set(file, [...new Set(places.map(({ range }) => range.start.line))]);
  }
  return found;
}

/** `*` stands for anything and cannot be written otherwise; a `!` at the head would turn the pattern round. */
function asPattern(title: string): string {
  return title.replace(/^!/, '*');
}

/** As AVA matches titles: `*` is anything, `!` at the head turns it round, case does not count. */
function matchesPattern(title: string, pattern: string): boolean {
  const isNegated = pattern.startsWith('!');
  // Part by part: an expression with many stars would need time that grows with their number.
  const parts = (isNegated ? pattern.slice(1) : pattern).toLowerCase().split('*');
  const text = title.toLowerCase();
  const [head = '', ...rest] = parts;
  const tail = rest.pop();
  if (tail === undefined) return (text === head) !== isNegated;
  let at = text.startsWith(head) ? head.length : -1;
  for (const part of rest) {
    const found = at < 0 ? -1 : text.indexOf(part, at);
    at = found < 0 ? -1 : found + part.length;
  }
  const isMatch = at >= 0 && text.length - tail.length >= at && text.endsWith(tail);
  return isMatch !== isNegated;
}

/**
 * One file after the other, in child processes, which a debugger attaches to and can end. AVA knows no time limit under a debugger, but
 * those that a test sets itself.
 */
const debugOptions = ['--concurrency=1', '--no-worker-threads'];

function withoutWorkers(options: readonly string[]): readonly string[] {
  const [switches, valued] = [
    /^--(?:no-)?worker-threads$|^(?:--concurrency|-c)(?:=|$)/,
    /^(?:--concurrency|-c)$/,
  ];
  return options.filter((option, at) => !switches.test(option) && !valued.test(options[at - 1] ?? ''));
}

/** As many workers as AVA would take, within the limit of the workspace; the user's own number is kept. */
async function concurrencyOption(
  { root, configFile }: FrameworkProject,
  options: readonly string[],
  { limits }: Workspace,
): Promise<readonly string[]> {
  if (options.some((option) => /^(?:--concurrency|-c|--serial|-s)\b/.test(option))) return [];
  const settings = await readAvaSettings(root, configFile, root, () => undefined);
  if (settings.concurrency) return [];
  return [`--concurrency=${Math.min(limits.maxParallel, availableParallelism())}`];
}

function snapshotWay({ updateSnapshots }: Selection): readonly string[] {
  return updateSnapshots === undefined ? [] : ['--snapshots', updateSnapshots ? 'update' : 'stored'];
}
