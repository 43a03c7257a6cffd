// One line for a failure, as the cards of the panel show it.
import assert from 'node:assert/strict';
import { failureHeadline } from '../../src/webview/failureHeadline.ts';

/** What `node:assert` really says. */
function messageOf(compare: () => void): string {
  try {
    compare();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('nothing was thrown');
}

describe('the headline of a failure', () => {
  it('has the values that node:assert tells in the lines after its first', () => {
    assert.equal(
      failureHeadline(messageOf(() => assert.equal(2, 3))),
      'Expected values to be strictly equal: 2 !== 3',
    );
  });

  it('announces nothing where a difference over many lines follows', () => {
    assert.equal(
      failureHeadline(messageOf(() => assert.deepEqual({ a: 1, b: [2] }, { a: 1, b: [3] }))),
      'Expected values to be strictly deep-equal',
    );
  });

  it('is the first line of any other message', () => {
    assert.equal(failureHeadline('stores is not defined\nat shop.ts'), 'stores is not defined');
    assert.equal(failureHeadline('It ended:'), 'It ended');
    assert.equal(failureHeadline(''), '');
  });
});
