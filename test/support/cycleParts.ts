// Parts of a fix cycle for tests of what is told of one: each is whole, and says what a test changes of it.
import type { CycleEvent, CycleFix, CycleReport, Remaining } from '../../src/core/model/cycle.ts';

export const started: Extract<CycleEvent, { type: 'cycleStarted' }> = {
  type: 'cycleStarted',
  root: '/shop',
  preset: 'tester',
  maxIterations: 10,
  targetPassRate: 95,
};

/** A proven mechanical fix of one test. */
export const fixOf = (id: string, more: Partial<CycleFix> = {}): CycleFix => ({
  id,
  title: `fix ${id}`,
  grade: 'surgical',
  trust: 'mechanical',
  edits: [],
  failures: ['vitest:a.test.ts#adds'],
  provider: 'test',
  confidence: 1,
  evidence: [],
  verdict: { verdict: 'verified', runs: 1, scope: 'file', violations: [] },
  diff: '',
  state: 'accepted',
  ...more,
});

export const judged = (fix: CycleFix, iteration = 1): CycleEvent => ({ type: 'fixJudged', iteration, fix });

export const failureOf = (title: string, more: Partial<Remaining> = {}): Remaining => ({
  id: `vitest:a.test.ts#${title}`,
  file: 'a.test.ts',
  title,
  severity: 'high',
  fault: 'source',
  reason: 'The source throws.',
  message: 'TypeError: no such thing',
  ...more,
});

export const failing = (...titles: string[]): Extract<CycleEvent, { type: 'testsFailing' }> => ({
  type: 'testsFailing',
  iteration: 1,
  tests: titles.map((title) => ({ ...failureOf(title), line: 3 })),
});

/** Of a cycle after which ten of ten tests pass, four of them by expectations that nobody accepted. */
export const reportOf = (more: Partial<CycleReport> = {}): CycleReport => ({
  status: 'needs-attention',
  passRate: 100,
  passRateReviewed: 60,
  targetPassRate: 95,
  maxIterations: 10,
  total: 10,
  passed: 10,
  failed: 0,
  iterations: [],
  fixes: [],
  remaining: [],
  patch: '',
  notes: [],
  durationMs: 1,
  spent: { testProcesses: 0, asked: [] },
  ended: 'no-progress',
  ...more,
});

export const ended = (more: Partial<CycleReport> = {}): CycleEvent => ({
  type: 'cycleEnded',
  report: reportOf(more),
});
