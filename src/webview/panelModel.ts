// What the panel shows, computed from the events of a cycle; pure, so that a reload shows the same again.
import type { CycleEvent, CycleFix, CycleReport, IterationRecord, Remaining } from '../core/model/cycle.ts';
import type { FixDecision, PanelState } from './messages.ts';

export type FailingTest = Extract<CycleEvent, { type: 'testsFailing' }>['tests'][number];

export interface PanelModel {
  readonly maxIterations: number;
  readonly targetPassRate: number;
  readonly preset: string;
  /** The iteration that runs, with its strategy; undefined before the first and after the last. */
  readonly current: Extract<CycleEvent, { type: 'iterationStarted' }> | undefined;
  readonly iterations: readonly IterationRecord[];
  /** Failing tests as last told. */
  readonly failing: readonly FailingTest[];
  readonly fixes: ReadonlyMap<string, CycleFix>;
  /** Proposed and on trial. */
  readonly onTrial: ReadonlyMap<string, { readonly title: string; readonly diff: string }>;
  readonly progress: string;
  readonly report: CycleReport | undefined;
}

export const emptyModel: PanelModel = {
  maxIterations: 0,
  targetPassRate: 0,
  preset: '',
  current: undefined,
  iterations: [],
  failing: [],
  fixes: new Map(),
  onTrial: new Map(),
  progress: '',
  report: undefined,
};

/** The model after one more event. */
export function reduceEvent(model: PanelModel, event: CycleEvent): PanelModel {
  switch (event.type) {
    case 'cycleStarted':
      return {
        ...emptyModel,
        maxIterations: event.maxIterations,
        targetPassRate: event.targetPassRate,
        preset: event.preset,
      };
    case 'progress':
      return { ...model, progress: event.text };
    case 'iterationStarted':
      return { ...model, current: event };
    case 'testsFailing':
      return { ...model, failing: event.tests };
    case 'fixProposed':
      return {
        ...model,
        onTrial: new Map(model.onTrial).set(event.fix.id, { title: event.fix.title, diff: event.diff }),
      };
    case 'fixJudged': {
      const onTrial = new Map(model.onTrial);
      onTrial.delete(event.fix.id);
      return { ...model, onTrial, fixes: new Map(model.fixes).set(event.fix.id, event.fix) };
    }
    case 'fixRolledBack': {
      const fix = model.fixes.get(event.fixId);
      if (fix === undefined) return model;
      const verdict = { ...fix.verdict, verdict: 'rejected' as const, reason: event.reason };
      return { ...model, fixes: new Map(model.fixes).set(fix.id, { ...fix, verdict, state: 'declined' }) };
    }
    case 'iterationEnded':
      return { ...model, current: undefined, iterations: [...model.iterations, event.record] };
    case 'cycleEnded':
      return {
        ...model,
        current: undefined,
        progress: '',
        onTrial: new Map(),
        iterations: event.report.iterations,
        fixes: new Map(event.report.fixes.map((fix) => [fix.id, fix])),
        report: event.report,
      };
  }
}

/** One change of expectation and every verified fix that makes it. */
export interface ExpectationGroup {
  readonly key: string;
  readonly old: string;
  readonly new: string;
  readonly fixes: readonly CycleFix[];
}

export interface Sections {
  readonly mechanical: readonly CycleFix[];
  readonly expectations: readonly ExpectationGroup[];
  /** propose: applied singly by a person. */
  readonly proposals: readonly CycleFix[];
  readonly declined: readonly CycleFix[];
  readonly remaining: readonly Remaining[];
}

/** Sorts the fixes into what the user does with them. */
export function sectionsOf(model: PanelModel): Sections {
  const fixes = [...model.fixes.values()];
  const verified = (fix: CycleFix): boolean => fix.verdict.verdict === 'verified';
  const groups = new Map<string, ExpectationGroup>();
  for (const fix of fixes.filter((each) => each.trust === 'oracle' && verified(each))) {
    const { old, new: now } = fix.expectation ?? { old: '', new: fix.title };
    const key = JSON.stringify([old, now]);
    groups.set(key, { key, old, new: now, fixes: [...(groups.get(key)?.fixes ?? []), fix] });
  }
  const isProposal = (fix: CycleFix): boolean =>
    fix.trust === 'propose' && fix.verdict.violations.length === 0;
  return {
    mechanical: fixes.filter((fix) => fix.trust === 'mechanical' && verified(fix)),
    expectations: [...groups.values()].sort((a, b) => b.fixes.length - a.fixes.length),
    proposals: fixes.filter(isProposal),
    declined: fixes.filter((fix) => !isProposal(fix) && !verified(fix)),
    remaining: model.report?.remaining ?? model.failing,
  };
}

/** The rates to show: of the report at the end, else of the last iteration. */
export function ratesOf(model: PanelModel): {
  readonly all: number | null;
  readonly reviewed: number | null;
} {
  if (model.report !== undefined)
    return { all: model.report.passRate, reviewed: model.report.passRateReviewed };
  const last = model.iterations.at(-1);
  return { all: last?.pass_rate ?? null, reviewed: last?.pass_rate_reviewed ?? null };
}

/** One line that says where things stand. */
export function headline(model: PanelModel, state: PanelState): string {
  if (state.phase === 'failed') return 'The cycle could not run';
  if (state.phase === 'starting') return 'Starting the engine…';
  if (state.phase === 'stopping') return 'Stopping…';
  if (model.report !== undefined) return endings[model.report.status](model.report);
  if (model.current === undefined)
    return model.progress === '' ? 'Looking at the tests…' : sentenceOf(model.progress);
  return `Iteration ${model.current.iteration} of at most ${model.maxIterations}: ${model.current.strategy}`;
}

const endings: Record<CycleReport['status'], (report: CycleReport) => string> = {
  passed: () => 'Passed',
  'nothing-to-do': () => 'Nothing to do: no test fails',
  'needs-attention': (report) =>
    report.ended === 'cancelled'
      ? 'Stopped'
      : report.ended === 'no-tests'
        ? 'No test ran'
        : 'Needs attention',
};

export function isOpen(fix: CycleFix, decisions: Readonly<Record<string, FixDecision>>): boolean {
  return decisions[fix.id] === undefined;
}

/** A rate as people read it: `92.3 %`, or a dash when nothing ran. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${Number.isInteger(rate) ? rate : rate.toFixed(1)} %`;
}

/** What a cycle is doing, as a line of its own: `Running 5 test files…`; nothing stays nothing. */
export function sentenceOf(progress: string): string {
  return progress === '' ? '' : `${progress.slice(0, 1).toUpperCase()}${progress.slice(1)}…`;
}
