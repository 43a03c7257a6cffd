// Which fixes are one change made at many places, and how that is told.
import assert from 'node:assert/strict';
import { groupFixes, joinFixes } from '../../../src/core/cycle/groupFixes.ts';
import { fileEdit } from '../../../src/core/model/edit.ts';
import type { Fix } from '../../../src/core/model/fix.ts';

const text = 'a.total a.total a.total a.total';
let count = 0;
const fix = (file: string, starts: readonly number[], newText: string, more: Partial<Fix> = {}): Fix => ({
  id: `fix ${++count}`,
  title: `use ${newText} (was total)`,
  grade: 'surgical',
  trust: 'mechanical',
  edits: [
    fileEdit(
      file,
      text,
      starts.map((start) => ({ start, end: start + 5, newText })),
    ),
  ],
  failures: [`vitest:${file}#test ${count}`],
  provider: 'members',
  confidence: 0.9,
  evidence: ['Cart.total was removed from src/cart.ts since the last commit: it is sum now.'],
  ...more,
});
const sizes = (fixes: readonly Fix[]): readonly number[] => groupFixes(fixes).map((group) => group.length);
const expects = (file: string, start: number, now = `'Hello'`): Fix =>
  fix(file, [start], now, {
    trust: 'oracle',
    provider: 'expected-value',
    evidence: [`line ${start}`],
    expectation: { old: `'Hi'`, new: now },
  });

describe('groups of identical changes', () => {
  it('hold one rename in ten files, however often each of them names it', () => {
    const files = Array.from({ length: 10 }, (_, index) => `test/${index}.test.ts`);
    const fixes = files.map((file, index) => fix(file, index % 2 === 0 ? [2] : [2, 10], 'sum'));
    assert.deepEqual(sizes(fixes), [10]);
    const joined = joinFixes(fixes);
    assert.equal(joined.title, 'use sum (was total), 10 tests in 10 files');
    assert.equal(joined.edits.length, 10);
    assert.equal(joined.failures.length, 10);
  });

  it('hold an import whose specifier differs by folder', () => {
    const evidence = ['src/a.ts was renamed to src/b.ts since the last commit.'];
    const fixes = [
      fix('test/a.test.ts', [2], `'../src/b'`, { provider: 'imports', evidence }),
      fix('test/deep/a.test.ts', [2], `'../../src/b'`, { provider: 'imports', evidence }),
    ];
    assert.deepEqual(sizes(fixes), [2]);
  });

  it('hold one changed expectation in forty tests', () => {
    const fixes = Array.from({ length: 40 }, (_, index) =>
      expects(`test/${index % 13}.test.ts`, Math.floor(index / 13) * 8 + 2),
    );
    assert.deepEqual(sizes(fixes), [40]);
    assert.equal(joinFixes(fixes).title, `use 'Hello' (was total), 40 tests in 13 files`);
    assert.deepEqual(joinFixes(fixes).expectation, { old: `'Hi'`, new: `'Hello'` });
  });

  it('keep apart other values, other causes, other trust and edits that touch', () => {
    const other = {
      evidence: ['Order.total was removed from src/order.ts since the last commit: it is sum now.'],
    };
    assert.deepEqual(sizes([expects('a', 2), expects('a', 10, `'Hey'`)]), [1, 1]);
    assert.deepEqual(sizes([fix('a', [2], 'sum'), fix('b', [2], 'sum', other)]), [1, 1]);
    assert.deepEqual(sizes([fix('a', [2], 'sum'), fix('b', [2], 'sum', { trust: 'propose' })]), [1, 1]);
    assert.deepEqual(sizes([fix('a', [2], 'sum'), fix('a', [2, 10], 'sum')]), [1, 1]);
  });
});
