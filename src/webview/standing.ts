// Where a cycle stands in words and figures: the headline, the pass rates after the user's decisions, what was applied.
import { afterIteration, type CycleFix, type CycleReport } from '../core/model/cycle.ts';
import { cycleOutcome } from '../core/model/cycleOutcome.ts';
import { wirePassRate } from '../core/model/summarize.ts';
import type { FixDecision, PanelState } from './messages.ts';
import { isVerified, remainingOf, type PanelModel } from './panelModel.ts';

type Decisions = Readonly<Record<string, FixDecision>>;

export interface Standing {
  readonly text: string;
  /** good: green was proven · bad: something failed · neutral: everything else, also a cycle that was stopped. */
  readonly tone: 'good' | 'bad' | 'attention' | 'neutral';
}

/** Not decided: an open question. A fix that no longer fits its file may be tried again, but asks for nothing. */
export function isOpen(fix: CycleFix, decisions: Decisions): boolean {
  return decisions[fix.id] === undefined;
}

/** Fixes that wait for the user: proven, or proposals for a person to take. */
export function toDecide(model: PanelModel, decisions: Decisions): readonly CycleFix[] {
  return [...model.fixes.values()].filter(
    (fix) =>
      isOpen(fix, decisions) &&
      (isVerified(fix) ||
        (fix.trust === 'propose' &&
          fix.verdict.verdict !== 'rejected' &&
          fix.verdict.violations.length === 0)),
  );
}

/** One line that says where things stand. */
export function standingOf(model: PanelModel, state: PanelState): Standing {
  const neutral = (text: string): Standing => ({ text, tone: 'neutral' });
  const hasBegun = model.iterations.length > 0 || model.current !== undefined;
  if (state.phase === 'failed')
    return { text: hasBegun ? 'The cycle was interrupted' : 'The cycle could not run', tone: 'bad' };
  if (state.phase === 'starting') return neutral('Starting the engine…');
  if (state.phase === 'stopping') return neutral('Stopping…');
  if (model.report !== undefined) return ending(model, model.report, state);
  // A cycle that a person stops reports, too.
  if (state.phase === 'ended')
    return neutral(state.recording === undefined ? 'Interrupted before its end' : 'The recording ends here');
  if (model.current === undefined)
    return neutral(model.progress === '' ? 'Looking at the tests…' : sentenceOf(model.progress));
  return neutral(
    `Iteration ${model.current.iteration} of at most ${model.maxIterations}: ${model.current.strategy}`,
  );
}

function ending(model: PanelModel, report: CycleReport, state: PanelState): Standing {
  if (report.status === 'nothing-to-do') return { text: 'Nothing to do: no test fails', tone: 'good' };
  if (report.ended === 'no-tests') return { text: 'No test ran', tone: 'bad' };
  // Nothing of a recording is to be decided: it is told what came of it.
  if (state.recording !== undefined)
    return { text: cycleOutcome(report), tone: report.remaining.length > 0 ? 'attention' : 'neutral' };
  if (report.ended === 'cancelled') return { text: 'Stopped', tone: 'neutral' };
  const open = toDecide(model, state.decisions).length;
  // The report speaks of the sandbox; before anything is applied the workspace is as red as it was.
  if (open > 0) return { text: `${counted(open, 'fix', 'fixes')} to decide`, tone: 'attention' };
  const { applied, again } = appliedOf(model, state);
  if (again.failed > 0) return { text: 'Applied, but not green', tone: 'bad' };
  const left = redInWorkspace(model, report, state);
  if (left > 0)
    return { text: `${counted(left, 'test')} still ${left === 1 ? 'fails' : 'fail'}`, tone: 'bad' };
  if (applied === 0)
    return report.status === 'passed'
      ? { text: 'Passed', tone: 'good' }
      : { text: 'The suite did not finish', tone: 'attention' };
  return { text: 'All fixes applied', tone: again.waiting === 0 ? 'good' : 'neutral' };
}

/** Tests that nothing mended, and those of fixes that are not in the workspace. */
function redInWorkspace(model: PanelModel, report: CycleReport, { decisions, rerun }: PanelState): number {
  const proven = [...model.fixes.values()].filter((fix) => isVerified(fix) && fix.state !== 'declined');
  const testsOf = (isIn: boolean): readonly string[] =>
    proven.filter(({ id }) => (decisions[id] === 'applied') === isIn).flatMap(({ failures }) => failures);
  const red = new Set([...report.remaining.map(({ id }) => id), ...testsOf(false)]);
  for (const id of testsOf(true)) red.delete(id);
  return [...red].filter((id) => rerun.outcomes[id] !== 'passed').length;
}

