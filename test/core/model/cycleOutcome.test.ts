// What is said of a cycle that ended, in one sentence.
import assert from 'node:assert/strict';
import type { CycleFix, CycleReport, Remaining } from '../../../src/core/model/cycle.ts';
import { cycleOutcome } from '../../../src/core/model/cycleOutcome.ts';
import { failureOf, fixOf, reportOf } from '../../support/cycleParts.ts';

const fix = (failures: string[], more: Partial<CycleFix> = {}): CycleFix =>
  fixOf(failures.join(), { failures, ...more });
const left = (id: string, fault: Remaining['fault']): Remaining => failureOf(id, { id, fault });
const outcome = (more: Partial<CycleReport>): string => cycleOutcome(reportOf(more));

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
      '1 of 3 failing tests has a proven fix, 2 look like a bug in the source',
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
