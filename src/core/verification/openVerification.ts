// Gets everything ready for verdicts: a sandbox in step with the original, and the proof that it reproduces the original's outcomes.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { Selection } from '../frameworks/framework.ts';
import { refuseBrokenConfiguration } from '../model/brokenConfiguration.ts';
import { summarize } from '../model/summarize.ts';
import type { RunEvent, RunSummary } from '../model/testResult.ts';
import type { StartProcess } from '../run/runLaunch.ts';
import { runTests, type RunRequest } from '../run/runTests.ts';
import { openCopySandbox } from '../sandbox/copySandbox.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { checkBaselineParity, describeDifferences, differingAnew } from './baselineParity.ts';
import { describeOthers, otherFailures, stillOther } from './failsOtherwise.ts';
import { intruder } from './intruder.ts';
import { runOriginal, storedSnapshots } from './originalRun.ts';
import { projectsInSandbox, relocateSelection } from './relocate.ts';
import { baselineOf, type VerificationContext } from './verification.ts';

export interface VerificationRequest extends Pick<
  RunRequest,
  'workspace' | 'projects' | 'frameworks' | 'env' | 'start'
> {
  /** May a fix touch this file (relative to the root)? */
  isTestFile(file: string): boolean;
  /** What the baseline covers, with files of the original; default everything. */
  readonly selection?: Selection;
  /** Absolute test files that are run where a run is not told which; default all of the workspace. */
  readonly suite?: readonly string[];
  /** What the original did for this selection just now; absent: it is run here. */
  readonly original?: RunSummary;
  /** A warm sandbox of this root; the caller ends it. Absent: one is opened and belongs to the context. */
  readonly sandbox?: Sandbox;
  /** Parent folder of a new sandbox. */
  readonly sandboxFolder?: string;
  readonly signal?: AbortSignal;
  readonly onNote?: (note: string) => void;
  /** Told what the original did, also when its run was cut off and nothing can be opened. */
  readonly onOriginal?: (original: RunSummary) => void;
  /** Told of each run before it starts; what it gives hears the run's events. */
  readonly onRun?: OnRun;
}

/** `files`: how many test files are asked for; undefined where all of the workspace are. */
export type OnRun = (run: {
  readonly place: 'original' | 'copy';
  readonly files: number | undefined;
}) => (event: RunEvent) => void;

/** How many test files a selection names. */
export function filesOf({ files, tests }: Selection): number | undefined {
  return files?.length ?? (tests && new Set(tests.map(({ file }) => file)).size);
}

/** Python takes byte code for current by the second and the size of its source: that of one trial would do for the next. */
const noByteCode = { PYTHONDONTWRITEBYTECODE: '1' } as const;

/** A context that owns its sandbox unless one was given. */
export interface OpenVerification extends VerificationContext {
  /** Of every run, beyond the user's. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts their processes. */
  readonly start?: StartProcess;
  /** What every run in the sandbox keeps of what it compiles. */
  compiled(): Pick<Selection, 'compiled'>;
  dispose(): Promise<void>;
}

/** Throws a HumanError when no sandbox can be made or the run is cancelled. */
export async function openVerification(asked: VerificationRequest): Promise<OpenVerification> {
  const signal = asked.signal ?? new AbortController().signal;
  const selection = ofSuite(asked.selection ?? {}, asked.suite);
  // The gate brings a parser along: it loads while the tests run.
  void import('../policy/checkPolicy.ts').catch(() => undefined);
  // Copied before the original's tests run: both start from the same files, also when tests write some.
  const sandbox = await openOrSync(asked, signal);
  const owned = asked.sandbox === undefined;
  const env = { ...asked.env, ...(sandbox.inPlace && noByteCode) };
  const start = asked.start && followedInCopy(asked.start, sandbox);
  const request = { ...asked, env, ...(start && { start }) };
  try {
    const original =
      request.original ??
      (await runTests({
        ...runnerOf(request),
        ...heardOf(request, 'original', selection),
        selection: { ...storedSnapshots, byRule: true, ...selection },
        signal,
      }));
    request.onOriginal?.(original);
    throwIfCancelled(signal);
    refuseBrokenConfiguration(original);
    const place = {
      workspace: { ...request.workspace, root: sandbox.root },
      projects: projectsInSandbox(request.projects, request.frameworks, sandbox),
    };
    const suite = request.suite?.map((file) => sandbox.toSandbox(file));
    const compiled = compiledIn(sandbox, original);
    const run: OpenVerification['run'] = async (wanted, runSignal, { coverage, isLast } = {}) => {
      const { result, putBack } = await sandbox.watched(() =>
        runTests({
          ...runnerOf(request),
          ...place,
          ...heardOf(request, 'copy', ofSuite(wanted, suite)),
          selection: { ...storedSnapshots, byRule: true, ...compiled(), ...ofSuite(wanted, suite) },
          signal: runSignal,
          ...(coverage && { coverage }),
          ...(isLast && asked.start && { start: asked.start }),
        }),
      );
      const [file] = putBack;
      if (file !== undefined) throw intruder(file);
      return result;
    };
    const baseline = sandbox.inPlace
      ? await asItIs(original, sandbox)
      : await reproduce(original, sandbox, selection, {
          copy: async (wanted) => {
            const summary = await run(wanted, signal);
            throwIfCancelled(signal);
            return summary;
          },
          originalAnew: (files) => runOriginal(request, sandbox, files, signal),
        });
    return {
      sandbox,
      ...place,
      ...baseline,
      env,
      ...(start && { start }),
      compiled,
      run,
      isTestFile: (file) => request.isTestFile(file),
      signal,
      dispose: async () => {
        if (owned) await sandbox.dispose();
      },
    };
  } catch (error) {
    if (owned) await sandbox.dispose();
    throw error;
  }
}

