// What a test must await after a change of the source, and what is refused because nothing could wait for it.
import assert from 'node:assert/strict';
import { awaiting } from '../../../../src/core/fixes/awaiting/awaiting.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import type { TestResult } from '../../../../src/core/model/testResult.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';

const file = 'test/bank.test.ts';
const before = `export function load(id) { return id; }
export const steady = async (id) => id;
export default function fetchAll() { return []; }
export class Vault { open(key) { return key; } }
export class Door { open(key) { return key; } }
export const api = { get(id) { return id; } };
`;
const now = before
  .replace('function load', 'async function load')
  .replace('fetchAll() { return []; }', 'fetchAll() { return Promise.resolve([]); }')
  .replace('Vault { open(key) {', 'Vault { open(key): Promise<string> {')
  .replace('get(id) { return id; }', 'get: async (id) => id');

async function mend(
  test: string,
  head = `import all, { api, Door, load, total, Vault } from '../src/bank';\n`,
  more = '',
) {
  const text = head + test;
  const line = text.slice(0, text.indexOf('it(')).split('\n').length;
  const result: TestResult = {
    id: `vitest:${file}#works`,
    file,
    line,
    title: 'works',
    suites: [],
    outcome: 'failed',
    durationMs: 1,
    failure: { message: 'expected Promise{…} to be 3', kind: 'assertion', severity: 'medium', stack: [] },
  };
  const changed = [{ file: 'src/bank.ts', status: 'modified' as const }];
  const refusals: string[] = [];
  const isTestFile = (name: string): boolean => name === file;
  const fixes = await awaiting.propose({
    root: '/shop',
    failing: [{ result, captured: [] }],
    readText: async (name) => (name === file ? text : now + more),
    isTestFile,
    changes: { files: changed, baseText: async () => before + more, reaching: async () => changed },
    signal: new AbortController().signal,
    refuse: (_id, reason) => refusals.push(reason),
  });
  const edit = fixes[0]?.edits[0];
  const after = edit === undefined ? undefined : applyEdit(edit, text);
  const violations =
    after === undefined ? [] : checkPolicyOfEdits([{ file, before: text, after }], isTestFile);
  return { fixes, refusals, violations, mended: after?.slice(head.length) };
}

