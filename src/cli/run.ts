// `testmend run`: runs the selected tests and tells what became of each.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { toRelativePosix } from '../core/base/paths.ts';
import type { Selection } from '../core/model/frameworkProject.ts';
import type { RunEvent, RunSummary } from '../core/model/testResult.ts';
import { ReporterGroup } from '../core/reports/reporter.ts';
import { runTests } from '../core/run/runTests.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { LiveLine } from './liveLine.ts';
import { mergeRepeats } from './repeats.ts';
import type { RepeatedRun } from './repeats.ts';
import { runJson } from './runJson.ts';
import { runProgress } from './runProgress.ts';
import { runReporters, tellsCoverage } from './runReporters.ts';
import { selectFiles } from './selectFiles.ts';
import { openWorkspace } from './workspaceOptions.ts';
import type { OpenedWorkspace } from './workspaceOptions.ts';

export const runCommand: Command = async (context) => {
  const { options, terminal, signal } = context;
  const opened = await openWorkspace({ options, signal, terminal });
  const { root } = opened.workspace;
  let flaky: ReadonlySet<string> = new Set();
  const reporters = runReporters(options.list('reporter'), {
    root,
    terminal,
    readText: (file) => readFile(path.resolve(root, file), 'utf8').catch(() => undefined),
    flaky: () => flaky,
  });
  const troubles: string[] = [];
  const group = new ReporterGroup<RunEvent, RunSummary>(reporters, (trouble) => troubles.push(trouble));
  const { selection, notes } = await selectionFrom(context, opened);
  const run = await runRepeatedly(context, opened, selection, (event) => group.onEvent(event));
  flaky = run.flaky;
  const summary = { ...run.summary, notes: [...new Set([...opened.notes, ...notes, ...run.summary.notes])] };
  await group.onEnd(summary);
  for (const trouble of troubles) await terminal.err(`! ${trouble}\n`);
  return {
    exitCode: runExitCode(summary),
    json: runJson({ ...summary, notes: [...summary.notes, ...troubles] }),
  };
};

/** INTERFACES: 0 = at least one ran, none failed or errored. */
export function runExitCode({ ended, passed, failed, errored }: RunSummary): number {
  if (ended !== 'complete') return exitCodes[ended];
  if (passed + failed + errored === 0) return exitCodes.usage;
  return failed + errored > 0 ? exitCodes.failures : exitCodes.ok;
}

async function selectionFrom(
  { options, files, signal }: CommandContext,
  opened: OpenedWorkspace,
): Promise<{ readonly selection: Selection; readonly notes: readonly string[] }> {
  const filter = options.text('filter');
  const nativeFilter = options.text('native-filter');
  const filters = {
    ...(filter === undefined ? {} : { filter }),
    ...(nativeFilter === undefined ? {} : { nativeFilter }),
  };
  if (files.length > 0) {
    if (options.flag('affected')) {
      throw new HumanError('usage', '--affected chooses the files itself.', {
        remedy: 'Leave out the files, or --affected.',
      });
    }
    const { root } = opened.workspace;
    return {
      selection: { ...filters, files: await selectFiles(files, root, opened.testFiles) },
      notes: [],
    };
  }
  if (!options.flag('affected')) return { selection: filters, notes: [] };
  const { files: affected, notes } = await affectedFiles(opened, signal);
  return { selection: affected.length ? { ...filters, files: affected } : filters, notes };
}

/** T2 and T6: nothing affected means the full suite. */
async function affectedFiles(
  { workspace: { root }, testFiles, listing }: OpenedWorkspace,
  signal: AbortSignal,
): Promise<{ readonly files: readonly string[]; readonly notes: readonly string[] }> {
  const [{ affectedTests }, { rootsOfListing }] = await Promise.all([
    import('../core/run/affectedTests.ts'),
    import('../core/run/graphRoots.ts'),
  ]);
  const relative = testFiles.map((file) => toRelativePosix(root, file));
  const {
    files,
    changed,
    unavailable,
    notes = [],
  } = await affectedTests({ root, testFiles: relative, roots: rootsOfListing(listing), signal });
  const note = unavailable
    ? `${unavailable} The full suite runs.`
    : files.length === 0
      ? 'No test is affected by the last changes: the full suite runs.'
      : `${files.length} of ${relative.length} test files are affected by ${changed.length} changed files.`;
  return { files: files.map((file) => path.join(root, file)), notes: [note, ...notes] };
}

async function runRepeatedly(
  { options, terminal, signal }: CommandContext,
  { workspace, projects, frameworks }: OpenedWorkspace,
  selection: Selection,
  onEvent: (event: RunEvent) => void,
): Promise<RepeatedRun> {
  const live = new LiveLine(terminal);
  const times = options.number('repeat') ?? 1;
  const wantsCoverage = options.flag('coverage') || tellsCoverage(options.list('reporter'));
  const runs: RunSummary[] = [];
  try {
    for (let time = 1; time <= times; time++) {
      const progress = runProgress(live, times > 1 ? `run ${time} of ${times} · ` : '');
      live.show('starting');
      const summary = await runTests({
        workspace,
        projects,
        frameworks,
        selection,
        signal,
        ...(wantsCoverage && { coverage: {} }),
        onEvent: (event) => {
          progress.onEvent?.(event);
          onEvent(event);
        },
      });
      runs.push(summary);
      if (summary.ended !== 'complete') break;
    }
  } finally {
    live.clear();
  }
  return mergeRepeats(runs);
}
