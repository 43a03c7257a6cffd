// Replays commits: the old tests on the new source, the fix cycle on what breaks, and the score of what it did.
import path from 'node:path';
import { errorMessage, HumanError, throwIfCancelled } from '../base/humanError.ts';
import { jsonWithoutSecrets } from '../base/redactSecrets.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import type { Workspace } from '../model/settings.ts';
import { openCopySandbox } from '../sandbox/copySandbox.ts';
import { renamesOf, type Commit } from './commits.ts';
import {
  installedEnvironments,
  linkedEnvironments,
  type Environments,
  type InstallSteps,
} from './environments.ts';
import { CannotPrepare, findCase, type Case, type Examination } from './findCase.ts';
import type { ChangedSource } from './kills.ts';
import type { Mutate } from './mutants.ts';
import type { BrokenTest, CommitRecord, ReplayReport, SettingScore } from './replayReport.ts';
import { runSetting, type Setting } from './runSetting.ts';
import { scoreOf } from './score.ts';
import { openScratch, type Scratch } from './scratch.ts';
import { isRightOutcome, reportOf } from './totals.ts';
import { isInside, toPosix, toRelativePosix } from '../base/paths.ts';

interface ReplayRequest {
  /** The user's workspace; it is only read. */
  readonly workspace: Workspace;
  readonly commits: readonly Commit[];
  /** The words of each command that installs packages; absent: those of the workspace are linked. */
  readonly install?: InstallSteps;
  /** Where installed packages are kept from one replay to the next; absent: they are gone with it. */
  readonly environmentsFolder?: string;
  /** For one commit without its installation, ms. */
  readonly commitTimeoutMs: number;
  readonly installTimeoutMs: number;
  /** Lays bugs into the changed lines of the source, to see whether mended tests notice them (K2); absent: not asked. */
  readonly mutate?: Mutate;
  /** Category of REPAIR, where a list of cases gives one. */
  readonly categoryOf?: (commit: string) => string | undefined;
  /** Parent folder of the scratch clone and of sandboxes. */
  readonly sandboxFolder?: string;
  readonly signal?: AbortSignal;
}

export type ReplayEvent =
  | { readonly type: 'progress'; readonly text: string }
  | {
      readonly type: 'commitStarted';
      readonly index: number;
      readonly total: number;
      readonly commit: Commit;
    }
  | { readonly type: 'commitEnded'; readonly record: CommitRecord };

/**
 * Tells what happens through `onEvent` and resolves with the report, also when it is cancelled: then of the commits that were done.
 * Throws a HumanError when there is no history or no place for the clone. Leaves nothing behind.
 */
export async function replayCommits(
  request: ReplayRequest,
  onEvent: (event: ReplayEvent) => void = () => undefined,
): Promise<ReplayReport> {
  const started = performance.now();
  const { workspace, commits, sandboxFolder } = request;
  const signal = request.signal ?? new AbortController().signal;
  const scratch = await openScratch({
    root: workspace.root,
    signal,
    ...(sandboxFolder === undefined ? {} : { folder: sandboxFolder }),
  });
  const environments = environmentsOf(request, scratch, onEvent);
  const records: CommitRecord[] = [];
  try {
    for (const [index, commit] of commits.entries()) {
      if (signal.aborted) break;
      onEvent({ type: 'commitStarted', index, total: commits.length, commit });
      const told = await replayOne(commit, { request, scratch, environments, signal, onEvent });
      if (told === undefined) break;
      const record = withoutSecrets(told, scratch.root);
      records.push(record);
      onEvent({ type: 'commitEnded', record });
    }
  } finally {
    await environments.dispose().finally(() => scratch.dispose());
  }
  const isLate = signal.reason instanceof HumanError && signal.reason.code === 'timeout';
  return reportOf(records, {
    root: workspace.root,
    mutants: request.mutate !== undefined,
    notes: notesOf(request),
    ended: !signal.aborted ? 'complete' : isLate ? 'timeout' : 'cancelled',
    durationMs: Math.round(performance.now() - started),
  });
}

/** While the files of its commit lie in the clone. Nobody applies its patch: it is read like the rest. */
function withoutSecrets(record: CommitRecord, root: string): CommitRecord {
  return JSON.parse(jsonWithoutSecrets(record, toldBy(record, root), false));
}

function environmentsOf(
  { install, environmentsFolder, installTimeoutMs }: ReplayRequest,
  scratch: Scratch,
  onEvent: (event: ReplayEvent) => void,
): Environments {
  if (install === undefined) return linkedEnvironments(scratch);
  return installedEnvironments({
    scratch,
    steps: install,
    timeoutMs: installTimeoutMs,
    ...(environmentsFolder === undefined ? {} : { folder: environmentsFolder }),
    onInstall: (text) => onEvent({ type: 'progress', text }),
  });
}

function notesOf({ install, mutate }: ReplayRequest): string[] {
  const notes =
    mutate === undefined ? ['Sound is without K2: no mutants of the changed lines were tried.'] : [];
  if (install === undefined)
    notes.push(
      'All commits ran with the packages that the workspace has installed now; --install gives each its own.',
    );
  return notes;
}

interface Replaying {
  readonly request: ReplayRequest;
  readonly scratch: Scratch;
  readonly environments: Environments;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ReplayEvent) => void;
}

