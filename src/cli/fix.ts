// `testmend fix`: runs the cycle, lets the user decide, writes what was accepted, and judges the workspace as it then is.
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import { hasBrokenConfiguration } from '../core/model/brokenConfiguration.ts';
import type { CycleFix, CycleReport } from '../core/model/cycle.ts';
import { takenBackEvents } from '../core/model/takenBack.ts';
import type { TestResult } from '../core/model/testResult.ts';
import { handOverMarkdown } from '../core/reports/handOverMarkdown.ts';
import { plainLine } from '../core/reports/paint.ts';
import { chooseFixes } from './acceptedFixes.ts';
import { bugDecisionsOf, rememberBug, type BugDecisions } from '../core/engine/acceptedFixes.ts';
import { applyAndJudge } from '../core/engine/applyAndJudge.ts';
import { exitCodes } from './command.ts';
import type { Command, CommandContext } from './command.ts';
import { coverageOf, cycleRequestFrom, withoutCoverage, type Decision } from '../core/engine/cycleRequest.ts';
import { applyById, namesFixes } from './applyById.ts';
import { askedCycle } from './askedCycle.ts';
import { cycleTellers } from './cycleTellers.ts';
import { errorJson, errorText } from './errors.ts';
import { fixClosing } from './fixClosing.ts';
import { formerCycleFor } from './formerCycle.ts';
import type { FixSession } from '../core/engine/fixSession.ts';
import { fixJson } from '../core/engine/fixJson.ts';
import { fixExitCode, type FixResult } from './fixResult.ts';
import { lastRun, narrowedTo, optionsIn } from './fixSession.ts';
import { openForFix } from './openForFix.ts';
import type { Options } from './options.ts';
import { endError, readyOutputs, writeOutput } from './outputFiles.ts';
import { Questions } from './questions.ts';
import type { Ask } from './questions.ts';
import { refuseAgentInPlace, inSandbox } from './sandboxOption.ts';
import { refuseNoFolder } from './sessionFolder.ts';
import { tellCycle } from './tellCycle.ts';
import { terminalAsk } from './terminalAsk.ts';

export const fixCommand: Command = async (context) => {
  const { options, terminal, signal } = context;
  if (options.flag('apply') && options.flag('dry-run')) {
    throw new HumanError('usage', '--apply and --dry-run exclude each other.', {
      remedy: 'Leave one of them out.',
    });
  }
  if (namesFixes(context)) {
    return applyById(context, terminal.interactive ? terminalAsk(terminal, signal) : undefined);
  }
  refuseAgentInPlace(context);
  if (options.flag('session')) await refuseNoFolder(options);
  await readyOutputs(options);
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
  const opened = await openForFix({
    ...context,
    options: session ? await optionsIn(session, context) : options,
  });
  const { root } = opened.workspace;
  for (const note of opened.notes) await terminal.err(`! ${plainLine(note)}\n`);
  const decisions = bugDecisionsOf(root);
  const questions = ask && new Questions({ ask, style: terminal, write: (text) => terminal.out(text) });
  const tellers = cycleTellers(options, root, terminal);
  const asked = session === undefined ? context : await narrowedTo(session, context, opened);
  const resume = await formerCycleFor(asked, opened.workspace, ask);
  let before: readonly TestResult[] = [];
  const request = await cycleRequestFrom(
    askedCycle(asked, opened.workspace),
    opened,
    {
      bugs: await decisions.current(),
      onResults: (tests) => (before = tests),
      ...(questions ? { accept: (fix) => decideAndRemember(fix, questions, decisions) } : {}),
      ...(resume ? { resume } : {}),
    },
    signal,
  );
  const cycle = await inSandbox(context, opened.workspace, (chosen) =>
    tellCycle({ ...request, ...chosen }, context, questions, {
      ...tellers,
      onEvent: (event) => (tellers.onEvent(event), session?.onEvent(event)),
    }),
  );
  const accepted = await chooseFixes(cycle, context, questions);
  const onDisk = { cycle, accepted, before, opened, signal, target: options.number('target') };
  const { outcome, unwritten } = await applyAndJudge(
    { ...onDisk, ...(request.layer && { suite: request.layer.files }) },
    (note) => void terminal.err(`! ${plainLine(note)}\n`),
  );
  for (const event of takenBackEvents(outcome.report)) tellers.onEvent(event);
  for (const fix of questions?.bugs ?? []) await rememberBug(fix, decisions);
  const { written, troubles } = await keep(outcome.report, root, options);
  // What was found is not lost where nothing could be applied, as when a file changed meanwhile.
  if (unwritten !== undefined) {
    for (const error of [...troubles, ...(await tellers.onEnd(outcome))])
      await terminal.err(`! ${plainLine(errorMessage(error))}\n`);
    throw unwritten.error;
  }
  const last = session && (await lastRun(session, { ...outcome, opened, request }, context));
  const coverage =
    last && request.coverage !== undefined
      ? last.run
        ? coverageOf(request, last.run)
        : withoutCoverage(request, 'The tests were not rerun.')
      : undefined;
  const report = { ...outcome.report, ...(coverage && { coverage }) };
  const closing = (): string => fixClosing({ ...outcome, report }, context, written);
  if (tellers.ownsStdout) await terminal.err(closing());
  else if (!terminal.json) await terminal.out(closing());
  if (last?.failure !== undefined) throw last.failure.error;
  const told = await session?.onEnd({ ...outcome, opened, request }, last?.run);
  const untold = await tellers.onEnd({ ...outcome, report });
  const error = endError([...troubles, ...untold], outcome.applied.size);
  if (error && !terminal.json) await terminal.err(errorText(error, terminal));
  const json = {
    ...fixJson(report, root),
    ...(told && { results: told.results }),
    ...(error && { error: errorJson(error) }),
  };
  const isBroken = error !== undefined || hasBrokenConfiguration(outcome.tests);
  const exitCode = Math.max(fixExitCode(report), isBroken ? exitCodes.usage : exitCodes.ok);
  return { exitCode, json, report, ...(told && { outcome: told }) };
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

/** What was written of `--patch` and `--hand-over`, and what kept the others from being written. */
interface Kept {
  readonly written: ReadonlySet<'patch' | 'hand-over'>;
  readonly troubles: readonly unknown[];
}

async function keep({ patch, remaining }: CycleReport, root: string, options: Options): Promise<Kept> {
  const texts = { patch: () => patch, 'hand-over': () => handOverMarkdown(remaining, root) };
  const written = new Set<'patch' | 'hand-over'>();
  const troubles: unknown[] = [];
  for (const what of ['patch', 'hand-over'] as const) {
    const file = options.text(what);
    if (file === undefined) continue;
    await writeOutput({ what, file, option: `--${what} F` }, texts[what]())
      .then(() => written.add(what))
      .catch((error: unknown) => troubles.push(error));
  }
  return { written, troubles };
}
