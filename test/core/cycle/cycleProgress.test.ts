// What is told of a cycle's progress around its end.
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { CycleProgress } from '../../../src/core/cycle/cycleProgress.ts';
import type { CycleEvent } from '../../../src/core/model/cycle.ts';
import { ended } from '../../support/cycleParts.ts';

describe('the progress of a cycle that ends', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('tells nothing after the end, however long the listener takes to keep it', async () => {
    const progress = new CycleProgress();
    async function* cycle(): AsyncGenerator<CycleEvent, void> {
      progress.begin('proving', 'proving 2 fixes', 2);
      yield Promise.resolve<CycleEvent>({ type: 'testsFailing', iteration: 1, tests: [] });
      progress.advance(2);
      yield ended();
      progress.advance(3);
    }
    const types: string[] = [];
    for await (const { type } of progress.among(cycle())) {
      types.push(type);
      // Longer than the pause between two words about a step.
      mock.timers.tick(1_000);
    }
    assert.deepEqual(types, ['progress', 'testsFailing', 'cycleEnded']);
  });
});
