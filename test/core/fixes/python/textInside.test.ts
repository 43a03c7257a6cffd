// What became of a text that a test looks for in a longer one.
import assert from 'node:assert/strict';
import { textInside } from '../../../../src/core/fixes/python/textInside.ts';

const found = (actual: string, wanted: string): string => {
  const text = textInside(actual, wanted);
  return typeof text === 'object' ? `refused: ${text.reason}` : text;
};

describe('a text that is looked for', () => {
  for (const [name, actual, wanted, now] of [
    [
      'follows words that changed',
      'usage\nError: could not open the file.',
      'could not read the file',
      'could not open the file',
    ],
    [
      'takes over new quotes',
      "Try it.\n(Did you mean '--size'?)",
      'Did you mean --size?',
      "Did you mean '--size'?",
    ],
    ['keeps its brackets', 'No. (One of these: a, bcd)', '(Possible: a, bcd)', '(One of these: a, bcd)'],
    [
      'is closed by the quote that was opened',
      "Error: no such flag '--foo'.",
      'no such flag: --foo',
      "no such flag '--foo'",
    ],
  ] as const)
    it(name, () => assert.equal(found(actual, wanted), now));

  it('is left alone where less would be asked for, where nothing or several lines are alike, and where it is short', () => {
    for (const [actual, wanted, reason] of [
      ['done in time', 'done at last in time', /shorter/],
      ['something else', 'no such file', /resemble/],
      ['could open the one file\ncould shut the one file', 'could read the one file', /Several lines/],
      ['maybe ok', 'ok', /too short/],
      ['a b\nc d', 'a b\nc', /several lines/],
      ['the file is gone', 'the file is there', /resemble|shorter/],
    ] as const)
      assert.match(found(actual, wanted), reason, `${actual} | ${wanted}`);
  });
});
