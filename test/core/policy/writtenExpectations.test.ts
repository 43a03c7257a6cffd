// What a test expects is proven by a pass only where it is written down, or was the same expression before with other literals in it.
import assert from 'node:assert/strict';
import { whyUndeclared } from '../../../src/core/policy/undeclared.ts';

const why = (before: string, after: string): string | undefined => {
  const [was, is] = [before, after].map(
    (body) =>
      `import { expect, test } from 'vitest';\nimport { price } from '../src/shop.js';\ntest('p', () => {\n  ${body}\n});\n`,
  );
  const change = { file: 'test/shop.test.js', before: was, after: is };
  return whyUndeclared(
    change,
    (file) => file.startsWith('test/'),
    () => undefined,
  );
};

type Expected = readonly [what: string, matcher: string, was: string, is: string];

const asking = (matcher: string, value: string): string =>
  `let n = 3; let m = 4; const known = 7; const made = 2 + 3; const base = []; const list = [1, 2]; const money = require('./money'); const item = (id) => ({ id }); const other = (id) => [id]; expect(price(2)).${matcher}(${value});`;

/** Values that are written down, in place of others. */
const otherValues: readonly Expected[] = [
  ['a pattern', 'toMatch', '/^Hello dear/', '/^Hello again/'],
  ['a sign', 'toBe', '5', '-5'],
  ['a factor', 'toBe', '60 * 1000', '60 * 2000'],
  ['a product written out', 'toBe', '60 * 1000', '120000'],
  ['a rest', 'toBe', '17 % 10', '17 % 5'],
  ['a factor of a name', 'toBe', 'n * 2', 'n * 3'],
  ['a call of a required module', 'toBe', `money.of('a')`, `money.of('b')`],
  ['the text between holes', 'toBe', '`${n} items`', '`${n} things`'],
  ['an inner value beside a computed one', 'toEqual', '{ a: n + 1, b: 2 }', '{ a: n + 1, b: 3 }'],
  ['a key more beside a spread', 'toEqual', '{ ...base, b: 2 }', '{ ...base, b: 2, c: -3 }'],
  ['an item more beside a spread', 'toEqual', '[...base, 2]', '[...base, 2, null]'],
  ['a date', 'toEqual', `new Date('2020-01-01')`, `new Date('2021-01-01')`],
  ['a set', 'toEqual', 'new Set([1])', 'new Set([1, 2])'],
  ['a map', 'toEqual', 'new Map([[1, 2]])', 'new Map([[1, 3]])'],
  ['an error', 'toThrow', `new Error('no name')`, `new Error('no title')`],
  [
    'a part of an object',
    'toEqual',
    'expect.objectContaining({ a: 1 })',
    'expect.objectContaining({ a: 2 })',
  ],
  ['a class of values', 'toEqual', '{ id: expect.any(Number) }', '{ id: expect.any(String) }'],
  ['a constant', 'toBe', '4', 'known'],
  ['a call with another value', 'toEqual', `item('a')`, `item('b')`],
  ['a bigint', 'toBe', '10n', '-12n'],
  ['a name of the language', 'toEqual', '[1, 2]', '[1, undefined]'],
];

