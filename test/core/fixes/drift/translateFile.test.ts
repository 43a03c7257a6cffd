// One test file written for another runner: what becomes of each name, and what is left with a reason.
import assert from 'node:assert/strict';
import { translateFile, type TranslationWish } from '../../../../src/core/fixes/drift/translateFile.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';

const toVitest: TranslationWish = { runner: 'vitest', hasGlobals: true, lacksAliases: false };
const toJest: TranslationWish = { runner: 'jest', hasGlobals: true, lacksAliases: false };
const file = 'test/shop.test.ts';

function translate(before: string, wish: TranslationWish) {
  const found = translateFile(parseTree(file, before), wish);
  if ('reason' in found) return found;
  const after = applyChanges(found.changes, before);
  const rules = checkPolicyOfEdits([{ file, before, after }], () => true, { movesRunner: true });
  return { after, rules, left: found.left.map(({ reason }) => reason) };
}

const head = `import axios from 'axios';\nimport { load } from '../src/load';\n`;

const translated: readonly (readonly [what: string, wish: TranslationWish, before: string, after: string])[] =
  [
    [
      'mocks, spies and the clock',
      toVitest,
      `const save = jest.fn();\njest.spyOn(console, 'log');\njest.useFakeTimers({ now: 0 });\nafterEach(() => jest.restoreAllMocks());\n`,
      `const save = vi.fn();\nvi.spyOn(console, 'log');\nvi.useFakeTimers({ now: 0 });\nafterEach(() => vi.restoreAllMocks());\n`,
    ],
    [
      'the names that need an import now, below the comment at the top',
      { ...toVitest, hasGlobals: false },
      `/** @jest-environment node */
import { load } from '../src/load';

describe('a', () => { it('b', () => { expect(load(jest.fn())).toBe(1); }); });
`,
      `/** @jest-environment node */
import { describe, expect, it, vi } from 'vitest';
import { load } from '../src/load';

describe('a', () => { it('b', () => { expect(load(vi.fn())).toBe(1); }); });
`,
    ],
    [
      'an import that is there',
      { ...toVitest, hasGlobals: false },
      `import { jest, test } from '@jest/globals';\ntest('a', () => { expect(jest.fn()()).toBe(undefined); });\n`,
      `import { vi, test, expect } from 'vitest';\ntest('a', () => { expect(vi.fn()()).toBe(undefined); });\n`,
    ],
    [
      'the default export of a mocked module',
      toVitest,
      `${head}jest.mock('axios', () => ({ get: jest.fn() }));\njest.mock('../src/log', () => jest.fn());\n`,
      `${head}vi.mock('axios', () => ({ default: { get: vi.fn() } }));\nvi.mock('../src/log', () => ({ default: vi.fn() }));\n`,
    ],
    [
      'a mocked module that keeps the rest of the real one',
      toVitest,
      `${head}jest.mock('../src/load', () => ({ ...jest.requireActual<object>('../src/load'), load: jest.fn() }));
jest.mock('../src/b', () => {
  const { b } = jest.requireActual('../src/b');
  return { __esModule: true, default: b };
});
`,
      `${head}vi.mock('../src/load', async () => ({ ...(await vi.importActual<object>('../src/load')), load: vi.fn() }));
vi.mock('../src/b', async () => {
  const { b } = (await vi.importActual('../src/b'));
  return { __esModule: true, default: b };
});
`,
    ],
    [
      'types of mocks',
      toVitest,
      `${head}(load as jest.Mock).mockReturnValue(1);\nlet f: jest.MockedFunction<typeof load>;\n`,
      `import { type Mock, type MockedFunction } from 'vitest';\n${head}(load as Mock).mockReturnValue(1);\nlet f: MockedFunction<typeof load>;\n`,
    ],
    [
      'callbacks that say when a test is done',
      toVitest,
      `test('a', (done) => { load((v) => { expect(v).toBe(1); done(); }); }, 500);\nbeforeEach(function (ready) { load(() => ready()); });\n`,
      `test('a', () => new Promise<void>((done) => { load((v) => { expect(v).toBe(1); done(); }); }), 500);
beforeEach(() => new Promise<void>(function (ready) { load(() => ready()); }));
`,
    ],
    [
      'hooks and tests of mocha',
      { ...toVitest, hasGlobals: false },
      `context('a', () => { before(() => {}); specify('b', () => {}); });\n`,
      `import { beforeAll, describe, it } from 'vitest';\ndescribe('a', () => { beforeAll(() => {}); it('b', () => {}); });\n`,
    ],
    [
      'vitest back to jest',
      toJest,
      `import { expect, test, vi } from 'vitest';
vi.mock('../src/load', () => ({ load: vi.fn() }));
test('a', () => { expect(vi.isMockFunction(vi.fn())).toBe(true); });
`,
      `import { expect, test, jest } from '@jest/globals';
jest.mock('../src/load', () => ({ load: jest.fn() }));
test('a', () => { expect(jest.isMockFunction(jest.fn())).toBe(true); });
`,
    ],
    [
      'second names of matchers',
      { ...toJest, lacksAliases: true },
      `test('a', () => { expect(f).not.toBeCalledWith(1); expect(() => f()).toThrowError('x'); list.toReturn(); });\n`,
      `test('a', () => { expect(f).not.toHaveBeenCalledWith(1); expect(() => f()).toThrow('x'); list.toReturn(); });\n`,
    ],
  ];

