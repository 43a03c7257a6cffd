// Holds what counts as a sandbox that behaves like the original.
import assert from 'node:assert/strict';
import { summarize } from '../../../src/core/model/summarize.ts';
import type { Failure, Outcome, RunSummary, TestResult } from '../../../src/core/model/testResult.ts';
import {
  checkBaselineParity,
  describeDifferences,
  differingAnew,
} from '../../../src/core/verification/baselineParity.ts';
import { Comparison } from '../../../src/core/verification/compareRuns.ts';
import { baselineOf } from '../../../src/core/verification/verification.ts';

const result = (title: string, outcome: Outcome, suites: string[] = [], file = 'a.test.ts'): TestResult => ({
  id: `vitest:${file}#${[...suites, title].join(' › ')}`,
  file,
  line: 1,
  title,
  suites,
  outcome,
  durationMs: 1,
});
const run = (...tests: TestResult[]): RunSummary =>
  summarize(tests, { durationMs: 1, notes: [], ended: 'complete' });

describe('baseline parity', () => {
  it('holds when every test ends the same, whatever the order', () => {
    const [a, b] = [result('a', 'passed'), result('b', 'failed')];
    assert.deepEqual(checkBaselineParity(run(a, b), run(b, a)), { parity: true, differing: [] });
  });

  it('names tests that end differently, are missing or are new', () => {
    const { parity, differing } = checkBaselineParity(
      run(result('a', 'passed'), result('b', 'passed')),
      run(result('a', 'failed'), result('c', 'passed')),
    );
    assert.equal(parity, false);
    const told = differing.flatMap((one) => [...describeDifferences([one]).values()]);
    assert.deepEqual(
      told.map((text) => text.slice(0, text.indexOf('.') + 1)),
      [
        'The sandbox does not reproduce "a": passed in the workspace, failed in the copy.',
        'The sandbox does not reproduce "b": passed in the workspace, not found in the copy.',
        'The sandbox does not reproduce "c": not found in the workspace, passed in the copy.',
      ],
    );
    for (const text of told)
      assert.match(
        text,
        /To try fixes in the workspace itself, use --sandbox in-place .*testmend\.fix\.sandbox/,
      );
  });

  it('holds where the original ends as the copy does once nothing compiled before is used, but not where that heals it', () => {
    const original = run(
      result('a', 'failed'),
      result('b', 'passed'),
      result('c', 'failed', [], 'c.test.ts'),
    );
    const copy = run(result('load', 'errored'), result('c', 'passed', [], 'c.test.ts'));
    const { differing } = checkBaselineParity(original, copy);
    const anew = differingAnew(differing, { original, anew: copy, copy });
    assert.deepEqual(
      anew.map(({ file }) => file),
      ['c.test.ts'],
    );
    assert.match(
      describeDifferences(anew).get('c.test.ts') ?? '',
      /^"c" failed in the workspace and passed when it was run again without the test runner's cache/,
    );
    assert.equal(differingAnew(differing, { original, anew: original, copy }).length, differing.length);
    assert.match(
      describeDifferences(differing).get('a.test.ts') ?? '',
      /"a" \(and 2 more of its file\): failed/,
    );
  });
});

describe('a run against its baseline', () => {
  const compare = (before: RunSummary, after: RunSummary): Comparison =>
    new Comparison(baselineOf(before), after, () => true);

  it('counts failing, skipped and vanished tests as regressions, and only those that passed', () => {
    const before = run(
      ...['a', 'b', 'c', 'd'].map((title) => result(title, 'passed')),
      result('red', 'failed'),
    );
    const after = run(
      result('a', 'passed'),
      result('b', 'failed'),
      result('c', 'skipped'),
      result('red', 'errored'),
    );
    assert.deepEqual(
      compare(before, after)
        .regressions()
        .map(({ reason }) => reason),
      [
        '"b" passed before and fails now.',
        '"c" passed before and is skipped now.',
        '"d" passed before and is gone now.',
      ],
    );
  });

  it('recognises rows whose title carries the value that was mended', () => {
    const before = run(
      result('adds 1 to 2', 'passed'),
      result('adds 2 to 5', 'failed'),
      result('x', 'passed'),
    );
    const after = run(
      result('adds 1 to 2', 'passed'),
      result('adds 2 to 4', 'passed'),
      result('x', 'passed'),
    );
    const comparison = compare(before, after);
    assert.equal(comparison.targetProblem('vitest:a.test.ts#adds 2 to 5'), undefined);
    assert.deepEqual(comparison.regressions(), []);
  });

  it('does not take a vanished test for a retitled one of another file or when fewer came than went', () => {
    const before = run(result('a', 'failed'), result('b', 'failed'));
    assert.equal(
      compare(before, run(result('c', 'passed'))).targetProblem('vitest:a.test.ts#a'),
      'The test did not run.',
    );
    const elsewhere = run(...['c', 'd'].map((title) => result(title, 'passed', [], 'b.test.ts')));
    assert.equal(compare(before, elsewhere).targetProblem('vitest:a.test.ts#a'), 'The test did not run.');
  });

  it('takes a file that loads again as mended when one of its tests passes', () => {
    const file = 'vitest:a.test.ts';
    const failure: Failure = { message: 'no', stack: [], kind: 'load', severity: 'medium' };
    const before = run({ ...result('a.test.ts', 'errored'), id: file, failure });
    const problem = (...tests: TestResult[]): string | undefined =>
      compare(before, run(...tests)).targetProblem(file);
    assert.equal(problem(result('a', 'passed'), result('b', 'failed')), undefined);
    assert.equal(problem(result('b', 'skipped'), result('a', 'failed')), '"a" still fails: failed');
    assert.equal(problem(result('a', 'failed')), '"a" still fails: failed');
    assert.equal(problem(result('b', 'skipped')), 'The test did not run.');
    assert.equal(problem(), 'The test did not run.');
  });

  it('does not take the only test of a file that loads again for the file under another title', () => {
    const failure: Failure = { message: 'no', stack: [], kind: 'load', severity: 'medium' };
    const before = run({ ...result('a.test.ts', 'errored'), id: 'vitest:a.test.ts', failure });
    const comparison = compare(before, run(result('a', 'failed')));
    assert.equal(comparison.after('vitest:a.test.ts'), undefined);
    assert.deepEqual(
      comparison.testsIn('vitest:a.test.ts').map(({ title }) => title),
      ['a'],
    );
  });

  it('says that a file no longer loads instead of calling its tests gone', () => {
    const after = run({ ...result('a.test.ts', 'errored'), id: 'vitest:a.test.ts' });
    assert.deepEqual(
      compare(run(result('a', 'passed'), result('b', 'passed')), after)
        .regressions()
        .map(({ reason }) => reason),
      ['"a" passed before and cannot be loaded now.', '"b" passed before and cannot be loaded now.'],
    );
  });

  it('asks every case of a template to pass', () => {
    const before = run(result('row %s', 'failed'));
    const cases = (second: Outcome): RunSummary =>
      run(result('row %s::1', 'passed'), { ...result('row %s::2', second), title: 'row 2' });
    assert.equal(compare(before, cases('passed')).targetProblem('vitest:a.test.ts#row %s'), undefined);
    assert.equal(
      compare(before, cases('failed')).targetProblem('vitest:a.test.ts#row %s'),
      '"row 2" still fails: failed',
    );
  });
});
