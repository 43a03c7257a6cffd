// What the panel shows at each step of a recorded cycle.
import assert from 'node:assert/strict';
import type { CycleEvent } from '../../src/core/model/cycle.ts';
import { emptyPanelState, toPanelSchema } from '../../src/webview/messages.ts';
import { emptyModel, reduceEvents } from '../../src/webview/panelModel.ts';
import { Replay } from '../../src/webview/replay.ts';
import { standingOf } from '../../src/webview/standing.ts';
import { failureOf, fixOf, started } from '../support/cycleParts.ts';

const id = 'vitest:a.test.ts#adds';
const fix = fixOf('1', { title: "expect 'Hello'", failures: [id] });
const { verdict: _verdict, diff: _diff, state: _state, ...plain } = fix;
const test = failureOf('adds', { message: 'TypeError' });
const events: readonly CycleEvent[] = [
  started,
  { type: 'progress', text: 'looking for tests' },
  { type: 'iterationStarted', iteration: 1, strategy: 'surgical', reason: '', scope: 'suite' },
  { type: 'testsFailing', iteration: 1, tests: [{ ...test, line: 3 }] },
  { type: 'fixProposed', iteration: 1, fix: plain, diff: '' },
  { type: 'fixJudged', iteration: 1, fix },
  { type: 'fixRolledBack', iteration: 1, fixId: '1', reason: 'b failed after it' },
  {
    type: 'cycleEnded',
    report: {
      status: 'needs-attention',
      passRate: 50,
      passRateReviewed: 50,
      targetPassRate: 95,
      maxIterations: 10,
      total: 2,
      passed: 1,
      failed: 1,
      iterations: [],
      fixes: [],
      remaining: [test],
      patch: '',
      notes: [],
      durationMs: 1,
      spent: { testProcesses: 0, asked: [] },
      ended: 'no-progress',
    },
  },
];

describe('a recorded cycle', () => {
  it('shows at each step what its events up to there tell, forwards, backwards and by leaps', () => {
    const replay = new Replay(events);
    for (const step of [8, 1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1, 6, 2, 8])
      assert.deepEqual(replay.modelAt(step), reduceEvents(emptyModel, events.slice(0, step)), `step ${step}`);
  });

  it('says what happened in each step', () => {
    const replay = new Replay(events);
    assert.deepEqual(
      events.map((_event, index) => replay.textAt(index + 1)),
      [
        'The cycle starts',
        'Looking for tests…',
        'Iteration 1 begins: surgical',
        '1 test fails',
        "On trial: expect 'Hello'",
        "Verified: expect 'Hello'",
        "Rolled back: expect 'Hello'",
        'The cycle ends',
      ],
    );
  });

  it('begins with all of it, and goes to no step that it does not have', () => {
    const replay = new Replay(events);
    assert.deepEqual(
      [undefined, 3, 99, 0, -1].map((step) => replay.stepAt(step)),
      [8, 3, 8, 1, 1],
    );
  });

  it('tells what came of the cycle, and asks for no decision', () => {
    const state = {
      ...emptyPanelState,
      phase: 'ended' as const,
      recording: { file: 'fix.ndjson', root: '/shop' },
    };
    const standing = (step: number): string => standingOf(new Replay(events).modelAt(step), state).text;
    assert.equal(standing(8), '0 of 1 failing test has a proven fix, 1 looks like a bug in the source');
    assert.equal(standing(6), 'The recording ends here');
  });

  it('reaches the panel with every field that is shown of it', () => {
    const recording = { file: 'fix.ndjson', root: '/shop', missing: 'It breaks off.' };
    const message = {
      type: 'reset',
      root: '/shop',
      cycleId: '/shop/fix.ndjson',
      state: { ...emptyPanelState, recording },
      events,
    };
    assert.deepEqual(toPanelSchema.parse(message), message);
  });
});
