// What fixers write into files as Windows and tabs have it: the same as elsewhere, with the file's own marks, ends of lines and indentation.
import assert from 'node:assert/strict';
import { askedProviders, nurseryProviders } from '../../../src/core/fixes/providers.ts';
import type { CycleFix } from '../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { pythonWith } from '../../support/python.ts';
import { tabbed, windowsText } from '../../support/windowsText.ts';
import {
  temporaryWorkspace,
  type TemporaryWorkspace,
  type TemporaryWorkspaceOptions,
} from '../../support/temporaryWorkspace.ts';

interface Situation {
  /** Of `src/<name>`. */
  readonly source: readonly [before: string, after: string];
  readonly test: string;
  /** The test before the change, where it was another one. */
  readonly former?: string;
  /** The fixer that has something for it. */
  readonly by: string;
  /** Its new lines, as they are in a file that indents with blanks. */
  readonly writes: readonly string[];
}

const head = (names: string, name: string): string =>
  `import { expect, it, vi } from 'vitest';\nimport { ${names} } from '../src/${name}';\n\n`;
const test = (title: string, ...lines: readonly string[]): string =>
  `it('${title}', () => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;
const puts = `const put = vi.fn();\n\n`;
const savesOne = test('saves one', `save(put, 'Ada');`, 'expect(put).toHaveBeenCalledTimes(1);');
const savesOther = test('saves another', `save(put, 'Bob');`, `expect(put).toHaveBeenCalledWith('Bob');`);
const save = 'export const save = (put: (name: string) => void, name: string) => {\n  put(name);\n};\n';
const stamp = 'export const stamp = () => Date.now();\n';
const later = test('goes on', 'expect(stamp()).toBeGreaterThan(1e12);');

const scripts: Readonly<Record<string, Situation>> = {
  value: {
    by: 'expected-value',
    writes: [`    name: 'b',`, `      'y',`, `    more: { deep: ['z'] },`],
    source: [
      `export const value = () => ({ name: 'a', lines: ['x'] });\n`,
      `export const value = () => ({ name: 'b', lines: ['x', 'y'], more: { deep: ['z'] } });\n`,
    ],
    test:
      head('value', 'value') +
      test(
        'has a value',
        'expect(value()).toEqual({',
        `  name: 'a',`,
        '  lines: [',
        `    'x',`,
        '  ],',
        '});',
      ),
  },
  thrown: {
    by: 'exception-text',
    writes: ['  ).toThrow(/^no such file here$/);'],
    source: [
      `export const thrown = () => { throw new Error('no such file'); };\n`,
      `export const thrown = () => { throw new Error('no such file here'); };\n`,
    ],
    test:
      head('thrown', 'thrown') +
      test('throws', 'expect(() =>', '  thrown(),', `).toThrow('no such file');`).replace(
        `'no such file'`,
        `/^no such file$/`,
      ),
  },
  called: {
    by: 'mock-call',
    writes: ['      m: 2,', '    }, true,'],
    source: [
      `export const called = (send: (...all: unknown[]) => void) => send('a', { n: 1 });\n`,
      `export const called = (send: (...all: unknown[]) => void) => send('a', { n: 1, m: 2 }, true);\n`,
    ],
    test:
      head('called', 'called') +
      test(
        'calls',
        'const send = vi.fn();',
        'called(send);',
        'expect(send).toHaveBeenCalledWith(',
        `  'a',`,
        '  {',
        '    n: 1,',
        '  },',
        ');',
      ),
  },
  named: {
    by: 'imports',
    writes: ['  withoutTax,', '    withoutTax(120),'],
    source: [
      'export const net = (cents: number) => cents / 1.2;\nexport const gross = (cents: number) => cents;\n',
      'export const withoutTax = (cents: number) => cents / 1.2;\nexport const gross = (cents: number) => cents;\n',
    ],
    test: `import { expect, it } from 'vitest';\nimport {\n  gross,\n  net,\n} from '../src/named';\n\n${test('takes the tax off', 'expect([', '  net(120),', '  gross(1),', ']).toEqual([100, 1]);')}`,
  },
  member: {
    by: 'members',
    writes: ['    basket.totalPrice(),'],
    source: [
      'export class Basket {\n  private readonly prices = [1, 2];\n  sumOfPrices() {\n    return this.prices.reduce((a, b) => a + b, 0);\n  }\n}\n',
      'export class Basket {\n  private readonly prices = [1, 2];\n  totalPrice() {\n    return this.prices.reduce((a, b) => a + b, 0);\n  }\n}\n',
    ],
    test:
      head('Basket', 'member') +
      test('adds', 'const basket = new Basket();', 'expect(', '  basket.sumOfPrices(),', ').toBe(3);'),
  },
  awaited: {
    by: 'awaiting',
    writes: [`it('loads', async () => {`, `  const { name } = await load('a');`],
    source: [
      `export function load(name: string) {\n  return { name };\n}\n`,
      `export async function load(name: string) {\n  return { name };\n}\n`,
    ],
    test: head('load', 'awaited') + test('loads', `const { name } = load('a');`, `expect(name).toBe('a');`),
  },
  factory: {
    by: 'mock-factories',
    writes: [
      `vi.mock('../src/rates', async (importOriginal) => ({`,
      `  ...(await importOriginal<typeof import('../src/rates')>()),`,
    ],
    source: [
      `import { rate } from './rates';\nexport const price = (n: number) => n * rate();\n`,
      `import { rate, round } from './rates';\nexport const price = (n: number) => round(n * rate());\n`,
    ],
    test: `${head('price', 'factory')}vi.mock('../src/rates', () => ({\n  rate: () => 3,\n}));\n\n${test('has a price', 'expect(price(2)).toBe(6);')}`,
  },
  signature: {
    by: 'signatures',
    writes: [`      { width: 2, height: 3, unit: 'cm' },`],
    source: [
      `export function area(width: number, height: number, unit: string) {\n  return width * height + unit;\n}\n`,
      `export function area({ width, height, unit }: { width: number; height: number; unit: string }) {\n  return width * height + unit;\n}\n`,
    ],
    test:
      head('area', 'signature') +
      test('has an area', 'expect(', '  area(', '    2,', '    3,', `    'cm',`, '  ),', `).toBe('6cm');`),
  },
  forgotten: {
    by: 'mock-state',
    writes: [
      `\uFEFFimport { beforeEach, expect, it, vi } from 'vitest';`,
      'beforeEach(() => {',
      '  put.mockClear();',
      '});',
      '',
    ],
    source: [save, save],
    former: head('save', 'forgotten') + puts + savesOne,
    test: `${head('save', 'forgotten')}${puts}${savesOther}\n${savesOne}`,
  },
  leak: {
    by: 'test-leaks',
    writes: [
      `\uFEFFimport { afterEach, expect, it, vi } from 'vitest';`,
      'afterEach(() => {',
      '  vi.useRealTimers();',
      '});',
      '',
    ],
    source: [stamp, stamp],
    former: head('stamp', 'leak') + later,
    test: `${head('stamp', 'leak')}${test('stands still', 'vi.useFakeTimers({ now: 0 });', 'expect(stamp()).toBe(0);')}\n${later}`,
  },
  waited: {
    by: 'waiting',
    writes: [
      `it('sends', async () => {`,
      '  await vi.waitFor(() => expect(send)',
      `    .toHaveBeenCalledWith('a'));`,
    ],
    source: [
      `export const publish = (send: (text: string) => void, text: string) => {\n  send(text);\n};\n`,
      `export const publish = (send: (text: string) => void, text: string) => {\n  queueMicrotask(() => send(text));\n};\n`,
    ],
    test:
      head('publish', 'waited') +
      test(
        'sends',
        'const send = vi.fn();',
        `publish(send, 'a');`,
        'expect(send)',
        `  .toHaveBeenCalledWith('a');`,
      ),
  },
  option: {
    by: 'added-option',
    writes: [`    pascal('fooBAR', { normalize: false }),`],
    source: [
      `export const pascal = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);\n`,
      `export const pascal = (text: string, { normalize = true } = {}) => text.charAt(0).toUpperCase() + (normalize ? text.slice(1).toLowerCase() : text.slice(1));\n`,
    ],
    test: head('pascal', 'option') + test('is Pascal', 'expect(', `  pascal('fooBAR'),`, `).toBe('FooBAR');`),
  },
  obsolete: {
    by: 'obsolete',
    writes: [`import { kept } from '../src/obsolete';`],
    source: [
      `export const kept = () => 1;\nexport const gone = (n: number) => {\n  let sum = 0;\n  for (let i = 0; i < n; i++) sum += i;\n  return sum;\n};\n`,
      `export const kept = () => 1;\n`,
    ],
    test: `${head('gone, kept', 'obsolete')}${test('is kept', 'expect(kept()).toBe(1);')}\n// Sums.\n${test('is gone', 'expect(gone(2)).toBe(1);')}`,
  },
};

interface Shop {
  /** Before the change and after it; those under `test` are written both ways. */
  readonly files: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
  readonly options: TemporaryWorkspaceOptions;
  readonly step: string;
}

/** The lines that fixes of a whole cycle write, by file and fixer. */
async function writtenLines({ files, options, step }: Shop): Promise<ReadonlyMap<string, readonly string[]>> {
  const formed = (all: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(all).map(([file, text]) => [
      file,
      /^tests?\//.test(file) ? windowsText(text, step) : text,
    ]);
  const workspace: TemporaryWorkspace = await temporaryWorkspace(
    Object.fromEntries(formed(files[0])),
    options,
  );
  try {
    for (const [file, text] of formed(files[1])) await workspace.write(file, text);
    const { fixes } = await mendWorkspace(workspace, {
      strategy: 'conservative',
      maxIterations: 1,
      providers: askedProviders(nurseryProviders.map(({ id }) => id)),
    });
    const proven = fixes.filter(({ verdict }) => verdict.verdict === 'verified');
    return new Map(proven.map((fix) => [keyOf(fix), linesOf(fix)]));
  } finally {
    await workspace.dispose();
  }
}

const keyOf = ({ edits, provider }: CycleFix): string =>
  `${edits.map(({ file }) => file).join()} ${provider}`;
const linesOf = ({ diff }: CycleFix): readonly string[] =>
  diff.split('\n').filter((line) => /^\+(?!\+\+ )/.test(line));

const same = (written: readonly string[] | undefined, lines: readonly string[], step: string): void =>
  assert.deepEqual(
    written,
    lines.map((line) => `+${tabbed(line, step)}\r`),
  );

describe('a file with a mark, tabs and the ends of lines of Windows', function () {
  this.timeout(600_000);
  let written: ReadonlyMap<string, readonly string[]>;

  before(async () => {
    const files = (turn: 0 | 1): Record<string, string> => ({
      'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
      'src/rates.ts': 'export const rate = () => 2;\nexport const round = (n: number) => Math.round(n);\n',
      ...Object.fromEntries(
        Object.entries(scripts).flatMap(([name, { source, test: now, former = now }]) => [
          [`src/${name}.ts`, source[turn]],
          [`test/${name}.test.ts`, turn === 0 ? former : now],
        ]),
      ),
    });
    const options = { git: true, vitest: 'shared' } as const;
    written = await writtenLines({ files: [files(0), files(1)], options, step: '  ' });
  });

  for (const [name, { by, writes }] of Object.entries(scripts))
    it(`is mended in its own form by ${by}`, () =>
      same(written.get(`test/${name}.test.ts ${by}`), writes, '  '));
});

interface PythonSituation {
  readonly test: string;
  readonly by: string;
  readonly writes: readonly string[];
}

const oldShop = `class Cart:
    def __init__(self, items):
        self.items = items

    def total_of_items(self):
        return sum(self.items)


def without_fees(cents):
    return round(cents / 1.2)


def fetch(name):
    if name == "":
        raise ValueError("no name")
    return {"name": name, "lines": ["x"]}


def legacy(n):
    return [i * i for i in range(n)]


def greet(name):
    return "Hi, " + name
`;
const newShop = oldShop
  .replace('total_of_items', 'sum_of_items')
  .replace('def without_fees', 'def minus_fees')
  .replace('def fetch', 'async def fetch')
  .replace(/def legacy[^]*?\n\n\n/, '')
  .replace('"Hi, "', '"Hello, "');
const conftest = `import pytest


@pytest.fixture
def filled_cart():
    from shop import Cart

    return Cart([1, 2, 3])
`;
const pythonTests: Readonly<Record<string, PythonSituation>> = {
  value: {
    by: 'python-expected-value',
    test: `from shop import greet\n\n\ndef test_greets():\n    assert [greet("Ada")] == [\n        "Hi, Ada",\n    ]\n`,
    writes: ['        "Hello, Ada",'],
  },
  imports: {
    by: 'python-imports',
    test: `from shop import (\n    greet,\n    without_fees,\n)\n\n\ndef test_net():\n    assert greet is not None\n    assert without_fees(\n        120,\n    ) == 100\n`,
    writes: ['    minus_fees,', '    assert minus_fees('],
  },
  members: {
    by: 'python-members',
    test: `from shop import Cart\n\n\ndef test_adds():\n    cart = Cart([1, 2])\n    assert (\n        cart.total_of_items()\n    ) == 3\n`,
    writes: ['        cart.sum_of_items()'],
  },
  fixtures: {
    by: 'python-fixtures',
    test: `def test_is_full(\n    filled_cart,\n):\n    assert len(filled_cart.items) == 3\n`,
    writes: ['    full_cart,', '    assert len(full_cart.items) == 3'],
  },
  awaits: {
    by: 'python-awaiting',
    test: `import asyncio\nfrom unittest import IsolatedAsyncioTestCase\n\nfrom shop import fetch\n\n\nclass TestFetch(IsolatedAsyncioTestCase):\n    async def test_fetches(self):\n        await asyncio.sleep(0)\n        found = fetch("a")\n        assert found["name"] == "a"\n`,
    writes: ['        found = await fetch("a")'],
  },
  obsolete: {
    by: 'python-obsolete',
    test: `from shop import (\n    greet,\n    legacy,\n)\n\n\ndef test_greets():\n    assert greet("") != ""\n\n\n# Squares.\ndef test_squares():\n    assert legacy(2) == [0, 1]\n`,
    writes: [],
  },
};

describe('a file of Python with a mark, tabs and the ends of lines of Windows', function () {
  this.timeout(300_000);
  let written: ReadonlyMap<string, readonly string[]>;

  before(async function () {
    if (pythonWith() === undefined) return this.skip();
    const files = (turn: 0 | 1): Record<string, string> => ({
      'pytest.ini': '[pytest]\npythonpath = .\n',
      '.gitignore': '__pycache__/\n.pytest_cache/\n',
      'shop.py': turn === 0 ? oldShop : newShop,
      'tests/conftest.py': turn === 0 ? conftest : conftest.replace('filled_cart', 'full_cart'),
      ...Object.fromEntries(
        Object.entries(pythonTests).map(([name, one]) => [`tests/test_${name}.py`, one.test]),
      ),
    });
    const step = '    ';
    written = await writtenLines({ files: [files(0), files(1)], options: { git: true }, step });
  });

  for (const [name, { by, writes }] of Object.entries(pythonTests))
    it(`is mended in its own form by ${by}`, () =>
      same(written.get(`tests/test_${name}.py ${by}`), writes, '    '));
});
