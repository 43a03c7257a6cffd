// What is said of a cycle that ended, in one sentence.
import assert from 'node:assert/strict';
import type { CycleFix, CycleReport, Remaining } from '../../../src/core/model/cycle.ts';
import { cycleOutcome } from '../../../src/core/model/cycleOutcome.ts';

const fix = (failures: string[], more: Partial<CycleFix> = {}): CycleFix => ({
  id: failures.join(),
  title: 'fix',
  grade: 'surgical',
  trust: 'mechanical',
  edits: [],
  failures,
  provider: 'test',
  confidence: 1,
  evidence: [],
  verdict: { verdict: 'verified', runs: 1, scope: 'file', violations: [] },
  diff: '',
  state: 'accepted',
  ...more,
});
const left = (id: string, fault: Remaining['fault']): Remaining => ({
  id,
  file: 'a.test.ts',
  title: id,
  severity: 'high',
  fault,
  reason: '',
  message: '',
});
const outcome = (more: Partial<CycleReport>): string =>
  cycleOutcome({
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

describe('what came of a cycle', () => {
  it('counts tests with a proven fix, each once, and bugs in the source', () => {
    const fixes = [fix(['a', 'b']), fix(['b', 'c'], { trust: 'oracle', state: 'unreviewed' })];
    const remaining = [left('d', 'source'), left('e', 'unknown')];
    assert.equal(
      outcome({ fixes, remaining }),
      '3 of 5 failing tests have a proven fix, 1 looks like a bug in the source',
    );
  });

  it('counts no test as mended that still fails, or whose fix was taken back or not proven', () => {
    const unproven = fix(['c'], {
      verdict: { verdict: 'unverifiable', runs: 0, scope: 'file', violations: [] },
    });
    const fixes = [fix(['a', 'b']), fix(['c'], { state: 'declined' }), unproven];
    assert.equal(
      outcome({ fixes, remaining: [left('b', 'source'), left('c', 'source')] }),
      '1 of 3 failing tests have a proven fix, 2 look like a bug in the source',
    );
  });

  it('claims no pass where nothing ran or the cycle was stopped', () => {
    assert.equal(outcome({ ended: 'no-tests' }), 'No test ran');
    assert.equal(outcome({ status: 'nothing-to-do', ended: 'target' }), 'Nothing to do: no test fails');
    assert.equal(outcome({ ended: 'cancelled' }), 'Stopped');
    assert.equal(
      outcome({ ended: 'cancelled', fixes: [fix(['a'])] }),
      'Stopped, 1 of 1 failing test has a proven fix',
    );
  });
});
