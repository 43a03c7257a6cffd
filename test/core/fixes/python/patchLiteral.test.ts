// One literal of Python turned into another: quotes, layout and what stays the same are kept.
import assert from 'node:assert/strict';
import { isRefusal } from '../../../../src/core/fixes/assertion/literalChange.ts';
import { patchLiteral } from '../../../../src/core/fixes/python/patchLiteral.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import { readPythonLiteral } from '../../../../src/core/syntax/python/pythonLiteral.ts';

function patched(was: string, now: string): string {
  const [old, fresh] = [was, now].map((text) => readPythonLiteral(text, 0, text.length));
  assert.ok(old && fresh, `${was} → ${now}`);
  const edits = patchLiteral(old, fresh, was);
  return isRefusal(edits) ? `refused: ${edits.reason}` : applyChanges(edits, was);
}

describe('a literal of Python', () => {
  for (const [name, was, now, result] of [
    ['keeps its quotes', `'a'`, `"b"`, `'b'`],
    ['takes the other quotes rather than a backslash', `'a'`, `"it's"`, `"it's"`],
    ['escapes where both quotes occur', `'a'`, `"it's \\"it\\""`, `'it\\'s "it"'`],
    ['stays raw where it can', `r"\\d"`, `"\\\\w"`, `r"\\w"`],
    ['is no longer raw where it cannot be', `r"\\d"`, `"a\\n"`, `"a\\n"`],
    ['stays a text of bytes', `b'a'`, `b"\\x00b"`, `b'\\x00b'`],
    ['keeps its lines in three quotes', `"""a\nb"""`, `"a\\nc"`, `"""a\nc"""`],
    ['shows what nobody would see', `"a"`, `"\\u200b\\u00e9"`, `"\\u200bé"`],
    ['changes the one part that differs', `("ab" "cd")`, `"abce"`, `("ab" "ce")`],
    ['is a float where it was one', `1.5`, `2.0`, `2.0`],
    ['changes leaves only', `[1, {'a': (2, 3)}]`, `[1, {"a": (2, 4)}]`, `[1, {'a': (2, 4)}]`],
    ['keeps the order of its keys', `{'b': 1, 'a': 2}`, `{"a": 3, "b": 1}`, `{'b': 1, 'a': 3}`],
    [
      'gets a key at its end',
      `{\n  'a': 1,\n  'b': 2,\n}`,
      `{"a": 1, "b": 2, "c": 3}`,
      `{\n  'a': 1,\n  'b': 2,\n  'c': 3,\n}`,
    ],
    ['loses a key', `{'a': 1, 'b': 2, 'c': 3}`, `{"a": 1, "c": 3}`, `{'a': 1, 'c': 3}`],
    ['renames a key in its place', `{'a': 1, 'b': 2}`, `{"c": 1, "b": 2}`, `{'c': 1, 'b': 2}`],
    ['gets an item in the middle', `[1, 3]`, `[1, 2, 3]`, `[1, 2, 3]`],
    ['gets an item at its start', `[2,3]`, `[1, 2, 3]`, `[1,2,3]`],
    ['loses its first item', `[1, 2, 3]`, `[2, 3]`, `[2, 3]`],
    ['keeps its trailing comma', `[\n  1,\n  2,\n]`, `[1, 2, 3]`, `[\n  1,\n  2,\n  3,\n]`],
    ['becomes a tuple of one', `(1, 2)`, `(1,)`, `(1,)`],
    ['becomes something else', `[1]`, `None`, `None`],
    ['leaves a set as it is but for what changed', `{1, 2}`, `{1, 3}`, `{1, 3}`],
    ['keeps the ends of its lines', `[\r\n  1,\r\n  2,\r\n]`, `[1, 2, 3]`, `[\r\n  1,\r\n  2,\r\n  3,\r\n]`],
  ] as const)
    it(name, () => assert.equal(patched(was, now), result));

  it('is left alone where a comment would go, or where several parts of a text would change', () => {
    assert.match(
      patched('[\n  1,  # one\n  2,\n]', '[]'),
      /^refused: The value that would change contains comments/,
    );
    assert.match(patched(`("ab" "cd")`, `"xbcx"`), /^refused: .*several parts/);
  });

  it('is none where it is computed, formatted, infinite, or holds what nobody sees', () => {
    for (const text of [
      'f"a"',
      'a',
      'f()',
      '1 + 1',
      '1e999',
      '[*a]',
      '{**a}',
      '"a" % 1',
      '"\u0000"',
      '1j',
      '[1',
      '"a',
      '(1)(2)',
      'not 1',
      '{1: 2, 3}',
      '"a"b"c"',
      '07',
    ])
      assert.equal(readPythonLiteral(text, 0, text.length), undefined, text);
  });
});
