// `testmend strength` with real runners: the same bugs are noticed in each, by bodies, hooks, subtests and callbacks.
import assert from 'node:assert/strict';
import { strengthDocument, type StrengthJson } from '../../src/core/engine/strengthJson.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { documentOf } from './schemas.ts';

const cart = `
export class Cart {
  items = [];
  add(name, price, count = 1) {
    if (price < 0) throw new RangeError('negative price');
    this.items.push({ name, price, count });
    return this;
  }
  total() {
    let sum = 0;
    for (const { price, count } of this.items) sum += price * count;
    return sum > 100 ? sum * 0.9 : sum;
  }
  names() {
    return this.items.map((item) => item.name).sort();
  }
}
export const unused = (a, b) => a + b;
export async function later(isSure) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  if (isSure) return 'yes';
  return 'no';
}
export function endless(n) {
  let steps = 0;
  while (n > 0) { n -= 1; steps += 1; }
  return steps;
}
`;
const body = `
let cart;
beforeEach(() => { cart = new Cart().add('b', 10, 2).add('a', 5); });
describe('cart', () => {
  it('adds up', () => { is(cart.total(), 25); });
  it('lists', () => { is(cart.names().length > 0, true); });
});
it('is late', async () => { is(await later(true), 'yes'); is(await later(false), 'no'); });
it('ends', () => { is(endless(3), 3); });
it.skip('is left out', () => { is(endless(2), 0); });
`;
const used = "import { Cart, endless, later } from '../src/cart.js';\n";

const shops: Readonly<Record<string, { readonly needs: readonly string[]; readonly test: string }>> = {
  'node:test': {
    needs: [],
    test: `import { beforeEach, describe, it } from 'node:test';\nimport { equal as is } from 'node:assert/strict';\n${used}${body}`,
  },
  vitest: {
    needs: ['vitest', 'vite'],
    test: `import { beforeEach, describe, expect, it } from 'vitest';\n${used}const is = (a, b) => expect(a).toBe(b);\n${body}`,
  },
  mocha: {
    needs: ['mocha'],
    test: `import { equal } from 'node:assert/strict';\n${used}const is = (a, b) => equal(a, b);\n${body}
it('calls back', (done) => { later(true).then((said) => done(said === 'yes' ? undefined : new Error(said))); });\n`,
  },
};

/** What none of the tests noticed: they ask for no discount, no limit, no name. */
const unnoticed = [
  '5 price < 0 → false',
  '5 price < 0 → price <= 0',
  '5 0 → 1',
  '6 this.items.push({ name, price, count }) → this.items.unshift({ name, price, count })',
  '6 { name, price, count } → { price, count }',
  '12 100 → 101',
  '12 sum > 100 → false',
  '12 sum > 100 → sum >= 100',
  '15 this.items.map((item) => item.name).sort() → (this.items.map((item) => item.name))',
  '15 this.items.map((item) => item.name).sort() → a little less',
  '15 this.items.map((item) => item.name).sort() → a little more',
  '15 this.items.map((item) => item.name).sort() → one value in it changed',
  '15 item.name → a little less',
  '15 item.name → a little more',
  '15 item.name → one value in it changed',
  '20 2 → 3',
];

describe('testmend strength', function () {
  this.timeout(120_000);
  let shop: TemporaryWorkspace;
  afterEach(() => shop.dispose());
  const ask = async (...args: string[]): Promise<StrengthJson> => {
    const result = await testmend(['strength', '--json', ...args], { cwd: shop.root });
    assert.equal(result.code, 0, result.stderr);
    return documentOf(strengthDocument, result);
  };
  const ofFate = ({ bugs }: StrengthJson, fate: string): string[] =>
    bugs
      .filter((bug) => bug.fate === fate)
      .map(({ line, from, to }) => `${line} ${from} → ${to}`)
      .toSorted();

  for (const [framework, { needs, test }] of Object.entries(shops))
    it(`tells what the tests of ${framework} do not notice, and writes nothing`, async () => {
      const scripts = framework === 'node:test' ? { test: 'node --test' } : {};
      const devDependencies = Object.fromEntries(needs.map((name) => [name, '*']));
      shop = await temporaryWorkspace(
        {
          'package.json': JSON.stringify({ type: 'module', scripts, devDependencies }),
          'src/cart.js': cart,
          'test/cart.test.js': test,
        },
        { git: true, packages: needs },
      );
      const told = await ask();
      assert.deepEqual(ofFate(told, 'unnoticed'), unnoticed.toSorted());
      assert.equal(told.untried, 0);
      const unreached = told.bugs.filter(({ fate }) => fate === 'unreached').map(({ line }) => line);
      assert.deepEqual([...new Set(unreached)], [5, 12, 18], 'the branches that nothing takes, and `unused`');
      const late = told.bugs.find(({ from, to }) => from === "'yes'" && to === '""');
      assert.equal(late?.fate, 'noticed');
      assert.deepEqual(late.by?.names, ['is late']);
      assert.equal(shop.git('status', '--porcelain'), '');
    });

  it('tells of one source by the tests that reach it, and of tests that cannot be asked', async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'src/add.js': 'export const add = (a, b) => a + b;\n',
        'src/other.js': 'export const other = (a) => a * 2;\n',
        'test/add.test.js':
          "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from '../src/add.js';\ntest('adds', async (t) => { await t.test('two', () => assert.equal(add(1, 2), 3)); });\n",
        'test/other.test.js':
          "import test from 'node:test';\nimport assert from 'node:assert';\nimport { other } from '../src/other.js';\ntest('is red', () => assert.equal(other(2), 5));\n",
      },
      { git: true },
    );
    const told = await ask('src/add.js');
    assert.deepEqual([told.noticed, told.unnoticed, told.unreached], [3, 0, 0]);
    assert.ok(told.bugs.every(({ file }) => file === 'src/add.js'));
    const red = await testmend(['strength', 'test/other.test.js'], { cwd: shop.root });
    assert.equal(red.code, 1);
    assert.match(red.stdout, /other {2}not tried/);
    assert.match(red.stdout, /^No planted bug was tried\.$/m);
    assert.match(red.stderr, /One test fails, or fails when it is repeated, and was left out: "is red"/);
    const wrong = await testmend(['strength', 'package.json'], { cwd: shop.root });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /package\.json is neither a test file .* nor a source/s);
  });

  it('shows each function with what nobody noticed in it, and the counts last', async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'src/limit.js':
          'export function limit(n) {\n  return n > 10 ? 10 : n;\n}\nexport const never = () => 1;\n',
        'test/limit.test.js':
          "import test from 'node:test';\nimport assert from 'node:assert';\nimport { limit } from '../src/limit.js';\ntest('limits', () => { assert.equal(limit(3), 3); assert.equal(limit(30), 10); });\n",
      },
      { git: true },
    );
    const { code, stdout } = await testmend(['strength'], { cwd: shop.root });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^src\/limit\.js\n {2}! limit {2}noticed 7 of 9\n {6}:2 {5}n > 10 → n >= 10\n {6}:2 {5}10 → 11\n/,
    );
    assert.match(stdout, /○ never {2}no test runs it/);
    assert.match(
      stdout,
      /Your tests notice 7 of 9 planted bugs \(77 %\)\.\n\d+ more are in code that no test runs\./,
    );
  });
});
