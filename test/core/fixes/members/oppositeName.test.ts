// Names that say the opposite of one another, and names that only look so.
import assert from 'node:assert/strict';
import { areOpposites } from '../../../../src/core/fixes/members/oppositeName.ts';

describe('two names', () => {
  it('say the opposite by a word, or by a prefix that denies', () => {
    for (const [one, other] of [
      ['isOpen', 'isClosed'],
      ['isValid', 'isInvalid'],
      ['depositTo', 'withdrawFrom'],
      ['is_found', 'is_missing'],
      ['isEmpty', 'isNotEmpty'],
    ] as const)
      assert.deepEqual([areOpposites(one, other), areOpposites(other, one)], [true, true], `${one} ${other}`);
  });

  it('say the same where the opposite is denied, or where only other words differ', () => {
    for (const [one, other] of [
      ['MissingError', 'NotFoundError'],
      ['net', 'without_tax'],
      ['isOpen', 'isNotClosed'],
      ['totalPrice', 'sumPrice'],
      ['openDoor', 'openGate'],
    ] as const)
      assert.deepEqual(
        [areOpposites(one, other), areOpposites(other, one)],
        [false, false],
        `${one} ${other}`,
      );
  });
});
