// What the HTML report is made of: counts, differences, history, coverage by folder, and no secret.
import assert from 'node:assert/strict';
import { linesByFolder, type FileCoverage } from '../../../src/core/model/coverage.ts';
import { runReport } from '../../../src/core/reports/runReport.ts';
import type { HistoryRun } from '../../../src/core/reports/testHistory.ts';
import { failure, result, summary } from './results.ts';

const about = {
  root: '/srv/shop',
  endedAt: '2026-11-26T02:00:00.000Z',
  flaky: new Set<string>(),
  told: new Set<string>(),
};
const known = { ...about, history: [], coverage: [] };

describe('the report of a run', () => {
  it('tells failures with their difference and with frames of the user alone', () => {
    const stack = [
      { name: 'add', file: 'src/cart.ts', line: 3, column: 5 },
      { name: '', file: 'node:internal/x', line: 1, column: 1 },
      { name: '', file: 'node_modules/vitest/dist/x.js', line: 1, column: 1 },
    ];
    const red = result({
      failure: failure({
        message: 'in /srv/shop/src/cart.ts',
        expected: '{\n  a: 1\n}',
        actual: '{\n  a: 2\n}',
        stack,
      }),
      output: 'said',
    });
    const report = runReport({ ...known, summary: summary([red, result({ title: 'other' })]) });
    assert.deepEqual([report.folder, report.total, report.failed, report.passRate], ['shop', 2, 1, 50]);
    const [one, other] = report.tests;
    assert.deepEqual(one?.failures?.[0]?.frames, ['add (src/cart.ts:3:5)']);
    assert.equal(one?.failures?.[0]?.difference, '  {\n-   a: 1\n+   a: 2\n  }');
    assert.equal(one?.failures?.[0]?.message, 'in src/cart.ts');
    assert.equal(one?.output, 'said');
    assert.equal(other?.failures, undefined);
  });

  it('ends its history with the run itself, and says what is flaky', () => {
    const entry = (endedAt: string, outcome: 'passed' | 'failed'): HistoryRun => ({
      runId: endedAt,
      endedAt,
      ended: 'complete',
      summary: {
        total: 1,
        passed: outcome === 'passed' ? 1 : 0,
        failed: outcome === 'passed' ? 0 : 1,
        skipped: 0,
      },
      duration: 1,
      tests: [
        { nodeid: result().id, outcome, message: '', duration: 1, call: { duration: 1, longrepr: '' } },
      ],
    });
    const history = [
      entry('2026-11-26T01:00:00.000Z', 'passed'),
      entry('2026-11-26T01:30:00.000Z', 'failed'),
      entry(about.endedAt, 'passed'),
    ];
    const report = runReport({ ...known, history, summary: summary([result({ flaky: 'failed at first' })]) });
    assert.deepEqual(
      report.history.map(({ endedAt, passed }) => [endedAt.slice(11, 16), passed]),
      [
        ['01:00', 1],
        ['01:30', 0],
        ['02:00', 1],
      ],
    );
    assert.deepEqual(
      report.trends.map(({ category, outcomes }) => [category, outcomes]),
      [['flaky', 'PFP']],
    );
    assert.deepEqual([report.flaky, report.tests[0]?.isFlaky, report.tests[0]?.outcomes], [1, true, 'PFP']);
    assert.equal(report.tests[0]?.failures?.[0]?.message, 'failed at first');
  });

  it('has a secret neither where it was told nor in names', () => {
    const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
    const red = result({
      title: `signs ${secret}`,
      failure: failure({ message: `no ${secret}` }),
      output: secret,
    });
    const placed = runReport({ ...known, summary: summary([result({ file: `test/${secret}.test.ts` })]) });
    assert.ok(!JSON.stringify(placed).includes(secret));
    const names = Array.from({ length: 300 }, (_, at) => result({ title: `adds ${at}` }));
    const report = runReport({ ...known, summary: summary([...names, red], [`note ${secret}`]) });
    assert.ok(!JSON.stringify(report).includes(secret));
    assert.deepEqual([report.tests[299]?.title, report.tests[300]?.title], ['adds 299', 'signs [redacted]']);
  });

  it('adds up lines by folder', () => {
    const file = (name: string, count: number): FileCoverage => ({
      file: name,
      statements: [{ span: [1, 1, 1, 9], count }],
      functions: [],
      branches: [],
    });
    assert.deepEqual(linesByFolder([file('src/b.ts', 1), file('index.ts', 0), file('src/a.ts', 0)]), [
      { folder: '.', lines: { covered: 0, total: 1 } },
      { folder: 'src', lines: { covered: 1, total: 2 } },
    ]);
  });
});
