// Other expected values, each with what it is now: those that broken code gives as well, and everyday ones beside them.
import { body, file, type Case } from './changes.ts';

/** An assertion with VALUE in it, and the value before and after. */
const valued = (name: string, assertion: string, was: string, is: string): Case =>
  body(
    name,
    assertion.replace('VALUE', () => was),
    assertion.replace('VALUE', () => is),
  );
const filed = (name: string, text: string, was: string, is: string): Case =>
  file(
    name,
    `import { get, total } from '../src/shop.ts';\n${text.replace('VALUE', () => was)}`,
    `import { get, total } from '../src/shop.ts';\n${text.replace('VALUE', () => is)}`,
  );

const rows = `test.each([[1, 200], [2, VALUE]])('%i', (n, want) => { expect(get(n).status).toBe(want); });`;
const named = `test.each([{ n: 1, want: VALUE }])('a', ({ n, want }) => { expect(get(n).exitCode).toBe(want); });`;
const headed = `test.each\`\n  n | want\n  \${1} | \${VALUE}\n  \${2} | \${6}\n\`('a', ({ n, want }) => { expect(total(n)).toBe(want); });`;
const looped = `for (const { n, want } of [{ n: 1, want: VALUE }]) test('a', () => { expect(total(n)).toBe(want); });`;
const keyed = `const all = { a: { n: 1, want: VALUE } };\nfor (const [key, { n, want }] of Object.entries(all)) test(key, () => { expect(total(n)).toBe(want); });`;
const helped = `const check = (n, want) => { expect(get(n).status).toBe(want); };\ntest('a', () => { check(1, 200); check(2, VALUE); });`;
const ofAva = `import test from 'ava';\nconst m = (t, n, want) => t.is(total(n), want);\ntest('a', m, 1, VALUE);`;
const imported = `import { expectStatus } from './support';\ntest('a', async () => { await expectStatus(get(1), VALUE); });`;
const manual = `test('a', () => { const code = get(1).exitCode; if (code !== VALUE) throw new Error('exit'); });`;
const request = `test('a', async () => { await request(app).get('/').expect(VALUE); });`;
const stored = (value: string): string =>
  `expect(greet()).toMatchInlineSnapshot(\`\n    {\n      "name": "Ada",\n      "status": ${value},\n    }\n  \`);`;

