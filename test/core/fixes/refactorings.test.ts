// What refactorings do to tests, in real runs: renamed members, options and keys, and functions that became asynchronous.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const modules = path.resolve(import.meta.dirname, '../../../node_modules');
const packageJson = JSON.stringify({ name: 'shop', type: 'module', devDependencies: { vitest: '4' } });
const vitest = `import { beforeEach, describe, expect, it } from 'vitest';\n`;

const shop = {
  'package.json': packageJson,
  'src/cart.ts': `export interface Summary { total: number; lines: number }
export class Cart {
  items: { price: number }[] = [];
  add(price: number) { this.items.push({ price }); return this; }
  get size() { return this.items.length; }
  static empty() { return new Cart(); }
}
export function summarize(cart: Cart): Summary {
  const sum = cart.items.reduce((all, item) => all + item.price, 0);
  return { total: sum, lines: cart.items.length };
}
export function paint({ colour = 'red', wide = false } = {}) {
  return (wide ? 'wide ' : '') + colour.toUpperCase();
}
export enum State { Open = 'open', Closed = 'closed' }
export const prices = { basic: 10, premium: 20 };
export const label = (state: State) => (state === State.Closed ? 'no more' : 'come in');
`,
  'src/receipt.ts': `import { prices, summarize, type Cart } from './cart';
export const due = (cart: Cart) => summarize(cart).total;
export const monthly = () => prices.basic;
`,
  'test/cart.test.ts': `${vitest}import { Cart, label, paint, prices, State, summarize } from '../src/cart';

describe('the cart', () => {
  let cart: Cart;
  beforeEach(() => {
    cart = new Cart().add(1).add(2);
  });
  it('has a size', () => {
    expect(cart.size).toBe(2);
  });
  it('keeps items', () => {
    expect(cart.items.length).toBe(2);
    expect(cart.items[0]).toEqual({ price: 1 });
  });
  it('starts empty', () => {
    expect(Cart.empty().size).toBe(0);
  });
  it('sums up', () => {
    expect(summarize(cart)).toEqual({ total: 3, lines: expect.any(Number) });
  });
  it('takes the total out', () => {
    const { total } = summarize(cart);
    expect(total).toBe(3);
  });
  it('paints', () => {
    expect(paint({ colour: 'blue', wide: true })).toBe('wide BLUE');
  });
  it('tells its state', () => {
    expect(label(State.Closed)).toBe('no more');
  });
  it('knows prices', () => {
    expect(prices.basic).toBe(10);
  });
});
`,
};

const changed: Readonly<Record<string, string>> = {
  'src/cart.ts': shop['src/cart.ts']
    .replaceAll(/\bitems\b/g, 'entries')
    .replace('get size()', 'get count()')
    .replace('empty()', 'none()')
    .replaceAll(/\btotal\b/g, 'sum')
    .replaceAll('colour', 'color')
    .replaceAll('Closed', 'Shut')
    .replace('basic:', 'standard:'),
  'src/receipt.ts': shop['src/receipt.ts'].replace('.total', '.sum').replace('.basic', '.standard'),
};

const bank = {
  'package.json': packageJson,
  'src/bank.ts': `const accounts: Record<string, { name: string; sum: number }> = { a: { name: 'Ada', sum: 3 } };
export function load(id: string) {
  if (!(id in accounts)) throw new Error('no account ' + id);
  return accounts[id];
}
export const balance = (id: string) => load(id).sum;
export class Vault {
  keys: string[] = [];
  open(key: string) {
    this.keys.push(key);
    return this.keys.length;
  }
}
`,
  'test/bank.test.ts': `${vitest}import assert from 'node:assert/strict';
import { balance, load, Vault } from '../src/bank';

describe('the bank', () => {
  let ada: ReturnType<typeof load>;
  beforeEach(() => {
    ada = load('a');
  });
  it('knows Ada', () => {
    expect(ada.name).toBe('Ada');
  });
  it('loads', () => {
    expect(load('a')).toEqual({ name: 'Ada', sum: 3 });
  });
  it('reads at once', function () {
    const name = load('a').name;
    expect(name.length).toBe(3);
  });
  it('keeps a value', () => {
    const sum = balance('a');
    expect(sum).toBe(3);
  });
  it('refuses', () => {
    expect(() => load('b')).toThrow('no account b');
  });
  it('refuses by hand', () => {
    assert.throws(() => {
      load('b');
    }, /no account/);
  });
  it('opens', () => {
    const vault = new Vault();
    vault.open('x');
    assert.equal(vault.open('y'), 2);
  });
});
`,
};
const asyncBank = bank['src/bank.ts']
  .replace('function load', 'async function load')
  .replace('(id: string) => load(id).sum', 'async (id: string) => (await load(id)).sum')
  .replace('open(key: string) {', 'async open(key: string) {');
