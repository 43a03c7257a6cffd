// The numbers that a session is left: no pass where none was, and every doubt said.
import assert from 'node:assert/strict';
import { layerMarkdown } from '../../../src/core/reports/layerMarkdown.ts';
import type { RunSummary, TestResult } from '../../../src/core/model/testResult.ts';
import { summarize } from '../../../src/core/model/summarize.ts';
import { isCovered, layerResults, type LayerResults } from '../../../src/core/session/layerResults.ts';

const test = (outcome: TestResult['outcome'], n: number): TestResult => ({
  id: `t${n}`,
  file: 'a.test.ts',
  line: 1,
  title: `t${n}`,
  suites: [],
  outcome,
  durationMs: 1,
});
const run = (ended: RunSummary['ended'], ...outcomes: readonly TestResult['outcome'][]): RunSummary =>
  summarize(outcomes.map(test), { durationMs: 1, notes: [], ended });
const results = (summary?: RunSummary): LayerResults =>
  layerResults({ layer: 'L1', frameworks: ['vitest'], ...(summary && { run: summary }) });

describe('the results of a layer', () => {
  it('are all passed only when a test ran, the run ended by itself, and none failed', () => {
    assert.equal(results(run('complete', 'passed', 'skipped')).all_passed, true);
    assert.equal(results(run('complete', 'passed', 'failed')).all_passed, false);
    assert.equal(results(run('complete', 'passed', 'errored')).tests_failed, 1);
    assert.equal(results(run('complete')).all_passed, false);
    assert.equal(results(run('complete', 'skipped')).all_passed, false);
    assert.equal(results(run('timeout', 'passed')).all_passed, false);
    assert.equal(results(run('cancelled', 'passed')).all_passed, false);
    assert.equal(results().all_passed, false);
  });

  it('say that they are partial, empty or without coverage', () => {
    assert.match(
      results(run('timeout', 'passed', 'failed')).notes.join(' '),
      /Partial results: the time limit ended/,
    );
    assert.match(results(run('complete', 'skipped')).notes.join(' '), /No test ran: this report is empty/);
    assert.match(
      results(run('complete', 'passed')).notes.join(' '),
      /Coverage is unavailable: 0 stands for it/,
    );
    assert.equal(isCovered(results(run('complete', 'passed'))), false);
    assert.equal(isCovered(results()), false);
    const outcome = { isReached: true, failing: [], maxIterations: 5 };
    const shown = layerMarkdown(results(run('complete', 'passed')), outcome, '/shop');
    assert.match(shown, /- Coverage: could not be counted/);
    assert.doesNotMatch(shown, /Coverage: 0%/);
    const { pass_rate, coverage, tests_passed, tests_failed } = results(run('complete'));
    assert.deepEqual([pass_rate, coverage, tests_passed, tests_failed], [0, 0, 0, 0]);
  });

  it('round no rate up, and count the lines that ran', () => {
    const outcomes = Array.from({ length: 3000 }, (_, n) =>
      n === 0 ? ('failed' as const) : ('passed' as const),
    );
    assert.equal(results(run('complete', ...outcomes)).pass_rate, 99.9);
    const totals = {
      statements: { covered: 1, total: 1 },
      branches: { covered: 0, total: 0 },
      functions: { covered: 0, total: 0 },
    };
    const counted = {
      ...run('complete', 'passed'),
      coverage: { files: [], totals: { ...totals, lines: { covered: 2, total: 3 } } },
    };
    assert.equal(results(counted).coverage, 66.6);
    assert.deepEqual(results(counted).notes, []);
  });
});
