// The project that each cell of the matrix runs: a test that stays green, one that a rename breaks, one that is wrong.

export type SampleName = 'vitest' | 'jest' | 'mocha' | 'ava' | 'playwright' | 'nodeTest' | 'pytest';

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;

export interface Sample {
  readonly start: Files;
  /** The source with a function renamed where it is declared and where the sources use it; the tests still name the former one. */
  readonly renamed: Files;
  readonly wrong: Files;
  /** Whose test keeps passing, and whose does not after the rename until its names are mended. */
  readonly green: string;
  readonly stale: string;
  readonly source: string;
  readonly coverage: boolean;
}

/** The project of a framework; only names, syntax and the way to say "equals" differ. */
export function sampleOf(name: SampleName): Sample {
  if (name === 'pytest') return pythonSample;
  const { head, start, equal, common, args = '', ending = '.test.js' } = dialects[name];
  const bring = (names: string, from: string): string =>
    common ? `const { ${names} } = require('${from}');\n` : `import { ${names} } from '${from}';\n`;
  const give = (text: string, names: string): string =>
    common ? `${text}module.exports = { ${names} };\n` : `export ${text}`;
  const sources = (sum: string): Files => ({
    'src/cart.js': give(
      `function ${sum}(prices) {\n  return prices.reduce((all, price) => all + price, 0);\n}\n`,
      sum,
    ),
    'src/label.js': `${bring(sum, './cart.js')}${give(`function labelOf(prices) {\n  return \`\${${sum}(prices)} cents\`;\n}\n`, 'labelOf')}`,
  });
  const test = (title: string, body: string): string => `test('${title}', (${args}) => {\n  ${body}\n});\n`;
  const file = (base: string): string => `test/${base}${ending}`;
  return {
    start: {
      'package.json': `${JSON.stringify({ name: 'shop', version: '1.0.0', private: true, ...(!common && { type: 'module' }), scripts: { test: start } }, undefined, 2)}\n`,
      '.gitignore': 'node_modules\n',
      ...sources('sumOf'),
      [file('label')]:
        `${head}${bring('labelOf', '../src/label.js')}\n${test('labels', equal('labelOf([1, 2])', `'3 cents'`))}`,
      [file('cart')]:
        `${head}${bring('sumOf', '../src/cart.js')}\n${test('adds up', equal('sumOf([1, 2])', '3'))}\n${test('is nothing for nothing', equal('sumOf([])', '0'))}`,
    },
    renamed: sources('totalOf'),
    wrong: {
      [file('wrong')]:
        `${head}${bring('labelOf', '../src/label.js')}\n${test('is wrong', equal('labelOf([1, 2])', `'4 cents'`))}`,
    },
    green: file('label'),
    stale: file('cart'),
    source: 'src/cart.js',
    coverage: name !== 'playwright',
  };
}

interface Dialect {
  readonly head: string;
  readonly start: string;
  readonly equal: (actual: string, expected: string) => string;
  readonly common?: true;
  readonly args?: string;
  readonly ending?: string;
}

const expectEqual = (actual: string, expected: string): string => `expect(${actual}).toBe(${expected});`;
const assertEqual = (actual: string, expected: string): string =>
  `assert.strictEqual(${actual}, ${expected});`;

const dialects: Readonly<Record<Exclude<SampleName, 'pytest'>, Dialect>> = {
  vitest: { head: `import { expect, test } from 'vitest';\n`, start: 'vitest run', equal: expectEqual },
  jest: { head: '', start: 'jest', equal: expectEqual, common: true },
  mocha: {
    head: `import assert from 'node:assert';\n`,
    start: 'mocha --ui tdd test/*.test.js',
    equal: assertEqual,
  },
  ava: {
    head: `import test from 'ava';\n`,
    start: 'ava',
    equal: (actual, expected) => `t.is(${actual}, ${expected});`,
    args: 't',
  },
  playwright: {
    head: `import { expect, test } from '@playwright/test';\n`,
    start: 'playwright test',
    equal: expectEqual,
    ending: '.spec.js',
  },
  nodeTest: {
    head: `import assert from 'node:assert';\nimport { test } from 'node:test';\n`,
    start: 'node --test',
    equal: assertEqual,
  },
};

const pythonSources = (sum: string): Files => ({
  'shop/cart.py': `def ${sum}(prices):\n    total = 0\n    for price in prices:\n        if price < 0:\n            raise ValueError("no price is negative")\n        total += price\n    return total\n`,
  'shop/label.py': `from shop.cart import ${sum}\n\n\ndef label_of(prices):\n    return f"{${sum}(prices)} cents"\n`,
});

const pythonSample: Sample = {
  start: {
    'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
    '.gitignore': '.venv\n__pycache__\n.pytest_cache\n.coverage\n',
    'shop/__init__.py': '',
    ...pythonSources('sum_of'),
    'tests/test_label.py': `from shop.label import label_of\n\n\ndef test_labels():\n    assert label_of([1, 2]) == "3 cents"\n`,
    'tests/test_cart.py': `from shop.cart import sum_of\n\n\ndef test_adds_up():\n    assert sum_of([1, 2]) == 3\n\n\ndef test_is_nothing_for_nothing():\n    assert sum_of([]) == 0\n`,
  },
  renamed: pythonSources('total_of'),
  wrong: {
    'tests/test_wrong.py': `from shop.label import label_of\n\n\ndef test_is_wrong():\n    assert label_of([1, 2]) == "4 cents"\n`,
  },
  green: 'tests/test_label.py',
  stale: 'tests/test_cart.py',
  source: 'shop/cart.py',
  coverage: true,
};
