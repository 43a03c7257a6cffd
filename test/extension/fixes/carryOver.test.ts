// Edits made for saved text, in a document with the user's own unsaved words.
import assert from 'node:assert/strict';
import { carryOver } from '../../../src/extension/fixes/carryOver.ts';

const saved = 'one\ntwo\nthree\nfour\nfive\n';
const lines = (start: number, end = start) => ({
  start: { line: start, character: 0 },
  end: { line: end, character: 2 },
});

describe('an edit and the user’s unsaved words', () => {
  it('stays where it is above them, and moves with the text below them', () => {
    const carry = carryOver(saved, 'one\ntwo\nmine\nmine too\nthree\nfour\nfive\n');
    assert.deepEqual(carry(lines(1)), lines(1));
    assert.deepEqual(carry(lines(2)), lines(4));
    assert.deepEqual(carry(lines(3, 4)), lines(5, 6));
  });

  it('moves up where lines were taken out', () => {
    assert.deepEqual(carryOver(saved, 'one\nfour\nfive\n')(lines(3)), lines(1));
  });

  it('is refused where they are, around them, and between two of them', () => {
    assert.equal(carryOver(saved, 'one\ntwo\nmine\nthree\nfour\nfive\n')(lines(1, 2)), undefined);
    assert.equal(carryOver(saved, 'one\ntwo!\nthree\nfour\nfive\n')(lines(1)), undefined);
    assert.equal(carryOver(saved, 'one!\ntwo\nthree\nfour\nfive!\n')(lines(2)), undefined);
    assert.equal(carryOver(saved, 'one\nfour\nfive\n')(lines(2)), undefined);
  });

  it('stays where it is when nothing is unsaved', () => {
    assert.deepEqual(carryOver(saved, saved)(lines(0, 4)), lines(0, 4));
  });
});
