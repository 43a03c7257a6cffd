// Edits of files whose lines end as on Windows: what is new in them ends so, too.
import assert from 'node:assert/strict';
import { applyEdit, fileEdit } from '../../../src/core/model/edit.ts';

const edited = (text: string, newText: string): string =>
  applyEdit(fileEdit('a.test.ts', text, [{ start: 1, end: 1, newText }]), text);

describe('an edit', () => {
  it('is refused to whoever makes changes that exclude each other', () => {
    const changes = [
      { start: 0, end: 3, newText: '' },
      { start: 2, end: 4, newText: '' },
    ];
    assert.throws(() => fileEdit('a.test.ts', 'abcdef', changes), /overlapping/);
  });

  it('ends its lines as all lines of the file do', () => {
    assert.equal(edited('a\r\nb\r\n', '1\n2\r\n'), 'a1\r\n2\r\n\r\nb\r\n');
    assert.equal(edited('a\nb\n', '1\n2'), 'a1\n2\nb\n');
  });

  it('leaves its lines as they are where the file has both ends, or none', () => {
    assert.equal(edited('a\r\nb\n', '1\n2'), 'a1\n2\r\nb\n');
    assert.equal(edited('ab', '1\n2'), 'a1\n2b');
  });
});
