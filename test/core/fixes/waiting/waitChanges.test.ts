// How the waiting is written, by what the file of the tests has.
import assert from 'node:assert/strict';
import { waitChanges } from '../../../../src/core/fixes/waiting/waitChanges.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import { checkPolicy } from '../../../../src/core/policy/checkPolicy.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';

const file = 'test/page.test.tsx';

/** The text with the first assertion waited for, or why it is not. */
function waited(text: string, library: 'vi' | 'jest'): string {
  const line = text.slice(0, text.indexOf('expect(')).split('\n').length;
  const column = text.indexOf('expect(') - text.lastIndexOf('\n', text.indexOf('expect('));
  const found = waitChanges(parseTree(file, text), { file, line, column }, library);
  if (found === undefined) return 'nothing';
  if ('reason' in found) return found.reason;
  const after = applyChanges(found.changes, text);
  assert.deepEqual(checkPolicy({ file, before: text, after }), []);
  return after;
}

describe('a wait for an assertion', () => {
  it('takes waitFor of testing-library where the tests are written with it', () => {
    assert.equal(
      waited(
        `import { render, screen } from '@testing-library/react';\nit('a', () => {\n  render(<Page />);\n  expect(screen.getByRole('status').textContent).toBe('ok');\n});\n`,
        'jest',
      ),
      `import { render, screen, waitFor } from '@testing-library/react';\nit('a', async () => {\n  render(<Page />);\n  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('ok'));\n});\n`,
    );
  });

  it('imports vi where it is not yet', () => {
    assert.equal(
      waited(
        `import { expect, it } from 'vitest';\nit('a', async () => {\n  expect(page.title).toBe('ok');\n});\n`,
        'vi',
      ),
      `import { expect, it, vi } from 'vitest';\nit('a', async () => {\n  await vi.waitFor(() => expect(page.title).toBe('ok'));\n});\n`,
    );
  });

  it('is refused where nothing waits, the code is asked, or time is not real', () => {
    assert.match(
      waited(`it('a', () => { expect(page.title).toBe('ok'); });`, 'jest'),
      /no function that waits/,
    );
    assert.match(
      waited(`it('a', () => { expect(page.next()).toBe('ok'); });`, 'vi'),
      /does not make it repeat/,
    );
    assert.match(
      waited(`it('a', () => { vi.useFakeTimers(); expect(page.title).toBe('ok'); });`, 'vi'),
      /fake timers/,
    );
  });

  it('is refused where it would ask how many there are, or hold of nothing', () => {
    for (const [assertion, reason] of [
      ['expect(send.mock.calls.length).toBe(1);', /a number of calls/],
      ["expect(send.mock.calls).toEqual([['a']]);", /a number of calls/],
      ['expect(page.items.size).toBe(2);', /a number of calls/],
      ['expect(!page.title).toBe(true);', /to be absent/],
      ['expect(page.total).toBeLessThan(2);', /to be absent/],
      ['expect(page).toEqual(expect.not.objectContaining({ a: 1 }));', /to be absent/],
      ['expect([...page.items]).toEqual([1]);', /does not make it repeat/],
    ] as const)
      assert.match(waited(`it('a', () => { ${assertion} });`, 'vi'), reason, assertion);
  });

  it('is none of a helper or a loop', () => {
    assert.equal(
      waited(`function check() { expect(page.title).toBe('ok'); }\nit('a', () => check());`, 'vi'),
      'nothing',
    );
    assert.equal(
      waited(`it('a', () => { for (const b of c) { expect(b.title).toBe('ok'); } });`, 'vi'),
      'nothing',
    );
  });
});
