import assert from 'node:assert/strict';
import { moduleState } from '../../../src/core/syntax/javascript/moduleState.ts';

describe('what a module keeps between calls', () => {
  const cases: readonly (readonly [text: string, name: string | undefined])[] = [
    ['let n = 0;\nexport const next = () => n++;', 'n'],
    ['let n = 0;\nexport function set(to) { n = to; }', 'n'],
    ['const seen = [];\nexport const add = (x) => { seen.push(x); };', 'seen'],
    ['const cache = new Map();\nexport const get = (k) => cache.set(k, 1);', 'cache'],
    ['const all = {};\nexport const put = (k) => { all[k] = 1; };', 'all'],
    ['const all = { a: 1 };\nexport const put = (o) => Object.assign(all, o);', 'all'],
    ['import { Bus } from "./bus.js";\nexport const bus = new Bus();', 'bus'],
    ['export const store = { n: 1, set(n) { this.n = n; } };', 'this'],
    ['const names = new Map([["a", 1]]);\nexport const of = (k) => names.get(k);', undefined],
    ['let n = 1;\nn = 2;\nexport const two = () => n;', undefined],
    ['export class Cart { n = 0; add() { this.n += 1; } }', undefined],
    ['export const sum = (all) => { let s = 0; for (const n of all) s += n; return s; };', undefined],
  ];
  for (const [text, name] of cases)
    it(`${name === undefined ? 'is nothing' : `is ${name}`} in ${text.replaceAll('\n', ' ')}`, () => {
      assert.equal(moduleState('a.js', text), name);
    });
});
