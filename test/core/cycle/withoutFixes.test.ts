// What a cycle learns of tests without its fixes costs by the number of tests.
import assert from 'node:assert/strict';
import { WithoutFixes } from '../../../src/core/cycle/withoutFixes.ts';
import type { Outcome, RunSummary, TestResult } from '../../../src/core/model/testResult.ts';

/** One test in each of `count` files; every `nth` fails. */
function summaryOf(count: number, nth: number, asked: () => void): RunSummary {
  const tests = Array.from({ length: count }, (_, index): TestResult => {
    const file = `test/part${index}.test.js`;
    const outcome: Outcome = index % nth === 0 ? 'failed' : 'passed';
    return {
      id: `nodeTest:${file}#adds`,
      title: 'adds',
      suites: [],
      outcome,
      line: 1,
      durationMs: 1,
      get file() {
        asked();
        return file;
      },
    };
  });
  const failed = tests.filter(({ outcome }) => outcome === 'failed').length;
  return {
    tests,
    total: count,
    passed: count - failed,
    failed,
    skipped: 0,
    errored: 0,
    passRate: 90,
    durationMs: 1,
    notes: [],
    ended: 'complete',
  };
}

describe('the tests of a cycle without its fixes', () => {
  it('are learnt in time linear in their number, also where every file is new and some fail', async () => {
    let asked = 0;
    const count = 4_000;
    const summary = summaryOf(count, 10, () => asked++);
    const ran: string[][] = [];
    const known = new WithoutFixes({
      files: [],
      results: new Map(),
      unreproduced: undefined,
      failsOtherwise: undefined,
      sandbox: { originalRoot: '/shop', inPlace: false, told: (text) => text },
      runOriginal: async (files) => {
        ran.push([...files]);
        return { ...summary, tests: [] };
      },
    });
    await known.learn(summary, true);
    assert.equal(ran.length, 1);
    assert.equal(ran[0]?.length, count / 10);
    assert.ok(asked <= 10 * count, `the files of ${count} tests were asked for ${asked} times`);
  });
});
