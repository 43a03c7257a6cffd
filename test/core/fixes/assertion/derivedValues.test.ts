// The expected-value fixer where the expected value is made from literals in one step: trim, dedent, join, sums, helpers, spreads, parts.
import assert from 'node:assert/strict';
import { Asymmetric, runFixer, type FixerCase } from '../../../support/expectedValueCase.ts';

interface DerivedCase extends Pick<FixerCase, 'at' | 'expected' | 'actual'> {
  readonly says: string;
  /** Lines before the test. */
  readonly outside?: string;
  /** The statement before and after; or, with `outside`, a pair that is looked for there. */
  readonly from: string;
  readonly to: string;
  readonly statement?: string;
}

const raised: Pick<DerivedCase, 'expected' | 'actual'> = { expected: 'Hi, Ada', actual: 'Hello, Ada' };
const user = (name: string): object => ({ id: 1, name, tags: ['a'] });

const cases: readonly DerivedCase[] = [
  {
    says: 'the list that a text is joined from, by its name',
    from: `const lines = ['a', 'Hi'];`,
    to: `const lines = ['a', 'Hello'];`,
    statement: `const lines = ['a', 'Hi']; expect(f()).toBe(lines.join('\\n'));`,
    at: 'toBe',
    expected: 'a\nHi',
    actual: 'a\nHello',
  },
  {
    says: 'a joined list inside of a sum',
    from: `['a', 'Hi'].join('\\n') + '\\n'`,
    to: `['a', 'Hello'].join('\\n') + '\\n'`,
    statement: `expect(f()).toBe(['a', 'Hi'].join('\\n') + '\\n');`,
    at: 'toBe',
    expected: 'a\nHi\n',
    actual: 'a\nHello\n',
  },
  {
    says: 'a name that is inserted into a template',
    from: `const word = 'Hi';`,
    to: `const word = 'Hello';`,
    statement: "const word = 'Hi'; const who = 'Ada'; expect(greet(who)).toBe(`${word}, ${who}`);",
    at: 'toBe',
    ...raised,
  },
  {
    says: 'a trimmed template, with the space around it',
    from: '`\n    <b>Hi</b>\n  `',
    to: '`\n    <b>Hello</b>\n  `',
    statement: 'expect(f()).toBe(`\n    <b>Hi</b>\n  `.trim());',
    at: 'toBe',
    expected: '<b>Hi</b>',
    actual: '<b>Hello</b>',
  },
  {
    says: 'a template whose indentation a tag takes away',
    from: '`\n    <b>\n      Hi\n    </b>\n  `',
    to: '`\n    <b>\n      Hello\n      <i/>\n    </b>\n  `',
    statement: 'expect(f()).toBe(dedent`\n    <b>\n      Hi\n    </b>\n  `);',
    at: 'toBe',
    expected: '<b>\n  Hi\n</b>',
    actual: '<b>\n  Hello\n  <i/>\n</b>',
  },
  {
    says: 'a template whose indentation a function takes away, with the line break at its end',
    from: '`\n    Hi\n    there\n  `',
    to: '`\n    Hello\n    there\n  `',
    statement: 'expect(f()).toBe(stripIndent(`\n    Hi\n    there\n  `));',
    at: 'toBe',
    expected: 'Hi\nthere\n',
    actual: 'Hello\nthere\n',
  },
  {
    says: 'String.raw',
    from: 'String.raw`a\\d+ Hi`',
    to: 'String.raw`a\\w+ Hi`',
    statement: 'expect(f()).toBe(String.raw`a\\d+ Hi`);',
    at: 'toBe',
    expected: 'a\\d+ Hi',
    actual: 'a\\w+ Hi',
  },
  {
    says: 'the first factor of a product',
    from: '60 * 1000',
    to: '90 * 1000',
    statement: 'expect(f()).toBe(60 * 1000);',
    at: 'toBe',
    expected: 60_000,
    actual: 90_000,
  },
  {
    says: 'a whole product where its units no longer fit',
    from: '60 * 1000',
    to: '90500',
    statement: 'expect(f()).toBe(60 * 1000);',
    at: 'toBe',
    expected: 60_000,
    actual: 90_500,
  },
  {
    says: 'what is written as JSON',
    from: `JSON.stringify({ a: 'Hi', b: [1, 2] })`,
    to: `JSON.stringify({ a: 'Hello', b: [1, 2] })`,
    statement: `expect(f()).toBe(JSON.stringify({ a: 'Hi', b: [1, 2] }));`,
    at: 'toBe',
    expected: '{"a":"Hi","b":[1,2]}',
    actual: '{"a":"Hello","b":[1,2]}',
  },
  {
    says: 'what a helper that builds the value is called with',
    outside: `const user = (name) => ({ id: 1, name, tags: ['a'] });`,
    from: `user('Ada')`,
    to: `user('Ada L.')`,
    statement: `expect(load()).toEqual(user('Ada'));`,
    at: 'toEqual',
    expected: user('Ada'),
    actual: user('Ada L.'),
  },
  {
    says: 'what a helper spreads over its own',
    outside: `function user(over) { return { id: 1, tags: ['a'], ...over }; }`,
    from: `user({ name: 'Ada' })`,
    to: `user({ name: 'Ada L.' })`,
    statement: `expect(load()).toEqual(user({ name: 'Ada' }));`,
    at: 'toEqual',
    expected: user('Ada'),
    actual: user('Ada L.'),
  },
  {
    says: 'a base object that nothing else uses',
    from: `const base = { id: 1, name: 'Ada' };`,
    to: `const base = { id: 1, name: 'Ada L.' };`,
    statement: `const base = { id: 1, name: 'Ada' }; expect(load()).toEqual({ ...base, tags: ['a'] });`,
    at: 'toEqual',
    expected: user('Ada'),
    actual: user('Ada L.'),
  },
  {
    says: 'the object itself where its base is used elsewhere too',
    from: `{ ...base, tags: ['a'] }`,
    to: `{ ...base, tags: ['a'], name: 'Ada L.' }`,
    statement: `const base = { id: 1, name: 'Ada' }; expect(load(base)).toEqual({ ...base, tags: ['a'] });`,
    at: 'toEqual',
    expected: user('Ada'),
    actual: user('Ada L.'),
  },
  {
    says: 'the part of a text that toContain names',
    from: `toContain('got 1 of them')`,
    to: `toContain('got 2 of them')`,
    statement: `expect(f()).toContain('got 1 of them');`,
    at: 'toContain',
    expected: 'got 1 of them',
    actual: 'first line\nwe got 2 of them: a\nlast line',
  },
  {
    says: 'to the end of the line where the last word is another one',
    from: `toContain('we found a cat')`,
    to: `toContain('we found a dog and a bird')`,
    statement: `expect(f()).toContain('we found a cat');`,
    at: 'toContain',
    expected: 'we found a cat',
    actual: 'first line\nwe found a dog and a bird\nlast line',
  },
  {
    says: 'a pattern that is only a text, with its anchor',
    from: `/^Expected 3 arguments\\./`,
    to: `/^Expected 3 values\\./`,
    statement: `expect(f()).toMatch(/^Expected 3 arguments\\./);`,
    at: 'toMatch',
    expected: /^Expected 3 arguments\./,
    actual: 'Expected 3 values. Got 4.',
  },
  {
    says: 'a pattern of node:assert from the first to the last word',
    outside: `import assert from 'node:assert';`,
    from: `/^Hi, Ada \\(1\\)$/i`,
    to: `/^Hello, Ada \\(2\\)$/i`,
    statement: `assert.match(f(), /^Hi, Ada \\(1\\)$/i);`,
    at: 'match(f',
    expected: /^Hi, Ada \(1\)$/i,
    actual: 'Hello, Ada (2)',
  },
  {
    says: 'the item that toContain names',
    from: `toContain('red tea')`,
    to: `toContain('green tea')`,
    statement: `expect(f()).toContain('red tea');`,
    at: 'toContain',
    expected: 'red tea',
    actual: ['milk', 'green tea', 'bread'],
  },
  {
    says: 'a leaf of the item that toContainEqual names',
    from: `toContainEqual({ id: 2, name: 'Ada' })`,
    to: `toContainEqual({ id: 2, name: 'Ada L.' })`,
    statement: `expect(f()).toContainEqual({ id: 2, name: 'Ada' });`,
    at: 'toContainEqual',
    expected: { id: 2, name: 'Ada' },
    actual: [
      { id: 1, name: 'Bob' },
      { id: 2, name: 'Ada L.' },
    ],
  },
  {
    says: 'the item that arrayContaining no longer finds',
    from: `'red tea'`,
    to: `'green tea'`,
    statement: `expect(f()).toEqual({ all: expect.arrayContaining(['milk', 'red tea']) });`,
    at: 'toEqual',
    expected: { all: new Asymmetric(false) },
    actual: { all: ['milk', 'bread', 'green tea'] },
  },
  {
    says: 'the text that stringContaining no longer finds',
    from: `'no item of Ada'`,
    to: `'no thing of Ada'`,
    statement: `expect(f()).toEqual({ text: expect.stringContaining('no item of Ada') });`,
    at: 'toEqual',
    expected: { text: new Asymmetric(false) },
    actual: { text: 'there is no thing of Ada here' },
  },
  {
    says: 'a registered symbol as a key',
    from: `{ a: 1 }`,
    to: `{ a: 1, [Symbol.for('shop')]: true }`,
    statement: `expect(f()).toEqual({ a: 1 });`,
    at: 'toEqual',
    expected: { a: 1 },
    actual: { a: 1, '@@for:shop': true },
  },
  {
    says: 'properties of an error',
    from: `message: 'Hi', code`,
    to: `message: 'Hello', code`,
    statement: `await expect(f()).rejects.toMatchObject({ message: 'Hi', code: 3 });`,
    at: 'toMatchObject',
    expected: { message: 'Hi', code: 3 },
    actual: Object.assign(new Error('Hello'), { code: 3 }),
  },
  {
    says: 'a text that supertest expects, put together from literals and a name',
    from: `'<p>Hi ' + name + '</p>'`,
    to: `'<b>Hi ' + name + '</b>'`,
    statement: `const name = input(); request(app).get('/').expect(302, '<p>Hi ' + name + '</p>', done);`,
    at: 'expect(302',
    expected: '<p>Hi Ada</p>',
    actual: '<b>Hi Ada</b>',
  },
];

