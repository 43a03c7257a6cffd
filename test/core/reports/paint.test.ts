// How long lines are broken for a terminal.
import assert from 'node:assert/strict';
import { wrapText } from '../../../src/core/reports/paint.ts';

describe('a line that is longer than the terminal is wide', () => {
  it('breaks at single blanks and keeps its margin', () => {
    assert.deepEqual(wrapText('  one two three\nshort', 9), ['  one two', '  three', 'short']);
    assert.deepEqual(wrapText('much-too-long word', 6), ['much-too-long', 'word']);
  });

  it('keeps runs of blanks whole, so that values stay apart', () => {
    assert.deepEqual(wrapText("expected 'a  b' but was 'a   b' here", 20), [
      "expected 'a  b' but",
      "was 'a   b' here",
    ]);
    assert.deepEqual(wrapText("it is 'a   b'", 9), ['it is', "'a   b'"]);
  });
});
