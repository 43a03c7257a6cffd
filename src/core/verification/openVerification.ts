// Gets everything ready for verdicts: a sandbox in step with the original, and the proof that it reproduces the original's outcomes.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { FrameworkProject, Selection } from '../frameworks/framework.ts';
import { summarize } from '../model/summarize.ts';
import type { Failure, RunSummary, TestResult } from '../model/testResult.ts';
import { runTests, type RunRequest } from '../run/runTests.ts';
import { openSandbox, type Sandbox } from '../workspace/sandbox.ts';
import { checkBaselineParity, describeDifference } from './baselineParity.ts';
import { baselineOf, type VerificationContext } from './verification.ts';

export interface VerificationRequest extends Pick<
  RunRequest,
  'workspace' | 'projects' | 'frameworks' | 'env' | 'start'
> {
  /** May a fix touch this file (relative to the root)? */
  isTestFile(file: string): boolean;
  /** What the baseline covers, with files of the original; default everything. */
  readonly selection?: Selection;
  /** What the original did for this selection just now; absent: it is run here. */
  readonly original?: RunSummary;
  /** A warm sandbox of this root; the caller ends it. Absent: one is opened and belongs to the context. */
  readonly sandbox?: Sandbox;
  /** Parent folder of a new sandbox. */
  readonly sandboxFolder?: string;
  readonly signal?: AbortSignal;
  readonly onNote?: (note: string) => void;
}

/** A run that records snapshots has checked nothing, and one that proves something writes nothing into the workspace. */
export const storedSnapshots = { updateSnapshots: false } as const;

/** A context that owns its sandbox unless one was given. */
export interface OpenVerification extends VerificationContext {
  dispose(): Promise<void>;
}

/** Throws a HumanError when no sandbox can be made or the run is cancelled. */
export async function openVerification(request: VerificationRequest): Promise<OpenVerification> {
  const signal = request.signal ?? new AbortController().signal;
  const selection = request.selection ?? {};
  // The gate brings a parser along: it loads while the tests run.
  void import('../policy/checkPolicy.ts').catch(() => undefined);
  // Copied before the original's tests run: both start from the same files, also when tests write some.
  const sandbox = await openOrSync(request, signal);
  const owned = request.sandbox === undefined;
  try {
    const original =
      request.original ??
      (await runTests({ ...runnerOf(request), selection: { ...storedSnapshots, ...selection }, signal }));
    throwIfCancelled(signal);
    const place = {
      workspace: { ...request.workspace, root: sandbox.root },
      projects: request.projects.map((project) => ({
        ...relocateProject(project, sandbox),
        ...request
          .frameworks(project.framework)
          .inCopy?.(project, sandbox.originalRoot, (file) => sandbox.toSandbox(file)),
      })),
    };
    const run = (wanted: Selection, runSignal: AbortSignal): Promise<RunSummary> =>
      runTests({
        ...runnerOf(request),
        ...place,
        selection: { ...storedSnapshots, ...wanted },
        signal: runSignal,
      });
    const baseline = await reproduce(original, sandbox, selection, async (wanted) => {
      const summary = await run(wanted, signal);
      throwIfCancelled(signal);
      return summary;
    });
    return {
      sandbox,
      ...place,
      ...baseline,
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

async function openOrSync(
  { workspace, sandbox, sandboxFolder, onNote }: VerificationRequest,
  signal: AbortSignal,
): Promise<Sandbox> {
  if (sandbox === undefined) {
    return openSandbox({
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

/** Runs the selection in the sandbox; what differs is run once more, with ignored files copied. */
async function reproduce(
  original: RunSummary,
  sandbox: Sandbox,
  selection: Selection,
  run: (selection: Selection) => Promise<RunSummary>,
): Promise<Required<Pick<VerificationContext, 'baseline' | 'unreproduced' | 'drift'>>> {
  let summary = await run(relocateSelection(selection, sandbox));
  let drift = await sandbox.restoreStrays();
  let { differing } = checkBaselineParity(original, summary);
  const files = new Set(
    [...differing, ...loadedOtherwise(original, summary, sandbox)].map(({ file }) => file),
  );
  if (files.size > 0) {
    await sandbox.copyIgnored();
    const again = await run({ files: [...files].map((file) => absolute(sandbox, file)) });
    drift = [...drift, ...(await sandbox.restoreStrays())];
    summary = summarize([...summary.tests.filter((test) => !files.has(test.file)), ...again.tests], summary);
    ({ differing } = checkBaselineParity(original, summary));
  }
  return {
    baseline: baselineOf(summary),
    unreproduced: new Map(differing.map((test) => [test.file, describeDifference(test)])),
    drift: new Set(drift),
  };
}

/** Files that load in neither, but for another reason in the copy: it may lack what was built. */
function loadedOtherwise(original: RunSummary, copy: RunSummary, sandbox: Sandbox): readonly TestResult[] {
  const { originalRoot } = sandbox;
  const told = ({ message }: Failure): string =>
    sandbox
      .told(message)
      .replaceAll(`file://${originalRoot}/`, '')
      .replaceAll(originalRoot + path.sep, '');
  const messages = new Map(
    original.tests.flatMap(({ id, failure }) => (failure?.kind === 'load' ? [[id, told(failure)]] : [])),
  );
  return copy.tests.filter(({ id, failure }) => {
    const message = messages.get(id);
    return message !== undefined && failure !== undefined && told(failure) !== message;
  });
}

/** The same project in the copy. An entry in node_modules stays: it is the same file on both sides. */
function relocateProject(project: FrameworkProject, sandbox: Sandbox): FrameworkProject {
  const { entry, configFile, innerRoots, problem } = project;
  const inModules = entry?.split(path.sep).includes('node_modules') ?? true;
  return {
    ...project,
    root: sandbox.toSandbox(project.root),
    ...(entry !== undefined && !inModules && { entry: sandbox.toSandbox(entry) }),
    ...(configFile !== undefined && { configFile: sandbox.toSandbox(configFile) }),
    ...(innerRoots && { innerRoots: innerRoots.map((inner) => sandbox.toSandbox(inner)) }),
    ...(problem?.file !== undefined && { problem: { ...problem, file: sandbox.toSandbox(problem.file) } }),
  };
}

/** The selection with its files in the copy. */
export function relocateSelection(selection: Selection, sandbox: Sandbox): Selection {
  const { files, tests, ...filters } = selection;
  return {
    ...filters,
    ...(files === undefined ? {} : { files: files.map((file) => sandbox.toSandbox(file)) }),
    ...(tests === undefined
      ? {}
      : { tests: tests.map((test) => ({ ...test, file: sandbox.toSandbox(test.file) })) }),
  };
}

const absolute = (sandbox: Sandbox, file: string): string => path.resolve(sandbox.root, file);
