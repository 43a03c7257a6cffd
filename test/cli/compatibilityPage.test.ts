// What docs/compatibility.md points to is there.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

describe('the page on compatibility', () => {
  it('has every row, and each that is done points to tests that are there', async () => {
    const text = await readFile(path.join(root, 'docs/compatibility.md'), 'utf8');
    const rows = text.split('\n').filter((line) => /^\| [TFQS]\d/.test(line));
    const ids = rows.map((row) => row.split('|')[1]?.trim() ?? '');
    const wanted = [14, 10].flatMap((count, kind) =>
      Array.from({ length: count }, (_, n) => `${'TF'[kind]}${n + 1}`),
    );
    wanted.push(...Array.from({ length: 10 }, (_, n) => `Q${n}`));
    assert.deepEqual(
      ids.filter((row) => !row.startsWith('S')),
      wanted,
    );
    for (const row of ['S4', 'S6', 'S9']) assert.ok(ids.includes(row), row);
    for (const row of rows) {
      const tests = [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file ?? '');
      assert.ok(tests.length > 0 || row.includes('not yet'), row);
      for (const file of tests) assert.ok(existsSync(path.join(root, file)), file);
    }
  });
});
