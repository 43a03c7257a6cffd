// `testmend fix`: runs the cycle, lets the user decide, writes what was accepted, and judges the workspace as it then is.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import type { CycleRequest } from '../core/cycle/cycleRequest.ts';
import { runFixCycle } from '../core/cycle/fixCycle.ts';
import type { CycleFix, CycleReport } from '../core/model/cycle.ts';
import { cycleReporter } from '../core/reports/cycleReporter.ts';
import { cycleSummary } from '../core/reports/cycleSummary.ts';
import { handOverMarkdown } from '../core/reports/handOverMarkdown.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import { applyToWorkspace } from '../core/workspace/applyEdits.ts';
import { BugDecisions } from '../core/workspace/bugDecisions.ts';
import { composeEdits } from '../core/workspace/composeEdits.ts';
import { readText } from '../core/workspace/readText.ts';
import { cornerOf, userStateFolder } from '../core/workspace/userFolders.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';
import { cycleTellers, type CycleTellers } from './cycleTellers.ts';
import { cycleRequestFrom } from './cycleRequest.ts';
import { fixJson } from './fixJson.ts';
import { judgeOnDisk } from './judgeOnDisk.ts';
import { reasonCode } from './interruption.ts';
import { LiveLine } from './liveLine.ts';
import { Questions } from './questions.ts';
import type { Ask } from './questions.ts';
import { sessionTeller, type SessionTeller } from './sessionTeller.ts';
import { terminalAsk } from './terminalAsk.ts';
import { openWorkspace } from './workspaceOptions.ts';
import type { OpenedWorkspace } from './workspaceOptions.ts';

export const fixCommand: Command = (context) => {
  const { options, terminal, signal } = context;
  if (options.flag('apply') && options.flag('dry-run')) {
    throw new HumanError('usage', '--apply and --dry-run exclude each other.', {
      remedy: 'Leave one of them out.',
    });
  }
  const asks = terminal.interactive && !options.flag('dry-run');
  return fixWorkspace(context, asks ? terminalAsk(terminal, signal) : undefined);
};

export interface FixResult extends CommandResult {
  /** As the workspace is on disk now. */
  readonly report: CycleReport;
}

/** The command with whoever answers its questions; without `ask` it never asks. */
export async function fixWorkspace(context: CommandContext, ask: Ask | undefined): Promise<FixResult> {
  const { options, terminal } = context;
  const warn = (text: string): Promise<void> => terminal.err(`! ${plainLine(text)}\n`);
  const session = sessionTeller(options, path.resolve(options.text('root') ?? '.'), warn);
  try {
    return await fixAndTell(context, ask, session);
  } catch (error) {
    await session?.onError(error);
    throw error;
  }
}

async function fixAndTell(
  context: CommandContext,
  ask: Ask | undefined,
  session: SessionTeller | undefined,
): Promise<FixResult> {
  const { options, terminal, signal } = context;
  const opened = await openWorkspace({ options, signal, terminal });
  const { root } = opened.workspace;
  for (const note of opened.notes) await terminal.err(`! ${plainLine(note)}\n`);
  const decisions = new BugDecisions(root, cornerOf(root, userStateFolder()));
  const questions = ask && new Questions({ ask, style: terminal, write: (text) => terminal.out(text) });
  const tellers = cycleTellers(options, root, terminal);
  const request = await cycleRequestFrom(context, opened, {
    bugs: await decisions.current(),
    ...(questions ? { accept: (fix) => questions.decide(fix) } : {}),
  });
  const told = await tellCycle(request, context, questions, {
    ...tellers,
    onEvent: (event) => (tellers.onEvent(event), session?.onEvent(event)),
  });
  const cycle = { ...told, ended: reasonCode(signal) ?? told.ended };
  const accepted = signal.aborted ? [] : await chooseFixes(cycle, context, questions);
  const keep = async ({ patch, remaining }: CycleReport): Promise<void> => {
    const [to, pack] = [options.text('patch'), options.text('hand-over')];
    if (to !== undefined) await writeTo(to, patch, 'patch');
    if (pack !== undefined) await writeTo(pack, handOverMarkdown(remaining, root), 'hand-over');
  };
  let unwritten: { readonly error: unknown } | undefined;
  await applyFixes(cycle, accepted, opened).catch((error: unknown) => void (unwritten = { error }));
  for (const fix of questions?.bugs ?? []) await rememberBug(fix, decisions);
  // What was found is not lost where nothing could be applied, as when a file changed meanwhile.
  if (unwritten !== undefined) {
    await keep(cycle);
    throw unwritten.error;
  }
  const report = await judgeOnDisk({ cycle, accepted, opened, signal });
  await keep(report);
  if (tellers.ownsStdout) await terminal.err(closing(report, accepted, context));
  else if (!terminal.json) await terminal.out(closing(report, accepted, context));
  await session?.onEnd(report);
  await tellers.onEnd(report);
  return { exitCode: fixExitCode(report), json: fixJson(report, root), report };
}

