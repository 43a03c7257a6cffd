// Mocked modules that lack what the changed source uses: what is taken from the real module, and what is refused.
import assert from 'node:assert/strict';
import { askedProviders } from '../../../../src/core/fixes/providers.ts';
import { mockFactory } from '../../../../src/core/fixes/factories/mockFactory.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const files = {
  'src/rates.ts': 'export const rate = () => 2;\nexport const round = (n: number) => Math.round(n);\n',
  'src/price.ts': `import { rate } from './rates';\nexport const price = (n: number) => n * rate();\n`,
};
const price = `import { rate, round } from './rates';\nexport const price = (n: number) => round(n * rate());\n`;
const inVitest = `[vitest] No "round" export is defined on the "../src/rates" mock. Did you want to return the actual module?`;
const inJest = '(0 , _rates.round) is not a function';
const simple = `vi.mock('../src/rates', () => ({ rate: () => 3 }));`;

interface Situation {
  readonly file?: string;
  readonly mock: string;
  readonly message?: string;
  readonly now?: string;
}

async function mend({ file = 'test/price.test.ts', mock, message = inVitest, now = price }: Situation) {
  const text = `${mock}\nit('works', () => { expect(price(2)).toBe(6); });\n`;
  const changed = [{ file: 'src/price.ts', status: 'modified' as const }];
  const texts = new Map([...Object.entries(files), ['src/price.ts', now], [file, text]]);
  const refusals: string[] = [];
  const isTestFile = (name: string): boolean => name === file;
  const failure = { message, kind: 'error' as const, severity: 'medium' as const, stack: [] };
  const place = { file, line: 2, title: 'works', suites: [], durationMs: 1, outcome: 'failed' as const };
  const fixes = await mockFactory.propose({
    root: '/shop',
    failing: [{ result: { id: 'works', ...place, failure }, captured: [] }],
    readText: async (name) => texts.get(name),
    isTestFile,
    changes: {
      files: changed,
      baseText: async (name) => new Map(Object.entries(files)).get(name),
      reaching: async () => changed,
    },
    signal: new AbortController().signal,
    refuse: (_id, reason) => refusals.push(reason),
  });
  const edit = fixes[0]?.edits[0];
  const after = edit && applyEdit(edit, text);
  const violations =
    after === undefined
      ? []
      : checkPolicyOfEdits([{ file, before: text, after }], isTestFile, { isCall: true });
  return { fixes, refusals, violations, mended: after?.split('\nit(')[0] };
}

const completed: readonly (readonly [string, Situation, string])[] = [
  [
    'a factory of vitest in TypeScript',
    { mock: simple },
    `vi.mock('../src/rates', async (importOriginal) => ({ ...(await importOriginal<typeof import('../src/rates')>()), rate: () => 3 }));`,
  ],
  [
    'an asynchronous one over several lines in JavaScript',
    {
      file: 'test/price.test.js',
      mock: `vi.mock('../src/rates', async () => {\n  return {\n    rate: () => 3,\n  };\n});`,
    },
    `vi.mock('../src/rates', async (importOriginal) => {\n  return {\n    ...(await importOriginal()),\n    rate: () => 3,\n  };\n});`,
  ],
  [
    'a factory of jest',
    {
      file: 'test/price.test.js',
      mock: `jest.mock('../src/rates', () => ({rate: jest.fn()}));`,
      message: inJest,
    },
    `jest.mock('../src/rates', () => ({...jest.requireActual('../src/rates'), rate: jest.fn()}));`,
  ],
];

const left: readonly (readonly [string, Situation, RegExp?])[] = [
  [
    'a name that no changed source newly uses',
    { mock: simple, now: files['src/price.ts'] },
    /No source file that changed/,
  ],
  ['a name that the real module does not have', { mock: simple, message: inVitest.replace('round', 'ceil') }],
  [
    'a factory that takes the real module already',
    { mock: `vi.mock('../src/rates', async (original) => ({ ...(await original()) }));` },
  ],
  [
    'a factory that does more',
    { mock: `vi.mock('../src/rates', () => { prepare(); return { rate: () => 3 }; });` },
  ],
  [
    'a name that the factory has',
    { mock: `jest.mock('../src/rates', () => ({ rate: 1, round: 2 }));`, message: inJest },
  ],
  [
    'a name that two mocks could give',
    {
      mock: `jest.mock('../src/rates', () => ({ rate: 1 }));\njest.mock('math-kit', () => ({ floor: 1 }));`,
      message: inJest,
    },
    /so the module is unclear/,
  ],
];

describe('the fixer of mocked modules', function () {
  this.timeout(240_000);
  for (const [what, situation, mended] of completed)
    it(`completes ${what}`, async () => {
      const found = await mend(situation);
      assert.equal(found.mended, mended, found.refusals.join());
      assert.deepEqual(found.violations, []);
      assert.equal(found.fixes[0]?.trust, 'oracle');
      assert.match(found.fixes[0].evidence[0] ?? '', /^src\/price\.ts uses round since the last commit/);
    });

  for (const [what, situation, reason] of left)
    it(`leaves ${what}`, async () => {
      const found = await mend(situation);
      assert.deepEqual(found.fixes, []);
      if (reason === undefined) assert.deepEqual(found.refusals, []);
      else assert.match(found.refusals.join(), reason);
    });

  it('turns a test of vitest green in a real run', async () => {
    const test = `import { expect, it, vi } from 'vitest';
import { price } from '../src/price';
${simple}
it('has a price', () => {
  expect(price(2)).toBe(6);
});
`;
    const manifest = JSON.stringify({ name: 'shop', type: 'module', devDependencies: { vitest: '4' } });
    const workspace = await temporaryWorkspace(
      { 'package.json': manifest, ...files, 'test/price.test.ts': test },
      { git: true, vitest: true },
    );
    try {
      await workspace.write('src/price.ts', price);
      const report = await mendWorkspace(workspace, {
        strategy: 'conservative',
        assume: 'source-is-right',
        providers: askedProviders(['mock-factories']),
      });
      assert.equal(report.passRate, 100, JSON.stringify(report.remaining));
      assert.match(report.patch, /^\+vi\.mock\('\.\.\/src\/rates', async \(importOriginal\) => \(\{ \.\.\./m);
    } finally {
      await workspace.dispose();
    }
  });
});
