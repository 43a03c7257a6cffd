// Projects that moved to another runner, in real runs: all of their tests that can be are written for it, green ones are not touched.
import assert from 'node:assert/strict';
import type { TestResult } from '../../../../src/core/model/testResult.ts';
import { noChanges } from '../../../../src/core/diagnosis/sourceChanges.ts';
import { runnerApi } from '../../../../src/core/fixes/drift/runnerApi.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const manifest = (devDependencies: object, more: object = {}) =>
  JSON.stringify({ name: 'shop', devDependencies, ...more });

const shop = {
  'src/rates.ts': `export const rate = () => 2;\nexport const tax = 1;\nexport default { currency: 'EUR' };\n`,
  'src/price.ts': `import rates, { rate, tax } from './rates';
export const price = (n: number) => n * rate() + tax;
export const unit = () => rates.currency;
export const later = (give: (n: number) => void) => void setTimeout(() => give(1), 5);
`,
  'test/mocks.test.ts': `import { price } from '../src/price';
jest.mock('../src/rates', () => ({ ...jest.requireActual('../src/rates'), rate: jest.fn(() => 3) }));

describe('the price', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });
  it('has a rate', () => {
    const spy = jest.spyOn(console, 'log').mockImplementation(() => {});
    console.log(price(2));
    expect(spy).toHaveBeenCalledWith(7);
  });
});
`,
  'test/default.test.ts': `import { unit } from '../src/price';
import rates from '../src/rates';
jest.mock('../src/rates', () => ({ currency: 'USD' }));
test('has a unit', () => {
  expect(unit()).toBe(rates.currency);
  expect(unit()).toBe('USD');
});
`,
  'test/done.test.ts': `import { later } from '../src/price';
it('calls back', (done) => {
  later((n) => {
    expect(n).toBe(1);
    done();
  });
});
it('hands its callback on', (done) => {
  later(() => setTimeout(done, 1));
});
`,
  // Right before, and wrong since the source changed: no other runner may hide that.
  'test/bug.test.ts': `import { later } from '../src/price';
it('finds a bug', (done) => {
  later((n) => {
    expect(n).toBe(2);
    done();
  });
}, 200);
`,
  'test/failed.test.ts': `import { later } from '../src/price';
it('says what failed', (done) => {
  try {
    later(() => done());
  } catch (error) {
    done.fail(error);
  }
});
`,
  'test/alone.test.ts': `test('loads alone', () => {
  jest.isolateModules(() => {});
});
`,
};
const green = `import { expect, it } from 'vitest';\nit('is green', () => {\n  expect(1).toBe(1);\n});\n`;