export const suspectChanges: readonly Case[] = [
  valued('another status', 'expect(cart.get().status).toBe(VALUE);', '200', '500'),
  valued('another exit code', 'expect(cart.run().exitCode).toBe(VALUE);', '0', '1'),
  valued('something for 0', 'expect(cart.run()).toBe(VALUE);', '0', '1'),
  valued('0 for something', 'expect(cart.run()).toBe(VALUE);', '1', '0'),
  valued('-1 for a place', 'expect(cart.at("a")).toBe(VALUE);', '3', '-1'),
  valued('the other sign', 'expect(cart.refund()).toBe(VALUE);', '12', '-12'),
  valued('a text for none', 'expect(cart.check()).toBe(VALUE);', `''`, `'too long'`),
  valued('no text', 'expect(cart.name()).toBe(VALUE);', `'Ada'`, `''`),
  valued('an item for none', 'expect(cart.lint()).toEqual(VALUE);', '[]', `['line 1']`),
  valued('no item', 'expect(cart.all()).toEqual(VALUE);', '[1]', '[]'),
  valued('NaN', 'expect(cart.total()).toBe(VALUE);', '12', 'NaN'),
  valued('no product', 'expect(cart.total()).toBe(60 * VALUE);', '1000', '0'),
  valued('no difference', 'expect(cart.total()).toBe(12 - VALUE);', '2', '12'),
  valued('a quotient by 0', 'expect(cart.total()).toBe(0 / VALUE);', '2', '0'),
  valued('a text that is no number', 'expect(cart.total()).toBe(Number(VALUE));', `'10'`, `'1O'`),
  valued('another sign in a text', 'expect(cart.total()).toBe(Number(VALUE));', `'10'`, `'-10'`),
  valued('no digit of the base', `expect(cart.total()).toBe(parseInt('A', VALUE));`, '16', '9'),
  valued('a plus of no number', 'expect(cart.total()).toBe(+VALUE);', `'10'`, `'x'`),
  valued('a rest of 0', 'expect(cart.total()).toBe(17 % VALUE);', '10', '0'),
  valued('an empty BigInt', 'expect(cart.total()).toBe(BigInt(VALUE));', `'10'`, `''`),
  valued(
    'a member that is missing',
    `const w = { VALUE: 'x' }; expect(cart.total()).toBe(w['a']);`,
    'a',
    'b',
  ),
  valued('a status in a call', 'expect(cart.get().status).toBe(Number(VALUE));', `'200'`, `'500'`),
  valued('a status that is computed', 'expect(cart.get().status).toBe(codeOf(VALUE));', `'ok'`, `'no'`),
  valued('undefined', 'expect(greet(undefined)).toBe(VALUE);', `'x'`, 'undefined'),
  body('undefined in a matcher', `expect(cart.a()).toBe('x');`, 'expect(cart.a()).toBeUndefined();'),
  body('null in a matcher', `expect(cart.a()).toEqual({ a: 1 });`, 'expect(cart.a()).toBeNull();'),
  valued('null inside', 'expect(cart.all()).toEqual({ a: 1, b: VALUE });', '2', 'null'),
  valued('a key that is null', 'expect(cart.all()).toEqual({ a: 1VALUE });', '', ', b: null'),
  valued('a key that tells of trouble', 'expect(cart.all()).toEqual({ a: 1VALUE });', '', `, error: 'no'`),
  valued('a lost key', 'expect(cart.all()).toEqual({ a: 1VALUE });', ', b: 2', ''),
  valued('a nested answer', 'expect(cart.all()).toEqual({ on: VALUE, n: 1 });', 'true', 'false'),
  valued('an outcome inside', 'expect(cart.all()).toEqual({ status: VALUE });', `'done'`, `'failed'`),
  valued('another type', 'expect(cart.all()).toEqual({ a: VALUE });', '1', '[1]'),
  valued('another type for a mock', `expect(save).toHaveBeenCalledWith('a', VALUE);`, '1', '{ count: 1 }'),
  valued('a hole in a text', 'expect(greet()).toBe(VALUE);', `'Hi, Ada'`, `'Hi, undefined'`),
  valued('a hole in a template', 'expect(greet()).toBe(`Hi ${cart.name} VALUE`);', 'Lovelace', 'NaN'),
  valued('a crash', 'expect(() => greet()).toThrow(VALUE);', `'no name'`, `'name is not a function'`),
  valued('a crash in a pattern', 'expect(() => greet()).toThrow(VALUE);', '/no name/', '/TypeError: name/'),
  valued('exchanged words', 'expect(greet()).toBe(VALUE);', `'Lovelace Ada'`, `'Ada Lovelace'`),
  valued('exchanged items', 'expect(cart.all()).toEqual([VALUE]);', '1, 2', '2, 1'),
  valued('exchanged values', 'expect(cart.all()).toEqual({ VALUE });', 'a: 1, b: 2', 'a: 2, b: 1'),
  valued('exchanged arguments', 'expect(save).toHaveBeenCalledWith(VALUE);', `'a', 'b'`, `'b', 'a'`),
  valued('a length', 'expect(cart.all()).toHaveLength(VALUE);', '2', '0'),
  valued('a number of calls', 'expect(save).toHaveBeenCalledTimes(VALUE);', '1', '2'),
  valued(
    'a held value',
    'expect(cart.a()).toEqual(expect.objectContaining({ on: VALUE }));',
    'true',
    'false',
  ),
  valued('a property', `expect(cart.get()).toHaveProperty('status', VALUE);`, '200', '404'),
  valued('the other side', 'assert.strictEqual(VALUE, cart.get().status);', '200', '500'),
  valued('behind a name', 'const want = VALUE; expect(cart.get().status).toBe(want);', '200', '500'),
  valued(
    'behind two',
    'const one = VALUE; const all = { status: one }; expect(cart.a()).toEqual(all);',
    '200',
    '500',
  ),
  valued('a chain of chai', 'expect(cart.get().status).to.equal(VALUE);', '200', '500'),
  filed('in a row', rows, '201', '500'),
  filed('in a row with names', named, '0', '1'),
  filed('in a row below headings', headed, '5', '0'),
  filed('in a loop', looped, '5', '0'),
  filed('in a loop over keys', keyed, '5', '0'),
  filed('in a helper', helped, '201', '500'),
  filed('in a macro of AVA', ofAva, '5', '0'),
  filed('in a helper from elsewhere', imported, '200', '500'),
  filed('in a check by hand', manual, '0', '1'),
  filed('in a request', request, '200', '500'),
  body('in an inline snapshot', stored('200'), stored('500')),
];

export const everydayChanges: readonly Case[] = [
  valued('another status of success', 'expect(cart.get().status).toBe(VALUE);', '200', '201'),
  valued('another number', 'expect(cart.run()).toBe(VALUE);', '3', '4'),
  valued('another text', 'expect(greet()).toBe(VALUE);', `'Hi'`, `'Hello'`),
  valued('a longer list', 'expect(cart.all()).toEqual(VALUE);', '[1]', '[1, 2]'),
  valued('a place', 'expect(cart.at()).toEqual({ line: VALUE, n: 1 });', '0', '1'),
  valued('another key', 'expect(cart.all()).toEqual({ VALUE: { n: 1 } });', 'price', 'cost'),
  valued(
    'a key that has the name of trouble now',
    'expect(cart.all()).toEqual({ VALUE: 3 });',
    'bad',
    'errors',
  ),
  valued('one more key', 'expect(cart.all()).toEqual({ a: 1VALUE });', '', `, b: 'x'`),
  valued('another input', 'expect(cart.get(VALUE)).toBe(5);', '0', '1'),
  valued('another option', 'expect(cart.get({ strict: VALUE })).toBe(5);', 'true', 'false'),
  filed('another input in a row', rows.replace('[2, VALUE]', '[VALUE, 201]'), '2', '0'),
  filed('another input of a helper', helped.replace('check(2, VALUE)', 'check(VALUE, 201)'), '2', '0'),
  filed(
    'another message of a check',
    manual.replace('VALUE', '0').replace('exit', 'VALUE'),
    'exit',
    'undefined',
  ),
  filed('one more row', rows.replace('VALUE]]', '201]VALUE]'), '', ', [3, 500]'),
  body('in an inline snapshot', stored('200'), stored('201')),
];
