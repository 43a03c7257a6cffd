// A first test for a source without one, with every framework for real: it runs, passes, claims little, and stays where it is.
import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { makeFirstTest, type FirstTest } from '../../../src/core/firstTest/makeFirstTest.ts';
import { tryFirstTest, tryoutText } from '../../../src/core/firstTest/tryFirstTest.ts';
import { writeFirstTest } from '../../../src/core/firstTest/writeFirstTest.ts';
import type { Workspace } from '../../../src/core/model/settings.ts';
import { hasGo } from '../../support/hasGo.ts';
import { pythonWith } from '../../support/python.ts';
import { drawn, runWorkspace } from '../../support/runWorkspace.ts';
import {
  temporaryWorkspace,
  type TemporaryWorkspace,
  type TemporaryWorkspaceOptions,
} from '../../support/temporaryWorkspace.ts';

const price = `
export const RATE = 0.2;
export function total(items, { rate = RATE, ...rest }) { return items.length * rate; }
export class Cart {
  constructor(owner) { this.owner = owner; }
  add(item) { return item; }
  _hidden() {}
}
export default async (a, b = 1, ...more) => a + b;
`;
const commonJs = `
const total = (items, rate) => items.length * rate;
class Cart { add(item) { return item; } }
module.exports = { total, Cart, RATE: 0.2 };
`;

