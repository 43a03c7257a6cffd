// Which words of a sentence are set as code.
import assert from 'node:assert/strict';
import { codePieces } from '../../src/webview/inlineCode.ts';

/** Code in angle brackets. */
const shown = (text: string): string =>
  codePieces(text)
    .map((piece) => (piece.isCode ? `<${piece.text}>` : piece.text))
    .join('');

describe('sentences with code', () => {
  it('have it between backticks, several times and beside punctuation', () => {
    assert.equal(
      shown("While the test ran, `greet('Ada')` was 'Hello'; (`git log`) `a`, `b`: `c`."),
      "While the test ran, <greet('Ada')> was 'Hello'; (<git log>) <a>, <b>: <c>.",
    );
    assert.equal(shown('`all of it`'), '<all of it>');
    assert.equal(shown(''), '');
  });

  it('keep each backtick that may belong to the code itself, or that stands alone', () => {
    for (const text of [
      'a ` b',
      'one`two`three',
      'expect `${word}-`1`` was',
      'the call `tag(`x`)` threw',
      '`over\ntwo lines`',
      '``',
    ])
      assert.equal(shown(text), text);
  });

  it('stay text, whatever stands in them', () => {
    assert.deepEqual(codePieces('see `<img src=x onerror=alert(1)>` there'), [
      { text: 'see ', isCode: false },
      { text: '<img src=x onerror=alert(1)>', isCode: true },
      { text: ' there', isCode: false },
    ]);
  });
});