describe('the fixer of missing awaits', () => {
  for (const [what, test, mended] of [
    [
      'an asserted call',
      `it('works', () => { expect(load(1)).toBe(1); });`,
      `it('works', async () => { expect(await load(1)).toBe(1); });`,
    ],
    [
      'a body without braces',
      `it('works', () => expect(load(1)).toBe(1));`,
      `it('works', async () => expect(await load(1)).toBe(1));`,
    ],
    [
      'a value that is used at once',
      `it('works', async () => { expect(load(1).name[0]).toBe(1); });`,
      `it('works', async () => { expect((await load(1)).name[0]).toBe(1); });`,
    ],
    [
      'what passes the promise on',
      `it('works', () => { const a = api.get(load(1)); expect(a).toBe(1); });`,
      `it('works', async () => { const a = await api.get(await load(1)); expect(a).toBe(1); });`,
    ],
    [
      'a default import that returns a promise',
      `it('works', () => { expect(all()).toEqual([]); });`,
      `it('works', async () => { expect(await all()).toEqual([]); });`,
    ],
    [
      'a method whose type became a promise',
      `it('works', () => { const v = new Vault(); v.open('a'); expect(v.open('b')).toBe('b'); });`,
      `it('works', async () => { const v = new Vault(); await v.open('a'); expect(await v.open('b')).toBe('b'); });`,
    ],
    [
      'a hook',
      `beforeEach(() => { a = load(1); });\nit('works', () => { expect(a).toBe(1); });`,
      `beforeEach(async () => { a = await load(1); });\nit('works', () => { expect(a).toBe(1); });`,
    ],
    [
      'what is thrown',
      `it('works', () => { expect(() => { load(1); }).toThrow('no'); });`,
      `it('works', async () => { await expect(load(1)).rejects.toThrow('no'); });`,
    ],
    [
      'what is thrown by a returned call',
      `it('works', () => { expect(() => { return load(1); }).toThrow('no'); });`,
      `it('works', async () => { await expect(load(1)).rejects.toThrow('no'); });`,
    ],
    [
      'a row of a table',
      `it.each([[1]])('works', (n) => { expect(load(n)).toBe(1); });`,
      `it.each([[1]])('works', async (n) => { expect(await load(n)).toBe(1); });`,
    ],
  ] as const)
    it(`awaits ${what}`, async () => {
      const { mended: text, fixes, refusals, violations } = await mend(test);
      assert.equal(text, mended, refusals.join());
      assert.deepEqual(violations, []);
      assert.equal(fixes[0]?.trust, 'mechanical');
      assert.match(
        fixes[0].evidence[0] ?? '',
        /\(\) in src\/bank\.ts became asynchronous since the last commit/,
      );
    });

  it('only proposes to await what the source itself forgets to await', async () => {
    const test = `it('works', () => { expect(load(1)).toBe(1); });`;
    const more = `export const save = (id) => (load(id) ? 'saved' : 'refused');\n`;
    const { fixes } = await mend(test, undefined, more);
    assert.equal(fixes[0]?.trust, 'propose');
    assert.match(
      fixes[0].evidence.join(' '),
      /Line 7 of src\/bank\.ts still uses the promise of load\(\) as a value/,
    );
  });

  it('follows a module that is required as a whole', async () => {
    const head = `const bank = require('../src/bank');\n`;
    const { mended } = await mend(`it('works', () => { expect(bank.load(1)).toBe(1); });`, head);
    assert.equal(mended, `it('works', async () => { expect(await bank.load(1)).toBe(1); });`);
  });

  it('follows require as well', async () => {
    const head = `const { load: read } = require('../src/bank');\n`;
    const { mended } = await mend(`it('works', () => { expect(read(1)).toBe(1); });`, head);
    assert.equal(mended, `it('works', async () => { expect(await read(1)).toBe(1); });`);
  });

  it('follows a function that returns what another promises', async () => {
    const sum = 'export const total = (id) => load(id) + 1;\n';
    const both = `it('works', () => { expect(all()).toBe(1); expect(total(1)).toBe(2); });`;
    const { mended } = await mend(both, undefined, sum);
    // Its sum is no promise: it is broken, and no await mends it.
    assert.equal(
      mended,
      `it('works', async () => { expect(await all()).toBe(1); expect(total(1)).toBe(2); });`,
    );
  });

  for (const [what, test] of [
    [
      'what is awaited or returned',
      `it('works', async () => { expect(await load(1)).toBe(1); return load(2); });`,
    ],
    [
      'what is handed on to be awaited',
      `it('works', async () => { const p = load(1); await p; await Promise.all([load(2), load(3)]); });`,
    ],
    [
      'what is looked at as a promise',
      `it('works', async () => { await expect(load(1)).resolves.toBe(2); load(1).then(f); });`,
    ],
    [
      'a method of the same name of another class',
      `it('works', () => { expect(new Door().open('b')).toBe('b'); });`,
    ],
    [
      "the test's own function",
      `const own = { get: () => 1 };\nit('works', () => { expect(own.get()).toBe(2); });`,
    ],
    [
      'another test',
      `test('other', () => { expect(load(1)).toBe(1); });\nit('works', () => { expect(1).toBe(2); });`,
    ],
  ] as const)
    it(`leaves alone ${what}`, async () => {
      assert.deepEqual((await mend(test)).fixes, []);
    });

  for (const [what, test, reason] of [
    [
      'a callback that nobody waits for',
      `it('works', () => { expect([1].map((n) => load(n))).toEqual([1]); });`,
      /`await` is not possible/,
    ],
    [
      'a helper',
      `const get = () => load(1);\nit('works', () => { expect(get()).toBe(1); });`,
      /`await` is not possible/,
    ],
    [
      'a test that says by a callback when it is done',
      `it('works', (done) => { expect(load(1)).toBe(1); done(); });`,
      /signals its end with a callback/,
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      const { fixes, refusals } = await mend(test);
      assert.deepEqual(fixes, []);
      assert.match(refusals.join(), reason);
    });
});