export interface Applied {
  /** Applied fixes. */
  readonly applied: number;
  /** Their tests: how they ended when they ran again in the workspace. */
  readonly again: { readonly passed: number; readonly failed: number; readonly waiting: number };
}

function appliedOf(model: PanelModel, { decisions, rerun }: PanelState): Applied {
  const fixes = [...model.fixes.values()].filter(({ id }) => decisions[id] === 'applied');
  const tests = new Set(fixes.flatMap(({ failures }) => failures));
  const count = (outcome: string | undefined): number =>
    [...tests].filter((id) => rerun.outcomes[id] === outcome).length;
  return {
    applied: fixes.length,
    again: { passed: count('passed'), failed: count('failed'), waiting: count(undefined) },
  };
}

/** What became of the fixes in the workspace, as sentences; none while nothing was decided. */
export function appliedText(model: PanelModel, state: PanelState): string {
  const { applied, again } = appliedOf(model, state);
  const others = (['bug', 'discarded', 'stale', 'takenBack'] as const).map((decision) => ({
    decision,
    count: [...model.fixes.keys()].filter((id) => state.decisions[id] === decision).length,
  }));
  const names = {
    bug: 'recorded as a bug',
    discarded: 'discarded',
    stale: 'out of date',
    takenBack: 'taken back',
  };
  const parts = [
    applied === 0 ? '' : `${counted(applied, 'fix', 'fixes')} applied`,
    ...others.map(({ decision, count }) => (count === 0 ? '' : `${count} ${names[decision]}`)),
  ].filter((part) => part !== '');
  const told = parts.length === 0 ? '' : `${parts.join(', ')}.`;
  return applied === 0 ? told : `${told} ${againText(again, state.rerun.running)}`;
}

function againText({ passed, failed, waiting }: Applied['again'], running: boolean): string {
  const total = passed + failed + waiting;
  if (waiting === total) {
    const tests = total === 1 ? 'its test' : `their ${total} tests`;
    if (running) return `Rerunning ${tests}…`;
    return `${total === 1 ? 'Its test has' : `Their ${total} tests have`} not been rerun yet.`;
  }
  const rest = waiting === 0 ? '.' : running ? `, ${waiting} running…` : `, ${waiting} not yet rerun.`;
  if (failed > 0) return `Rerun: ${failed} of ${total} still failed${rest}`;
  return waiting === 0
    ? `Rerun: ${total === 1 ? 'its test passes' : `all ${total} tests pass`}.`
    : `Rerun: ${passed} of ${total} passed${rest}`;
}

export interface Rates {
  /** With every fix that is proven and not turned down. */
  readonly all: number | null;
  /** Without changed expectations that nobody accepted. */
  readonly reviewed: number | null;
}

/** The rates of the sandbox: of the report at the end, as the user's decisions change them, else of the last iteration. */
export function ratesOf(model: PanelModel, decisions: Decisions = {}): Rates {
  const { report } = model;
  if (report === undefined) {
    const last = model.iterations.at(-1);
    const counts = last && afterIteration(last);
    return { all: counts?.pass_rate ?? null, reviewed: counts?.pass_rate_reviewed ?? null };
  }
  const kept = report.fixes.filter((fix) => isVerified(fix) && fix.state !== 'declined');
  if (report.total === 0 || !kept.some((fix) => decisions[fix.id] !== undefined))
    return { all: report.passRate, reviewed: report.passRateReviewed };
  const red = new Set(remainingOf(model).map(({ id }) => id));
  const testsOf = (wanted: (fix: CycleFix) => boolean): Set<string> =>
    new Set(kept.filter(wanted).flatMap(({ failures }) => failures.filter((id) => !red.has(id))));
  const isDown = ({ id }: CycleFix): boolean => decisions[id] !== undefined && decisions[id] !== 'applied';
  const lost = testsOf(isDown);
  const doubtful = testsOf((fix) => isDown(fix) || (fix.state === 'unreviewed' && isOpen(fix, decisions)));
  const rate = (without: Set<string>): number | null => {
    const passed = Math.max(0, report.passed - without.size);
    return wirePassRate({ passed, failed: report.total - passed, errored: 0 });
  };
  return { all: rate(lost), reviewed: rate(doubtful) };
}

/** A rate as people read it: `92.3 %`, or a dash when nothing ran. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${Number.isInteger(rate) ? rate : rate.toFixed(1)} %`;
}

/** What a cycle is doing, as a line of its own: `Running 5 test files…`; nothing stays nothing. */
export function sentenceOf(progress: string): string {
  return progress === '' ? '' : `${progress.slice(0, 1).toUpperCase()}${progress.slice(1)}…`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
