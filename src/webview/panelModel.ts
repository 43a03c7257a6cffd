// What the panel knows of a cycle, computed from its events; pure, so that a reload shows the same again.
import { alikeFailures } from '../core/model/alikeFailures.ts';
import type {
  CycleEvent,
  CycleFix,
  CycleReport,
  FormerWork,
  IterationRecord,
  Remaining,
} from '../core/model/cycle.ts';
import { changeKey } from '../core/model/fixCounts.ts';

type Progress = Extract<CycleEvent, { type: 'progress' }>;
type FailingTest = Extract<CycleEvent, { type: 'testsFailing' }>['tests'][number];

export interface PanelModel {
  readonly maxIterations: number;
  readonly targetPassRate: number;
  readonly preset: string;
  /** The layer that the cycle is limited to. */
  readonly layer: CycleReport['layer'];
  /** The cycle that this one goes on with. */
  readonly takenUp: FormerWork | undefined;
  /** The iteration that runs, with its strategy; undefined before the first and after the last. */
  readonly current: Extract<CycleEvent, { type: 'iterationStarted' }> | undefined;
  readonly iterations: readonly IterationRecord[];
  /** Failing tests as last told. */
  readonly failing: readonly FailingTest[];
  readonly fixes: ReadonlyMap<string, CycleFix>;
  /** Proposed and on trial: titles by fix id. */
  readonly onTrial: ReadonlyMap<string, string>;
  /** What is told before it happens. */
  readonly warnings: readonly string[];
  readonly progress: string;
  /** The step that goes on, and how far it is. */
  readonly step: Progress | undefined;
  readonly report: CycleReport | undefined;
}

export const emptyModel: PanelModel = {
  maxIterations: 0,
  targetPassRate: 0,
  preset: '',
  layer: undefined,
  takenUp: undefined,
  current: undefined,
  iterations: [],
  failing: [],
  fixes: new Map(),
  onTrial: new Map(),
  warnings: [],
  progress: '',
  step: undefined,
  report: undefined,
};

/** The model after some more events; what an event does not change stays the same object. */
export function reduceEvents(model: PanelModel, events: readonly CycleEvent[]): PanelModel {
  if (events.length === 0) return model;
  // One copy for the whole batch: a map for each of a thousand events would cost a million entries. None for how far a step is.
  const isAside = events.every(({ type }) => type === 'progress' || type === 'testsFailed');
  const fixes = new Map(isAside ? [] : model.fixes);
  const onTrial = new Map(isAside ? [] : model.onTrial);
  let next: PanelModel = isAside ? model : { ...model, fixes, onTrial };
  for (const event of events) next = { ...next, ...changeOf(next, event, fixes, onTrial) };
  return next;
}

function changeOf(
  model: PanelModel,
  event: CycleEvent,
  fixes: Map<string, CycleFix>,
  onTrial: Map<string, string>,
): Partial<PanelModel> {
  switch (event.type) {
    case 'cycleStarted': {
      fixes.clear();
      onTrial.clear();
      const { maxIterations, targetPassRate, preset, layer, takenUp } = event;
      return { ...emptyModel, fixes, onTrial, maxIterations, targetPassRate, preset, layer, takenUp };
    }
    case 'progress':
      return event.phase === undefined ? { progress: event.text } : { progress: event.text, step: event };
    case 'warned':
      return { warnings: [...model.warnings, event.text] };
    case 'testsFailed':
      return { failing: [...model.failing, ...event.tests.map(notLookedAt)] };
    case 'iterationStarted':
      return { current: event };
    case 'testsFailing':
      return { failing: kept(model.failing, event.tests) };
    case 'fixProposed':
      onTrial.set(event.fix.id, event.fix.title);
      return {};
    case 'fixJudged':
      onTrial.delete(event.fix.id);
      fixes.set(event.fix.id, event.fix);
      return {};
    case 'fixRolledBack': {
      const fix = fixes.get(event.fixId);
      if (fix === undefined) return {};
      const verdict = { ...fix.verdict, verdict: 'rejected' as const, reason: event.reason };
      fixes.set(fix.id, { ...fix, verdict, state: 'declined' });
      return {};
    }
    case 'iterationEnded':
      return { current: undefined, iterations: [...model.iterations, event.record] };
    case 'cycleEnded':
      return endOf(event.report, fixes, onTrial);
  }
}

