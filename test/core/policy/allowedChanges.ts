// Changes the gate lets through: what honest repairs look like.
import { body, file, hello, inTest, type Case } from './changes.ts';

const table = `const rows = [[1, 'one'], [2, 'two']] as const;\ntest.each(rows)('names %i', (n, name) => { expect(spell(n)).toBe(name); });`;
export const allowed: readonly Case[] = [
  body(
    'a result that is kept first',
    `expect(cart()).toEqual({ a: 1 });`,
    `let r; r = cart(); expect(r).toEqual({ a: 1 });`,
  ),
  body(
    'an object that the test builds',
    `const u = new User(); expect(u.name).toBe('a');`,
    `const u = new User(); u.name = 'a'; expect(u.name).toBe('a');`,
  ),
  body(
    'a promise that is awaited now',
    `await expect(save()).resolves.toBe(1);`,
    `expect(await save()).toBe(1);`,
  ),
  file(
    'a function that sets things up',
    `import { make } from '../src/a.ts';\ntest('a', () => { expect(make(1)).toBe(1); });`,
    `import { make } from '../src/a.ts';\nfunction setUp() { return make(1); }\ntest('a', () => { expect(setUp()).toBe(1); });`,
  ),
  file(
    'a function that is written out',
    `import { readList } from '../src/a.ts';\ntest('a', () => { expect(readList('a', 1)).toEqual(['a']); });`,
    `import { read } from '../src/a.ts';\ntest('a', () => { expect(read('a', { by: 1 }).children).toEqual(['a']); });`,
  ),
  file(
    'a function of the workspace with the name of one that writes files',
    `import { truncate } from '../src/text.ts';\ntest('a', () => { expect(truncate('abc', 2)).toBe('a…'); });`,
    `import { truncate } from '../src/text.ts';\ntest('a', () => { expect(truncate('abc', 2)).toBe('a…'); });\ntest('b', () => { expect(truncate('abcd', 3)).toBe('ab…'); });`,
  ),
  body('a longer input', `expect(cart([1])).toBe(1);`, `expect(cart([1], { tax: [2] })).toBe(1);`),
  file(
    'a callback that became a promise',
    `test('a', (done) => { later(() => { expect(f()).toBe(1); done(); }); });`,
    `test('a', () => { return new Promise((done) => { later(() => { expect(f()).toBe(1); done(); }); }); });`,
  ),
  file(
    'mocks that forget before each test',
    `import { save } from '../src/shop.ts';\nconst put = vi.fn();\ntest('a', () => { save(put); expect(put).toHaveBeenCalledTimes(1); });`,
    `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nbeforeEach(() => {\n  put.mockClear();\n});\ntest('a', () => { save(put); expect(put).toHaveBeenCalledTimes(1); });`,
  ),
  file(
    'mocks that forget before the set-up, and after each test',
    `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nbeforeEach(() => { save(put); });\ntest('a', () => { expect(put).toHaveBeenCalledTimes(1); });`,
    `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nbeforeEach(() => { put.mockClear(); save(put); });\nafterEach(() => vi.clearAllMocks());\ntest('a', () => { expect(put).toHaveBeenCalledTimes(1); });`,
  ),
  file(
    'mocks that forget where only mocks and values are made before',
    `import '@testing-library/jest-dom';\nconst { save } = require('../src/shop');\nconst put = vi.fn(() => save(1));\nconst day = new Date(0);\nvi.mock('./a', async (actual) => ({ ...(await actual()), save: vi.fn() }));\nbeforeAll(() => { vi.useFakeTimers(); process.env.TZ = 'UTC'; });\ndescribe('b', () => { const n = [day]; test.each([n])('a', () => { save(put); expect(put).toHaveBeenCalledTimes(1); }); });`,
    `import '@testing-library/jest-dom';\nconst { save } = require('../src/shop');\nconst put = vi.fn(() => save(1));\nconst day = new Date(0);\nvi.mock('./a', async (actual) => ({ ...(await actual()), save: vi.fn() }));\nbeforeAll(() => { vi.useFakeTimers(); process.env.TZ = 'UTC'; });\ndescribe('b', () => { beforeEach(() => { put.mockClear(); }); const n = [day]; test.each([n])('a', () => { save(put); expect(put).toHaveBeenCalledTimes(1); }); });`,
  ),
  body(
    'a mock that forgets before the test does anything',
    `save(put); expect(put).toHaveBeenCalledTimes(1);`,
    `put.mockClear(); save(put); expect(put).toHaveBeenCalledTimes(1);`,
  ),
  file('an added package', inTest(hello), `import '@testing-library/jest-dom/vitest';\n${inTest(hello)}`),

  body('a changed text', hello, hello.replace('Hi, Ada', 'Hello, Ada')),
  body(
    'a registered symbol as a key',
    `expect(cart.all()).toEqual({ a: 1 });`,
    `expect(cart.all()).toEqual({ a: 1, [Symbol.for('cart')]: true });`,
  ),
  body(
    'an object without a prototype',
    `expect(cart.all()).toStrictEqual({ a: 1 });`,
    `expect(cart.all()).toStrictEqual({ __proto__: null, a: 1, b: Object.assign(Object.create(null), { c: 2 }) });`,
  ),
  body(
    'values of the language, in a file that uses their names',
    `expect(Object.keys(cart)).toEqual(['a']); expect(() => cart.all()).toThrow(Error); expect(cart.at).toEqual({ a: new Date(1) });`,
    `expect(Object.keys(cart)).toEqual(['a']); expect(() => cart.all()).toThrow(Error); expect(cart.at).toEqual({ __proto__: null, a: new Date(0), b: Object.create(null), c: new Error('x') });`,
  ),
  body('a changed number', 'expect(cart.total()).toBe(3);', 'expect(cart.total()).toBe(4.5);'),
  body(
    'a changed object',
    `expect(cart.all()).toEqual({ a: 1, b: [1, 2] });`,
    `expect(cart.all()).toEqual({ a: 2, b: [1, 3, 4], c: 'x' });`,
  ),
  body(
    'an array that became shorter',
    `expect(cart.all()).toEqual([1, 2]);`,
    `expect(cart.all()).toEqual([1]);`,
  ),
  body(
    'a changed template',
    'expect(greet()).toBe(`Hi ${cart.name}`);',
    'expect(greet()).toBe(`Hello ${cart.name}`);',
  ),
  body(
    'a changed variable',
    `const text = 'Hi'; expect(greet()).toBe(text);`,
    `const text = 'Hello'; expect(greet()).toBe(text);`,
  ),
  body(
    'a changed variable of another type',
    `const when = new Date(1); expect(greet()).toEqual(when);`,
    `const when = new Date(2); expect(greet()).toEqual(when);`,
  ),
  file(
    'a changed specifier',
    inTest(hello),
    inTest(hello).replace('../src/shop.ts', '../src/greeting/shop.ts'),
  ),
  file(
    'a renamed import',
    inTest(hello),
    inTest(hello).replaceAll('greet', 'welcome').replace("'welcomes'", "'greets'"),
  ),
  file('an import under its old name', inTest(hello), inTest(hello).replace('greet,', 'welcome as greet,')),
  body('a renamed member', 'expect(cart.total()).toBe(3);', 'expect(cart.sum()).toBe(3);'),
  body('a result that is nested now', 'expect(cart.total()).toBe(3);', 'expect(cart.total().value).toBe(3);'),
  body('an added await', 'expect(cart.total()).toBe(3);', 'expect(await cart.total()).toBe(3);'),
  body(
    'an added await of an assertion',
    'expect(save()).resolves.toBe(3);',
    'await expect(save()).resolves.toBe(3);',
  ),
  body(
    'a waited-for assertion',
    `expect(cart.total).toBe(1);`,
    `await vi.waitFor(() => expect(cart.total).toBe(1));`,
  ),
  body(
    'a wait with a short limit',
    `expect(cart.total).toBeGreaterThan(1);`,
    `await vi.waitFor(() => expect(cart.total).toBeGreaterThan(1), { timeout: 2000, interval: 10 });`,
  ),
  body(
    'a poll',
    `expect(cart.total).toBe(1);`,
    `await expect.poll(() => cart.total, { timeout: 2000 }).toBe(1);`,
  ),
  file(
    'a wait of testing-library',
    inTest(`expect(cart.total).toBe(1);`),
    `import { act, waitFor as until } from '@testing-library/react';\n${inTest(`await until(() => expect(cart.total).toBe(1));`)}`,
  ),
  body(
    'a new value inside of a wait that the tests have for themselves',
    `await eventually(() => expect(cart.total).toBe(1));`,
    `await eventually(() => expect(cart.total).toBe(2));`,
  ),
  body(
    'another name for what was waited for, and for a mock that forgot, before',
    `save(put); put.mockClear(); await vi.waitFor(() => expect(cart.sum()).toBe(1)); await vi.waitFor(() => expect(cart.parts).toHaveLength(2));`,
    `save(store); store.mockClear(); await vi.waitFor(() => expect(cart.total()).toBe(1)); await vi.waitFor(() => expect(cart.items).toHaveLength(2));`,
  ),
  body(
    'a call and a part of the page that are waited for',
    `expect(put).toHaveBeenCalledWith(expect.any(String)); expect(screen.getByText('a').title).toBe('b');`,
    `await vi.waitFor(() => expect(put).toHaveBeenCalledWith(expect.any(String))); await vi.waitFor(() => { expect(screen.getByText('a').title).toBe('b'); });`,
  ),
  body(
    'changed arguments of a mock',
    `expect(save).toHaveBeenCalledWith('a', 1);`,
    `expect(save).toHaveBeenCalledWith('b', 2, { name: 'a' });`,
  ),
  body(
    'a changed message',
    `expect(() => greet()).toThrow('no stock');`,
    `expect(() => greet()).toThrow('out of stock');`,
  ),
  body(
    'a changed part of a message',
    `expect(() => greet()).toThrow(/^no stock/);`,
    `expect(() => greet()).toThrow(/^sold out \\(3\\)/);`,
  ),
  file(
    'a changed message in an error that is described',
    `test('a', () => { assert.throws(() => f(), { name: 'RangeError', message: 'no stock' }); });`,
    `test('a', () => { assert.throws(() => f(), { name: 'RangeError', message: 'sold out' }); });`,
  ),
  body(
    'a changed and an added argument of a mock',
    `expect(save).toHaveBeenCalledWith({ name: 'a', at: expect.any(Number) }, 1);`,
    `expect(save).toHaveBeenCalledWith({ name: 'b', at: expect.any(Number) }, 1, { quiet: true });`,
  ),
  body('a stronger matcher', 'expect(greet()).toBeTruthy();', `expect(greet()).toBe('Hi');`),
  body('an added assertion', hello, `${hello}\n  expect(cart.total()).toBe(3);`),
  body('an added call', hello, `cart.clear();\n  ${hello}`),
  body('an added comment', hello, `// says hello\n  ${hello}`),
  body('a text that names a directive', hello, hello.replace('Hi, Ada', '@ts-ignore eslint-disable')),
  body('other quotes and layout', hello, `expect(\n    greet("Ada"),\n  ).toBe("Hi, Ada");`),
  body(
    'a changed inline snapshot',
    'expect(greet()).toMatchInlineSnapshot(`"Hi"`);',
    'expect(greet()).toMatchInlineSnapshot(`"Hello"`);',
  ),
  body(
    'a changed precision upwards',
    'expect(cart.total()).toBeCloseTo(1, 2);',
    'expect(cart.total()).toBeCloseTo(1, 5);',
  ),
  body(
    'a tighter threshold',
    'expect(cart.total()).toBeGreaterThan(1);',
    'expect(cart.total()).toBeGreaterThan(5);',
  ),
  body(
    'a hand-made check',
    `if (greet() !== 'Hi') throw new Error('no');`,
    `if (greet() !== 'Hello') throw new Error('no');`,
  ),
  file('a changed row', table, table.replace("'two'", "'zwei'")),
  file('an added row', table, table.replace("'two']", "'two'], [3, 'three']")),
  file(
    'a moved mock',
    `vi.mock('../src/api.ts');\n${inTest(hello)}`,
    `vi.mock('../src/net/api.ts');\n${inTest(hello)}`,
  ),
  file(
    'a changed result of a mock',
    `vi.mock('../src/api.ts', () => ({ get: () => 1 }));\n${inTest(hello)}`,
    `vi.mock('../src/api.ts', () => ({ get: () => 2, put: () => 3 }));\n${inTest(hello)}`,
  ),
  body(
    'what a request expects before another one begins',
    `request(cart).get('/').expect('Content-Type', 'text/plain; charset=UTF-8').expect(200, (error) => { request(cart).get('/b').expect('Content-Type', 'text/html; charset=UTF-8').expect(200, save); });`,
    `request(cart).get('/').expect('Content-Type', 'text/plain; charset=utf-8').expect(200, (error) => { request(cart).get('/b').expect('Content-Type', 'text/html; charset=utf-8').expect(200, save); });`,
  ),
  file('an added hook', inTest(hello), `beforeEach(() => { cart.clear(); });\n${inTest(hello)}`),
  file(
    'an imported expect of the library',
    `test('a', () => { expect(f()).toBe(1); });`,
    `import { expect, test } from 'vitest';\ntest('a', () => { expect(f()).toBe(1); });`,
  ),
  file(
    'an added test',
    inTest(hello),
    inTest(hello) + inTest(hello).replace('greets', 'parts').split('\n').slice(3).join('\n'),
  ),
  file(
    'a shorter time limit',
    inTest(hello).replace(/\}\);\n$/, '}, 200);\n'),
    inTest(hello).replace(/\}\);\n$/, '}, 100);\n'),
  ),
  file(
    'a skip that was there',
    inTest(hello).replace("test('g", "test.skip('g"),
    inTest(hello).replace("test('g", "test.skip('g").replace('Hi,', 'Hello,'),
  ),
  file('a removed skip', inTest(hello).replace("test('g", "test.skip('g"), inTest(hello)),
  file(
    'in-source tests',
    `export const f = () => 1;\nif (import.meta.vitest) { test('a', () => { expect(f()).toBe(2); }); }`,
    `export const f = () => 1;\nif (import.meta.vitest) { test('a', () => { expect(f()).toBe(1); }); }`,
  ),
  file(
    'a guard that was there',
    inTest(`if (cart.on) ${hello}`),
    inTest(`if (cart.on) ${hello.replace('Hi', 'Hello')}`),
  ),
  file(
    'a loop whose rows changed',
    inTest('for (const [a, b] of [[1, 2], [3, 4]]) expect(greet(a)).toBe(b);'),
    inTest('for (const [a, b] of [[1, 2], [3, 5]]) expect(greet(a)).toBe(b);'),
  ),
  file(
    'a skill',
    `export default () => { const errors = []; let passed = 0; if (f() === 'Hi') passed++; else errors.push('greets: no'); return { passed, failed: errors.length, errors }; };`,
    `export default () => { const errors = []; let passed = 0; if (f() === 'Hello') passed++; else errors.push('greets: no'); return { passed, failed: errors.length, errors }; };`,
  ),
];