/** After each run another one follows in the sandbox: its process can start meanwhile. */
function followedInCopy(start: StartProcess, sandbox: Sandbox): StartProcess {
  return (asked, { spare, ...launch }) =>
    start(asked, {
      ...launch,
      ...(spare && { spare: { ...spare, nextFolder: sandbox.toSandbox(asked.cwd) } }),
    });
}

/** What names no tests means the suite. */
function ofSuite(wanted: Selection, suite: readonly string[] | undefined): Selection {
  const isNamed = wanted.files !== undefined || wanted.tests !== undefined;
  return suite === undefined || isNamed ? wanted : { ...wanted, files: suite };
}

async function openOrSync(
  { workspace, sandbox, sandboxFolder, onNote }: VerificationRequest,
  signal: AbortSignal,
): Promise<Sandbox> {
  if (sandbox === undefined) {
    return openCopySandbox({
      root: workspace.root,
      signal,
      ...(sandboxFolder === undefined ? {} : { folder: sandboxFolder }),
      ...(onNote === undefined ? {} : { onNote }),
    });
  }
  await sandbox.sync();
  return sandbox;
}

const runnerOf = ({
  workspace,
  projects,
  frameworks,
  env,
  start,
}: VerificationRequest): Omit<RunRequest, 'selection' | 'signal'> => ({
  workspace,
  projects,
  frameworks,
  ...(env === undefined ? {} : { env }),
  ...(start === undefined ? {} : { start }),
});

function heardOf(
  { onRun }: VerificationRequest,
  place: 'original' | 'copy',
  selection: Selection,
): Pick<RunRequest, 'onEvent'> {
  return onRun === undefined ? {} : { onEvent: onRun({ place, files: filesOf(selection) }) };
}

type Baseline = Required<Pick<VerificationContext, 'baseline' | 'unreproduced' | 'failsOtherwise' | 'drift'>>;

/** The workspace itself needs no proof that it does what the workspace does. */
async function asItIs(original: RunSummary, sandbox: Sandbox): Promise<Baseline> {
  const drift = new Set(await sandbox.restoreStrays());
  return { baseline: baselineOf(original), unreproduced: new Map(), failsOtherwise: new Map(), drift };
}

/** By the state of the sandbox; the text of a test file makes a difference for itself alone, and so do hooks of ours. */
function compiledIn(sandbox: Sandbox, original: RunSummary): OpenVerification['compiled'] {
  const tests = new Set(original.tests.map(({ file }) => file));
  return () => ({
    compiled: {
      folder: sandbox.compiledFolder,
      state: sandbox.stateName((file) => tests.has(file) || /(?:^|\/)testmend-capture-[^/]*$/.test(file)),
    },
  });
}

interface Runs {
  readonly copy: (selection: Selection) => Promise<RunSummary>;
  /** Files relative to the root, in the original, with nothing that was compiled before. */
  readonly originalAnew: (files: readonly string[]) => Promise<RunSummary>;
}

/**
 * Runs the selection in the sandbox; what ends or fails otherwise is run once more, with ignored files copied. What still differs is run once more in
 * the original, which may have been compiled from former texts: the copy never is.
 */
async function reproduce(
  original: RunSummary,
  sandbox: Sandbox,
  selection: Selection,
  { copy: run, originalAnew }: Runs,
): Promise<Baseline> {
  let summary = await run(relocateSelection(selection, sandbox));
  let drift = await sandbox.restoreStrays();
  let { differing } = checkBaselineParity(original, summary);
  let others = otherFailures(original, summary, sandbox);
  const filesLeft = (): string[] => [
    ...new Set([...differing.map(({ file }) => file), ...others.map(({ copy }) => copy.file)]),
  ];
  // The copy may lack what was built, or what the user keeps out of git.
  const files = new Set(filesLeft());
  if (files.size > 0) {
    await sandbox.copyIgnored();
    const again = await run({ files: [...files].map((file) => absolute(sandbox, file)) });
    drift = [...drift, ...(await sandbox.restoreStrays())];
    summary = summarize([...summary.tests.filter((test) => !files.has(test.file)), ...again.tests], summary);
    ({ differing } = checkBaselineParity(original, summary));
    others = otherFailures(original, summary, sandbox);
  }
  if (filesLeft().length > 0) {
    const anew = await originalAnew(filesLeft());
    differing = differingAnew(differing, { original, anew, copy: summary });
    others = stillOther(others, anew, sandbox);
  }
  return {
    baseline: baselineOf(summary),
    unreproduced: describeDifferences(differing),
    failsOtherwise: describeOthers(others, sandbox),
    drift: new Set(drift),
  };
}

const absolute = (sandbox: Sandbox, file: string): string => path.resolve(sandbox.root, file);
