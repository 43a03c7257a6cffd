// Objects without a prototype and with symbols as keys: written as plain literals where the assertion does not look at that, in real runs.
import assert from 'node:assert/strict';
import { expectedValue } from '../../../../src/core/fixes/assertion/expectedValue.ts';
import {
  mendCases,
  type MendedCase,
  type MendingCase,
  type MendingPlace,
} from '../../../support/mendCases.ts';

interface Situation extends Pick<MendingCase, 'change'> {
  readonly body: string;
  /** What of the test file changes; or why there is no fix. */
  readonly becomes: readonly [from: string, to: string] | RegExp;
  readonly head?: string;
}

const source = `const bare = (entries) => Object.assign(Object.create(null), entries);
function Query() {}
Query.prototype = Object.create(null);
const own = Symbol('shop');
export const parse = (text) => bare({ a: text, list: [bare({ n: 1 })] });
export const plain = (text) => ({ a: text });
export const query = (text) => Object.assign(new Query(), { a: text });
export const marked = (text) => ({ a: text, [own]: undefined });
export const registered = (text) => ({ a: text });
export const tagged = (text) => ({ a: text, [own]: 1 });
export const numbers = () => [1];
`;
const joins = ['bare({ a: text', 'bare({ a: text.replace(" ", "_")'] as const;
const grows = ['bare({ a: text', 'bare({ a: text, b: bare({ c: 1 })'] as const;

/** What every assertion mends that looks neither at prototypes nor at all symbols. */
const everywhere = (equal: (actual: string, expected: string) => string): Record<string, Situation> => ({
  leaf: {
    change: joins,
    body: equal(`parse(' x')`, `{ a: ' x', list: [{ n: 1 }] }`),
    becomes: [`a: ' x'`, `a: '_x'`],
  },
  added: {
    change: grows,
    body: equal(`parse('x')`, `{ a: 'x', list: [{ n: 1 }] }`),
    becomes: [`a: 'x', list`, `a: 'x', b: { c: 1 }, list`],
  },
  item: {
    change: ['bare({ n: 1 })', 'bare({ n: 1 }), bare({ n: 2 })'],
    body: equal(`parse('x').list`, `[{ n: 1 }]`),
    becomes: [`{ n: 1 }`, `{ n: 1 }, { n: 2 }`],
  },
  emptyPrototype: {
    change: ['new Query(), { a: text', 'new Query(), { a: text.replace(" ", "_")'],
    body: equal(`[query(' x')]`, `[{ a: ' x' }]`),
    becomes: [`a: ' x'`, `a: '_x'`],
  },
  newlyBare: {
    change: ['numbers = () => [1]', `numbers = () => [1, query('y')]`],
    body: equal(`numbers()`, `[1]`),
    becomes: [`[1]`, `[1, { a: 'y' }]`],
  },
});

const ofJest = everywhere((actual, expected) => `expect(${actual}).toEqual(${expected});`);
const mark: Situation = {
  change: grows,
  body: `expect(parse('x')).toStrictEqual({ __proto__: null, a: 'x', list: [{ __proto__: null, n: 1 }] });`,
  becomes: [`a: 'x', list`, `a: 'x', b: { __proto__: null, c: 1 }, list`],
};
const onlyMarked: Situation = {
  change: ['plain = (text) => ({ a: text })', 'plain = (text) => bare({ a: text })'],
  body: `expect(plain('x')).toStrictEqual({ a: 'x' });`,
  head: `const none = { __proto__: null };`,
  becomes: [`{ a: 'x' }`, `{ __proto__: null, a: 'x' }`],
};
const unwritten: Situation = {
  ...onlyMarked,
  head: '',
  becomes: /no longer has a prototype, which this assertion compares/,
};
const undefinedSymbol: Situation = {
  change: [
    '({ a: text, [own]: undefined })',
    '({ a: text.replace(" ", "_"), [own]: undefined, other: { [own]: undefined } })',
  ],
  body: `expect(marked(' x')).toEqual({ a: ' x' });`,
  becomes: [`{ a: ' x' }`, `{ a: '_x', other: {} }`],
};

