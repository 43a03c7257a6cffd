// What a history says about tests, by the rules of CONTRACTS Q7.
import assert from 'node:assert/strict';
import { testTrends, type HistoryRun } from '../../../src/core/reports/testHistory.ts';

/** One run a letter: P passed, F failed, R both, S skipped; digits are failures with a message of their own. */
function trendOf(letters: string, seconds: readonly number[] = []): string {
  const runs = letters.split('').map((letter, n): HistoryRun => {
    const outcome = letter === 'S' ? 'skipped' : 'PR'.includes(letter) ? 'passed' : 'failed';
    const duration = seconds[n] ?? 0.01;
    const longrepr = outcome === 'failed' ? `Error ${letter}\n at 0xff${n} (a.js:${n}:${n + 7})` : '';
    return {
      runId: `run-${n}`,
      endedAt: new Date(n).toISOString(),
      ended: 'complete',
      summary: { total: 1, passed: 0, failed: 0, skipped: 0 },
      duration,
      tests: [
        {
          nodeid: 'mocha:a.js#a',
          outcome,
          message: '',
          duration,
          call: { duration, longrepr },
          ...(letter === 'R' && { was_flaky_in_run: true, original_failure_message: 'late' }),
        },
      ],
    };
  });
  return testTrends(runs)
    .map(({ category, flakeScore }) => `${category} ${flakeScore.toFixed(2)}`)
    .join();
}

describe('the history of a test', () => {
  for (const [letters, wanted] of [
    ['P', 'new 0.00'],
    ['PP', 'normal 0.00'],
    ['PPPPP', 'stable 0.00'],
    ['PFFF', 'broken 0.33'],
    // Three failures, each another one.
    ['PPPP123', 'normal 0.17'],
    ['PFP', 'flaky 1.00'],
    // What was skipped is no change.
    ['PSPSF', 'flaky 0.50'],
    ['PF', 'normal 1.00'],
    ['RP', 'flaky 0.00'],
    ['R', 'new 0.00'],
    ['SS', ''],
  ] as const)
    it(`of ${letters} is "${wanted}"`, () => assert.equal(trendOf(letters), wanted));

  it('shows that it has become slow, from a second on', () => {
    const [former, recent] = [
      [0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
      [9, 9, 9],
    ];
    assert.equal(trendOf('FPPPPPPPP', [...former, ...recent]), 'slow-regression 0.13');
    assert.equal(trendOf('FPPPPPPPP', [...former, 0.9, 0.9, 0.9]), 'normal 0.13');
  });
});
