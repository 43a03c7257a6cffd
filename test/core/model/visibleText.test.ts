// Texts of tests and diffs as the panel and the editor show them: nothing hides, nothing runs in another direction.
import assert from 'node:assert/strict';
import { codeLine, oneLine, shownLine, visibleText } from '../../../src/core/model/visibleText.ts';

describe('a text that is shown', () => {
  it('shows control characters, overrides of direction and characters without a width as escapes', () => {
    assert.equal(visibleText('a\u0000b\u001b[31mc\u0007'), 'a\\u0000b\\u001b[31mc\\u0007');
    assert.equal(visibleText('user\u202Egpj.exe\u2069'), 'user\\u202egpj.exe\\u2069');
    assert.equal(visibleText('a\u200Bb\u2028c\uFEFF'), 'a\\u200bb\\u2028c\\ufeff');
    assert.equal(visibleText('half \uD83D of a pair'), 'half \\ud83d of a pair');
  });

  it('leaves lines, tabs, scripts that run from right to left and emoji as they are', () => {
    for (const text of ['one\n\ttwo', 'שלום › مرحبا', '👩‍👩‍👧 €', '<b>&amp;</b>'])
      assert.equal(visibleText(text), text);
    assert.equal(visibleText('a\r\nb'), 'a\nb');
  });

  it('keeps each blank of quoted code, and tells it from what looks alike', () => {
    assert.equal(codeLine("f(\n  'a  b',\r\n\tc)"), "f( 'a  b', c)");
    assert.equal(codeLine(" 'a\tb\u00A0c\u2003d\u200Be' "), String.raw` 'a\tb\u00a0c\u2003d\u200be' `);
    assert.equal(codeLine('東京　都'), '東京　都');
  });

  it('fits a heading on one line of a readable length', () => {
    assert.equal(oneLine('expect `a\n  b`', 40), 'expect `a ⏎ b`');
    assert.equal(oneLine('x'.repeat(50), 10), `${'x'.repeat(9)}…`);
    assert.equal(shownLine('adds\r\n  \u202Etwo\u0007', 40), 'adds ⏎ \\u202etwo\\u0007');
  });
});