const places: readonly (readonly [MendingPlace['framework'], Readonly<Record<string, Situation>>, string])[] =
  [
    [
      'vitest',
      {
        ...ofJest,
        mark,
        onlyMarked,
        unwritten,
        hasOneNow: {
          change: ['parse = (text) => bare({ a: text', 'parse = (text) => ({ a: text.replace(" ", "_")'],
          body: `expect(parse(' x')).toStrictEqual({ __proto__: null, a: ' x', list: [{ __proto__: null, n: 1 }] });`,
          becomes: /now has a prototype/,
        },
        // vitest compares keys that are symbols also where they are undefined.
        newSymbol: {
          change: [
            'registered = (text) => ({ a: text })',
            'registered = (text) => ({ a: text, [own]: undefined })',
          ],
          body: `expect(registered('x')).toEqual({ a: 'x' });`,
          becomes: /has a symbol key/,
        },
        registeredSymbol: {
          change: [
            'registered = (text) => ({ a: text })',
            `registered = (text) => ({ a: text, [Symbol.for('shop')]: true })`,
          ],
          body: `expect(registered('x')).toEqual({ a: 'x' });`,
          becomes: [`{ a: 'x' }`, `{ a: 'x', [Symbol.for('shop')]: true }`],
        },
        chai: {
          change: joins,
          body: `expect(parse(' x')).to.deep.equal({ a: ' x', list: [{ n: 1 }] });`,
          becomes: [`a: ' x'`, `a: '_x'`],
        },
      },
      `import { expect, it } from 'vitest';`,
    ],
    [
      'jest',
      {
        ...ofJest,
        mark,
        unwritten,
        undefinedSymbol,
        definedSymbol: {
          change: [
            'registered = (text) => ({ a: text })',
            'registered = (text) => ({ a: text.replace(" ", "_"), [own]: 1 })',
          ],
          body: `expect(registered(' x')).toEqual({ a: ' x' });`,
          becomes: /has a symbol key/,
        },
      },
      '',
    ],
    [
      'mocha',
      {
        ...everywhere((actual, expected) => `expect(${actual}).to.deep.equal(${expected});`),
        eql: {
          change: grows,
          body: `expect(parse('x')).to.eql({ a: 'x', list: [{ n: 1 }] });`,
          becomes: [`a: 'x', list`, `a: 'x', b: { c: 1 }, list`],
        },
        chaiSymbol: {
          change: [
            'registered = (text) => ({ a: text })',
            'registered = (text) => ({ a: text, [own]: undefined })',
          ],
          body: `expect(registered('x')).to.deep.equal({ a: 'x' });`,
          becomes: /has a symbol key/,
        },
        nodeLoose: {
          change: grows,
          body: `assert.deepEqual(parse('x'), { a: 'x', list: [{ n: 1 }] });`,
          becomes: [`a: 'x', list`, `a: 'x', b: { c: 1 }, list`],
        },
        nodeLooseSymbol: {
          change: ['({ a: text, [own]: 1 })', '({ a: text.replace(" ", "_"), [own]: 1, b: { [own]: 2 } })'],
          body: `assert.deepEqual(tagged(' x'), { a: ' x' });`,
          becomes: [`{ a: ' x' }`, `{ a: '_x', b: {} }`],
        },
        nodeHelper: {
          change: grows,
          body: `assert.deepStrictEqual(parse('x'), copy({ a: 'x', list: [copy({ n: 1 })] }));`,
          head: `const copy = (value) => Object.assign(Object.create(null), value);`,
          becomes: [`a: 'x', list`, `a: 'x', b: Object.assign(Object.create(null), { c: 1 }), list`],
        },
        nodeCopy: {
          change: grows,
          body: `assert.deepStrictEqual(parse('x'), Object.assign(Object.create(null), { a: 'x', list: [Object.assign(Object.create(null), { n: 1 })] }));`,
          becomes: [`a: 'x', list`, `a: 'x', b: Object.assign(Object.create(null), { c: 1 }), list`],
        },
        nodeWrapped: {
          change: ['plain = (text) => ({ a: text })', 'plain = (text) => bare({ a: text })'],
          body: `assert.deepStrictEqual(plain('x'), { a: 'x' });`,
          head: `const none = Object.assign(Object.create(null), {});`,
          becomes: [`{ a: 'x' }`, `Object.assign(Object.create(null), { a: 'x' })`],
        },
      },
      `import assert from 'node:assert';\nimport { expect } from 'chai';`,
    ],
    [
      'ava',
      everywhere((actual, expected) => `t.deepEqual(${actual}, ${expected});`),
      `import test from 'ava';`,
    ],
  ];

describe('objects without a prototype and with symbols as keys', function () {
  this.timeout(240_000);
  for (const [framework, situations, imports] of places)
    describe(framework, () => {
      let mended: Readonly<Record<string, MendedCase>>;
      const cases = Object.fromEntries(
        Object.entries(situations).map(([name, one]): [string, MendingCase] => [
          name,
          { source, change: one.change, test: testOf(framework, name, one, imports) },
        ]),
      );
      before(async () => {
        mended = await mendCases(cases, { framework, provider: expectedValue });
      });
      for (const [name, { becomes }] of Object.entries(situations))
        it(`${becomes instanceof RegExp ? 'refuses' : 'mends'}: ${name}`, () => {
          const found = mended[name];
          const before = cases[name]?.test ?? '';
          assert.ok(found);
          if (becomes instanceof RegExp) {
            assert.equal(found.text, before);
            assert.match(found.refusals.join('\n'), becomes);
            return;
          }
          assert.equal(found.text, before.replace(becomes[0], becomes[1]), found.refusals.join('\n'));
          assert.ok(found.passes, found.text);
          assert.deepEqual(found.rules, []);
        });
    });
});

function testOf(
  framework: MendingPlace['framework'],
  name: string,
  { body, head = '' }: Situation,
  imports: string,
): string {
  const names = [...source.matchAll(/export const (\w+)/g)].map(([, one]) => one).join(', ');
  const callback = framework === 'ava' ? `test('works', (t) => {` : `it('works', () => {`;
  return `${imports}\nimport { ${names} } from '../src/${name}.js';\n${head}\n${callback}\n  ${body}\n});\n`;
}
