// What the status bar says of a cycle whose panel is not in sight.
import assert from 'node:assert/strict';
import type { CycleEvent } from '../../src/core/model/cycle.ts';
import { progressText } from '../../src/extension/webview/progressText.ts';
import { failing, fixOf, judged, started } from '../support/cycleParts.ts';

const iteration = (number: number): CycleEvent => ({
  type: 'iterationStarted',
  iteration: number,
  strategy: 'surgical',
  reason: '',
  scope: 'suite',
});
describe('the progress of a cycle in the status bar', () => {
  it('counts iterations, proven fixes and failing tests', () => {
    const running = { phase: 'running' } as const;
    const text = (...events: CycleEvent[]): string => progressText(events, running);
    assert.equal(text(), 'Fix cycle: starting');
    assert.equal(text(started, iteration(1)), 'Fix cycle: iteration 1 of 10');
    assert.equal(
      text(started, iteration(1), iteration(2), failing('adds'), judged(fixOf('1'), 2)),
      'Fix cycle: iteration 2 of 10, 1 fix proven, 1 test failing',
    );
    assert.equal(progressText([started, iteration(1)], { phase: 'stopping' }), 'Fix cycle: stopping');
  });
});
