// `testmend run`: runs the selected tests and tells what became of each.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Selection } from '../core/model/frameworkProject.ts';
import type { RunEvent, RunSummary } from '../core/model/testResult.ts';
import { hasBrokenConfiguration } from '../core/model/brokenConfiguration.ts';
import { ReporterGroup } from '../core/reports/reporter.ts';
import { runTests } from '../core/run/runTests.ts';
import { whileReading } from '../core/sandbox/readWorkspace.ts';
import { chooseTests } from '../core/engine/chooseTests.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { LiveLine } from './liveLine.ts';
import { readyOutputs } from './outputFiles.ts';
import { mergeRepeats } from '../core/run/repeats.ts';
import type { RepeatedRun } from '../core/run/repeats.ts';
import { runJson } from '../core/engine/runJson.ts';
import { runProgress } from './runProgress.ts';
import { runReporters, tellsCoverage } from './runReporters.ts';
import { openedFrom } from './workspaceOptions.ts';
import type { OpenedWorkspace } from '../core/engine/openWorkspace.ts';

export const runCommand: Command = async (context) => {
  const { options, terminal, signal } = context;
  await readyOutputs(options);
  const opened = await openedFrom({ options, signal, terminal });
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
  const { selection, notes } = await chooseTests(
    {
      files: context.files,
      filter: options.text('filter'),
      nativeFilter: options.text('native-filter'),
      layer: options.choice('layer', ['L1', 'L2', 'L3']),
      affected: options.flag('affected'),
    },
    opened,
    signal,
  );
  // A test that meets the trial of a fix may pass by it.
  const given: string[] = [];
  const run = await whileReading(
    root,
    (note) => given.push(note),
    () => runRepeatedly(context, opened, selection, (event) => group.onEvent(event)),
  );
  flaky = run.flaky;
  if (Object.keys(selection).length === 0) {
    const { rememberRanFiles } = await import('../core/frameworks/rememberRanFiles.ts');
    await rememberRanFiles(opened.workspace, opened.listing, run.summary);
  }
  const summary = {
    ...run.summary,
    notes: [...new Set([...given, ...opened.notes, ...notes, ...run.summary.notes])],
  };
  await group.onEnd(summary);
  for (const trouble of troubles) await terminal.err(`! ${trouble}\n`);
  return {
    exitCode: runExitCode(summary),
    json: terminal.json ? runJson({ ...summary, notes: [...summary.notes, ...troubles] }) : undefined,
  };
};

/** INTERFACES: 0 = at least one ran, none failed or errored; 2 = none ran, or a configuration did not load. */
export function runExitCode({ ended, passed, failed, errored, tests }: RunSummary): number {
  if (ended !== 'complete') return exitCodes[ended];
  if (passed + failed + errored === 0 || hasBrokenConfiguration(tests)) return exitCodes.usage;
  return failed + errored > 0 ? exitCodes.failures : exitCodes.ok;
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
