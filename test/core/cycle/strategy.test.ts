// The strategy of an iteration: every branch and every boundary of the contract.
import assert from 'node:assert/strict';
import { chooseStrategy, type IterationOutcome } from '../../../src/core/cycle/strategy.ts';
import type { Strategy } from '../../../src/core/model/cycle.ts';

const run = (
  passRate: number | null,
  failed = 'a b',
  scope: IterationOutcome['scope'] = 'affected',
): IterationOutcome => ({ passRate, scope, failed: failed === '' ? [] : failed.split(' ') });

const table: readonly (readonly [string, readonly IterationOutcome[], Strategy, RegExp])[] = [
  ['the first iteration', [run(50)], 'conservative', /Iteration 1/],
  ['the second iteration', [run(50), run(90)], 'conservative', /Iteration 2/],
  ['the second after a fall of exactly 10 points', [run(60), run(50)], 'conservative', /Iteration 2/],
  ['the second after a fall of more than 10 points', [run(60), run(49.9)], 'surgical', /10\.1 points/],
  ['a fall below 80 and 60 %', [run(95), run(95), run(84.9)], 'surgical', /10\.1 points/],
  ['a fall between two scopes', [run(95), run(50, 'a b', 'suite')], 'conservative', /Iteration 2/],
  ['a fall to no tests at all', [run(95), run(null)], 'conservative', /Iteration 2/],
  ['the third over 80 with the same failures', [run(10), run(81), run(81)], 'aggressive', /2 in 4/],
  ['the third at exactly 80', [run(10), run(80), run(80)], 'conservative', /at most 80 %/],
  ['the third just over 80', [run(10), run(80), run(80.01)], 'aggressive', /Over 80 %/],
  ['exactly 60 % distinct', [run(10), run(90, 'a b c'), run(90, 'a b')], 'aggressive', /3 in 5/],
  ['more than 60 % distinct', [run(10), run(90, 'a b c'), run(90, 'a')], 'conservative', /3 in 4/],
  ['only different failures', [run(10), run(90, 'a b'), run(90, 'c d')], 'conservative', /4 in 4/],
  ['no failures in the last two', [run(10), run(100, ''), run(100, '')], 'conservative', /0 in 0/],
  ['only the last two count', [run(10, 'a b c d e f'), run(90, 'a'), run(90, 'a')], 'aggressive', /1 in 2/],
  ['no rate', [run(null), run(null), run(null)], 'conservative', /at most 80 %/],
  ['no history', [], 'conservative', /Iteration 1/],
];

describe('the strategy of an iteration', () => {
  for (const [name, history, strategy, reason] of table)
    it(`is ${strategy} for ${name}`, () => {
      const chosen = chooseStrategy(history);
      assert.equal(chosen.strategy, strategy);
      assert.match(chosen.reason, reason);
    });

  it('is the one the user asked for', () => {
    assert.deepEqual(chooseStrategy([run(95), run(10)], 'aggressive'), {
      strategy: 'aggressive',
      reason: 'You asked for the aggressive strategy.',
    });
  });
});