describe('a first test', function () {
  this.timeout(120_000);
  let shop: TemporaryWorkspace;
  afterEach(() => shop.dispose());

  /** Makes it, tries it, writes it, and runs the workspace with it; the second time it must be refused. */
  async function begun(
    source: string,
    files: Readonly<Record<string, string>>,
    options: TemporaryWorkspaceOptions = {},
  ): Promise<{ readonly test: FirstTest; readonly said: string; readonly run: readonly string[] }> {
    shop = await temporaryWorkspace(files, options);
    const workspace = workspaceAt(shop.root);
    const test = await makeFirstTest(workspace, source);
    const said = tryoutText(await tryFirstTest(workspace, test));
    await assert.rejects(shop.read(test.file), 'trying it writes nothing');
    if (!said.startsWith('runs:')) return { test, said, run: [] };
    await writeFirstTest(shop.root, test);
    const again = makeFirstTest(workspace, source);
    await assert.rejects(again, { message: `${test.file} already exists.` });
    await assert.rejects(writeFirstTest(shop.root, test), { message: `${test.file} already exists.` });
    const { summary } = await runWorkspace(shop.root);
    return { test, said, run: drawn(summary.tests) };
  }

  it('in vitest, beside the source where others lie there, with its globals and quotes', async () => {
    const { test, said, run } = await begun(
      'src/price.js',
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        'vitest.config.js': 'export default { test: { globals: true } };',
        'src/price.js': price,
        'src/stock.js': 'export const stock = 1;\n',
        'src/stock.spec.js':
          'import { stock } from "./stock.js"\n\ntest("stock", () => {\n\texpect(stock).toBe(1)\n})\n',
      },
      { vitest: true },
    );
    assert.equal(test.file, 'src/price.spec.js');
    assert.equal(
      test.text,
      `import price, { RATE, total, Cart } from "./price.js"

// Testmend does not invent expectations: replace each todo by what should hold.
describe("price", () => {
	test("exports RATE, total, Cart, price", () => {
		expect(typeof RATE).toBe("number")
		expect(typeof total).toBe("function")
		expect(typeof Cart).toBe("function")
		expect(typeof price).toBe("function")
	})

	test.todo("total(items, { rate, ...rest })")
	test.todo("new Cart(owner)")
	test.todo("Cart: add(item)")
	test.todo("price(a, b, ...more)")
})
`,
    );
    assert.equal(said, 'runs: 1 passed, 4 to do');
    assert.deepEqual(run.slice(0, 2), [
      'passed vitest:src/price.spec.js#price › exports RATE, total, Cart, price',
      'skipped vitest:src/price.spec.js#price › total(items, { rate, ...rest })',
    ]);
  });

  it('in jest, in TypeScript, through the paths of tsconfig, where the tests use them', async () => {
    const { test, said } = await begun(
      'src/lib/price.ts',
      {
        'package.json': '{ "devDependencies": { "jest": "*" } }',
        'jest.config.js':
          "module.exports = { transform: { '\\\\.ts$': './strip.cjs' }, moduleNameMapper: { '^@/(.*)$': '<rootDir>/src/$1' } };",
        'strip.cjs':
          "const ts = require('typescript');\nmodule.exports = { process: (text) => ({ code: ts.transpile(text, { module: 1, target: 9 }) }) };",
        'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }',
        'src/lib/price.ts':
          "export type Item = { cost: number };\nexport interface Shop { name: string }\nexport enum Mode { on }\nexport declare const gone: number;\nexport let later: Item;\nexport function total(this: Shop, items: Item[]): number;\nexport function total(items: Item[]): number { return items.length; }\nexport * from './stock';\n",
        'src/lib/stock.ts': 'export const stock = (count: number) => count;\n',
        'tests/lib/stock.test.ts':
          "import { stock } from '@/lib/stock';\n\ndescribe('stock', () => {\n  it('counts', () => {\n    expect(stock(1)).toBe(1);\n  });\n});\n",
      },
      { packages: ['jest', 'typescript'] },
    );
    assert.equal(test.file, 'tests/lib/price.test.ts');
    assert.match(test.text, /^import \{ Mode, total, stock \} from '@\/lib\/price';\n/);
    assert.doesNotMatch(test.text, /Item|Shop|gone|later|jest\/globals/);
    assert.match(
      test.text,
      /\n {2}it\.todo\('total\(items\)'\);\n\}\);\n$/,
      'what it passes on has its tests elsewhere',
    );
    assert.equal(said, 'runs: 1 passed, 1 to do');
  });

  it('in mocha with chai, in CommonJS, in the folder for tests', async () => {
    const { test, said, run } = await begun(
      'lib/price.js',
      {
        'package.json': '{ "scripts": { "test": "mocha" }, "devDependencies": { "mocha": "*" } }',
        'lib/price.js': commonJs,
        'lib/stock.js': 'exports.stock = 1;',
        'test/stock.js':
          "const { expect } = require('chai');\nconst { stock } = require('../lib/stock');\ndescribe('stock', () => {\n  it('is one', () => {\n    expect(stock).to.equal(1);\n  });\n});\n",
      },
      { packages: ['mocha', 'chai'] },
    );
    assert.equal(test.file, 'test/price.js');
    assert.match(
      test.text,
      /^const \{ expect \} = require\('chai'\);\nconst \{ total, Cart, RATE \} = require\('\.\.\/lib\/price'\);\n/,
    );
    assert.equal(said, 'runs: 1 passed, 3 to do');
    assert.ok(run.includes('skipped mocha:test/price.js#price › total(items, rate)'), run.join('\n'));
  });

  it('in AVA, which has no suites', async () => {
    const { test, said } = await begun(
      'price.js',
      {
        'package.json':
          '{ "type": "module", "scripts": { "test": "ava" }, "devDependencies": { "ava": "*" } }',
        'price.js': price,
      },
      { packages: ['ava'] },
    );
    assert.equal(test.file, 'price.test.js');
    assert.match(
      test.text,
      /^import test from 'ava';\nimport price, \{ RATE, total, Cart \} from '\.\/price\.js';\n/,
    );
    assert.equal(said, 'runs: 1 passed, 4 to do');
  });

  it("for Node's own runner where there is no framework, whatever the names", async () => {
    const { test, said, run } = await begun("sr c/a'b é%20#.mjs", {
      'package.json': '{}',
      "sr c/a'b é%20#.mjs": "export const describe = () => 1;\nexport { describe as 'a b' };\n",
    });
    assert.equal(test.file, "sr c/a'b é%20#.test.mjs");
    assert.match(
      test.text,
      /^import assert from 'node:assert\/strict';\nimport \{ describe, it \} from 'node:test';\n/,
    );
    assert.deepEqual(test.notes, [
      "No test framework is used here: the test is for Node's own runner, which needs no package.",
    ]);
    assert.equal(said, 'runs: 1 passed, 2 to do');
    assert.equal(run.filter((line) => line.startsWith('passed ')).length, 1);
  });

  it('and says why it does not run: no framework for TypeScript, code that throws when it is loaded', async function () {
    const typed = await begun('a.ts', {
      'package.json': '{}',
      'a.ts': 'enum A { b }\nexport const a = A.b;\n',
    });
    assert.match(typed.said, /^does not run: [^]*TypeScript|^does not run: [^]*enum/i);
    await shop.dispose();
    const throwing = await begun('b.js', {
      'package.json': '{}',
      'b.js': "if (!process.env.SHOP_KEY) throw new Error('SHOP_KEY is missing');\nexports.b = 1;\n",
    });
    assert.match(throwing.said, /^does not run: SHOP_KEY is missing/);
    assert.equal(throwing.run.length, 0);
  });

  it('in pytest, by the packages of the source', async function () {
    if (pythonWith() === undefined) this.skip();
    const { test, said, run } = await begun('src/shop/price.py', {
      'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
      'src/shop/__init__.py': '',
      'src/shop/price.py':
        'import sys\nfrom typing import TypeVar\nT = TypeVar("T")\nRATE: float = 0.2\n\n@staticmethod\ndef total(items: list, /, rate=RATE, *, mode="a, b", **rest):\n    return 1\n\nclass Cart:\n    def __init__(self, owner):\n        pass\n    def add(self, item): pass\n    @property\n    def size(self): return 1\n\ndef _hidden(): pass\n',
      'tests/test_stock.py': 'def test_stock():\n    assert True\n',
    });
    assert.equal(test.file, 'tests/test_price.py');
    assert.equal(
      test.text,
      `# Testmend does not invent expectations: replace each skip by what should hold.
import pytest

from shop import price


def test_price_defines_its_names():
    assert hasattr(price, "RATE")
    assert callable(price.total)
    assert callable(price.Cart)


@pytest.mark.skip(reason="to do: total(items, rate, mode, **rest)")
def test_total():
    pass


@pytest.mark.skip(reason="to do: Cart(owner)")
def test_Cart():
    pass


@pytest.mark.skip(reason="to do: Cart.add(item)")
def test_Cart_add():
    pass
`,
    );
    assert.equal(said, 'runs: 1 passed, 3 to do');
    assert.ok(run.includes('passed pytest:tests/test_price.py#test_price_defines_its_names'), run.join('\n'));
  });

  it('in pytest where nothing speaks of it yet, for a file whose name is no name in Python', async function () {
    if (pythonWith() === undefined) this.skip();
    const { test, said } = await begun('price-list.py', {
      'price-list.py': 'def total(items):\n    return 1\n',
    });
    assert.equal(test.file, 'test_price-list.py');
    assert.match(test.text, /price = |module = importlib\.import_module\("price-list"\)/);
    assert.equal(said, 'runs: 1 passed, 1 to do');
  });

  it('in Go, in the package, beside tests that it has', async function () {
    if (!hasGo()) this.skip();
    const { test, said, run } = await begun('shop/price.go', {
      'go.mod': 'module example.com/shop\n\ngo 1.21\n',
      'shop/price.go':
        '// Package shop sells.\npackage shop\n\ntype Cart struct{}\n\nfunc (c Cart) Add(item string, count int) {}\n\nfunc Total(items []int, rate float64) (int, error) { return 1, nil }\n\nfunc Map[T any](list []T) []T { return list }\n\nfunc hidden() {}\n',
      'shop/stock_test.go': 'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {}\n',
    });
    assert.equal(test.file, 'shop/price_test.go');
    assert.equal(
      test.text,
      `package shop

import "testing"

// Testmend does not invent expectations: replace each t.Skip by what should hold.

func TestPriceBuilds(t *testing.T) {
	// It passes when the package builds with these in it.
	_ = (*Cart).Add
	_ = Total
}

func TestCart_Add(t *testing.T) {
	t.Skip("to do: Cart.Add(item, count)")
}

func TestMap(t *testing.T) {
	t.Skip("to do: Map(list)")
}
`,
    );
    assert.equal(said, 'runs: 1 passed, 2 to do');
    assert.ok(run.includes('passed goTest:shop/price_test.go#TestPriceBuilds'), run.join('\n'));
  });
});

function workspaceAt(root: string): Workspace {
  return {
    root,
    limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 },
    frameworks: [],
    cacheFolder: path.join(os.tmpdir(), 'testmend-test-cache'),
  };
}
