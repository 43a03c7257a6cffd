import assert from 'node:assert/strict';
import { isUnguarded } from '../../../../src/core/fixes/assertion/unguardedAssertion.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';

/** Is the place of each `§` in the text, from the first to the last, a straight way out to the test? */
async function straight(text: string): Promise<boolean> {
  const parts = text.split('§');
  const tree = parseTree('a.test.ts', parts.join(''));
  const places = parts.slice(0, -1).map((_part, index) => {
    const lines = parts
      .slice(0, index + 1)
      .join('')
      .split('\n');
    return { file: 'a.test.ts', line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  });
  return isUnguarded(places, () => Promise.resolve(tree));
}

describe('the way from a failed assertion out to its test', () => {
  it('is straight in the test itself, its loops and conditions, and in functions that it calls', async () => {
    for (const text of [
      "it('a', () => { §expect(a()).toBe(1); });",
      "it.each([[1]])('a', (n) => { for (const x of [1]) if (x) §expect(n).toBe(1); });",
      "test('a', async (t) => { [1, 2].forEach((n) => { §t.is(n, 1); }); });",
      "test('a', async (t) => { await t.test('b', () => { §assert.equal(a(), 1); }); });",
      "function check(n) { §expect(n).toBe(1); }\nit('a', () => { §check(1); });",
    ])
      assert.equal(await straight(text), true, text);
  });

  it('is none where the test may catch the failure or try again', async () => {
    for (const text of [
      "it('a', async () => { await vi.waitFor(() => §expect(state()).toBe('done')); });",
      "it('a', async () => { await waitFor(async () => { §expect(state()).toBe('done'); }); });",
      "it('a', () => { for (;;) { try { §expect(a()).toBe(1); break; } catch {} } });",
      "it('a', async () => { while (true) { §expect(a()).toBe(1); } });",
      "it('a', async () => { await §expect(a()).resolves.toBe(1).catch(() => {}); });",
      "function check(n) { §expect(n).toBe(1); }\nit('a', async () => { await eventually(() => §check(1)); });",
      "function check(n) { try { §expect(n).toBe(1); } catch { return false; } }\nit('a', () => { §check(1); });",
    ])
      assert.equal(await straight(text), false, text);
  });
});
