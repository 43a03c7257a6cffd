// `testmend fix`: runs the cycle, lets the user decide, writes what was accepted, and judges the workspace as it then is.
import { writeFile } from 'node:fs/promises';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import { coverageOf, withoutCoverage } from '../core/cycle/coverageAtEnd.ts';
import type { Decision } from '../core/cycle/cycleRequest.ts';
import type { CycleFix, CycleReport } from '../core/model/cycle.ts';
import type { RunSummary, TestResult } from '../core/model/testResult.ts';
import { handOverMarkdown } from '../core/reports/handOverMarkdown.ts';
import { plainLine } from '../core/reports/paint.ts';
import { BugDecisions } from '../core/workspace/bugDecisions.ts';
import { cornerOf, userStateFolder } from '../core/workspace/userFolders.ts';
import { chooseFixes, rememberBug } from './acceptedFixes.ts';
import { applyAndJudge } from './applyAndJudge.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { cycleRequestFrom } from './cycleRequest.ts';
import { cycleTellers } from './cycleTellers.ts';
import { fixClosing } from './fixClosing.ts';
import { formerCycleFor } from './formerCycle.ts';
import { fixJson } from './fixJson.ts';
import type { FixResult } from './fixResult.ts';
import type { EndedCycle, FixSession } from './fixSession.ts';
import type { Options } from './options.ts';
import { Questions } from './questions.ts';
import type { Ask } from './questions.ts';
import { refuseAgentInPlace, withSandbox } from './sandboxOption.ts';
import { tellCycle } from './tellCycle.ts';
import { terminalAsk } from './terminalAsk.ts';
import { openWorkspace } from './workspaceOptions.ts';

export const fixCommand: Command = async (context) => {
  const { options, terminal, signal } = context;
  if (options.flag('apply') && options.flag('dry-run')) {
    throw new HumanError('usage', '--apply and --dry-run exclude each other.', {
      remedy: 'Leave one of them out.',
    });
  }
  refuseAgentInPlace(context);
  const asks = terminal.interactive && !options.flag('dry-run');
  const ask = asks ? terminalAsk(terminal, signal) : undefined;
  if (!options.flag('session')) {
    refuseWithoutSession(options);
    return fixWorkspace(context, ask);
  }
  const { fixTasks } = await import('./fixTasks.ts');
  return fixTasks(context, (one, session) => fixWorkspace(one, ask, session));
};

function refuseWithoutSession(options: Options): void {
  const alone = ['message-command', 'task'].find((name) => options.flag(name));
  if (alone === undefined) return;
  throw new HumanError('usage', `--${alone} needs a session.`, {
    remedy: 'Name its folder with --session DIR.',
  });
}

/** The command with whoever answers its questions; without `ask` it never asks. */
export async function fixWorkspace(
  context: CommandContext,
  ask: Ask | undefined,
  session?: FixSession,
): Promise<FixResult> {
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
  session: FixSession | undefined,
): Promise<FixResult> {
  const { options, terminal, signal } = context;
  const opened = await openWorkspace({ options: (await session?.options()) ?? options, signal, terminal });
  const { root } = opened.workspace;
  for (const note of opened.notes) await terminal.err(`! ${plainLine(note)}\n`);
  const decisions = new BugDecisions(root, cornerOf(root, userStateFolder()));
  const questions = ask && new Questions({ ask, style: terminal, write: (text) => terminal.out(text) });
  const tellers = cycleTellers(options, root, terminal);
  const asked = session === undefined ? context : await session.narrowed(opened);
  const resume = await formerCycleFor(asked, opened.workspace, ask);
  let before: readonly TestResult[] = [];
  const request = await cycleRequestFrom(asked, opened, {
    bugs: await decisions.current(),
    onResults: (tests) => (before = tests),
    ...(questions ? { accept: (fix) => decideAndRemember(fix, questions, decisions) } : {}),
    ...(resume ? { resume } : {}),
  });
  const cycle = await withSandbox(context, opened.workspace, (chosen) =>
    tellCycle({ ...request, ...chosen }, context, questions, {
      ...tellers,
      onEvent: (event) => (tellers.onEvent(event), session?.onEvent(event)),
    }),
  );
  const accepted = await chooseFixes(cycle, context, questions);
  const onDisk = { cycle, accepted, before, opened, signal };
  const { outcome, unwritten } = await applyAndJudge(
    { ...onDisk, ...(request.layer && { suite: request.layer.files }) },
    (note) => void terminal.err(`! ${plainLine(note)}\n`),
  );
  for (const fix of questions?.bugs ?? []) await rememberBug(fix, decisions);
  let unkept: { readonly error: unknown } | undefined;
  await keep(outcome.report, root, options).catch((error: unknown) => void (unkept = { error }));
  // What was found is not lost where nothing could be applied, as when a file changed meanwhile.
  if (unwritten !== undefined) {
    await tellers
      .onEnd(outcome)
      .catch((error: unknown) => terminal.err(`! ${plainLine(errorMessage(error))}\n`));
    throw unwritten.error;
  }
  const last = session && (await sessionRun(session, { ...outcome, opened, request }));
  const coverage =
    last && request.coverage !== undefined
      ? last.run
        ? coverageOf(request, last.run)
        : withoutCoverage(request, 'The tests did not run once more.')
      : undefined;
  const report = { ...outcome.report, ...(coverage && { coverage }) };
  if (tellers.ownsStdout) await terminal.err(fixClosing({ ...outcome, report }, context));
  else if (!terminal.json) await terminal.out(fixClosing({ ...outcome, report }, context));
  if (last?.failure !== undefined) throw last.failure.error;
  const told = await session?.onEnd({ ...outcome, opened, request }, last?.run);
  await tellers.onEnd({ ...outcome, report });
  if (unkept !== undefined) throw unkept.error;
  const json = { ...fixJson(report, root), ...(told && { results: told.results }) };
  return { exitCode: fixExitCode(report), json, report, ...(told && { outcome: told }) };
}

/** The last run of a session; what kept it from running is told after what the cycle found. */
async function sessionRun(
  session: FixSession,
  ended: EndedCycle,
): Promise<{ readonly run?: RunSummary | undefined; readonly failure?: { readonly error: unknown } }> {
  try {
    return { run: await session.measure(ended) };
  } catch (error) {
    return { failure: { error } };
  }
}

/** A bug is remembered at once, whatever becomes of this process; what keeps that from being written is told at the end. */
async function decideAndRemember(
  fix: CycleFix,
  questions: Questions,
  decisions: BugDecisions,
): Promise<Decision> {
  const decision = await questions.decide(fix);
  if (decision === 'bug') await rememberBug(fix, decisions).catch(() => undefined);
  return decision;
}

/** Writes what `--patch` and `--hand-over` name. */
async function keep({ patch, remaining }: CycleReport, root: string, options: Options): Promise<void> {
  const [to, pack] = [options.text('patch'), options.text('hand-over')];
  if (to !== undefined) await writeTo(to, patch, 'patch');
  if (pack !== undefined) await writeTo(pack, handOverMarkdown(remaining, root), 'hand-over');
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

/** `fix` judges the workspace as it leaves it on disk (INTERFACES). */
function fixExitCode(report: CycleReport): number {
  if (report.ended === 'cancelled') return exitCodes.cancelled;
  if (report.ended === 'timeout') return exitCodes.timeout;
  if (report.ended === 'no-tests') return exitCodes.usage;
  return report.status === 'needs-attention' ? exitCodes.failures : exitCodes.ok;
}