/** Nobody knows yet who is at fault. */
const notLookedAt = (test: Extract<CycleEvent, { type: 'testsFailed' }>['tests'][number]): FailingTest => ({
  ...test,
  fault: 'unknown',
  reason: '',
});

function endOf(
  report: CycleReport,
  fixes: Map<string, CycleFix>,
  onTrial: Map<string, string>,
): Partial<PanelModel> {
  const told = kept([...fixes.values()], report.fixes);
  fixes.clear();
  onTrial.clear();
  for (const fix of told) fixes.set(fix.id, fix);
  return {
    current: undefined,
    progress: '',
    step: undefined,
    iterations: report.iterations,
    targetPassRate: report.targetPassRate,
    maxIterations: report.maxIterations,
    report: { ...report, fixes: told },
  };
}

/** The new list, with the old objects where they say the same: their cards need not be drawn again. */
function kept<T extends { readonly id: string }>(before: readonly T[], after: readonly T[]): T[] {
  const old = new Map(before.map((each) => [each.id, each]));
  return after.map((each) => {
    const known = old.get(each.id);
    return known !== undefined && JSON.stringify(known) === JSON.stringify(each) ? known : each;
  });
}

/** One change and every verified fix that makes it, at least one. */
export interface FixGroup {
  readonly key: string;
  readonly fixes: readonly CycleFix[];
}

/** Failing tests that fail in the same way for the same reason. */
export interface FailureGroup {
  readonly key: string;
  readonly tests: readonly Remaining[];
}

export interface Sections {
  readonly mechanical: readonly FixGroup[];
  readonly expectations: readonly FixGroup[];
  /** propose: applied singly by a person. */
  readonly proposals: readonly CycleFix[];
  readonly declined: readonly CycleFix[];
  readonly remaining: readonly FailureGroup[];
}

export const isVerified = (fix: CycleFix): boolean => fix.verdict.verdict === 'verified';
const isProposal = (fix: CycleFix): boolean =>
  fix.trust === 'propose' && fix.verdict.verdict !== 'rejected' && fix.verdict.violations.length === 0;

/** Sorts the fixes into what the user does with them, and the tests that no proven fix mends. */
export function sectionsOf(model: PanelModel): Sections {
  const fixes = [...model.fixes.values()];
  return {
    mechanical: fixGroups(fixes.filter((fix) => fix.trust === 'mechanical' && isVerified(fix))),
    expectations: fixGroups(fixes.filter((fix) => fix.trust === 'oracle' && isVerified(fix))),
    proposals: fixes.filter(isProposal),
    declined: fixes.filter((fix) => !isProposal(fix) && !isVerified(fix)),
    remaining: alikeFailures(remainingOf(model)).map((tests) => ({ key: tests[0].id, tests })),
  };
}

/** As reported at the end; before that, what failed last and is not mended by a proven fix meanwhile. */
export function remainingOf(model: PanelModel): FailureGroup['tests'] {
  const lines = new Map(model.failing.map(({ id, line }) => [id, line]));
  if (model.report !== undefined)
    return model.report.remaining.map((test) => {
      const line = lines.get(test.id);
      return line === undefined ? test : { ...test, line };
    });
  const kept = [...model.fixes.values()].filter((fix) => isVerified(fix) && fix.state !== 'declined');
  const mended = new Set(kept.flatMap(({ failures }) => failures));
  return model.failing.filter(({ id }) => !mended.has(id));
}

/** The largest group first: it is one answer for the most tests. */
function fixGroups(fixes: readonly CycleFix[]): FixGroup[] {
  const groups = new Map<string, CycleFix[]>();
  for (const fix of fixes) {
    const { expectation, trust } = fix;
    // Whichever fixer saw it, the same new value is the same question.
    const key = expectation === undefined ? changeKey(fix) : JSON.stringify([trust, expectation]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fix]);
    else group.push(fix);
  }
  return [...groups]
    .map(([key, alike]) => ({ key, fixes: alike }))
    .sort((a, b) => b.fixes.length - a.fixes.length);
}
