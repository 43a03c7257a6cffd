// Red tests that are nobody's to change: red before the change, flaky in each way there is, obsolete, or in need of something outside.
export interface HandmadeTrap {
  readonly name: string;
  /** The last commit. */
  readonly base: Readonly<Record<string, string>>;
  /** What the working tree has instead. */
  readonly change: Readonly<Record<string, string>>;
}

const packageJson =
  '{ "name": "trap", "type": "module", "private": true, "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }';

/** A module and its test, with a change of the module. */
function trap(name: string, source: string, test: string, changed: string): HandmadeTrap {
  return {
    name,
    base: { 'package.json': packageJson, 'src/shop.js': source, 'test/shop.test.js': test },
    change: { 'src/shop.js': changed },
  };
}

const head = "import { expect, test } from 'vitest';\n";

export const handmadeTraps: readonly HandmadeTrap[] = [
  trap(
    'red before the change',
    'export const label = (n) => `${n} pcs`;\nexport const total = (list) => list.length;\n',
    `${head}import { label, total } from '../src/shop.js';\ntest('labels', () => {\n  expect(label(2)).toBe('2 pieces');\n});\ntest('counts', () => {\n  expect(total([1, 2])).toBe(2);\n});\n`,
    'export const label = (n) => `${n} pcs`;\nexport const total = (list) => [...list].length;\n',
  ),
  trap(
    'red before, through the environment',
    "export const colour = () => (process.env.SHOP_COLOUR ?? 'plain');\nexport const one = () => 1;\n",
    `${head}import { colour, one } from '../src/shop.js';\ntest('is blue', () => {\n  expect(colour()).toBe('blue');\n});\ntest('one', () => {\n  expect(one()).toBe(1);\n});\n`,
    "export const colour = () => process.env.SHOP_COLOUR ?? 'plain';\nexport const one = () => Number('1');\n",
  ),
  trap(
    'depends on the time',
    'export const stamp = () => `at ${Date.now()}`;\n',
    `${head}import { stamp } from '../src/shop.js';\ntest('stamps', () => {\n  expect(stamp()).toBe('at 1700000000000');\n});\n`,
    'export const stamp = () => `at ${Date.now()}ms`;\n',
  ),
  trap(
    'depends on the day',
    'export const day = () => `today: ${new Date().toISOString().slice(0, 10)}`;\n',
    `${head}import { day } from '../src/shop.js';\ntest('names the day', () => {\n  expect(day()).toBe('today: 2024-02-29');\n});\n`,
    'export const day = () => `Today: ${new Date().toISOString().slice(0, 10)}`;\n',
  ),
  trap(
    'random',
    'export const ticket = () => `T-${Math.floor(Math.random() * 1e9)}`;\n',
    `${head}import { ticket } from '../src/shop.js';\ntest('draws a ticket', () => {\n  expect(ticket()).toBe('T-4');\n});\n`,
    'export const ticket = () => `N-${Math.floor(Math.random() * 1e9)}`;\n',
  ),
  trap(
    'passes every other time',
    "import { existsSync, rmSync, writeFileSync } from 'node:fs';\nexport const mood = (file) => {\n  if (existsSync(file)) {\n    rmSync(file);\n    return 'good';\n  }\n  writeFileSync(file, '');\n  return 'good';\n};\n",
    `${head}import os from 'node:os';\nimport path from 'node:path';\nimport { mood } from '../src/shop.js';\ntest('has a mood', () => {\n  expect(mood(path.join(os.tmpdir(), 'trap-mood-' + process.ppid % 7))).toBe('good');\n});\n`,
    "import { existsSync, rmSync, writeFileSync } from 'node:fs';\nexport const mood = (file) => {\n  if (existsSync(file)) {\n    rmSync(file);\n    return 'good';\n  }\n  writeFileSync(file, '');\n  return 'bad';\n};\n",
  ),
  trap(
    'red in company, green alone',
    'let count = 0;\nexport const next = () => ++count;\nexport const name = () => "shop";\n',
    `${head}import { name, next } from '../src/shop.js';\ntest('is named', () => {\n  expect(name()).toBe('shop');\n});\ntest('starts with one', () => {\n  expect(next()).toBe(1);\n});\n`,
    'let count = 0;\nexport const next = () => ++count;\nexport const name = () => (next(), "shop");\n',
  ),
  trap(
    'obsolete: what it tests is gone',
    'export const total = (list) => list.length;\nexport const legacyTotal = (list) => list.length + 1;\n',
    `${head}import { legacyTotal, total } from '../src/shop.js';\ntest('counts', () => {\n  expect(total([1])).toBe(1);\n});\ntest('counts as it did', () => {\n  expect(legacyTotal([1])).toBe(2);\n});\n`,
    'export const total = (list) => list.length;\n',
  ),
  trap(
    'no longer throws',
    "export const parse = (text) => {\n  if (text === '') throw new Error('nothing to read');\n  return text.split(',');\n};\n",
    `${head}import { parse } from '../src/shop.js';\ntest('wants a text', () => {\n  expect(() => parse('')).toThrow('nothing to read');\n});\n`,
    "export const parse = (text) => text.split(',');\n",
  ),
];
