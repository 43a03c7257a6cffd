// What is said one after the other reads as sentences.
import assert from 'node:assert/strict';
import { asSentences } from '../../../src/core/base/asSentences.ts';

describe('what is said one after the other', () => {
  it('has an end before the next begins', () => {
    assert.equal(
      asSentences(['src/a.js:2 throws: stores is not defined', '', 'No fix: nobody knows one']),
      'src/a.js:2 throws: stores is not defined. No fix: nobody knows one',
    );
    assert.equal(asSentences(['Is it so?', 'It is.']), 'Is it so? It is.');
  });
});
