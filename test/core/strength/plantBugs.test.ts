// Planted bugs: what they are, and that a text with all of them switched off does what it did.
import assert from 'node:assert/strict';
import vm from 'node:vm';
import { transformSync } from 'esbuild';
import { plantBugs, type PlantedBug } from '../../../src/core/strength/plantBugs.ts';

/** `a > b → a >= b` for each bug. */
const changes = (text: string, file = 'src/a.js'): string[] =>
  plantBugs(file, text, 'planted', 1).bugs.map(({ from, to }) => `${from} → ${to}`);

/** What the last expression of the text gives with this bug on; 0 for none. */
function outcome(text: string, bug: number, file = 'src/a.js'): unknown {
  const planted = plantBugs(file, text, 'planted', 1).text;
  const { code } = transformSync(planted, { loader: file.endsWith('.ts') ? 'ts' : 'jsx' });
  const switches = { on: (id: number) => id === bug, result: (_: number, value: unknown) => value };
  const context = vm.createContext({ planted: switches });
  return vm.runInContext(code, context);
}

describe('planted bugs', () => {
  it('change operators, limits and branches', () => {
    assert.deepEqual(changes('const f = (a, b) => { if (a > b) return; a += b * 2; };'), [
      '{ if (a > b) return; a += b * 2; } → {}',
      'a > b → a >= b',
      'a > b → a <= b',
      'a > b → true',
      'a > b → false',
      'a += b * 2 → a -= (b * 2)',
      'b * 2 → b / 2',
      '2 → 3',
    ]);
    assert.deepEqual(changes('if (!ready) go(); else if (a && b?.c) stop();'), [
      '!ready → true',
      '!ready → false',
      '!ready → (ready)',
      'go() → undefined',
      'a && b?.c → a || b?.c',
      'b?.c → b.c',
      'stop() → undefined',
    ]);
  });

  it('change values, keys, arguments, calls and patterns', () => {
    assert.deepEqual(changes("x = { a, 'b-c': 1 };"), [
      "{ a, 'b-c': 1 } → {}",
      "{ a, 'b-c': 1 } → { 'b-c': 1 }",
      "{ a, 'b-c': 1 } → { a }",
      '1 → 2',
    ]);
    assert.deepEqual(changes('x = names.sort().slice(1, last); y = f(a, b);'), [
      'names.sort().slice(1, last) → (names.sort())',
      'names.sort() → (names)',
      '1 → 2',
      'f(a, b) → f(b, a)',
    ]);
    assert.deepEqual(changes('x = /^\\d+$/u;'), [
      '/^\\d+$/u → /\\d+$/u',
      '/^\\d+$/u → /^\\d+/u',
      '/^\\d+$/u → /^\\D+$/u',
      '/^\\d+$/u → /^\\d$/u',
    ]);
    assert.deepEqual(changes("x = ['a', ''];"), [
      "['a', ''] → []",
      '\'a\' → ""',
      '\'\' → "Planted by Testmend"',
    ]);
  });

  it('tell where they are', () => {
    const text = 'class Cart {\n  total() {\n    return this.sum;\n  }\n}\nconst add = (a) => a;\n';
    const { bugs } = plantBugs('src/cart.js', text, 'planted', 7);
    const places = bugs.map(({ id, line, column, within, kind, to }: PlantedBug) => [
      id,
      line,
      column,
      within,
      kind,
      to,
    ]);
    assert.deepEqual(places, [
      [7, 2, 11, 'Cart.total', 'BlockStatement', '{}'],
      [8, 3, 12, 'Cart.total', 'Result', 'a little more'],
      [9, 3, 12, 'Cart.total', 'Result', 'a little less'],
      [10, 3, 12, 'Cart.total', 'Result', 'one value in it changed'],
      [11, 6, 20, 'add', 'Result', 'a little more'],
      [12, 6, 20, 'add', 'Result', 'a little less'],
      [13, 6, 20, 'add', 'Result', 'one value in it changed'],
    ]);
  });

  it('leave types, names, modules and directives alone', () => {
    const text = `'use strict';
import a from './a.js';
export { b } from 'b';
enum Level { low = 1 }
type Kind = 'x' | 'y';
declare const limit: 5;
const c: 'z' = require('c');
const d = await import('./d.js');
const { 0: first, 'e-f': rest } = c;`;
    assert.deepEqual(changes(text, 'src/a.ts'), []);
  });

  it('keep lines without semicolons, objects of calls and optional chains apart', () => {
    const text = `
let log = []
const box = { sum: 2, add(n) { this.sum += n; return this } }
log.push(box.add(1).add(2).sum)
log.push(box?.missing?.deep.er)
;[1, 2].forEach((n) => log.push(n > 1 ? 'big' : 'small'))
for (const n of [3]) { if (n) log.push(n) }
let i = 0
while (i < 2) i++
do { i-- } while (i > 0)
log.push(i, typeof nothing === 'undefined', \`\${i}\`, String.raw\`\\n\`)
JSON.stringify(log)`;
    assert.equal(outcome(text, 0), JSON.stringify([5, null, 'small', 'big', 3, 0, true, '0', '\\n']));
  });

  it('act when they are switched on', () => {
    const text = 'const f = (n) => { let sum = 0; for (let i = 0; i < n; i++) sum += i; return sum; };\nf(4)';
    const { bugs } = plantBugs('src/a.js', text, 'planted', 1);
    const idOf = (to: string): number => bugs.find((bug) => bug.to === to)?.id ?? -1;
    assert.equal(outcome(text, 0), 6);
    assert.equal(outcome(text, idOf('i <= n')), 10);
    assert.equal(outcome(text, idOf('sum -= i')), -6);
    assert.equal(outcome(text, idOf('{}')), undefined);
  });

  it('count in TypeScript, whose types are not checked again', () => {
    const text =
      '#!/usr/bin/env node\nconst f = (n: number): string => (n > 1 ? `${n}` : "one") as string;\nf(2)';
    const planted = plantBugs('src/a.ts', text, 'planted', 1);
    assert.match(planted.text, /^#!.*\n\/\/ @ts-nocheck\n/);
    assert.ok(planted.bugs.length > 5);
  });
});
