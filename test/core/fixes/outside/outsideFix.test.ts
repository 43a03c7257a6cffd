// The edit between two texts of a file, and how much of one is looked for.
import assert from 'node:assert/strict';
import { editBetween, linesAtMost } from '../../../../src/core/fixes/outside/outsideFix.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';

const lines = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word}(${(index * 7919) % 100_003});\n`).join('');

describe('the edit between two texts', () => {
  it('is of the lines that differ, in a file of any size', () => {
    const before = lines('expect', 100_000);
    const after = before.replace('expect(7919);', 'assert(7919);').replace('expect(15838);\n', '');
    const edit = editBetween('a.test.js', before, after);
    assert.equal(edit?.changes.length, 1);
    assert.equal(edit && applyEdit(edit, before), after);
    assert.ok((edit?.changes[0]?.newText.length ?? 100) < 20);
  });

  it('keeps the line ends and the byte order mark of the file, whatever the other text has', () => {
    const [former, now] = ['one(1);\n\ntwo(2);\nthree(3);\n', 'one(1);\n\ntwo(4);\nmore(5);\nthree(3);\n'];
    const windows = (text: string): string => text.replaceAll('\n', '\r\n');
    const mark = '\uFEFF';
    const mixed = 'one(1);\r\n\r\ntwo(2);\nthree(3);\r\n';
    for (const [before, wanted] of [
      [former, now],
      [mark + former, mark + now],
      [windows(former), windows(now)],
      [mark + windows(former), mark + windows(now)],
      [mixed, windows(now)],
      [former.trimEnd(), now.trimEnd()],
    ] as const) {
      const after = before.endsWith('\n') ? now : now.trimEnd();
      for (const written of [after, windows(after), mark + after, mark + windows(after)]) {
        const edit = editBetween('a.test.js', before, written);
        assert.equal(edit && applyEdit(edit, before), wanted);
        assert.equal(edit?.changes.length, 1);
      }
      const bare = before.replace(mark, '');
      for (const written of [before.replaceAll('\r\n', '\n'), mark + bare, bare])
        assert.deepEqual(editBetween('a.test.js', before, written)?.changes, []);
    }
  });

  it('is looked for up to so many lines, and no further, whatever the size', () => {
    const half = linesAtMost / 2;
    const [before, after] = [lines('expect', half), lines('assert', half)];
    const edit = editBetween('a.test.js', before, after);
    assert.equal(edit && applyEdit(edit, before), after);
    assert.equal(editBetween('a.test.js', before, `${after}one(more);\n`), undefined);
    // Two megabytes, of which no line stayed.
    assert.equal(editBetween('a.test.js', lines('expect', 120_000), lines('assert', 120_000)), undefined);
  }).timeout(60_000);
});
