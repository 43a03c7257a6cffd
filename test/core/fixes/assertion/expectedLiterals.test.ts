// The expected-value fixer on single literals: what it writes, byte for byte.
import assert from 'node:assert/strict';
import { runFixer, type FixerCase } from '../../../support/expectedValueCase.ts';

interface LiteralCase extends Pick<FixerCase, 'at' | 'expected' | 'actual'> {
  readonly says: string;
  /** The statement before and after. */
  readonly from: string;
  readonly to: string;
  readonly title?: string;
}

const cases: readonly LiteralCase[] = [
  {
    says: 'replaces a text and keeps its single quotes',
    from: `expect(greet('Ada')).toBe('Hi, Ada');`,
    to: `expect(greet('Ada')).toBe('Hello, Ada');`,
    at: 'toBe',
    expected: 'Hi, Ada',
    actual: 'Hello, Ada',
    title: "expect 'Hello, Ada' (was 'Hi, Ada')",
  },
  {
    says: 'keeps double quotes in a file of single ones',
    from: `const a = 'x', b = 'y'; expect(greet(a)).toEqual("Hi");`,
    to: `const a = 'x', b = 'y'; expect(greet(a)).toEqual("Hello");`,
    at: 'toEqual',
    expected: 'Hi',
    actual: 'Hello',
  },
  {
    says: 'escapes the quote it writes between',
    from: `expect(name()).toBe('nobody');`,
    to: `expect(name()).toBe('O\\'Neill "the \\\\ man"');`,
    at: 'toBe',
    expected: 'nobody',
    actual: `O'Neill "the \\ man"`,
  },
  {
    says: 'takes the other quotes where they need no escape',
    from: `expect(name()).toBe('by nobody\\n');`,
    to: `expect(name()).toBe("by O'Neill\\n");`,
    at: 'toBe',
    expected: 'by nobody\n',
    actual: `by O'Neill\n`,
  },
  {
    says: 'escapes the quote where the file does',
    from: `expect(name()).toBe('O\\'Hara');`,
    to: `expect(name()).toBe('O\\'Neill');`,
    at: 'toBe',
    expected: `O'Hara`,
    actual: `O'Neill`,
  },
  {
    says: 'keeps an escape that did not change as it is written',
    from: String.raw`expect(price()).toBe('\u20ac\xa05,00\tnet');`,
    to: String.raw`expect(price()).toBe('\u20ac\xa06,00\tnet');`,
    at: 'toBe',
    expected: '€\u00a05,00\tnet',
    actual: '€\u00a06,00\tnet',
  },
  {
    says: 'writes line breaks as escapes in a quoted text',
    from: `expect(text()).toBe('one');`,
    to: `expect(text()).toBe('one\\ntwo\\r\\n');`,
    at: 'toBe',
    expected: 'one',
    actual: 'one\ntwo\r\n',
  },
  {
    says: 'writes out what nobody would see',
    from: `expect(text()).toBe('one');`,
    to: String.raw`expect(text()).toBe('a\u200b\u202eb');`,
    at: 'toBe',
    expected: 'one',
    actual: 'a\u200b\u202eb',
  },
  {
    says: 'keeps a template literal of several lines',
    from: 'expect(render()).toBe(`<b>\n  Hi\n</b>`);',
    to: 'expect(render()).toBe(`<b>\n  Hello \\`x\\`\n</b>`);',
    at: 'toBe',
    expected: '<b>\n  Hi\n</b>',
    actual: '<b>\n  Hello `x`\n</b>',
  },
  {
    says: 'escapes a substitution that is only text',
    from: 'expect(render()).toBe(`price`);',
    to: 'expect(render()).toBe(`price \\${x}`);',
    at: 'toBe',
    expected: 'price',
    actual: 'price ${x}',
  },
  {
    says: 'keeps emoji whole',
    from: `expect(icon()).toBe('ok 👍🏽');`,
    to: `expect(icon()).toBe('ok 👎🏽');`,
    at: 'toBe',
    expected: 'ok 👍🏽',
    actual: 'ok 👎🏽',
  },
  {
    says: 'replaces a number',
    from: `expect(total(cart)).toBe(12.5);`,
    to: `expect(total(cart)).toBe(13.75);`,
    at: 'toBe',
    expected: 12.5,
    actual: 13.75,
    title: 'expect 13.75 (was 12.5)',
  },
  {
    says: 'keeps the separators of a number',
    from: `expect(total()).toBe(1_250_000);`,
    to: `expect(total()).toBe(12_345_678);`,
    at: 'toBe',
    expected: 1250000,
    actual: 12345678,
  },
  {
    says: 'keeps a number hexadecimal',
    from: `expect(colour()).toBe(0xFF00AA);`,
    to: `expect(colour()).toBe(0x00BBCC);`,
    at: 'toBe',
    expected: 0xff00aa,
    actual: 0x00bbcc,
  },
  {
    says: 'keeps two decimals of a price',
    from: `expect(price()).toEqual(19.90);`,
    to: `expect(price()).toEqual(21.50);`,
    at: 'toEqual',
    expected: 19.9,
    actual: 21.5,
  },
  {
    says: 'turns a number negative and back',
    from: `expect(change()).toBe(-3);`,
    to: `expect(change()).toBe(4);`,
    at: 'toBe',
    expected: -3,
    actual: 4,
  },
  {
    says: 'writes negative zero',
    from: `expect(round()).toBe(0);`,
    to: `expect(round()).toBe(-0);`,
    at: 'toBe',
    expected: 0,
    actual: -0,
  },
  {
    says: 'replaces a bigint',
    from: `expect(id()).toBe(10n);`,
    to: `expect(id()).toBe(9007199254740993n);`,
    at: 'toBe',
    expected: 10n,
    actual: 9007199254740993n,
  },
  {
    says: 'rounds a number as toBeCloseTo compares it',
    from: `expect(sum()).toBeCloseTo(0.3, 2);`,
    to: `expect(sum()).toBeCloseTo(0.33, 2);`,
    at: 'toBeCloseTo',
    expected: 0.3,
    actual: 0.333333333,
  },
  {
    says: 'keeps a date a day',
    from: `expect(due()).toEqual(new Date('2024-01-31'));`,
    to: `expect(due()).toEqual(new Date('2024-02-29'));`,
    at: 'toEqual',
    expected: new Date('2024-01-31'),
    actual: new Date('2024-02-29'),
  },
  {
    says: 'changes a length',
    from: `expect(cart.items).toHaveLength(2);`,
    to: `expect(cart.items).toHaveLength(3);`,
    at: 'toHaveLength',
    expected: 2,
    actual: 3,
  },
  {
    says: 'changes the value of toHaveProperty, not its key',
    from: `expect(cart).toHaveProperty('total.value', 5);`,
    to: `expect(cart).toHaveProperty('total.value', 6);`,
    at: 'toHaveProperty',
    expected: 5,
    actual: 6,
  },
  {
    says: 'knows chai',
    from: `expect(greet()).to.deep.equal('Hi');`,
    to: `expect(greet()).to.deep.equal('Hello');`,
    at: 'equal',
    expected: 'Hi',
    actual: 'Hello',
  },
  {
    says: 'knows node:assert',
    from: `assert.strictEqual(greet('Ada'), 'Hi', 'a message');`,
    to: `assert.strictEqual(greet('Ada'), 'Hello', 'a message');`,
    at: 'strictEqual',
    expected: 'Hi',
    actual: 'Hello',
  },
  {
    says: 'knows assert.equal with the expected side first',
    from: `assert.equal('Hi', greet('Ada'));`,
    to: `assert.equal('Hello', greet('Ada'));`,
    at: 'equal',
    expected: 'Hello',
    actual: 'Hi',
  },
  {
    says: 'knows resolves and soft',
    from: `await expect.soft(greet()).resolves.toBe('Hi');`,
    to: `await expect.soft(greet()).resolves.toBe('Hello');`,
    at: 'resolves',
    expected: 'Hi',
    actual: 'Hello',
  },
  {
    says: 'sees through a cast',
    from: `expect(state()).toBe('open' as State);`,
    to: `expect(state()).toBe('closed' as State);`,
    at: 'toBe',
    expected: 'open',
    actual: 'closed',
  },
  {
    says: 'changes the fixed part of a template string',
    from: 'expect(greet(name)).toBe(`Hi, ${name}!`);',
    to: 'expect(greet(name)).toBe(`Hello, ${name}!`);',
    at: 'toBe',
    expected: 'Hi, Ada!',
    actual: 'Hello, Ada!',
    title: 'expect `Hello, ${name}!` (was `Hi, ${name}!`)',
  },
  {
    says: 'changes several fixed parts around values that reappear',
    from: 'expect(line(item)).toBe(`${item.name}: ${item.price} EUR (net)`);',
    to: 'expect(line(item)).toBe(`${item.name} costs ${item.price} euros`);',
    at: 'toBe',
    expected: 'Tea: 4.2 EUR (net)',
    actual: 'Tea costs 4.2 euros',
  },
  {
    says: 'changes one part of a sum of texts',
    from: `expect(page()).toBe('<h1>Cart</h1>\\n' + '<p>2 items</p>\\n');`,
    to: `expect(page()).toBe('<h1>Cart</h1>\\n' + '<p>2 articles</p>\\n');`,
    at: 'toBe',
    expected: '<h1>Cart</h1>\n<p>2 items</p>\n',
    actual: '<h1>Cart</h1>\n<p>2 articles</p>\n',
  },
  {
    says: 'changes one line of joined lines',
    from: `expect(help()).toBe(['Usage: shop', '', '  -h  help'].join('\\n'));`,
    to: `expect(help()).toBe(['Usage: shop [options]', '', '  -h  help'].join('\\n'));`,
    at: 'toBe',
    expected: 'Usage: shop\n\n  -h  help',
    actual: 'Usage: shop [options]\n\n  -h  help',
  },
];

