// Texts that say the same but for what code easily loses, and everyday changes of texts.
import assert from 'node:assert/strict';
import { literalStops } from '../../../src/core/diagnosis/valueStops.ts';
import { textStops } from '../../../src/core/diagnosis/textStops.ts';

type Change = readonly [was: string, is: string, reason: RegExp | undefined];

const changes: readonly Change[] = [
  ['a &lt; b &amp;&amp; c', 'a < b && c', /no longer escaped/],
  ['<p>&quot;x&quot; &#39;y&#39;</p>', `<p>"x" 'y'</p>`, /no longer escaped/],
  ['a < b', 'a &lt; b', undefined],
  ['&lt;a&gt;', '&lt;b&gt;', undefined],
  ['Shop & more', ' Shop & more', /whitespace at the start or end/],
  ['a  ', 'a', /whitespace at the start or end/],
  ['a\n', 'a', undefined],
  ['a b', 'a  b', undefined],
  ['ada   200\nbob    30', 'ada  -200\nbob   -30', /changed its sign/],
  ['total: -3 €', 'total: 3 €', /changed its sign/],
  ['2020-01-02', '2020 01 02', undefined],
  ['3 apples', '4 apples', undefined],
  ['-3 apples', '-4 apples', undefined],
  ['Hi, Ada', 'Hello, Ada', undefined],
];

describe('a changed text', () => {
  for (const [was, is, reason] of changes)
    it(`is ${reason === undefined ? 'no question' : 'a question'}: ${JSON.stringify(was)} to ${JSON.stringify(is)}`, () => {
      const reasons = textStops(was, is);
      if (reason === undefined) return assert.deepEqual(reasons, []);
      assert.equal(reasons.length, 1);
      return assert.match(reasons[0] ?? '', reason);
    });
});

describe('the words of a crash in a text', () => {
  const words: readonly (readonly [text: string, sign: string])[] = [
    ['Traceback (most recent call last)', 'Traceback (most recent call last)'],
    ['Segmentation fault (core dumped)', 'Segmentation fault'],
    ['Error: boom', 'Error: '],
    ["KeyError: 'name'", 'Error: '],
    ['x is not a function', 'is not a function'],
    ['ENOENT: no such file or directory', 'ENOENT: '],
    ['connect ECONNREFUSED 127.0.0.1:80', 'connect ECONNREFUSED'],
    ['500 Internal Server Error', 'Internal Server Error'],
    ['panic: runtime error: index out of range', 'panic: '],
  ];
  const reasonsFor = (was: string, is: string): readonly string[] =>
    literalStops({ kind: 'string', value: was }, { kind: 'string', value: is }, '').map(
      ({ reason }) => reason,
    );

  for (const [text, sign] of words)
    it(`is a question where none was: ${text}`, () => {
      assert.ok(
        reasonsFor('saved', text).includes(`The actual text of the value contains "${sign}".`),
        reasonsFor('saved', text).join('\n'),
      );
      assert.deepEqual(reasonsFor(`before: ${text}`, `after all, ${text}`), []);
    });

  it('is no question in words that only look like it, nor where a message stood before', () => {
    for (const is of ['EVENT: started', 'no errors', 'Do not panic', 'HTTP Server', 'Traceback of parcels'])
      assert.deepEqual(reasonsFor('saved', is), [], is);
    assert.deepEqual(reasonsFor('error: no name', 'Error: the name is missing'), []);
    assert.deepEqual(reasonsFor('Error: no name', 'RequestError: no name given'), []);
  });
});
