import assert from 'node:assert/strict';
import { mergeRepeats } from '../../../src/core/run/repeats.ts';
import { failure, result, summary } from '../reports/results.ts';

describe('repeated runs', () => {
  it('judge a test by its worst run and name the flaky ones', () => {
    const { summary: merged, flaky } = mergeRepeats([
      summary([result({ title: 'a' }), result({ title: 'b' }), result({ title: 'c', failure: failure() })]),
      summary([
        result({ title: 'a' }),
        result({ title: 'b', failure: failure({ message: 'sometimes' }) }),
        result({ title: 'c', failure: failure() }),
      ]),
    ]);
    assert.deepEqual(
      merged.tests.map((test) => [test.title, test.outcome]),
      [
        ['a', 'passed'],
        ['b', 'failed'],
        ['c', 'failed'],
      ],
    );
    assert.equal(merged.tests[1]?.failure?.message, 'sometimes');
    assert.deepEqual([...flaky], ['vitest:test/cart.test.ts#b']);
    assert.deepEqual(merged.notes, ['Flaky: vitest:test/cart.test.ts#b failed in 1 of 2 runs.']);
    assert.deepEqual([merged.total, merged.passRate], [3, 33.3]);
  });

  it('ends as the run that did not complete', () => {
    const late = { ...summary([result()]), ended: 'timeout' as const };
    assert.equal(mergeRepeats([summary([result()]), late]).summary.ended, 'timeout');
  });
});