describe('the expected-value fixer on literals', () => {
  for (const given of cases) {
    it(given.says, async () => {
      const { fix, files, refusal } = await runFixer({
        ...given,
        title: 'test',
        source: `it('test', async () => {\n  ${given.from}\n});\n`,
      });
      assert.equal(refusal, undefined);
      assert.equal(files['cart.test.ts'], `it('test', async () => {\n  ${given.to}\n});\n`);
      if (given.title !== undefined) assert.equal(fix?.title, given.title);
      assert.equal(fix?.trust, 'oracle');
    });
  }

  it('knows node:assert under another name', async () => {
    const source = `import nodeAssert from 'node:assert';\nimport { equal as same } from 'node:assert/strict';\nit('test', () => {\n  nodeAssert.deepEqual(f(), { a: 1 });\n  same(g(), 'x');\n});\n`;
    const deep = await runFixer({ source, at: 'deepEqual', expected: { a: 1 }, actual: { a: 2 } });
    assert.equal(deep.files['cart.test.ts'], source.replace('a: 1', 'a: 2'));
    const named = await runFixer({ source, at: 'same(', expected: 'x', actual: 'y' });
    assert.equal(named.files['cart.test.ts'], source.replace("'x'", "'y'"));
  });

  it('keeps a byte order mark, tabs, CRLF and a missing last line end', async () => {
    const source = `\uFEFFit("test", () => {\r\n\texpect(f()).toBe('a');\t// why\r\n});`;
    const { files } = await runFixer({ source, at: 'toBe', expected: 'a', actual: 'b' });
    assert.equal(files['cart.test.ts'], source.replace("'a'", "'b'"));
  });

  it('writes the line ends of the file into a template of several lines', async () => {
    const source = 'it("test", () => {\r\n  expect(f()).toBe(`a\r\nb`);\r\n});\r\n';
    const { files } = await runFixer({ source, at: 'toBe', expected: 'a\nb', actual: 'a\nb\nc' });
    assert.equal(files['cart.test.ts'], source.replace('a\r\nb', 'a\r\nb\r\nc'));
  });

  it('is surgical for one literal and says both sides', async () => {
    const source = `it('test', () => { expect(f()).toBe('a'); });`;
    const { fix } = await runFixer({ source, at: 'toBe', expected: 'a', actual: 'b' });
    assert.equal(fix?.grade, 'surgical');
    assert.deepEqual(fix.expectation, { old: "'a'", new: "'b'" });
    assert.deepEqual(fix.failures, ['vitest:cart.test.ts#test']);
  });
});

