// How calls follow a changed signature, and what is refused because nothing tells what to give.
import assert from 'node:assert/strict';
import { mendCalls, type CallSituation } from './callSituation.ts';

const inTest = (body: string): string => `it('works', () => { ${body} });`;

interface Mended extends Omit<CallSituation, 'test'> {
  readonly test: string;
  readonly mended: string;
  readonly trust?: 'mechanical' | 'propose';
}

const mended: Readonly<Record<string, Mended>> = {
  'parameters in another order': {
    before: 'export function f(a: number, b: number) { return a - b; }',
    now: 'export function f(b: number, a: number) { return a - b; }',
    test: 'expect(f(1, 2)).toBe(-1);',
    mended: 'expect(f(2, 1)).toBe(-1);',
    trust: 'propose',
  },
  'arguments that became an options object': {
    before: 'export const f = (w: number, h: number, d: number) => w * h * d;',
    now: 'export const f = ({ w, h, d }: { w: number; h: number; d: number }) => w * h * d;',
    test: 'const w = 1; expect(f(w, 2, w + 3)).toBe(8);',
    mended: 'const w = 1; expect(f({ w, h: 2, d: w + 3 })).toBe(8);',
  },
  'a part of the arguments, under a named type': {
    before: 'export function f(text: string, wide: boolean, colour?: string) { return text; }',
    now: 'interface Paint { wide: boolean; colour?: string }\nexport function f(text: string, paint: Paint) { return text; }',
    test: `expect(f('a', true)).toBe('a'); expect(f('a', true, 'red')).toBe('b');`,
    mended: `expect(f('a', { wide: true })).toBe('a'); expect(f('a', { wide: true, colour: 'red' })).toBe('b');`,
  },
  'an options object that became arguments': {
    before: 'export function f({ a, b = 1 }) { return a + b; }',
    now: 'export function f(a, b = 1) { return a + b; }',
    test: 'const all = { a: 1, b: 2 }; expect(f({ a: 3, b: 4 })).toBe(f({ a: 1 })); f(all);',
    mended: 'const all = { a: 1, b: 2 }; expect(f(3, 4)).toBe(f(1)); f(all.a, all.b);',
  },
  'options without types': {
    before: 'exports.f = function (text, wide) { return text + wide; };',
    now: 'exports.f = function (text, options) { return text + options.wide; };',
    head: `const { f } = require('../src/shop');\n`,
    test: `expect(f('a', true)).toBe('atrue');`,
    mended: `expect(f('a', { wide: true })).toBe('atrue');`,
  },
  'a parameter that is gone': {
    before: 'export function f(a: number, unused: string, b: number) { return a + b; }',
    now: 'export function f(a: number, b: number) { return a + b; }',
    test: `expect(f(1, 'x', 2)).toBe(3);`,
    mended: 'expect(f(1, 2)).toBe(3);',
  },
  'an optional parameter in between': {
    before: 'export function f(a: number, b: number) { return a + b; }',
    now: 'export function f(a: number, c = 0, b: number) { return a + b + c; }',
    test: 'expect(f(1, 2)).toBe(3);',
    mended: 'expect(f(1, undefined, 2)).toBe(3);',
  },
  'a new argument that every caller in the source gives': {
    before: 'export function f(cents: number) { return cents; }',
    now: 'export function f(currency: string, cents: number) { return currency + cents; }',
    caller: [
      `import { f } from './shop';\nf(1); f(2);`,
      `import { f } from './shop';\nf('EUR', 1); f('EUR', 2);`,
    ],
    test: 'expect(f(3)).toBe(3);',
    mended: `expect(f('EUR', 3)).toBe(3);`,
  },
  'an option under another key': {
    before: 'export function f({ text, size, face }) { return text + size + face; }',
    now: 'export function f({ text, font: { size, face } }) { return text + size + face; }',
    test: `const size = 1; expect(f({ text: 'a', size, face: 'b' })).toBe('a1b');`,
    mended: `const size = 1; expect(f({ text: 'a', font: { size, face: 'b' } })).toBe('a1b');`,
  },
  'an option that is no longer nested': {
    before: 'export function f(o: { text: string; font: { size: number } }) { return o.font.size; }',
    now: 'export function f(o: { text: string; size: number }) { return o.size; }',
    test: `expect(f({ text: 'a', font: { size: 1 } })).toBe(1);`,
    mended: `expect(f({ text: 'a', size: 1 })).toBe(1);`,
  },
  'a list that became any number of arguments': {
    before: 'export function f(list: number[]) { return list.length; }',
    now: 'export function f(...list: number[]) { return list.length; }',
    test: 'const all = [1]; expect(f([1, 2])).toBe(2); f(all);',
    mended: 'const all = [1]; expect(f(1, 2)).toBe(2); f(...all);',
  },
  'any number of arguments that became a list': {
    before: 'export function f(first: string, ...list: number[]) { return list.length; }',
    now: 'export function f(first: string, list: number[]) { return list.length; }',
    test: `expect(f('a', 1, 2)).toBe(2);`,
    mended: `expect(f('a', [1, 2])).toBe(2);`,
  },
  'a method': {
    before: 'export class Cart { put(name: string, count: number) { return name + count; } }',
    now: 'export class Cart { put({ name, count }: { name: string; count: number }) { return name + count; } }',
    test: `const cart = new Cart(); expect(cart.put('a', 1)).toBe('a1');`,
    mended: `const cart = new Cart(); expect(cart.put({ name: 'a', count: 1 })).toBe('a1');`,
  },
  'a constructor': {
    before: 'export class Cart { constructor(public owner: string, public limit: number) {} }',
    now: 'export class Cart { constructor(public limit: number, public owner: string) {} }',
    test: `expect(new Cart('a', 1).limit).toBe(1);`,
    mended: `expect(new Cart(1, 'a').limit).toBe(1);`,
    trust: 'propose',
  },
  'a function that became a class': {
    before: 'export function Cart(owner: string) { return { owner }; }',
    now: 'export class Cart { constructor(public owner: string) {} }',
    test: `expect(Cart('a').owner).toBe('a');`,
    mended: `expect(new Cart('a').owner).toBe('a');`,
    trust: 'mechanical',
  },
  'a class that became a function': {
    before: 'export class Cart { constructor(public owner: string) {} }',
    now: 'export function Cart(owner: string) { return { owner }; }',
    test: `expect(new Cart('a').owner).toBe('a');`,
    mended: `expect(Cart('a').owner).toBe('a');`,
    trust: 'mechanical',
  },
  'a call through a namespace': {
    before: 'export function f(a: number, b: number) { return a - b; }',
    now: 'export function f(b: number, a: number) { return a - b; }',
    test: 'expect(shop.f(1, 2)).toBe(-1);',
    mended: 'expect(shop.f(2, 1)).toBe(-1);',
    trust: 'propose',
  },
  'what stops the compiler': {
    before: 'export function f(a: number, b: number) { return a - b; }',
    now: 'export function f({ a, b }: { a: number; b: number }) { return a - b; }',
    failure: {
      kind: 'load',
      message: 'test/shop.test.ts:4:1 - error TS2554: Expected 1 arguments, but got 2.',
    },
    test: 'expect(f(1, 2)).toBe(-1);',
    mended: 'expect(f({ a: 1, b: 2 })).toBe(-1);',
  },
};