const mendedBank = bank['test/bank.test.ts']
  .replace('beforeEach(() => {\n    ada = load', 'beforeEach(async () => {\n    ada = await load')
  .replace(
    "it('loads', () => {\n    expect(load('a'))",
    "it('loads', async () => {\n    expect(await load('a'))",
  )
  .replace("it('reads at once', function", "it('reads at once', async function")
  .replace("const name = load('a').name", "const name = (await load('a')).name")
  .replace(
    "it('keeps a value', () => {\n    const sum = b",
    "it('keeps a value', async () => {\n    const sum = await b",
  )
  .replace("it('refuses', () => {", "it('refuses', async () => {")
  .replace("expect(() => load('b')).toThrow", "await expect(load('b')).rejects.toThrow")
  .replace("it('refuses by hand', () => {", "it('refuses by hand', async () => {")
  .replace("assert.throws(() => {\n      load('b');\n    }, /no", "await assert.rejects(load('b'), /no")
  .replace("it('opens', () => {", "it('opens', async () => {")
  .replace("    vault.open('x');", "    await vault.open('x');")
  .replace("vault.open('y'), 2", "await vault.open('y'), 2");

describe('a cycle after a refactoring', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  /** The test file as the cycle's patch leaves it. */
  const patched = async (report: CycleReport, file: string): Promise<string> => {
    execFileSync('git', ['apply', '-'], { cwd: workspace.root, input: report.patch });
    return workspace.read(file);
  };
  let isPatched = false;
  const patchedOnce = async (report: CycleReport, file: string): Promise<string> => {
    if (isPatched) return workspace.read(file);
    isPatched = true;
    return patched(report, file);
  };
  const told = ({ fixes }: CycleReport): readonly string[] =>
    fixes.map(
      ({ title, trust, state, verdict }) =>
        `${title} | ${trust} ${state} ${verdict.verdict} ${verdict.reason ?? ''}`,
    );
  const open = async (
    files: Readonly<Record<string, string>>,
    written: Readonly<Record<string, string>>,
  ): Promise<void> => {
    workspace = await temporaryWorkspace(files, { git: true, vitest: 'shared' });
    for (const [file, text] of Object.entries(written)) await workspace.write(file, text);
  };

  it('follows every renamed member, and asks about the keys of a result only', async () => {
    await open(shop, changed);
    const report = await mendWorkspace(workspace, { strategy: 'conservative' });
    assert.equal(report.passRate, 100, told(report).join('\n'));
    const text = await patched(report, 'test/cart.test.ts');
    const mended = shop['test/cart.test.ts']
      .replaceAll('cart.items', 'cart.entries')
      .replaceAll('.size)', '.count)')
      .replace('Cart.empty()', 'Cart.none()')
      .replace('{ total: 3,', '{ sum: 3,')
      .replace('{ total }', '{ sum: total }')
      .replace('colour:', 'color:')
      .replace('State.Closed', 'State.Shut')
      .replace('prices.basic', 'prices.standard');
    assert.equal(text, mended);
    const oracles = report.fixes.filter(({ trust }) => trust !== 'mechanical');
    assert.deepEqual(
      oracles.map(({ title, trust, state, expectation }) => [title, trust, state, expectation]),
      [['expect key sum (was total)', 'oracle', 'unreviewed', { old: 'total', new: 'sum' }]],
    );
  });

  it('waits for what became asynchronous', async () => {
    await open(bank, { 'src/bank.ts': asyncBank });
    const report = await mendWorkspace(workspace, { strategy: 'conservative' });
    assert.equal(report.passRate, 100, told(report).join('\n'));
    assert.deepEqual([...new Set(report.fixes.map(({ trust }) => trust))], ['mechanical']);
    assert.equal(await patched(report, 'test/bank.test.ts'), mendedBank);
  });

  for (const [framework, linked] of [
    ['jest', ['jest', '@babel', '@jest', 'babel-jest']],
    ['mocha', ['mocha', 'chai']],
  ] as const)
    it(`does the same for ${framework} and CommonJS`, async () => {
      const isJest = framework === 'jest';
      const head = isJest ? '' : `const assert = require('node:assert/strict');\n`;
      const equal = (actual: string, expected: string): string =>
        isJest ? `expect(${actual}).toEqual(${expected})` : `assert.deepEqual(${actual}, ${expected})`;
      const test = `${head}const { load, paint, sums } = require('../src/bank');
describe('the bank', () => {
  it('loads', () => {
    ${equal(`load('a').name`, `'Ada'`)};
  });
  it('paints', () => {
    ${equal(`paint({ colour: 'blue' })`, `'BLUE'`)};
  });
  it('sums up', () => {
    ${equal('sums()', '{ total: 3 }')};
  });
  it('refuses', () => {
    ${isJest ? `expect(() => load('b')).toThrow('no account')` : `assert.throws(() => load('b'), /no account/)`};
  });
});
`;
      const source = `function load(id) {
  if (id !== 'a') throw new Error('no account');
  return { name: 'Ada' };
}
function paint({ colour = 'red' }) {
  return colour.toUpperCase();
}
function sums() {
  return { total: [1, 2].reduce((a, b) => a + b) };
}
module.exports = { load, paint, sums };
`;
      const manifest = { name: 'shop', scripts: { test: framework }, devDependencies: { [framework]: '*' } };
      const files = { 'package.json': JSON.stringify(manifest), 'src/bank.js': source };
      const file = isJest ? 'test/bank.test.js' : 'test/bank.js';
      workspace = await temporaryWorkspace({ ...files, [file]: test }, { git: true });
      await mkdir(path.join(workspace.root, 'node_modules'), { recursive: true });
      for (const name of linked)
        await symlink(path.join(modules, name), path.join(workspace.root, 'node_modules', name));
      const now = source
        .replace('function load', 'async function load')
        .replaceAll('colour', 'color')
        .replace('total', 'sum');
      await workspace.write('src/bank.js', now);
      const report = await mendWorkspace(workspace, { strategy: 'conservative' });
      assert.equal(report.passRate, 100, told(report).join('\n'));
      const mended = test
        .replace(`it('loads', () =>`, `it('loads', async () =>`)
        .replace(`load('a').name`, `(await load('a')).name`)
        .replace('colour', 'color')
        .replace('total', 'sum')
        .replace(`it('refuses', () =>`, `it('refuses', async () =>`)
        .replace(`expect(() => load('b')).toThrow`, `await expect(load('b')).rejects.toThrow`)
        .replace(`assert.throws(() => load('b')`, `await assert.rejects(load('b')`);
      assert.equal(await patched(report, file), mended);
    });

  it('writes calls as they are declared now, and asks about them', async () => {
    const area = {
      'package.json': packageJson,
      'src/area.ts': `export const area = (width: number, height: number, unit = 'm') => width * height + unit;
export class Box {
  constructor(public name: string, public size: number) {}
  put(what: string, count: number) { return what.repeat(count); }
}
`,
      'test/area.test.ts': `${vitest}import { area, Box } from '../src/area';

describe('areas', () => {
  it('measures', () => {
    expect(area(2, 3)).toBe('6m');
    expect(area(2, 3, 'cm')).toBe('6cm');
  });
  it('packs', () => {
    const box = new Box('a', 2);
    expect(box.put('b', box.size)).toBe('bb');
  });
});
`,
    };
    await open(area, {
      'src/area.ts': `export const area = ({ width, height, unit = 'm' }: { width: number; height: number; unit?: string }) =>
  width * height + unit;
export class Box {
  name: string;
  size: number;
  constructor({ name, size }: { name: string; size: number }) {
    this.name = name;
    this.size = size;
  }
  put({ what, count }: { what: string; count: number }) { return what.repeat(count); }
}
`,
    });
    const report = await mendWorkspace(workspace, { strategy: 'conservative', assume: 'source-is-right' });
    assert.equal(report.passRate, 100, told(report).join('\n'));
    assert.deepEqual(
      [...new Set(report.fixes.map(({ trust, state }) => `${trust} ${state}`))],
      ['oracle accepted'],
      told(report).join('\n'),
    );
    const mended = area['test/area.test.ts']
      .replace('area(2, 3))', 'area({ width: 2, height: 3 }))')
      .replace("area(2, 3, 'cm')", "area({ width: 2, height: 3, unit: 'cm' })")
      .replace("Box('a', 2)", "Box({ name: 'a', size: 2 })")
      .replace("put('b', box.size)", "put({ what: 'b', count: box.size })");
    assert.equal(await patched(report, 'test/area.test.ts'), mended);
  });

  it('keeps what one rename mends in many files when one of them fails for another reason, too', async () => {
    const test = (name: string, more = ''): string =>
      `import assert from 'node:assert/strict';\nimport { it } from 'node:test';\nimport { Cart } from '../src/cart.js';\nit('${name}', () => {\n  assert.equal(new Cart().total, 3);${more}\n});\n`;
    const names = ['a', 'b', 'd'];
    const files = Object.fromEntries(names.map((name) => [`test/${name}.test.js`, test(name)]));
    const cart = 'export class Cart {\n  get total() {\n    return [1, 2].length + 1;\n  }\n}\n';
    const nodeTest = '{ "type": "module", "scripts": { "test": "node --test" } }';
    const all = { 'package.json': nodeTest, 'src/cart.js': cart, ...files };
    workspace = await temporaryWorkspace(all, { git: true });
    await workspace.write('src/cart.js', cart.replace('total', 'sum'));
    await workspace.write('test/d.test.js', test('d', `\n  throw new Error('no such server');`));
    const rest = await mendWorkspace(workspace, { strategy: 'aggressive', maxIterations: 3 });
    assert.deepEqual(
      rest.remaining.map(({ title }) => title),
      ['d'],
    );
    for (const name of ['a', 'b']) {
      const text = await patchedOnce(rest, `test/${name}.test.js`);
      assert.equal(text, test(name).replace('total', 'sum'));
    }
  });
});
