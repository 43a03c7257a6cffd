// What the status bar says of a cycle whose panel is not in sight.
import assert from 'node:assert/strict';
import type { CycleEvent } from '../../src/core/model/cycle.ts';
import { progressText } from '../../src/extension/webview/progressText.ts';

const started: CycleEvent = {
  type: 'cycleStarted',
  root: '/shop',
  preset: 'tester',
  maxIterations: 10,
  targetPassRate: 95,
};
const iteration = (number: number): CycleEvent => ({
  type: 'iterationStarted',
  iteration: number,
  strategy: 'surgical',
  reason: '',
  scope: 'suite',
});
const failing: CycleEvent = {
  type: 'testsFailing',
  iteration: 2,
  tests: [
    {
      id: 'vitest:a.test.ts#adds',
      file: 'a.test.ts',
      line: 3,
      title: 'adds',
      severity: 'high',
      fault: 'test',
      reason: '',
      message: '',
    },
  ],
};
const judged: CycleEvent = {
  type: 'fixJudged',
  iteration: 2,
  fix: {
    id: '1',
    title: 'fix',
    grade: 'surgical',
    trust: 'mechanical',
    edits: [],
    failures: [],
    provider: 'test',
    confidence: 1,
    evidence: [],
    verdict: { verdict: 'verified', runs: 1, scope: 'file', violations: [] },
    diff: '',
    state: 'accepted',
  },
};

describe('the progress of a cycle in the status bar', () => {
  it('counts iterations, proven fixes and failing tests', () => {
    const running = { phase: 'running' } as const;
    const text = (...events: CycleEvent[]): string => progressText(events, running);
    assert.equal(text(), 'Fix cycle: starting');
    assert.equal(text(started, iteration(1)), 'Fix cycle: iteration 1 of 10');
    assert.equal(
      text(started, iteration(1), iteration(2), failing, judged),
      'Fix cycle: iteration 2 of 10, 1 fix proven, 1 test failing',
    );
    assert.equal(progressText([started, iteration(1)], { phase: 'stopping' }), 'Fix cycle: stopping');
  });
});
