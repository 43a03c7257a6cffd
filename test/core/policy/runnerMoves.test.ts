// A test that is written for another runner: the gate makes no exception for it, and finds what hides in it.
import assert from 'node:assert/strict';
import { checkPolicy, checkPolicyOfEdits } from '../../../src/core/policy/checkPolicy.ts';

const file = 'test/shop.test.ts';
const before = `import { load } from '../src/load';
jest.mock('../src/rates', () => ({ ...jest.requireActual('../src/rates'), rate: jest.fn(() => 3) }));
describe('shop', () => {
  before(() => { jest.useFakeTimers(); });
  it('loads', (done) => {
    load((value) => {
      expect(value).toBe(1);
      expect(jest.fn()).not.toBeCalled();
      done();
    });
  });
});
`;
const after = `import { describe, it, expect, beforeAll, vi } from 'vitest';
import { load } from '../src/load';
vi.mock('../src/rates', async () => ({ ...(await vi.importActual('../src/rates')), rate: vi.fn(() => 3) }));
describe('shop', () => {
  beforeAll(() => { vi.useFakeTimers(); });
  it('loads', () => new Promise<void>((done) => {
    load((value) => {
      expect(value).toBe(1);
      expect(vi.fn()).not.toHaveBeenCalled();
      done();
    });
  }));
});
`;

const rulesOf = (now: string): string[] => [
  ...new Set(checkPolicyOfEdits([{ file, before, after: now }], () => true).map(({ rule }) => rule)),
];

/** What each changes in the honest text, and a rule that refuses it whoever makes it. */
const tricks: readonly (readonly [what: string, from: string, to: string, rule: string])[] = [
  ['an assertion is lost', '      expect(value).toBe(1);\n', '', 'fewer-assertions'],
  ['done is called first', 'load((value) => {', 'done();\n    load((value) => {', 'moved-assertion'],
  ['a matcher is weaker', 'toBe(1)', 'toBeDefined()', 'weaker-matcher'],
  ['a test is skipped', "it('loads'", "it.skip('loads'", 'skip-or-only'],
  ['the compiler is silenced', 'expect(value)', 'expect(value as any)', 'loose-type'],
  [
    'the promise is not waited for',
    '() => new Promise<void>(',
    '() => void new Promise<void>(',
    'removed-await',
  ],
];

describe('the gate over tests that are written for another runner', () => {
  it('refuses the same test under hooks of another name, there and back', () => {
    assert.deepEqual(rulesOf(after), ['removed-hook']);
    const back = checkPolicy({ file, before: after, after: before });
    assert.deepEqual([...new Set(back.map(({ rule }) => rule))], ['removed-hook']);
  });

  for (const [what, from, to, rule] of tricks)
    it(`refuses that ${what}`, () => {
      assert.equal(after.split(from).length, 2, from);
      const now = after.replace(from, () => to);
      assert.ok(rulesOf(now).includes(rule), `found ${rulesOf(now).join() || 'nothing'}`);
    });

  it('knows when a promise settles before its assertion', () => {
    const old = `test('a', async () => { expect(await f()).toBe(1); });`;
    const promised = (body: string) => `test('a', async () => { await new Promise((ok) => { ${body} }); });`;
    const rules = (body: string) =>
      checkPolicy({ file, before: old, after: promised(body) }).map(({ rule }) => rule);
    assert.ok(rules('ok(); expect(f()).toBe(1);').includes('moved-assertion'));
    assert.ok(!rules('expect(f()).toBe(1); ok();').includes('moved-assertion'));
  });

  it('lets neither the environment, nor the options of a mock, nor the library of expectations change', () => {
    const rules = (was: string, is: string) =>
      checkPolicy({ file, before: was, after: is }).map(({ rule }) => rule);
    const written = (runner: string, more = '') =>
      `${runner}.mock('./a'${more});\ntest('a', () => { expect(run(${runner}.fn())).toBe(1); });\n`;
    const [jest, vi] = [written('jest'), written('vi')];
    assert.deepEqual(rules(jest, vi), []);
    const page = '/** @jest-environment jsdom */\n';
    assert.deepEqual(rules(page + jest, page.replace('jest', 'vitest') + vi), []);
    assert.deepEqual(rules(page + jest, vi), ['test-api-tampering']);
    assert.deepEqual(rules(jest, `// @vitest-environment node\n${vi}`), ['test-api-tampering']);
    assert.deepEqual(rules(jest, written('vi', ', { spy: true }')), ['mocked-source']);
    for (const word of ['true', 'empty']) {
      const chai = `import { expect } from 'chai';\ntest('a', () => { expect(run()).to.be.${word}; });\n`;
      assert.deepEqual(rules(chai, chai.replace('chai', 'vitest')), ['redirected-import']);
    }
  });
});