describe('the expected-value fixer follows', () => {
  for (const given of cases) {
    it(given.says, async () => {
      const source = `${given.outside ?? ''}\nit('test', async () => {\n  ${given.statement ?? given.from}\n});\n`;
      const { files, fix, refusal } = await runFixer({ ...given, source });
      assert.equal(refusal, undefined);
      assert.equal(
        files['cart.test.ts'],
        source.replace(given.from, () => given.to),
      );
      assert.equal(fix?.trust, 'oracle');
    });
  }
});

const refusals: readonly (Omit<DerivedCase, 'from' | 'to'> & { readonly reason: RegExp })[] = [
  {
    says: 'a part of a text in which a word is gone: something may have become empty',
    statement: `expect(f()).toContain('user Ada is admin of site');`,
    at: 'toContain',
    expected: 'user Ada is admin of site',
    actual: 'head\nuser Ada is  of site\ntail',
    reason: /It is unclear which part/,
  },
  {
    says: 'a template of many insertions that a long text does not fit',
    outside: 'const [a, b, c, d] = input();',
    statement: 'expect(f()).toBe(`${a} ${b} ${c} ${d}.`);',
    at: 'toBe(',
    expected: 'one two three four.',
    actual: 'word '.repeat(2000),
    reason: /./,
  },
  {
    says: 'what a helper writes down for all that call it',
    outside: `const user = (name) => ({ id: 1, name, tags: ['a'] });`,
    statement: `expect(load()).toEqual(user('Ada'));`,
    at: 'toEqual',
    expected: user('Ada'),
    actual: { ...user('Ada'), id: 2 },
    reason: /other tests call too/,
  },
  {
    says: 'an argument of a helper that the code under test takes too',
    outside: `const user = (name) => ({ id: 1, name, tags: ['a'] });`,
    statement: `const name = 'Ada'; expect(load(name)).toEqual(user(name));`,
    at: 'toEqual',
    expected: user('Ada'),
    actual: user('ADA'),
    reason: /the test also uses it itself/,
  },
  {
    says: 'a helper that does more than build a value',
    outside: `function user(name) { log(name); return { name }; }`,
    statement: `expect(load()).toEqual(user('Ada'));`,
    at: 'toEqual',
    expected: { name: 'Ada' },
    actual: { name: 'Bob' },
    reason: /computed/,
  },
  {
    says: 'a part that is only a piece of the old one',
    statement: `expect(f()).toContain('got 3 more items');`,
    at: 'toContain',
    expected: 'got 3 more items',
    actual: 'got 3 more',
    reason: /It is unclear which/,
  },
  {
    says: 'a part of which hardly a word stayed',
    statement: `expect(f()).toContain('three more items');`,
    at: 'toContain',
    expected: 'three more items',
    actual: 'nothing was found',
    reason: /It is unclear which/,
  },
  {
    says: 'a part that two lines are equally near to',
    statement: `expect(f()).toContain('got 1 item');`,
    at: 'toContain',
    expected: 'got 1 item',
    actual: 'got 2 item\ngot 3 item',
    reason: /It is unclear which/,
  },
  {
    says: 'a pattern with a choice in it',
    statement: `expect(f()).toMatch(/got (1|2) items/);`,
    at: 'toMatch',
    expected: /got (1|2) items/,
    actual: 'got 3 items',
    reason: /more than plain text/,
  },
  {
    says: 'an item of a list that nothing is like',
    statement: `expect(f()).toContain('tea');`,
    at: 'toContain',
    expected: 'tea',
    actual: ['milk', 'bread'],
    reason: /It is unclear which/,
  },
  {
    says: 'a symbol that has no name',
    statement: `expect(f()).toEqual({ a: 1 });`,
    at: 'toEqual',
    expected: { a: 1 },
    actual: { a: 1, '@@shop': true },
    reason: /symbol/,
  },
  {
    says: 'text that the test trims away',
    statement: 'expect(f()).toBe(`\n  Hi\n`.trim());',
    at: 'toBe',
    expected: 'Hi',
    actual: ' Hello',
    reason: /space/,
  },
  {
    says: 'a dedent of another kind',
    statement: 'expect(f()).toBe(dedent(`\n  Hi\n`));',
    at: 'toBe',
    expected: 'HI',
    actual: 'HELLO',
    reason: /computed/,
  },
];

describe('the expected-value fixer leaves alone', () => {
  for (const given of refusals) {
    it(given.says, async () => {
      const source = `${given.outside ?? ''}\nit('test', async () => {\n  ${given.statement}\n});\n`;
      const { fix, refusal } = await runFixer({ ...given, source });
      assert.equal(fix, undefined);
      assert.match(refusal ?? '', given.reason);
    });
  }
});