/** Expressions of which nobody reads in the text what they give. */
const computedValues: readonly Expected[] = [
  ['||', 'toMatch', '/^Hello dear/', '/^/ || /^Hello dear/'],
  ['&&', 'toMatch', '/^Hello dear/', '/^Hello dear/ && /^/'],
  ['??', 'toMatch', '/^Hello dear/', '/^/ ?? /^Hello dear/'],
  ['?:', 'toMatch', '/^Hello dear/', '1 ? /^/ : /^Hello dear/'],
  ['an index', 'toMatch', '/^Hello dear/', '[/^Hello dear/, /^/][1]'],
  ['a member', 'toMatch', '/^Hello dear/', '({ a: /^/ }).a'],
  ['a pattern from a text', 'toMatch', '/^Hello dear/', `new RegExp('')`],
  ['a method', 'toMatch', '/^Hello dear/', `'Hello'.at(0)`],
  ['an operator in a thrown pattern', 'toThrow', '/empty input/', '/^/ || /empty input/'],
  ['an operator in an error', 'toThrow', `{ message: 'empty' }`, `{ message: /^/ || 'empty' }`],
  ['a negation', 'toBe', 'true', '!true'],
  ['a double negation', 'toBe', 'true', '!!0'],
  ['a sum', 'toBe', '200', '200 + 300'],
  ['a difference', 'toBe', '12', '12 - 12'],
  ['a quotient', 'toEqual', '{ a: 1, ok: true }', '{ a: 0 / 0, ok: !1 }'],
  ['a sum in place of another', 'toBe', '2 * 3', '2 + 3'],
  ['a spread text', 'toEqual', '[1, 2]', `[...'']`],
  ['a spread object', 'toEqual', '{ a: 1 }', '{ ...{} }'],
  ['a constant hole', 'toBe', `'Hi, Ada'`, '`Hi, ${void 0}`'],
  ['void', 'toBe', `'x'`, 'void 0'],
  ['typeof', 'toBe', `'x'`, 'typeof 1'],
  ['an index into nothing', 'toBe', `'x'`, `['x'][1]`],
  ['a plus', 'toBe', '5', `+{ valueOf: () => 6 }`],
  ['a plus of a text', 'toBe', '5', `+'6'`],
  ['a minus of a text', 'toBe', '5', `-'6'`],
  ['a function of the language', 'toBe', 'false', 'Boolean(0)'],
  ['a constructor without a value', 'toEqual', '[1]', 'new Set()'],
  ['a template with a tag', 'toBe', `'x'`, 'String.raw`y`'],
  ['a computed key', 'toEqual', '{ a: 1 }', '{ [n]: 1 }'],
  ['a shorthand', 'toEqual', '{ a: 1 }', '{ n }'],
  ['another name', 'toBe', 'n', 'm'],
  ['a name for a value', 'toBe', '4', 'm'],
  ['a constant that is computed', 'toBe', '4', 'made'],
  ['another function', 'toEqual', `item('a')`, `other('a')`],
  ['a part of a value within a call', 'toEqual', `item('a')`, `item('ab'.at(0))`],
  ['another choice', 'toBe', '[1, 2][0]', '[1, 2][1]'],
  ['another choice by a condition', 'toMatch', 'true ? /Hello dear/ : /^/', 'false ? /Hello dear/ : /^/'],
  ['a function of the language with another text', 'toBe', `Number('10')`, `Number('1O')`],
  ['another base', 'toBe', `parseInt('A', 16)`, `parseInt('A', 9)`],
  ['a truth value of another text', 'toBe', `Boolean('yes')`, `Boolean('')`],
  ['other JSON', 'toEqual', `JSON.parse('{"a":1}')`, `JSON.parse('null')`],
  ['another character', 'toBe', `'a' + String.fromCharCode(38)`, `'a' + String.fromCharCode(60)`],
  ['a method of a text', 'toBe', `'ab'.repeat(2)`, `'ab'.repeat(0)`],
  ['a method of a list', 'toBe', '[1, 2].at(1)', '[1, 2].at(5)'],
  ['a method of a list with a name', 'toBe', 'list.at(1)', 'list.at(5)'],
  ['another place in a text', 'toBe', `'abc'.indexOf('c')`, `'abc'.indexOf('z')`],
  ['a plus of another text', 'toBe', `+'10'`, `+'x'`],
  ['a negation of another number', 'toBe', '!0', '!1'],
  ['another comparison', 'toBe', '3 > 2', '3 > 4'],
  ['a bit operation', 'toBe', `'10' | 0`, `'x' | 0`],
  ['a text as a number', 'toBe', `'10' * 1`, `'x' * 1`],
  ['no date', 'toEqual', `new Date('2020-01-01')`, `new Date('2020-31-01')`],
  ['an assignment', 'toBe', '4', '(m = 5)'],
  ['a class of errors for a text', 'toThrow', `new RangeError('no')`, 'TypeError'],
];

describe('what a test expects instead', () => {
  for (const [what, matcher, was, is] of otherValues)
    it(`is proven by a pass: ${what}`, () =>
      assert.equal(why(asking(matcher, was), asking(matcher, is)), undefined));
  for (const [what, matcher, was, is] of computedValues)
    it(`is for a person: ${what}`, () =>
      assert.match(why(asking(matcher, was), asking(matcher, is)) ?? 'proven', /a person must decide/));

  it('is for a person where a constant is computed, or a message', () => {
    const constant = (value: string): string => `const want = ${value}; expect(price(2)).toBe(want);`;
    assert.equal(why(constant('10'), constant('12')), undefined);
    assert.match(why(constant('10'), constant('[1, 10][0]')) ?? 'proven', /a person must decide/);
    assert.match(why(asking('toBe', '10'), asking('toBe', '10, [1][0]')) ?? 'proven', /a person must decide/);
  });
});
