// Where JSON breaks.
import assert from 'node:assert/strict';
import { findJsonError } from '../../../src/core/frameworks/jsonError.ts';

describe('finding the error in JSON', () => {
  it('finds none where JSON.parse finds none', () => {
    for (const text of ['{}', ' [1, -2.5e3, "a\\u00e9\\"", true, null, {"a": []}] ', '"x"']) {
      JSON.parse(text);
      assert.equal(findJsonError(text), undefined, text);
    }
  });

  it('names the line and what was expected', () => {
    for (const [text, line, expected] of [
      ['', 1, 'a value'],
      ['{\n  "a": 1,\n}', 3, 'a property name in double quotes'],
      ['{\n  a: 1 }', 2, 'a property name in double quotes'],
      ['{ "a"\n 1 }', 2, '":"'],
      ['[1\n 2]', 2, '"," or "]"'],
      ['{ "a": 1\n', 2, '"," or "}"'],
      ['{}\n\n{}', 3, 'nothing more'],
      ['{ // note\n}', 1, 'a property name in double quotes'],
      ['["a\nb"]', 1, 'a value'],
      ['[01]', 1, '"," or "]"'],
    ] as const) {
      assert.throws(() => void JSON.parse(text), text);
      assert.deepEqual(findJsonError(text), { line, expected }, text);
    }
  });
});
