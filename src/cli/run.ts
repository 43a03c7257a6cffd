// `testmend run`: runs the selected tests and tells what became of each.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunEvent, RunSummary } from '../core/model/testResult.ts';
import { hasBrokenConfiguration } from '../core/model/brokenConfiguration.ts';
import { ReporterGroup } from '../core/reports/reporter.ts';
import { chooseTests } from '../core/engine/chooseTests.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import type { Options } from './options.ts';
import { LiveLine } from './liveLine.ts';
import { readyOutputs } from './outputFiles.ts';
import { runWorkspace, type RepeatedRun, type WorkspaceRun } from '../core/engine/runWorkspace.ts';
import { runJson } from '../core/engine/runJson.ts';
import { runProgress } from './runProgress.ts';
import { runReporters, tellsCoverage } from './runReporters.ts';
import { openedFrom } from './workspaceOptions.ts';

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
  const chosen = await chooseTests(
    {
      files: context.files,
      filter: options.text('filter'),
      nativeFilter: options.text('native-filter'),
      layer: options.choice('layer', ['L1', 'L2', 'L3']),
      affected: options.flag('affected'),
      ...ofScenarios(options),
    },
    opened,
    signal,
  );
  const run = await runAndShow(context, { opened, chosen }, (event) => group.onEvent(event));
  flaky = run.flaky;
  const { summary } = run;
  await group.onEnd(summary);
  const { keepRun } = await import('../core/engine/runStore.ts');
  const kept = await keepRun(root, run, { begins: false, keeps: opened.workspace.historyRuns });
  troubles.push(...kept.summary.notes.slice(summary.notes.length));
  for (const trouble of troubles) await terminal.err(`! ${trouble}\n`);
  return {
    exitCode: runExitCode(summary, options.flag('allow-quarantined')),
    json: terminal.json ? runJson({ ...summary, notes: [...summary.notes, ...troubles] }) : undefined,
  };
};

/** `testmend scenario run` alone has these options. */
function ofScenarios(options: Options): Pick<Parameters<typeof chooseTests>[0], 'browser' | 'scenario'> {
  const environment = options.text('environment');
  const name = options.choice('browser', ['chromium', 'firefox', 'webkit']);
  const scenario = {
    ...(environment !== undefined && { environment }),
    ...(options.flag('auto-approve') && { autoApprove: true as const }),
    ...(options.flag('untrusted') && { untrusted: true as const }),
  };
  const browser = { ...(options.flag('headed') && { headed: true as const }), ...(name && { name }) };
  return {
    ...(Object.keys(scenario).length > 0 && { scenario }),
    ...(Object.keys(browser).length > 0 && { browser }),
  };
}

/** INTERFACES: 0 = at least one ran, none failed or errored (but those of the quarantine list, where a person allows them); 2 = none ran, or a configuration did not load. */
function runExitCode({ ended, passed, failed, errored, tests }: RunSummary, allows: boolean): number {
  if (ended !== 'complete') return exitCodes[ended];
  if (passed + failed + errored === 0 || hasBrokenConfiguration(tests)) return exitCodes.usage;
  const allowed = allows ? tests.filter(({ quarantined }) => quarantined).length : 0;
  return failed + errored > allowed ? exitCodes.failures : exitCodes.ok;
}

async function runAndShow(
  { options, terminal, signal }: CommandContext,
  asked: Pick<WorkspaceRun, 'opened' | 'chosen'>,
  onEvent: (event: RunEvent) => void,
): Promise<RepeatedRun> {
  const live = new LiveLine(terminal);
  const times = options.number('repeat') ?? 1;
  const coverage = options.flag('coverage') || tellsCoverage(options.list('reporter'));
  let progress = runProgress(live);
  const run = runWorkspace({ ...asked, times, coverage, signal });
  try {
    for (;;) {
      const { value, done } = await run.next();
      if (done === true) return value;
      if (value.type === 'runStarted') {
        progress = runProgress(live, times > 1 ? `run ${value.time} of ${times} · ` : '');
        live.show('starting');
      } else {
        progress.onEvent?.(value);
        onEvent(value);
      }
    }
  } finally {
    live.clear();
  }
}