describe('the fixer of runners', function () {
  this.timeout(240_000);

  it('follows a project from jest to vitest', async () => {
    const workspace = await temporaryWorkspace(
      { 'package.json': manifest({ jest: '29' }), ...shop },
      { git: true, vitest: true },
    );
    try {
      await workspace.write('package.json', manifest({ vitest: '4' }, { type: 'module' }));
      await workspace.write('test/green.test.ts', green);
      const report = await mendWorkspace(workspace, { strategy: 'conservative' });
      const left = Object.fromEntries(report.remaining.map(({ title, reason }) => [title, reason]));
      assert.deepEqual(Object.keys(left).sort(), [
        'test/alone.test.ts',
        'test/bug.test.ts',
        'test/failed.test.ts',
      ]);
      assert.match(left['test/alone.test.ts'] ?? '', /jest\.isolateModules has no counterpart in vitest/);
      assert.match(left['test/failed.test.ts'] ?? '', /Line 2: .* names done in more than one place/);
      for (const line of [
        `+vi.mock('../src/rates', async () => ({ ...(await vi.importActual('../src/rates')), rate: vi.fn(() => 3) }));`,
        `+import { afterEach, describe, expect, it, vi } from 'vitest';`,
        `+vi.mock('../src/rates', () => ({ default: { currency: 'USD' } }));`,
        `+it('calls back', () => new Promise<void>((done) => {`,
      ])
        assert.ok(report.patch.split('\n').includes(line), `${line}\n${report.patch}`);
      assert.doesNotMatch(report.patch, /green\.test/);
    } finally {
      await workspace.dispose();
    }
  });

  it('follows a project from vitest to jest', async () => {
    const test = `import { expect, it, vi } from 'vitest';
import { price } from '../src/price.js';
vi.mock('../src/rates.js', () => ({ rate: vi.fn(() => 3) }));
it('has a price', () => {
  vi.useFakeTimers();
  expect(price(2)).toBe(6);
  vi.useRealTimers();
});
`;
    const workspace = await temporaryWorkspace(
      {
        'package.json': manifest({ vitest: '4' }, { type: 'module' }),
        'src/rates.js': 'export const rate = () => 2;\n',
        'src/price.js': `import { rate } from './rates.js';\nexport const price = (n) => n * rate();\n`,
        'test/price.test.js': test,
      },
      { git: true, packages: ['jest', '@babel', '@jest', 'babel-jest'] },
    );
    try {
      await workspace.write('package.json', manifest({ jest: '29' }));
      await workspace.write(
        'babel.config.json',
        '{"presets":[["@babel/preset-env",{"targets":{"node":"current"}}]]}',
      );
      const report = await mendWorkspace(workspace, { strategy: 'conservative' });
      assert.equal(report.passRate, 100, JSON.stringify(report.remaining));
      assert.match(report.patch, /^\+import \{ expect, it, jest \} from '@jest\/globals';$/m);
      assert.match(report.patch, /^\+ {2}jest\.useFakeTimers\(\);$/m);
    } finally {
      await workspace.dispose();
    }
  });

  const ask = async (message: string, base: object | undefined, now: object, text: string) => {
    const refusals: string[] = [];
    const file = 'test/a.test.ts';
    const texts = new Map([
      ['package.json', JSON.stringify(now)],
      [file, text],
    ]);
    const failure = { message, kind: 'error' as const, severity: 'medium' as const, stack: [] };
    const place = { id: `jest:${file}#a`, file, line: 1, title: 'a', suites: [], durationMs: 1 };
    const result: TestResult = { ...place, outcome: 'failed', failure };
    const fixes = await runnerApi.propose({
      root: '/shop',
      failing: [{ result, captured: [] }],
      readText: async (name) => texts.get(name),
      isTestFile: (name) => name === file,
      changes:
        base === undefined
          ? noChanges('the folder is not in a git repository')
          : {
              files: [{ file: 'package.json', status: 'modified' }],
              baseText: async () => JSON.stringify(base),
              reaching: async () => [],
            },
      signal: new AbortController().signal,
      refuse: (_id, reason) => refusals.push(reason),
    });
    return { changed: fixes[0]?.edits[0]?.changes.map(({ newText }) => newText), refusals: refusals.join() };
  };
  const aliased = `test('a', () => { expect(f).toBeCalled(); });\n`;
  const gone = 'expect(...).toBeCalled is not a function';
  const [old, newer] = [{ devDependencies: { jest: '^29.7.0' } }, { devDependencies: { jest: '^30.0.0' } }];

  it('renames the matchers that a newer version of jest took away', async () => {
    assert.deepEqual((await ask(gone, old, newer, aliased)).changed, ['toHaveBeenCalled']);
  });

  it('leaves tests alone when the configuration of the runner did not change, or nobody knows', async () => {
    const other = { ...old, version: '1.0.1' };
    assert.match((await ask(gone, old, other, aliased)).refusals, /no configuration of the tests changed/);
    assert.match((await ask(gone, undefined, other, aliased)).refusals, /not in a git repository/);
    const own = await ask('f.toBeCalled2 is not a function', old, newer, aliased);
    assert.deepEqual(own, { changed: undefined, refusals: '' });
    assert.equal((await ask('jset is not defined', old, newer, aliased)).changed, undefined);
  });
});
