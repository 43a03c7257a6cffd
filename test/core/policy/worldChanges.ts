// A test that sets the world around the code anew, or turns what decides whether it runs; and harmless changes beside them.
import { body, file, hello, type Case } from './changes.ts';

const suite = (head: string, rest: string): string =>
  `import { expect, test } from 'vitest';\nimport { greet } from '../src/shop.ts';\n${head}\n${rest}\n`;
const decided = (name: string, [before, after]: readonly [string, string], rest: string): Case =>
  file(name, suite(before, rest), suite(after, rest));
const inBody = `test('greets', () => { ${hello} });`;

/** Found as `new-set-up` and nothing else. */
export const newSetUps: readonly Case[] = [
  body('a variable of the environment', hello, `process.env.RATE = '2'; ${hello}`),
  body('a variable that goes', hello, `delete process.env['RATE']; ${hello}`),
  body('a stubbed variable', hello, `vi.stubEnv('RATE', '2'); ${hello}`),
  body('false timers', hello, `vi.useFakeTimers(); ${hello}`),
  body('another time', hello, `vi.setSystemTime(0); ${hello}`),
  body('a stubbed global', hello, `vi.stubGlobal('fetch', () => 4); ${hello}`),
  body('a written global', hello, `globalThis.fetch = () => 4; ${hello}`),
  body('a defined global', hello, `Object.defineProperty(navigator, 'language', { value: 'de' }); ${hello}`),
  body('timers of node', hello, `vi.fn(); ${hello}`.replace('vi.fn()', `mock.timers.enable()`)),
  file(
    'a variable, in a test whose title speaks of after',
    suite('', `test('greets after noon', () => { ${hello} });`),
    suite('', `test('greets after noon', () => { process.env.TZ = 'UTC'; ${hello} });`),
  ),
  file('a package', suite('', inBody), suite(`vi.mock('lodash', () => ({ sum: () => 2 }));`, inBody)),
  file(
    'all tests of the file',
    suite('', inBody),
    suite(`beforeEach(() => { process.env.TZ = 'UTC'; });`, inBody),
  ),
];

/** Found as `changed-condition` and nothing else. */
export const changedConditions: readonly Case[] = [
  decided(
    'a choice between test and test.skip',
    ['const slow = false;', 'const slow = true;'],
    `const maybe = slow ? test.skip : test;\nmaybe('greets', () => { ${hello} });`,
  ),
  decided(
    'an if around assertions',
    ['const enabled = true;', 'const enabled = false;'],
    `test('greets', () => { if (enabled) ${hello} });`,
  ),
  decided(
    'an early return',
    ['const settings = { offline: false };', 'const settings = { offline: true };'],
    `test('greets', () => { if (settings.offline) return; ${hello} });`,
  ),
  decided(
    'what runIf asks',
    ['const enabled = true;', 'const enabled = false;'],
    `test.runIf(enabled)('greets', () => { ${hello} });`,
  ),
  decided(
    'the least row that is taken',
    ['const least = 0;', 'const least = 1;'],
    `test.each([1, 2].filter((n) => n > least))('greets %s', (n) => { expect(greet(n)).toBe(n); });`,
  ),
  decided(
    'how many rows are taken',
    ['const count = 2;', 'const count = 1;'],
    `test('greets', () => { for (const n of [1, 2].slice(0, count)) expect(greet(n)).toBe(n); });`,
  ),
  file(
    'beside a new line',
    suite('const enabled = true;', `test('greets', () => { if (enabled) ${hello} });`),
    suite('const other = 1;\nconst enabled = false;', `test('greets', () => { if (enabled) ${hello} });`),
  ),
];

export const forbiddenInTheWorld: Readonly<Record<string, readonly Case[]>> = {
  'test-api-tampering': [
    body('a name that is put together', hello, `save['ta' + 'sk'].state = 'pass'; ${hello}`),
    body('a name that is joined', hello, `save[['ta', 'sk'].join('')].state = 'pass'; ${hello}`),
  ],
  'process-control': [
    body('errors of the page', hello, `window.onerror = () => true; ${hello}`),
    body(
      'rejections of the page',
      hello,
      `window.addEventListener('unhandledrejection', (e) => e.preventDefault()); ${hello}`,
    ),
    body('errors that Cypress tells of', hello, `cy.on('uncaught:exception', () => false); ${hello}`),
  ],
  'weakened-subject': [
    body(
      'an order that no longer counts',
      `expect(greet(1)).toEqual([1, 2]);`,
      `expect(greet(1).sort()).toEqual([1, 2]);`,
    ),
  ],
};

export const allowedInTheWorld: readonly Case[] = [
  body(
    'another value of a set variable',
    `process.env.RATE = '2'; ${hello}`,
    `process.env.RATE = '3'; ${hello}`,
  ),
  body('what the page shows', hello, `document.body.innerHTML = '<p>Hi</p>'; ${hello}`),
  body('a member of an own name', hello, `const process = { env: {} }; process.env.RATE = '2'; ${hello}`),
  file(
    'what is given back after a test',
    suite('', inBody),
    suite(`afterEach(() => { process.env.RATE = '2'; vi.unstubAllEnvs(); vi.useRealTimers(); });`, inBody),
  ),
  body('a member by its name', `expect(cart['total']).toBe(1);`, `expect(cart['sum']).toBe(1);`),
  decided(
    'what a check by hand compares with',
    ['const wanted = 5;', 'const wanted = 6;'],
    `test('greets', () => { if (greet(1) !== wanted) throw new Error('wrong'); });`,
  ),
  decided(
    'a value that decides nothing',
    [`const wanted = 'Hi';`, `const wanted = 'Hello';`],
    `test('greets', () => { if (greet('')) expect(greet('Ada')).toBe(wanted); });`,
  ),
];
