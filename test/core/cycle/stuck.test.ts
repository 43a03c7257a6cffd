// A failure that three iterations in a row end with is stuck; one that changes is not.
import assert from 'node:assert/strict';
import { StuckFailures } from '../../../src/core/cycle/stuck.ts';
import type { TestResult } from '../../../src/core/model/testResult.ts';

const failing = (id: string, message: string): TestResult => ({
  id,
  file: 'a.test.ts',
  line: 1,
  title: id,
  suites: [],
  outcome: 'failed',
  durationMs: 1,
  failure: { message, stack: [], kind: 'assertion', severity: 'medium' },
});

const none = (): number => 0;

describe('stuck failures', () => {
  it('are those of three iterations in a row', () => {
    const stuck = new StuckFailures();
    for (const expected of [false, false, true]) {
      stuck.note([failing('a', 'expected 1')], none);
      assert.equal(stuck.isStuck('a'), expected);
    }
    assert.equal(stuck.isStuck('b'), false);
  });

  it('start again when the failure changes or goes away', () => {
    const stuck = new StuckFailures();
    for (const message of ['expected 1', 'expected 1', 'expected 2'])
      stuck.note([failing('a', message)], none);
    assert.equal(stuck.isStuck('a'), false);
    stuck.note([failing('a', 'expected 2')], none);
    stuck.note([], none);
    stuck.note([failing('a', 'expected 2')], none);
    assert.equal(stuck.isStuck('a'), false);
  });

  it('are not those that come after one step more each time, whatever their words are', () => {
    const stuck = new StuckFailures();
    for (const steps of [0, 1, 2, 3]) stuck.note([failing('a', 'expected 1')], () => steps);
    assert.equal(stuck.isStuck('a'), false);
  });

  it('are the same failure at another line, after another time', () => {
    const stuck = new StuckFailures();
    for (const message of [
      'late at a.ts:3:1 after 12 ms',
      'late at a.ts:4:9 after 5 ms',
      'late at a.ts:4 after 7ms',
    ])
      stuck.note([failing('a', message)], none);
    assert.equal(stuck.isStuck('a'), true);
  });
});