/** Runs the cycle and tells its steps: on stdout for people, on stderr beside --json. */
async function tellCycle(
  request: CycleRequest,
  { terminal }: CommandContext,
  questions: Questions | undefined,
  tellers: CycleTellers,
): Promise<CycleReport> {
  const live = new LiveLine(terminal);
  const isAside = terminal.json || tellers.ownsStdout;
  const reporter = cycleReporter({
    paint: isAside ? terminal.errorPaint : terminal.paint,
    width: terminal.width,
    asks: questions !== undefined,
    write: (text) => void (isAside ? terminal.err(text) : terminal.out(text)),
    progress: (text) => (text === undefined ? live.clear() : live.show(text)),
  });
  const { accept } = request;
  // A question is no place for a spinner.
  const quietly = accept && ((fix: CycleFix) => (live.clear(), accept(fix)));
  let report: CycleReport | undefined;
  try {
    for await (const event of runFixCycle({
      ...request,
      ...(quietly ? { accept: quietly } : {}),
      onProgress: (text) => live.show(text),
    })) {
      questions?.onEvent(event);
      tellers.onEvent(event);
      reporter.onEvent?.(event);
      if (event.type === 'cycleEnded') report = event.report;
    }
  } finally {
    live.clear();
  }
  if (!report) throw new Error('the fix cycle ended without a report');
  return report;
}

async function chooseFixes(
  { fixes }: CycleReport,
  { options }: CommandContext,
  questions: Questions | undefined,
): Promise<readonly CycleFix[]> {
  if (questions) return questions.chooseAtEnd(fixes, options.flag('apply'));
  const isVerified = (fix: CycleFix): boolean => fix.verdict.verdict === 'verified';
  return options.flag('apply') ? fixes.filter((fix) => fix.state === 'accepted' && isVerified(fix)) : [];
}

async function applyFixes(
  cycle: CycleReport,
  accepted: readonly CycleFix[],
  { workspace }: OpenedWorkspace,
): Promise<void> {
  if (accepted.length === 0) return;
  const kept = cycle.fixes.filter((fix) => fix.state !== 'declined');
  const edits = await composeEdits({
    kept,
    accepted,
    read: (file) => readText(path.join(workspace.root, file)),
  });
  await applyToWorkspace(workspace.root, edits, workspace.cacheFolder);
}

async function rememberBug(fix: CycleFix, decisions: BugDecisions): Promise<void> {
  const source = fix.sourceChange ? [fix.sourceChange.location.file] : [];
  for (const id of fix.failures) await decisions.add(id, [...fix.edits.map(({ file }) => file), ...source]);
}

async function writeTo(file: string, text: string, option: 'patch' | 'hand-over'): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const remedy = `Name a file that can be written with --${option} F.`;
    throw new HumanError(
      'read-only',
      `The ${option} cannot be written to ${file}: ${errorMessage(error)}`,
      { file, value: file, remedy },
      { cause: error },
    );
  }
}

function closing(
  report: CycleReport,
  accepted: readonly CycleFix[],
  { options, terminal }: CommandContext,
): string {
  const taken = new Set(accepted.map(({ id }) => id));
  const left = report.fixes.filter(
    (fix) => fix.verdict.verdict === 'verified' && fix.state !== 'declined' && !taken.has(fix.id),
  ).length;
  const patch = options.text('patch');
  const lines: string[] = [];
  if (taken.size > 0) lines.push(terminal.paint.green(`${plural(taken.size, 'fix', 'fixes')} applied.`));
  if (left > 0) lines.push(`${plural(left, 'proven fix', 'proven fixes')} not applied.`);
  if (left > 0 && !terminal.interactive && !options.flag('apply'))
    lines.push('Write those that change no meaning with --apply; at a terminal you decide about the rest.');
  if (patch !== undefined) lines.push(`Everything proven is in ${patch}`);
  const pack = options.text('hand-over');
  if (pack !== undefined) lines.push(`What is known of the remaining failures is in ${pack}`);
  else if (report.remaining.some(({ handOver }) => handOver !== undefined))
    lines.push(
      'Run it with --hand-over FILE to write down all that is known of what still fails, for a colleague or an agent.',
    );
  return '\n' + cycleSummary(report, terminal) + (lines.length > 0 ? `\n${lines.join('\n')}\n` : '');
}

/** `fix` judges the workspace as it leaves it on disk (INTERFACES). */
function fixExitCode(report: CycleReport): number {
  if (report.ended === 'cancelled') return exitCodes.cancelled;
  if (report.ended === 'timeout') return exitCodes.timeout;
  if (report.ended === 'no-tests') return exitCodes.usage;
  return report.status === 'needs-attention' ? exitCodes.failures : exitCodes.ok;
}
