// Runs chosen tests of an opened workspace, once or several times over, and remembers what only a run knows of its files.
import type { Selection } from '../model/frameworkProject.ts';
import type { RunEvent, RunSummary } from '../model/testResult.ts';
import { mergeRepeats, type RepeatedRun } from '../run/repeats.ts';
import { runTests } from '../run/runTests.ts';
import { whileReading } from '../sandbox/readWorkspace.ts';
import type { ChosenTests } from './chooseTests.ts';
import { eventsOf } from './eventsOf.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';
import { withQuarantine } from './quarantine.ts';

export type { RepeatedRun } from '../run/repeats.ts';

export interface WorkspaceRun {
  readonly opened: OpenedWorkspace;
  readonly chosen: ChosenTests;
  /** So many times, judged as one run. */
  readonly times?: number;
  /** Counts what of the sources runs. */
  readonly coverage?: boolean;
  readonly signal: AbortSignal;
}

/** `runStarted`: one of the runs begins, counted from 1. */
type WorkspaceRunEvent = RunEvent | { readonly type: 'runStarted'; readonly time: number };

/** A test that meets the trial of a fix may pass by it: throws `busy` while fixes are tried in these very files. */
export async function* runWorkspace(request: WorkspaceRun): AsyncGenerator<WorkspaceRunEvent, RepeatedRun> {
  const { opened, chosen } = request;
  const given: string[] = [];
  const run = yield* eventsOf<WorkspaceRunEvent, RepeatedRun>((onEvent) =>
    whileReading(
      opened.workspace.root,
      (note) => given.push(note),
      () => runAsOften(request, onEvent),
    ),
  );
  if (isEverything(chosen.selection)) {
    const { rememberRanFiles } = await import('../frameworks/rememberRanFiles.ts');
    await rememberRanFiles(opened.workspace, opened.listing, run.summary);
  }
  const rest = isEverything(chosen.selection) ? await restOf(opened) : [];
  const notes = [...given, ...opened.notes, ...chosen.notes, ...rest, ...run.summary.notes];
  const summary = await withQuarantine(opened.workspace.root, { ...run.summary, notes: [...new Set(notes)] });
  return { ...run, summary };
}

async function restOf({ workspace, projects, testFiles }: OpenedWorkspace): Promise<readonly string[]> {
  // Where frameworks are chosen somebody knows that others are not run.
  if (workspace.frameworks.length > 0) return [];
  const { restOfScripts } = await import('../frameworks/restOfScripts.ts');
  const note = restOfScripts(projects, testFiles, workspace.root);
  return note === undefined ? [] : [note];
}

async function runAsOften(
  { opened, chosen, times = 1, coverage = false, signal }: WorkspaceRun,
  onEvent: (event: WorkspaceRunEvent) => void,
): Promise<RepeatedRun> {
  const { workspace, projects, frameworks } = opened;
  const runs: RunSummary[] = [];
  for (let time = 1; time <= times; time++) {
    onEvent({ type: 'runStarted', time });
    const summary = await runTests({
      workspace,
      projects,
      frameworks,
      selection: chosen.selection,
      signal,
      ...(coverage && { coverage: {} }),
      onEvent,
    });
    runs.push(summary);
    if (summary.ended !== 'complete') break;
  }
  return mergeRepeats(runs);
}

const isEverything = (selection: Selection): boolean => Object.keys(selection).length === 0;
