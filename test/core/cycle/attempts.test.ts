// Which fixes an iteration tries: one for each failure, whole groups, or the one that matters most.
import assert from 'node:assert/strict';
import { Attempts } from '../../../src/core/cycle/attempts.ts';
import { fileEdit } from '../../../src/core/model/edit.ts';
import type { Strategy } from '../../../src/core/model/cycle.ts';
import type { Fix, Verdict } from '../../../src/core/model/fix.ts';
import type { Severity, TestResult } from '../../../src/core/model/testResult.ts';

const text = 'one two three four';
const verdict: Verdict = { verdict: 'rejected', reason: 'It fails.', runs: 1, scope: 'file', violations: [] };

const fix = (id: string, at: number, failures: readonly string[], more: Partial<Fix> = {}): Fix => ({
  id,
  title: `change ${id}`,
  grade: 'surgical',
  trust: 'oracle',
  edits: [fileEdit('a.test.ts', text, [{ start: at, end: at + 1, newText: 'x' }])],
  failures: [...failures],
  provider: 'p',
  confidence: 0.5,
  evidence: [],
  expectation: { old: `'${id}'`, new: `'x'` },
  ...more,
});
const failing = (id: string, severity: Severity = 'medium'): TestResult => ({
  id,
  file: 'a.test.ts',
  line: 1,
  title: id,
  suites: [],
  outcome: 'failed',
  durationMs: 1,
  failure: { message: 'no', stack: [], kind: 'assertion', severity },
});
const next = (
  attempts: Attempts,
  fixes: readonly Fix[],
  tests: readonly TestResult[],
  strategy: Strategy,
): string[] =>
  attempts
    .next(fixes, tests, strategy, 'oracle')
    .map(({ title, failures }) => `${title} for ${failures.join(' ')}`);

describe('the fixes that an iteration tries', () => {
  const tests = [failing('t1', 'low'), failing('t2', 'critical'), failing('t3')];
  const fixes = [fix('a', 0, ['t1']), fix('b', 4, ['t1']), fix('c', 8, ['t2']), fix('d', 14, ['t3'])];

  it('are the best one for each failure', () => {
    const expected = ['change a for t1', 'change c for t2', 'change d for t3'];
    assert.deepEqual(next(new Attempts([]), fixes, tests, 'conservative'), expected);
  });

  it('can stand together: of rows that disagree on the expectation they share, one at a time', () => {
    const shared = (id: string, failure: string, newText: string): Fix =>
      fix(id, 4, [failure], { edits: [fileEdit('a.test.ts', text, [{ start: 4, end: 7, newText }])] });
    const rows = [shared('a', 't1', 'ten'), shared('b', 't2', 'six'), shared('c', 't3', 'ten')];
    assert.deepEqual(next(new Attempts([]), rows, tests, 'conservative'), [
      'change a for t1',
      'change c for t3',
    ]);
  });

  it('are the one for the most critical failure when the strategy is surgical', () => {
    assert.deepEqual(next(new Attempts([]), fixes, tests, 'surgical'), ['change c for t2']);
  });

  it('are never tried twice, also when the text around them moved', () => {
    const attempts = new Attempts([]);
    const [first] = fixes;
    assert.ok(first);
    attempts.note(first, verdict, '', 'declined');
    const moved = fix('a', 2, ['t1'], { id: 'another id' });
    assert.deepEqual(next(attempts, [moved, ...fixes.slice(1, 2)], tests, 'conservative'), [
      'change b for t1',
    ]);
  });

  it('leave alone what the user called a bug or skipped, and what only a person may apply', () => {
    const attempts = new Attempts(['t1']);
    attempts.skip(['t2']);
    const proposal = fix('e', 14, ['t3'], { trust: 'propose' });
    assert.deepEqual(next(attempts, [...fixes.slice(0, 3), proposal], tests, 'conservative'), []);
  });

  it('are whole groups of the same change when the strategy is aggressive', () => {
    const same = { expectation: { old: `'Hi'`, new: `'Hello'` }, title: 'expect Hello' };
    const group = [fix('a', 0, ['t1'], same), fix('c', 8, ['t2'], same), fix('d', 14, ['t3'])];
    assert.deepEqual(next(new Attempts([]), group, tests, 'aggressive'), [
      'expect Hello, 2 tests in 1 file for t1 t2',
      'change d for t3',
    ]);
  });

  it('can be tried again one by one after their group was rejected', () => {
    const same = { expectation: { old: `'Hi'`, new: `'Hello'` } };
    const group = [fix('a', 0, ['t1'], same), fix('c', 8, ['t2'], same)];
    const attempts = new Attempts([]);
    const [joined] = attempts.next(group, tests, 'aggressive', 'oracle');
    assert.equal(joined?.grade, 'aggressive');
    attempts.note(joined, verdict, '', 'declined');
    assert.deepEqual(next(attempts, group, tests, 'aggressive'), ['change a for t1', 'change c for t2']);
  });

  it('are joined where none was enough alone, and neither an expectation nor what the gate refused is among them', () => {
    const attempts = new Attempts([]);
    const alone = (id: string, at: number, more: Partial<Fix> = {}): Fix =>
      fix(id, at, ['t1'], { trust: 'mechanical', provider: id, ...more });
    const parts = [
      alone('a', 0),
      alone('b', 4),
      alone('overlapping', 4),
      alone('other gate', 12, { mendsCalls: true }),
    ];
    const others = [alone('oracle', 8, { trust: 'oracle' }), alone('refused', 10), alone('untried', 14)];
    const proposal = alone('c', 16, { trust: 'propose' });
    const violations = [{ rule: 'no-skip', file: 'a.test.ts', line: 1, text: '' }];
    for (const one of [...parts, others[0], proposal]) if (one) attempts.note(one, verdict, '', 'declined');
    if (others[1]) attempts.note(others[1], { ...verdict, violations }, '', 'declined');
    assert.deepEqual(
      attempts.joined([...parts, ...others, proposal]).map(({ title, trust }) => `${trust}: ${title}`),
      ['mechanical: change a, and change b', 'propose: change a, and change b, and change c'],
    );
    assert.deepEqual(attempts.joined(others), []);
  });

  it('are reported in the order they were judged, with what became of them', () => {
    const attempts = new Attempts([]);
    for (const each of fixes) attempts.note(each, verdict, 'diff', 'unreviewed');
    attempts.settle('b', 'accepted');
    attempts.forget('c');
    assert.deepEqual(
      attempts.fixes.map(({ id, state }) => `${id} ${state}`),
      ['a unreviewed', 'b accepted', 'd unreviewed'],
    );
  });
});