const refused: Readonly<
  Record<string, Omit<CallSituation, 'test'> & { readonly test: string; readonly reason?: RegExp }>
> = {
  'a new argument that no caller shows': {
    before: 'export function f(a: number) { return a; }',
    now: 'export function f(currency: string, a: number) { return a; }',
    test: 'expect(f(1)).toBe(1);',
    reason: /f\(\) now takes currency, and no migrated caller/,
  },
  'a new argument that callers give differently': {
    before: 'export function f(a: number) { return a; }',
    now: 'export function f(currency: string, a: number) { return a; }',
    caller: ['f(1); f(2);', `f('EUR', 1); f('USD', 2);`],
    test: 'expect(f(1)).toBe(1);',
    reason: /now takes currency/,
  },
  'a new argument that is computed in the source': {
    before: 'export function f(a: number) { return a; }',
    now: 'export function f(currency: string, a: number) { return a; }',
    caller: ['f(1);', 'f(current(), 1);'],
    test: 'expect(f(1)).toBe(1);',
    reason: /now takes currency/,
  },
  'an options object that needs more than there was': {
    before: 'export function f(a: number) { return a; }',
    now: 'export function f({ a, tax }: { a: number; tax: number }) { return a + tax; }',
    test: 'expect(f(1)).toBe(1);',
    reason: /f\(\) now needs tax/,
  },
  'arguments that are spread': {
    before: 'export function f(a: number, b: number) { return a - b; }',
    now: 'export function f(b: number, a: number) { return a - b; }',
    test: 'const all = [1, 2]; expect(f(...all)).toBe(-1);',
    reason: /spreads its arguments/,
  },
  'options that are made elsewhere': {
    before: 'export function f({ a, b }) { return a + b; }',
    now: 'export function f(a, b) { return a + b; }',
    test: 'expect(f(make())).toBe(1);',
    reason: /neither an object literal nor a variable/,
  },
  'parameters that only have other names': {
    before: 'export function f(a: number, b: number) { return a - b; }',
    now: 'export function f(left: number, right: number) { return right - left; }',
    test: 'expect(f(1, 2)).toBe(-1);',
  },
  'a function of the same name that is the test’s own': {
    before: 'export function f(a: number, b: number) { return a - b; }',
    now: 'export function f(b: number, a: number) { return a - b; }',
    head: '',
    test: 'const f = (a, b) => a; expect(f(1, 2)).toBe(-1);',
  },
  'a method of another class': {
    before:
      'export class Cart { put(a: number, b: number) { return a; } }\nexport class Box { put(a: number, b: number) { return a; } }',
    now: 'export class Cart { put(b: number, a: number) { return a; } }\nexport class Box { put(a: number, b: number) { return a; } }',
    head: `import { Box } from '../src/shop';\n`,
    test: 'const box = new Box(); expect(box.put(1, 2)).toBe(1);',
  },
  'a call that is written for the new signature already': {
    before: 'export function f(a: number, b: number) { return a - b; }',
    now: 'export function f({ a, b }: { a: number; b: number }) { return a - b; }',
    test: 'expect(f({ a: 1, b: 2 })).toBe(-1);',
  },
  overloads: {
    before: 'export function f(a: number): number;\nexport function f(a: number, b?: number) { return a; }',
    now: 'export function f(a: number): number;\nexport function f(b: number, a?: number) { return b; }',
    test: 'expect(f(1)).toBe(1);',
  },
  'a file that does not load for another reason': {
    before: 'export function f(a: number, b: number) { return a - b; }',
    now: 'export function f(b: number, a: number) { return a - b; }',
    failure: { kind: 'load', message: 'Cannot find module x' },
    test: 'expect(f(1, 2)).toBe(-1);',
  },
};

