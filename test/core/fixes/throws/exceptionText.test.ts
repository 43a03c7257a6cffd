// Error messages that were reworded: what assertions about them become, and what is never made an expectation.
import assert from 'node:assert/strict';
import { exceptionText } from '../../../../src/core/fixes/throws/exceptionText.ts';
import { mendCases, type MendedCase, type MendingCase } from '../../../support/mendCases.ts';

interface Situation extends MendingCase {
  /** What of the test file changes; or why there is no fix. */
  readonly becomes: readonly [from: string, to: string] | RegExp;
  readonly evidence?: RegExp;
  /** Why it is only proposed. */
  readonly stop?: RegExp;
}

const vitest = (name: string, body: string): string =>
  `import { expect, it } from 'vitest';\nimport { ${name} } from '../src/${name}';\n\nit('refuses', async () => {\n  ${body}\n});\n`;
const stock = `export const stock = (have: number, want: number) => {\n  if (want > have) throw new RangeError('no stock for this order');\n  return have - want;\n};\n`;
const named = (name: string): string => stock.replace('stock =', `${name} =`);
const reworded = ["'no stock for this order'", "'sold out: nothing left for this order'"] as const;

const situations: Readonly<Record<string, Situation>> = {
  whole: {
    source: named('whole'),
    change: reworded,
    test: vitest('whole', `expect(() => whole(1, 2)).toThrow("no stock for this order");`),
    becomes: ['no stock for this order', 'sold out: nothing left for this order'],
    evidence: /In src\/whole\.ts, line 2, 'no stock for this order' became 'sold out/,
  },
  part: {
    source: named('part'),
    change: ["'no stock for", "'sold out for"],
    test: vitest('part', `expect(() => part(1, 2)).toThrowError('no stock');`),
    becomes: [`'no stock'`, `'sold out'`],
  },
  pattern: {
    source: named('pattern'),
    change: ["'no stock for this order'", "'sold out (all 3/3)'"],
    test: vitest('pattern', `expect(() => pattern(1, 2)).toThrow(/^no stock FOR this order$/i);`),
    becomes: ['/^no stock FOR this order$/i', String.raw`/^sold out \(all 3\/3\)$/i`],
  },
  inserted: {
    source: 'export const inserted = (id: number) => {\n  throw new Error(`item ${id} is gone`);\n};\n',
    change: ['item ${id} is gone', 'article ${id} was removed'],
    test: vitest('inserted', `expect(() => inserted(7)).toThrow('item 7 is gone');`),
    becomes: ['item 7 is gone', 'article 7 was removed'],
    evidence: /'item … is gone' became 'article … was removed'/,
  },
  insertedWord: {
    source:
      "export const word = 'no';\nexport const insertedWord = (id: number) => {\n  throw new Error(`${word} article ${id} in stock`);\n};\n",
    change: ["word = 'no'", "word = 'never any'"],
    test: vitest('insertedWord', `expect(() => insertedWord(7)).toThrow(/^no article 7/);`),
    becomes: ['/^no article 7/', '/^never any article 7 in stock/'],
  },
  rows: {
    source:
      "export const rows = (id: number) => {\n  throw new Error(id < 0 ? 'invalid id' : `invalid id: ${id}`);\n};\n",
    change: [
      "id < 0 ? 'invalid id' : `invalid id: ${id}`",
      "`cannot create an item ${id < 0 ? 'below zero' : `of '${id}'`}`",
    ],
    test: `import { expect, test } from 'vitest';\nimport { rows } from '../src/rows';\n\ntest.each([-1, 7, 8])('refuses %i', (id) => {\n  expect(() => rows(id)).toThrow(/^invalid id/);\n});\n`,
    becomes: ['/^invalid id/', '/^cannot create an item/'],
  },
  rejected: {
    source: `export const rejected = async (id: number) => {\n  if (id < 1) throw new RangeError('bad id');\n  return id;\n};\n`,
    change: ['bad id', 'id must be positive'],
    test: vitest('rejected', `await expect(rejected(0)).rejects.toThrow('bad id');`),
    becomes: ['bad id', 'id must be positive'],
  },
  constant: {
    source: named('constant'),
    change: reworded,
    test: vitest(
      'constant',
      `const message = 'no stock for this order';\n  expect(() => constant(1, 2)).toThrow(message);`,
    ),
    becomes: ['no stock for this order', 'sold out: nothing left for this order'],
  },
  error: {
    source: named('error'),
    change: reworded,
    test: vitest('error', `expect(() => error(1, 2)).toThrow(new RangeError('no stock for this order'));`),
    becomes: ['no stock for this order', 'sold out: nothing left for this order'],
  },
  chai: {
    source: named('chai'),
    change: reworded,
    test: vitest('chai', `expect(() => chai(1, 2)).to.throw(RangeError, 'no stock for this order');`),
    becomes: ['no stock for this order', 'sold out: nothing left for this order'],
  },
  soft: {
    source: named('soft'),
    change: reworded,
    test: vitest('soft', `expect.soft(() => soft(1, 2)).toThrow('no stock for this order');`),
    becomes: ['no stock for this order', 'sold out: nothing left for this order'],
  },
  another: {
    source: `export const another = (have: number, want: number) => {\n  if (have < 0) throw new RangeError('bad count');\n  if (want > have) throw new RangeError('no stock');\n  return have - want;\n};\n`,
    change: ['have < 0', 'have > 0'],
    test: vitest('another', `expect(() => another(1, 2)).toThrow('no stock');`),
    becomes: ['no stock', 'bad count'],
    stop: /still in src\/another\.ts/,
  },
  lost: {
    source: `export const lost = (name: string, age: number) => {\n  if (!name) throw new Error('no name');\n  if (!age) throw new Error('no age');\n};\n`,
    change: ["if (!name) throw new Error('no name');", ''],
    test: vitest('lost', `expect(() => lost('', 0)).toThrow('no name');`),
    becomes: ['no name', 'no age'],
    stop: /already contained the actual message before/,
  },
  address: {
    source: `export const address = (text: string) => {\n  if (!text) throw new TypeError('no address');\n  return new URL(text);\n};\n`,
    change: ["if (!text) throw new TypeError('no address');", ''],
    test: vitest('address', `expect(() => address('')).toThrow('no address');`),
    becomes: /crashed instead of throwing its own error \(TypeError: Invalid URL\)/,
  },
  silent: {
    source: named('silent'),
    change: ['want > have', 'want < 0'],
    test: vitest('silent', `expect(() => silent(1, 2)).toThrow('no stock');`),
    becomes: /The code no longer throws/,
  },
  crash: {
    source: named('crash'),
    change: ['want > have', '(want as any).isMore(have)'],
    test: vitest('crash', `expect(() => crash(1, 2)).toThrow('no stock');`),
    becomes: /crashed instead of throwing its own error \(TypeError: want\.isMore is not a function\)/,
  },
  reading: {
    source: `export const reading = (order?: { id: number }) => {\n  if (!order) throw new TypeError('no order');\n  return order.id;\n};\n`,
    change: ['if (!order) throw', 'if (order === null) throw'],
    test: vitest('reading', `expect(() => reading(undefined)).toThrow('no order');`),
    becomes: /crashed instead of throwing its own error \(TypeError: Cannot read properties of undefined/,
  },
  parser: {
    source: `export const parser = (text: string) => {\n  if (!text.endsWith('}')) throw new SyntaxError('[shop] Invalid price');\n  return JSON.parse(text);\n};\n`,
    change: ['[shop] Invalid price', '[shop] This is no price'],
    test: vitest('parser', `expect(() => parser('{a')).toThrow('[shop] Invalid price');`),
    becomes: ['[shop] Invalid price', '[shop] This is no price'],
  },
  parsed: {
    source: `export const parsed = (text: string) => {\n  if (!text.endsWith('}')) throw new SyntaxError('no price');\n  return JSON.parse(text);\n};\n`,
    change: ["if (!text.endsWith('}'))", "if (text === '')"],
    test: vitest('parsed', `expect(() => parsed('{a')).toThrow('no price');`),
    becomes: /crashed instead of throwing its own error \(SyntaxError: .*JSON/,
  },
  missing: {
    source: named('missing'),
    change: ["new RangeError('no", "new Rangeerror('no"],
    test: vitest('missing', `expect(() => missing(1, 2)).toThrow('no stock');`),
    becomes: /crashed instead of throwing its own error \(ReferenceError/,
  },
  kind: {
    source: named('kind'),
    change: ["new RangeError('no stock for this order')", "new TypeError('have and want differ')"],
    test: vitest('kind', `expect(() => kind(1, 2)).to.throw(RangeError, 'no stock');`),
    becomes: /Another kind of error was thrown \(TypeError\)/,
  },
  place: {
    source: `export const place = (name: string) => {\n  throw new Error('no file ' + name);\n};\n`,
    change: ["'no file ' + name", "`cannot open ${new URL('.', import.meta.url).pathname}${name}`"],
    test: vitest('place', `expect(() => place('a')).toThrow('no file a');`),
    becomes: /contains a path/,
  },
  lessSaid: {
    source: named('lessSaid'),
    change: ['no stock for this order', 'no stock'],
    test: vitest('lessSaid', `expect(() => lessSaid(1, 2)).toThrow('no stock for this order');`),
    becomes: /only a part of the expected one/,
  },
  flexible: {
    source: named('flexible'),
    change: reworded,
    test: vitest('flexible', String.raw`expect(() => flexible(1, 2)).toThrow(/no \w+ for/);`),
    becomes: /more than plain text/,
  },
};

function holdsFor(situation: Situation, mended: MendedCase): void {
  const { becomes, test, evidence, stop } = situation;
  if (becomes instanceof RegExp) {
    assert.deepEqual([mended.fixes.length, mended.text], [0, test]);
    assert.match(mended.refusals.join(' '), becomes);
    return;
  }
  assert.deepEqual(mended.refusals, []);
  assert.equal(
    mended.text,
    test.replace(becomes[0], () => becomes[1]),
  );
  // What is only proposed is for a person in the gate, too.
  const rules = mended.rules.filter((rule) => stop === undefined || rule !== 'suspect-value');
  assert.deepEqual([mended.passes, rules], [true, []]);
  const [fix, ...others] = mended.fixes;
  const trust = stop ? 'propose' : 'oracle';
  assert.deepEqual([fix?.trust, fix?.provider, others.length], [trust, 'exception-text', 0]);
  if (stop) assert.match((fix?.stops ?? []).map(({ reason }) => reason).join(' '), stop);
  if (evidence) assert.match(fix?.evidence.join(' ') ?? '', evidence);
}

describe('the fixer of error messages', function () {
  this.timeout(300_000);
  let mended: Readonly<Record<string, MendedCase>>;

  before(async () => {
    mended = await mendCases(situations, { framework: 'vitest', provider: exceptionText });
  });

  for (const [name, situation] of Object.entries(situations))
    it(`${situation.becomes instanceof RegExp ? 'refuses' : situation.stop ? 'only proposes' : 'mends'} a message: ${name}`, () => {
      const found = mended[name];
      assert.ok(found);
      holdsFor(situation, found);
    });

  it('says in its title what will be expected, and what was', () => {
    assert.equal(mended['part']?.fixes[0]?.title, `expect 'sold out' (was 'no stock')`);
    assert.match(
      mended['part']?.fixes[0]?.evidence[0] ?? '',
      /`\(\) => part\(1, 2\)` threw RangeError: 'sold out for this order'; line 5 expects 'no stock'/,
    );
  });
});

describe('the fixer of error messages in other frameworks', function () {
  this.timeout(300_000);

  it('mends what jest expects, of functions and promises', async () => {
    const source = stock.replaceAll(': number', '');
    const test = (name: string, body: string): string =>
      `import { ${name} } from '../src/${name}';\n\nit('refuses', async () => {\n  ${body}\n});\n`;
    const situations: Readonly<Record<string, Situation>> = {
      thrown: {
        source: source.replace('stock =', 'thrown ='),
        change: reworded,
        test: test('thrown', `expect(() => thrown(1, 2)).toThrow('no stock for this order');`),
        becomes: ['no stock for this order', 'sold out: nothing left for this order'],
      },
      rejected: {
        source: source.replace('stock = (', 'rejected = async ('),
        change: reworded,
        test: test('rejected', `await expect(rejected(1, 2)).rejects.toThrow(/no stock for this order/);`),
        becomes: ['no stock for this order', 'sold out: nothing left for this order'],
      },
      crash: {
        source: source.replace('stock =', 'crash ='),
        change: ['want > have', 'want.isMore(have)'],
        test: test('crash', `expect(() => crash(1, 2)).toThrow('no stock');`),
        becomes: /crashed/,
      },
    };
    const mended = await mendCases(situations, { framework: 'jest', provider: exceptionText });
    for (const [name, situation] of Object.entries(situations)) {
      const found = mended[name];
      assert.ok(found, name);
      holdsFor(situation, found);
    }
  });

  it('mends what chai expects in mocha, in both of its styles', async () => {
    const source = stock.replaceAll(': number', '');
    const test = (name: string, body: string): string =>
      `import { assert, expect } from 'chai';\nimport { ${name} } from '../src/${name}.js';\n\nit('refuses', () => {\n  expect(1).to.equal(1);\n  ${body}\n});\n`;
    const situations: Readonly<Record<string, Situation>> = {
      expected: {
        source: source.replace('stock =', 'expected ='),
        change: reworded,
        test: test(
          'expected',
          `expect(() => expected(1, 2)).to.throw(RangeError, /^no stock for this order/);`,
        ),
        becomes: ['no stock for this order', 'sold out: nothing left for this order'],
      },
      asserted: {
        source: source.replace('stock =', 'asserted ='),
        change: ['no stock for', 'sold out for'],
        test: test('asserted', `assert.throws(() => asserted(1, 2), RangeError, 'no stock');`),
        becomes: [`'no stock'`, `'sold out'`],
      },
    };
    const mended = await mendCases(situations, { framework: 'mocha', provider: exceptionText });
    for (const [name, situation] of Object.entries(situations)) {
      const found = mended[name];
      assert.ok(found, name);
      holdsFor(situation, found);
    }
  });

  it('mends what node:assert expects', async () => {
    const source = stock.replaceAll(': number', '');
    const test = (name: string, body: string): string =>
      `import assert from 'node:assert/strict';\nimport { ${name} } from '../src/${name}.js';\n\nexport default async function () {\n  try {\n    ${body}\n    return { passed: 1, failed: 0, errors: [] };\n  } catch (error) {\n    return { passed: 0, failed: 1, errors: [error.message] };\n  }\n}\n`;
    const situations: Readonly<Record<string, Situation>> = {
      described: {
        source: source.replace('stock =', 'described ='),
        change: reworded,
        test: test(
          'described',
          `assert.throws(() => described(1, 2), { name: 'RangeError', message: 'no stock for this order' });`,
        ),
        becomes: ['no stock for this order', 'sold out: nothing left for this order'],
      },
      pattern: {
        source: source.replace('stock = (', 'pattern = async ('),
        change: ['no stock for', 'sold out for'],
        test: test('pattern', `await assert.rejects(pattern(1, 2), /no stock/);`),
        becomes: ['/no stock/', '/sold out/'],
      },
      renamed: {
        source: source.replace('stock =', 'renamed ='),
        change: ["RangeError('no stock", "Error('sold out"],
        test: test(
          'renamed',
          `assert.throws(() => renamed(1, 2), { name: 'RangeError', message: 'no stock for this order' });`,
        ),
        becomes: /Another kind of error was thrown \(Error\)/,
      },
    };
    const mended = await mendCases(situations, { framework: 'skill', provider: exceptionText });
    for (const [name, situation] of Object.entries(situations)) {
      const found = mended[name];
      assert.ok(found, name);
      holdsFor(situation, found);
    }
  });
});