/** Undefined when everything was cancelled meanwhile. */
async function replayOne(commit: Commit, replaying: Replaying): Promise<CommitRecord | undefined> {
  const { request, signal, onEvent } = replaying;
  const started = performance.now();
  const limit = new TimeLimit(request.commitTimeoutMs, signal);
  const category = request.categoryOf?.(commit.commit);
  const known = { ...commit, ...(category === undefined ? {} : { category }) };
  const record = (rest: Pick<CommitRecord, 'state'> & Partial<CommitRecord>): CommitRecord => ({
    ...known,
    broken: [],
    notes: [],
    ...rest,
    durationMs: Math.round(performance.now() - started),
  });
  const progress = (text: string): void => onEvent({ type: 'progress', text });
  let broken: readonly BrokenTest[] = [];
  try {
    const examination = examinationOf(commit, replaying, limit, progress);
    const found = await findCase(examination);
    if (found.kind !== 'case') return record({ state: found.kind, reason: found.reason });
    broken = found.broken;
    const scores = await scoresOf(found, examination, request);
    const scored = { broken: [...broken], ...scores };
    return record({
      state: 'case',
      ...scored,
      ...(category === undefined ? {} : { rightOutcome: isRightOutcome(category, scored) }),
      notes: [...found.notes],
    });
  } catch (error) {
    if (signal.aborted) return undefined;
    return record({ state: 'skipped', reason: reasonOf(error, limit, broken) });
  } finally {
    limit.dispose();
  }
}

/** What stopped the work on one commit, in one sentence. */
function reasonOf(error: unknown, limit: TimeLimit, broken: readonly BrokenTest[]): string {
  if (limit.isOver) {
    const what = broken.length === 0 ? '' : ` (${broken.length} tests had failed with the new source)`;
    return `The time limit of ${limit.seconds} s for one commit is over${what}.`;
  }
  if (error instanceof CannotPrepare || error instanceof HumanError) return error.message;
  return `An unexpected error: ${errorMessage(error)}`;
}

function examinationOf(
  commit: Commit,
  { request, scratch, environments }: Replaying,
  limit: TimeLimit,
  progress: (text: string) => void,
): Examination {
  return {
    commit,
    scratch,
    // Installing has a limit of its own.
    environments: {
      prepare: (signal) => limit.paused(() => environments.prepare(signal)),
      dispose: () => environments.dispose(),
    },
    workspace: { ...request.workspace, root: scratch.root, cacheFolder: path.join(scratch.home, 'cache') },
    signal: limit.signal,
    progress,
  };
}

async function scoresOf(
  found: Case,
  examination: Examination,
  { sandboxFolder, mutate }: ReplayRequest,
): Promise<{ readonly automatic: SettingScore; readonly sourceIsRight: SettingScore }> {
  const { scratch, commit, signal } = examination;
  const bed = await found.layOut('old tests, new source');
  const folder = sandboxFolder === undefined ? {} : { folder: sandboxFolder };
  const sandbox = await openCopySandbox({ root: scratch.root, signal, ...folder });
  const settle = async (setting: Setting, name: string) =>
    runSetting({
      found,
      bed,
      setting,
      sandbox,
      signal,
      progress: (text) => examination.progress(`${name}: ${text}`),
    });
  const results = await (async () => {
    try {
      const ask = await settle('ask', 'automatic');
      return { ask, right: await settle('source-is-right', 'the source is right') };
    } finally {
      await sandbox.dispose();
    }
  })();
  const renames = await renamesOf(scratch.top, commit, signal);
  const texts = async (file: string) => {
    const name = toPosix(path.relative(scratch.top, path.join(scratch.root, file)));
    const before = (await scratch.textAt(commit.parent, name, signal)) ?? '';
    return { before, theirs: (await scratch.textAt(commit.commit, renames.get(name) ?? name, signal)) ?? '' };
  };
  const { progress } = examination;
  const source = (): Promise<readonly ChangedSource[]> => changedSource(found, examination);
  const shared = { found, texts, signal, progress, ...(mutate && { mutants: { mutate, source } }) };
  const automatic = await scoreOf({ ...shared, result: results.ask, onlyMended: true });
  throwIfCancelled(signal);
  const sourceIsRight = await scoreOf({ ...shared, result: results.right, onlyMended: false });
  throwIfCancelled(signal);
  return { automatic, sourceIsRight };
}

/** Texts of the source that the commit changes or adds, without what lies outside of the root. */
async function changedSource(
  { source }: Case,
  { scratch, commit, signal }: Examination,
): Promise<readonly ChangedSource[]> {
  const found: ChangedSource[] = [];
  for (const { file, status } of source) {
    const place = path.join(scratch.top, file);
    if (status === 'deleted' || !isInside(scratch.root, place)) continue;
    const after = await scratch.textAt(commit.commit, file, signal);
    const before = (await scratch.textAt(commit.parent, file, signal)) ?? '';
    if (after !== undefined) found.push({ file: toRelativePosix(scratch.root, place), before, after });
  }
  return found;
}

/** Aborts after so long, not counting what is paused; and whenever the outer signal does. */
class TimeLimit {
  readonly signal: AbortSignal;
  readonly seconds: number;
  isOver = false;
  readonly #controller = new AbortController();
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
    this.seconds = limitMs / 1000;
    this.#leftMs = limitMs;
    this.#start();
  }

  async paused<T>(work: () => Promise<T>): Promise<T> {
    this.#stop();
    try {
      return await work();
    } finally {
      this.#start();
    }
  }

  dispose(): void {
    this.#stop();
  }

  #start(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#controller.abort(new HumanError('cancelled', 'Out of time.', { remedy: 'Give it more time.' }));
    }, this.#leftMs);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(1, this.#leftMs - (performance.now() - this.#since));
  }
}