describe('the fixer of calls', () => {
  for (const [what, { test, mended: text, trust = 'oracle', ...situation }] of Object.entries(mended))
    it(`follows ${what}`, async () => {
      const found = await mendCalls({ ...situation, test: inTest(test) });
      assert.equal(found.mended, inTest(text), found.refusals.join());
      assert.deepEqual(found.violations, []);
      assert.equal(found.fixes[0]?.trust, trust);
      assert.match(found.fixes[0].evidence[0] ?? '', /\(\) in src\/shop\.ts .* since the last commit\.$/);
    });

  for (const [what, { test, reason, ...situation }] of Object.entries(refused))
    it(`leaves ${what}`, async () => {
      const found = await mendCalls({ ...situation, test: inTest(test) });
      assert.deepEqual(found.fixes, []);
      if (reason === undefined) assert.deepEqual(found.refusals, []);
      else assert.match(found.refusals.join(), reason);
    });

  it('changes only what runs for the failing test', async () => {
    const source = {
      before: 'export function f(a, b) { return a; }',
      now: 'export function f(b, a) { return a; }',
    };
    const found = await mendCalls({
      ...source,
      test: inTest('expect(f(1, 2)).toBe(1);') + `\nit('too', () => { f(3, 4); });`,
    });
    assert.match(found.mended ?? '', /f\(2, 1\).*\n.*f\(3, 4\)/);
  });
});
