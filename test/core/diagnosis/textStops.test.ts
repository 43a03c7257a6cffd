// Texts that say the same but for what code easily loses, and everyday changes of texts.
import assert from 'node:assert/strict';
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
