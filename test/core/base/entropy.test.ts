// What is taken for random: texts drawn by lot from the alphabets of keys, and hardly any name of a large library.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { looksRandom, looksShuffled } from '../../../src/core/base/entropy.ts';

const small = 'abcdefghijklmnopqrstuvwxyz';
const large = small.toUpperCase();
const digits = '0123456789';
/** The same each time. */
let seed = 5;
function drawn(length: number, alphabet: string): string {
  return Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return alphabet.charAt((seed >>> 8) % alphabet.length);
  }).join('');
}
const missed = (length: number, alphabet: string, isOne = looksRandom): number =>
  Array.from({ length: 1_000 }, () => drawn(length, alphabet)).filter((text) => !isOne(text)).length / 10;

describe('looksRandom', () => {
  for (const [name, alphabet, lengths] of [
    ['small letters and digits', small + digits, [20, 24, 32, 40]],
    ['capitals and digits', large + digits, [20, 24, 32, 40]],
    ['base32', `${large}234567`, [20, 26, 32, 52]],
    ['base62', small + large + digits, [20, 24, 32, 43]],
    ['base64 of addresses', `${small}${large}${digits}-_`, [20, 22, 43]],
    ['letters', small + large, [24, 32]],
    ['small letters', small, [28, 40]],
    ['letters, digits and signs', `${small}${large}${digits}!$%&*+-_^~?`, [20, 32]],
  ] as const)
    it(`misses at most one in twenty of ${name}`, () => {
      for (const length of lengths) {
        const percent = missed(length, alphabet);
        assert.ok(percent <= 5, `${percent} % of ${length} characters`);
      }
    });

  it('takes at most one in a thousand long names of a large library for random', () => {
    const types = createRequire(import.meta.url).resolve('typescript/lib/lib.dom.d.ts');
    const names = new Set(readFileSync(types, 'utf8').match(/[\w+/-]{20,}/g));
    assert.ok(names.size > 2_000, `${names.size}`);
    const alarms = [...names].filter(looksRandom);
    assert.ok(alarms.length <= names.size / 1_000, alarms.join(' '));
  });

  it('takes no id, no hash, no word of another language and no alphabet for random, in a path either', () => {
    for (const text of [
      'commit/7c25461ac00d69b843d6a3e112a279164fc972b9',
      'users/166e272e-7a30-4d09-97ce-f1c012b43c34/orders',
      'Donaudampfschifffahrtsgesellschaft',
      'anticonstitutionnellement',
      'lyhytaikaisetsijoitukset',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
      'should_return_404_when_not_found',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      '123456789012345678901234567890',
    ])
      assert.equal(looksRandom(text), false, text);
  });
});

describe('looksShuffled', () => {
  it('misses at most one in twenty of 12 to 19 letters and digits of all three kinds', () => {
    const isOne = (text: string): boolean =>
      !/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/.test(text) || looksShuffled(text);
    for (const length of [12, 14, 16, 19]) {
      const percent = missed(length, small + large + digits, isOne);
      assert.ok(percent <= 5, `${percent} % of ${length} characters`);
    }
  });
});