const stopped: readonly {
  says: string;
  literal: string;
  expected: unknown;
  actual: unknown;
  reason: RegExp;
}[] = [
  { says: 'undefined', literal: `'a'`, expected: 'a', actual: undefined, reason: /undefined/ },
  { says: 'null', literal: `5`, expected: 5, actual: null, reason: /null/ },
  { says: 'NaN', literal: `12.5`, expected: 12.5, actual: Number.NaN, reason: /NaN/ },
  { says: 'an empty text', literal: `'a'`, expected: 'a', actual: '', reason: /empty/ },
  { says: 'an empty list', literal: `['a']`, expected: ['a'], actual: [], reason: /empty/ },
  {
    says: 'a text with [object Object]',
    literal: `'Hi, Ada'`,
    expected: 'Hi, Ada',
    actual: 'Hi, [object Object]',
    reason: /object Object/,
  },
  { says: 'a text with NaN', literal: `'5 EUR'`, expected: '5 EUR', actual: 'NaN EUR', reason: /NaN/ },
  {
    says: 'a text with null',
    literal: `'Hi, Ada'`,
    expected: 'Hi, Ada',
    actual: 'Hi, null',
    reason: /"null"/,
  },
  {
    says: 'a text that tells of a crash',
    literal: `'Hi'`,
    expected: 'Hi',
    actual: "TypeError: Cannot read properties of null (reading 'x')",
    reason: /"TypeError: ".*"Cannot read properties of"/,
  },
  {
    says: 'the day of the run',
    literal: `'on 2020-01-01'`,
    expected: 'on 2020-01-01',
    actual: `on ${new Date().toISOString().slice(0, 10)}`,
    reason: /today's date/,
  },
  { says: 'another type', literal: `5`, expected: 5, actual: '5', reason: /type changed/ },
  { says: 'an inverted answer', literal: `true`, expected: true, actual: false, reason: /inverted/ },
  {
    says: 'undefined deep inside',
    literal: `{ a: { b: [1] } }`,
    expected: { a: { b: [1] } },
    actual: { a: { b: [undefined] } },
    reason: /a\.b\[0\]/,
  },
  {
    says: 'a lost key',
    literal: `{ a: 1, b: 2 }`,
    expected: { a: 1, b: 2 },
    actual: { a: 1 },
    reason: /missing/,
  },
];

describe('the expected-value fixer on values that look like a bug', () => {
  for (const given of stopped) {
    it(`only proposes to expect ${given.says}`, async () => {
      const source = `it('test', () => {\n  expect(f()).toEqual(${given.literal});\n});\n`;
      const { fix } = await runFixer({ ...given, source, at: 'toEqual' });
      assert.equal(fix?.trust, 'propose');
      assert.match(fix.stops?.map((stop) => stop.reason).join(' ') ?? '', given.reason);
    });
  }
});
