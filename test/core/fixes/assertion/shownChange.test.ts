// How two long values are shown side by side.
import assert from 'node:assert/strict';
import { shownChange } from '../../../../src/core/fixes/assertion/shownChange.ts';

describe('a change of an expectation in one line', () => {
  const cases: readonly (readonly [
    says: string,
    was: string,
    now: string,
    shown: readonly [string, string],
  ])[] = [
    ['stays whole when it fits', `'Hi'`, `'Hello'`, [`'Hi'`, `'Hello'`]],
    [
      'shows the end where the end differs',
      `'${'a'.repeat(60)}/?'`,
      `'${'a'.repeat(60)}%2F?'`,
      [`'…aaaaaaaaaaaaaaaa/?'`, `'…aaaaaaaaaaaaaaaa%2F?'`],
    ],
    [
      'shows the beginning where the beginning differs',
      `"x ${'a'.repeat(60)}"`,
      `"y ${'a'.repeat(60)}"`,
      [`"x aaaaaaaaaaaaaaaa…"`, `"y aaaaaaaaaaaaaaaa…"`],
    ],
    [
      'shows the middle of values without quotes',
      `[${'1, '.repeat(30)}5, ${'2, '.repeat(30)}]`,
      `[${'1, '.repeat(30)}6, ${'2, '.repeat(30)}]`,
      ['…1, 1, 1, 5, 2, 2, 2,…', '…1, 1, 1, 6, 2, 2, 2,…'],
    ],
    [
      'cuts what differs only where it is too long itself',
      `'short'`,
      `'${'b'.repeat(80)}'`,
      [`'short'`, `'${'b'.repeat(18)}…'`],
    ],
    ['keeps each blank', `'a  b'`, `'a   b'`, [`'a  b'`, `'a   b'`]],
    ['tells a blank from a tab', `'a\tb'`, `'a b'`, [String.raw`'a\tb'`, `'a b'`]],
    ['tells a blank from one that does not break', `'a\u00A0b'`, `'a b'`, [String.raw`'a\u00a0b'`, `'a b'`]],
    ['tells a line break from a space', `'a\nb'`, `'a b'`, [`'a⏎b'`, `'a b'`]],
  ];
  for (const [says, was, now, shown] of cases) {
    it(says, () => {
      const room = 44;
      const [left, right] = shownChange(was, now, room);
      assert.notEqual(left, right);
      assert.ok(left.length + right.length <= room, `${left} ${right}`);
      const common = (text: string): string => text.replace(/a{3,}/g, 'aaa');
      assert.deepEqual([common(left), common(right)], shown.map(common));
    });
  }
});
