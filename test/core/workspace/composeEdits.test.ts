import assert from 'node:assert/strict';
import { HumanError } from '../../../src/core/base/humanError.ts';
import { applyEdit, fileEdit } from '../../../src/core/model/edit.ts';
import type { FileEdit } from '../../../src/core/model/edit.ts';
import { composeEdits } from '../../../src/core/workspace/composeEdits.ts';
import type { EditsOfFix } from '../../../src/core/workspace/composeEdits.ts';

const disk = 'import a\nexpect one\nexpect two\nexpect three\n';

/** A fix that replaces words of the text, each once. */
function fix(
  text: string,
  words: Readonly<Record<string, string>>,
): EditsOfFix & { readonly edits: readonly [FileEdit] } {
  const changes = Object.entries(words).map(([from, newText]) => {
    const start = text.indexOf(from);
    assert.ok(start >= 0);
    return { start, end: start + from.length, newText };
  });
  return { edits: [fileEdit('x.test.ts', text, changes)] };
}

async function composed(
  kept: readonly EditsOfFix[],
  accepted: readonly EditsOfFix[],
  text = disk,
): Promise<string> {
  const [edit] = await composeEdits({ kept, accepted, read: async () => text });
  assert.ok(edit);
  return applyEdit(edit, text);
}

describe('composing fixes', () => {
  const first = fix(disk, { 'import a': 'import abc' });
  const second = fix(disk, { one: '1', two: '2' });
  const after = applyEdit(
    fileEdit('x.test.ts', disk, [...first.edits[0].changes, ...second.edits[0].changes]),
    disk,
  );
  const later = fix(after, { three: '33333' });
  const kept = [first, second, later];

  it('makes all of them when all were accepted', async () => {
    assert.equal(await composed(kept, kept), 'import abc\nexpect 1\nexpect 2\nexpect 33333\n');
  });

  it('makes a later one without the earlier ones it was built on', async () => {
    assert.equal(await composed(kept, [later]), 'import a\nexpect one\nexpect two\nexpect 33333\n');
    assert.equal(await composed(kept, [first, later]), 'import abc\nexpect one\nexpect two\nexpect 33333\n');
    assert.equal(await composed(kept, [second, later]), 'import a\nexpect 1\nexpect 2\nexpect 33333\n');
    assert.equal(await composed(kept, [second]), 'import a\nexpect 1\nexpect 2\nexpect three\n');
  });

  it('makes one that never lay in the sandbox beside the ones that did', async () => {
    const early = fix(disk, { three: 'THREE' });
    assert.equal(
      await composed([first, second], [early, second]),
      'import a\nexpect 1\nexpect 2\nexpect THREE\n',
    );
    const onTop = fix(after, { expect: 'assume' });
    assert.equal(
      await composed([first, second], [onTop]),
      'import a\nassume one\nexpect two\nexpect three\n',
    );
  });

  it('makes a change that two fixes share once', async () => {
    const twin = fix(disk, { 'import a': 'import abc', three: '3' });
    assert.equal(
      await composed([first, twin], [first, twin]),
      'import abc\nexpect one\nexpect two\nexpect 3\n',
    );
    assert.equal(
      await composed([first, twin], [first]),
      'import abc\nexpect one\nexpect two\nexpect three\n',
    );
  });

  it('refuses when the file changed since, and when a change lies inside one that was not accepted', async () => {
    const isStale = (error: unknown): boolean => error instanceof HumanError && error.code === 'stale';
    await assert.rejects(composed(kept, [first], disk + '// edited'), isStale);
    const inside = fix(applyEdit(first.edits[0], disk), { abc: 'abcd' });
    await assert.rejects(composed([first, inside], [inside]), isStale);
  });
});
