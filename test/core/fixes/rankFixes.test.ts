// Which proposals are tried, and in which order.
import assert from 'node:assert/strict';
import { rankFixes } from '../../../src/core/fixes/rankFixes.ts';
import type { Fix } from '../../../src/core/model/fix.ts';

const fix = (id: string, more: Partial<Fix> & { text?: string } = {}): Fix => {
  const { text = id, ...rest } = more;
  return {
    id,
    title: id,
    grade: 'surgical',
    trust: 'oracle',
    edits: [{ file: 'a.test.ts', before: 'h', changes: [{ start: 0, end: 1, newText: text }] }],
    failures: ['t'],
    provider: 'p',
    confidence: 0.5,
    evidence: [id],
    ...rest,
  };
};
const order = (fixes: readonly Fix[], strategy: Fix['grade'] = 'conservative'): string =>
  rankFixes(fixes, { strategy })
    .map(({ id }) => id)
    .join(' ');

describe('ranking fixes', () => {
  it('puts what changes no meaning first, then the surer one', () => {
    const fixes = [
      fix('propose', { trust: 'propose', confidence: 1, failures: ['p'] }),
      fix('unsure', { confidence: 0.2 }),
      fix('sure', { confidence: 0.9 }),
      fix('moved', { trust: 'mechanical', confidence: 0.1 }),
    ];
    assert.equal(order(fixes), 'moved sure unsure propose');
  });

  it('puts the shorter edit first when the strategy is surgical', () => {
    const fixes = [fix('long', { text: 'xxxxxxxx', confidence: 0.9 }), fix('short', { text: 'x' })];
    assert.equal(order(fixes, 'surgical'), 'short long');
    assert.equal(order(fixes), 'long short');
  });

  it('keeps three for a failure, and one more that also serves another failure', () => {
    const fixes = ['a', 'b', 'c', 'd'].map((id, index) => fix(id, { confidence: 0.9 - index / 10 }));
    assert.equal(order(fixes), 'a b c');
    assert.equal(order([...fixes, fix('e', { failures: ['t', 'u'], confidence: 0.1 })]), 'a b c e');
  });

  it('makes one fix of one edit for many failures, with the doubts of all', () => {
    const stops = [{ kind: 'value', reason: 'The actual value is NaN.' }] as const;
    const [merged, ...rest] = rankFixes(
      [
        fix('a', { text: 'x', confidence: 0.9 }),
        fix('b', { text: 'x', failures: ['u'], trust: 'propose', stops: [...stops] }),
      ],
      { strategy: 'conservative' },
    );
    assert.deepEqual(rest, []);
    assert.deepEqual(merged?.failures, ['t', 'u']);
    assert.equal(merged?.trust, 'propose');
    assert.deepEqual(merged?.stops, stops);
    assert.deepEqual(merged?.evidence, ['a', 'b']);
  });
});
