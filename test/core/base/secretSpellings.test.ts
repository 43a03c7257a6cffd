// A known secret is found again however its signs are written: in HTML, addresses, forms, JSON and literals, also one within another.
import assert from 'node:assert/strict';
import { placesOf } from '../../../src/core/base/secretSpellings.ts';

const secrets = [
  'Ab3"x7Kq9wTz5L',
  "Wm4'Gs9Jx2Qf7k",
  'Bz9/Dk4 Rw7Mq2n',
  'Xj3öFt6Sg8Np5v',
  'Rt5<Vn8Kd3Yb6h',
  'a\\b\n9$😀{}4.x_y-z,~|^',
];
const each = (of: (sign: string) => string) => (secret: string) =>
  Array.from(secret, (sign) => (/[A-Za-z\d]/.test(sign) ? sign : of(sign))).join('');
const point = (sign: string): number => sign.codePointAt(0) ?? 0;
const hex = (code: number, length = 0): string => code.toString(16).padStart(length, '0');
const units = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${hex(sign.charCodeAt(at), 4)}`).join('');
const html = (secret: string): string =>
  secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;')
    .replaceAll('ö', '&ouml;');
const spellings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'named signs of HTML': html,
  'numbers of HTML': each((sign) => `&#${point(sign)};`),
  'numbers of HTML in hex': each((sign) => `&#X${hex(point(sign)).toUpperCase()};`),
  'HTML within HTML': (secret) => html(html(secret)),
  encodeURI,
  encodeURIComponent,
  'small hex in an address': (secret) =>
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
  'an address within an address': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'a form': (secret) => new URLSearchParams({ p: secret }).toString().slice(2),
  JSON: (secret) => JSON.stringify(secret).slice(1, -1),
  'JSON within JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  'JSON of ASCII alone': each(units),
  'the same in capitals': each((sign) =>
    units(sign)
      .toUpperCase()
      .replaceAll(String.raw`\U`, String.raw`\u`),
  ),
  'code points of JavaScript': each((sign) => `\\u{${hex(point(sign))}}`),
  'bytes of Python': each((sign) => Array.from(Buffer.from(sign), (byte) => `\\x${hex(byte, 2)}`).join('')),
};

describe('a known secret', () => {
  for (const [what, spell] of Object.entries(spellings))
    it(`is found whole in ${what}`, () => {
      for (const secret of secrets) {
        const written = spell(secret);
        const [place] = placesOf(secret, `<p>got="${written}"&q</p>`);
        assert.deepEqual(place, { start: 8, end: 8 + written.length }, written);
      }
    });

  it('is found by as much as there is of it behind its beginning', () => {
    const text = `got ${encodeURIComponent('Bz9/Dk4 Rw7Mq')}...`;
    assert.deepEqual([...placesOf('Bz9/Dk4 Rw7Mq2n', text)], [{ start: 4, end: 21 }]);
  });

  it('is none where another sign stands in its place', () => {
    for (const text of [
      'Ab3&x7Kq9wTz5L',
      "Ab3'x7Kq9wTz5L",
      'Ab3%23x7Kq9wTz5L',
      String.raw`Ab3\u0027x7Kq9wTz5L`,
    ])
      assert.deepEqual([...placesOf('Ab3"x7Kq9wTz5L', text)], [], text);
  });
});
