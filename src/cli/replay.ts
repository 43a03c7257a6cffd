// `testmend replay`: how Testmend would have done on the commits of this repository; the workspace is only read.
import { HumanError } from '../core/base/humanError.ts';
import {
  installSteps,
  replayWorkspace,
  type CommitChoice,
  type ReplayEvent,
  type ReplayReport,
} from '../core/engine/replayWorkspace.ts';
import { replayHtml } from '../core/reports/replayHtml.ts';
import { replaySummary } from '../core/reports/replaySummary.ts';
import { plainLine } from '../core/reports/paint.ts';
import { exitCodes, type Command, type CommandContext } from './command.ts';
import { LiveLine } from './liveLine.ts';
import type { Options } from './options.ts';
import { readyOutputs, writeOutput } from './outputFiles.ts';
import type { Terminal } from './terminal.ts';
import { workspaceFrom } from './workspaceOptions.ts';

export const replayCommand: Command = async ({ options, terminal, signal }: CommandContext) => {
  const choice = choiceFrom(options);
  const install = installSteps(options.text('install'));
  await readyOutputs(options);
  const workspace = await workspaceFrom({ options, terminal });
  const live = new LiveLine(terminal);
  const seconds = (name: string, fallback: number): number => (options.number(name) ?? fallback) * 1000;
  const report = await replayWorkspace(
    {
      workspace,
      choice,
      install,
      mutants: options.flag('mutants'),
      commitTimeoutMs: seconds('commit-timeout', 600),
      installTimeoutMs: seconds('install-timeout', 600),
      signal,
    },
    teller(terminal, live),
  ).finally(() => live.clear());
  const html = options.text('html');
  if (html !== undefined)
    await writeOutput({ what: 'page', option: '--html FILE', file: html }, replayHtml(report));
  if (!terminal.json) await terminal.out('\n' + replaySummary(report, terminal));
  return { exitCode: exitCodeOf(report), json: report };
};

function choiceFrom(options: Options): CommitChoice {
  const given = ['commits', 'since', 'commit'].filter((name) => options.list(name).length > 0);
  if (given.length > 1)
    throw new HumanError('usage', `${given.map((name) => `--${name}`).join(' and ')} exclude each other.`, {
      remedy: 'Give one of --commits N, --since REF and --commit SHA.',
    });
  const since = options.text('since');
  if (since !== undefined) return { kind: 'since', revision: since };
  const revisions = options.list('commit');
  return revisions.length > 0
    ? { kind: 'named', revisions }
    : { kind: 'last', count: options.number('commits') ?? 100 };
}

/** Progress on stderr: a live line at a terminal, and a line for each commit that tells something. */
function teller(terminal: Terminal, live: LiveLine): (event: ReplayEvent) => void {
  let prefix = '';
  const { errorPaint: paint } = terminal;
  return (event) => {
    if (event.type === 'progress') return live.show(`${prefix} ${event.text}`);
    if (event.type === 'commitStarted') {
      prefix = `${event.index + 1}/${event.total} ${event.commit.commit.slice(0, 8)}`;
      return live.show(`${prefix} ${event.commit.subject}`);
    }
    const { state, reason, subject, sourceIsRight } = event.record;
    if (state === 'irrelevant') return;
    const made = sourceIsRight?.correct
      ? 'mended as the author did'
      : sourceIsRight?.sound
        ? 'mended'
        : sourceIsRight?.applied.length
          ? 'not mended soundly'
          : 'refused';
    const what = state === 'case' ? made : state === 'intact' ? 'broke no test' : `skipped: ${reason ?? ''}`;
    live.clear();
    void terminal.err(`${paint.dim(prefix)} ${plainLine(what)} ${paint.dim(plainLine(subject))}\n`);
  };
}

/** 1: something was applied wrongly. 2: nothing could be said of any commit. */
function exitCodeOf({ totals }: ReplayReport): number {
  if (totals.automatic.wrong > 0) return exitCodes.failures;
  return totals.relevant > 0 && totals.relevant === totals.skipped ? exitCodes.usage : exitCodes.ok;
}
