// Which part of a changed text a diff brings into sight.
import assert from 'node:assert/strict';
import { firstDifference } from '../../../src/extension/fixes/firstDifference.ts';

describe('the first difference of two texts', () => {
  const shown = (before: string, after: string): string => {
    const { line, start, end } = firstDifference(before, after);
    const text = after.split(/\r?\n/)[line] ?? '';
    return `${line}: ${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
  };

  it('is what stands otherwise in its line', () => {
    assert.equal(shown("a\nis('Hi, Ada')\nb", "a\nis('Hello, Ada')\nb"), "1: is('H[ello], Ada')");
    assert.equal(shown('x = 11', 'x = 111'), '0: x = 11[1]');
  });

  it('is a place where something is gone, a line that is new, and the end of an equal text', () => {
    assert.equal(shown('call(a, b)', 'call(a)'), '0: call(a[])');
    assert.equal(shown('a\nb', 'a\nnew\nb'), '1: [new]');
    assert.equal(shown('a\r\nb', 'a\r\nb'), '1: []b');
  });
});