const refused: readonly (readonly [what: string, wish: TranslationWish, before: string, reason: RegExp])[] = [
  [
    'a member without a counterpart',
    toVitest,
    `jest.isolateModules(() => {});`,
    /^jest\.isolateModules has no counter/,
  ],
  ['another time limit', toVitest, `jest.setTimeout(10);`, /^jest\.setTimeout has no counterpart/],
  [
    'other options of the clock',
    toVitest,
    `jest.useFakeTimers({ legacyFakeTimers: true });`,
    /takes other options/,
  ],
  [
    'mocks that are emptied',
    toVitest,
    `jest.fn(() => 1);\njest.resetAllMocks();`,
    /gives a mock its first impl/,
  ],
  [
    'one mock that is emptied',
    toVitest,
    `const f = jest.fn(() => 1);\nf.mockReset();`,
    /^mockReset gives a mock its/,
  ],
  ['the runner as a value', toVitest, `use(jest);`, /^jest is used as a value/],
  [
    'the real module outside of a factory',
    toVitest,
    `const a = jest.requireActual('a');`,
    /only in the factory/,
  ],
  ['a virtual mock', toVitest, `jest.mock('a', () => ({}), { virtual: true });`, /has options/],
  [
    'a default beside others',
    toVitest,
    `import a, { b } from 'a';\njest.mock('a', () => ({ b: 1 }));`,
    /and others beside it/,
  ],
  ['a factory that is made elsewhere', toVitest, `jest.mock('a', make);`, /cannot be read/],
  [
    'mocked modules that are required',
    toVitest,
    `jest.mock('../src/a');\nconst a = require('../src/a');`,
    /only what is imported/,
  ],
  [
    'a type with other arguments',
    toVitest,
    `let f: jest.Mock<number, []>;`,
    /jest\.Mock has no certain counterpart/,
  ],
  ['a skipped test of another name', toVitest, `xit('a', () => {});`, /^xit has no counterpart/],
  ['a test that has to fail', toVitest, `it.failing('a', () => {});`, /^it\.failing has no certain/],
  [
    "mocha's own this",
    toVitest,
    `before(function () { this.timeout(1); });`,
    /^this\.timeout has no counterpart/,
  ],
  [
    'a factory that waits',
    toJest,
    `import { vi } from 'vitest';\nvi.mock('a', async (real) => ({ ...(await real()) }));`,
    /jest does not/,
  ],
  [
    'what only vitest has',
    toJest,
    `import { vi } from 'vitest';\nvi.stubEnv('A', 'b');`,
    /^vi\.stubEnv has no counterpart/,
  ],
  [
    'a matcher that only vitest has',
    toJest,
    `import { expect } from 'vitest';\nexpect(f).toBeTypeOf('a');`,
    /^toBeTypeOf has no/,
  ],
  [
    'expect in mocha',
    { ...toJest, runner: 'mocha' },
    `it('a', () => { expect(1).toBe(1); });`,
    /^expect has no counterpart in mocha/,
  ],
  [
    'an import under another name',
    toVitest,
    `import { jest as j } from '@jest/globals';`,
    /in an unusual way/,
  ],
];

const kept: readonly (readonly [string, RegExp])[] = [
  [`load((error) => { if (error) done(error); else done(); });`, /names done in more than one place/],
  [`load(done.fail);`, /asks done for more/],
  [`const resolve = 1; load(done, resolve);`, /other meanings for the names/],
  [`try { load(); done(); } catch (e) { done.fail(e); }`, /names done in more than one place/],
  [`for (const x of [1]) done();`, /names done in a loop/],
  [`load(() => { this.x = 1; done(); });`, /uses this/],
];

describe('a test that is written for another runner', () => {
  for (const [what, wish, before, after] of translated)
    it(`translates ${what}`, () => {
      const found = translate(before, wish);
      assert.ok(!('reason' in found), JSON.stringify(found));
      assert.equal(found.after, after);
      assert.deepEqual(found.rules, [], 'the gate');
      assert.deepEqual(found.left, []);
    });

  for (const [what, wish, before, reason] of refused)
    it(`refuses ${what}`, () => {
      const found = translate(`${before}\n`, wish);
      assert.match('reason' in found ? found.reason : found.after, reason);
    });

  it('leaves callbacks that no promise certainly stands for', () => {
    for (const [body, reason] of kept) {
      const before = `test('a', function (done) { ${body} });\n`;
      const found = translate(before, toVitest);
      assert.ok(!('reason' in found));
      assert.equal(found.after, before);
      assert.match(found.left.join(), reason);
    }
  });

  it('leaves names that the file gives a meaning of its own, and what another package gives', () => {
    const before = `import { expect } from 'chai';\nconst jest = { fn: () => 1 };\nconst before = 1;\nexpect(jest.fn() + before).to.equal(2);\n`;
    const found = translate(before, { ...toVitest, hasGlobals: false });
    assert.equal('after' in found ? found.after : '', before);
  });
});
