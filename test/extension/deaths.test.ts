// How often a dying engine is started again, and what the user is told.
import assert from 'node:assert/strict';
import { deathMessage, Deaths } from '../../src/extension/deaths.ts';

describe('deaths of the engine', () => {
  it('are answered with a start, later each time, at most three times in five minutes', () => {
    const deaths = new Deaths();
    assert.deepEqual(
      [0, 1_000, 2_000, 3_000, 300_500].map((now) => deaths.note(now)),
      [100, 400, 1_600, undefined, undefined],
    );
    assert.equal(deaths.note(700_000), 100);
  });

  it('are forgotten when the user starts it', () => {
    const deaths = new Deaths();
    for (const now of [0, 1, 2, 3]) deaths.note(now);
    deaths.forget();
    assert.equal(deaths.note(4), 100);
  });

  it('are told in one message for everything they interrupted', () => {
    assert.equal(
      deathMessage({ runs: 2, cycles: 1, isInPlace: false }),
      'Testmend: the engine stopped during 2 test runs and a fix cycle. It restarts automatically; Testmend changed no files. Tests that had not finished are shown as errored.',
    );
    assert.equal(
      deathMessage({ runs: 0, cycles: 1, isInPlace: true }),
      'Testmend: the engine stopped during a fix cycle. It restarts automatically and restores the files in which fixes were tried.',
    );
  });
});
