// Fault and stops from evidence, on real repositories: what is said, and what is left open.
import assert from 'node:assert/strict';
import path from 'node:path';
import { diagnose } from '../../../src/core/diagnosis/diagnose.ts';
import { findSourceChange } from '../../../src/core/diagnosis/findSourceChange.ts';
import { readSourceChanges, type SourceChanges } from '../../../src/core/diagnosis/sourceChanges.ts';
import { applyStops, historyStops } from '../../../src/core/diagnosis/stops.ts';
import type { Fix } from '../../../src/core/model/fix.ts';
import type { Failure, TestResult } from '../../../src/core/model/testResult.ts';
import type { CapturedAssertion, Value } from '../../../src/core/model/value.ts';
import { createImportGraph } from '../../../src/core/modules/importGraph.ts';
import { readText } from '../../../src/core/workspace/readText.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const cart = `export function total(prices: number[]): number {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
}

export function title(name: string): string {
  return 'Hi, ' + name;
}
`;
const files = {
  'src/cart.ts': cart,
  'src/other.ts': 'export const other = 1;\n',
  'test/cart.test.ts': `import { total } from '../src/cart';\n`,
  'test/free.test.ts': 'export const free = 1;\n',
};

const isTestFile = (file: string): boolean => file.startsWith('test/');
const failed = (failure: Partial<Failure>, file = 'test/cart.test.ts'): TestResult => ({
  id: `vitest:${file}#a`,
  file,
  line: 3,
  title: 'a',
  suites: [],
  outcome: 'failed',
  durationMs: 1,
  failure: { message: '', stack: [], kind: 'assertion', severity: 'medium', ...failure },
});
const captured = (expected: Value, actual: Value): CapturedAssertion => ({
  kind: 'values',
  testName: 'a',
  matcher: 'toBe',
  negated: false,
  expected,
  actual,
  message: '',
  stack: '',
});
const number = (text: string): Value => ({ kind: 'number', text });
const oracle: Fix = {
  id: '1',
  title: 'expect 2 (was 1)',
  grade: 'surgical',
  trust: 'oracle',
  edits: [],
  failures: ['vitest:test/cart.test.ts#a'],
  provider: 'expected-value',
  confidence: 0.8,
  evidence: [],
  expectation: { old: "'Hi, Ada'", new: "'Hello, Ada'" },
};

describe('diagnosis', () => {
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(files, { git: true });
  });
  afterEach(() => workspace.dispose());

  const changes = (): Promise<SourceChanges> =>
    readSourceChanges({
      root: workspace.root,
      isTestFile,
      graph: createImportGraph({ root: workspace.root }),
    });
  const said = async (
    result: TestResult,
    assertions: readonly CapturedAssertion[] = [],
    proposals: readonly Fix[] = [],
  ): Promise<string> => {
    const answer = await diagnose({
      result,
      captured: assertions,
      changes: await changes(),
      proposals,
      isTestFile,
    });
    return `${answer.fault}: ${answer.reason}`;
  };
  const changeCart = (): Promise<void> =>
    workspace.write('src/cart.ts', cart.replace('+= price', '+= price.cents').replace("'Hi, '", "'Hello, '"));

  it('says source when a value that nobody means comes with a change that reaches the test', async () => {
    await changeCart();
    assert.equal(
      await said(failed({}), [captured(number('30'), number('NaN'))]),
      'source: The actual value is NaN since src/cart.ts changed.',
    );
    assert.equal(
      await said(failed({ expected: '30', actual: 'NaN' })),
      'source: The actual value contains NaN since src/cart.ts changed.',
    );
  });

  it('leaves a changed expectation open although a source change reaches it', async () => {
    await changeCart();
    const answer = await said(failed({}), [captured(number('30'), number('31'))], [oracle]);
    assert.match(answer, /^unknown: src\/cart\.ts changed since the last commit, .* Either may be right\.$/);
  });

  it('leaves null, emptiness and missing keys open: they may be meant', async () => {
    await changeCart();
    const object = (...keys: string[]): Value => ({
      kind: 'object',
      entries: keys.map((key) => [key, number('1')]),
    });
    assert.match(await said(failed({}), [captured(object('a', 'b'), object('a'))]), /^unknown/);
    assert.match(await said(failed({}), [captured(number('1'), { kind: 'null' })]), /^unknown/);
  });

  it('suspects something else when no source change reaches the test', async () => {
    await workspace.write('src/other.ts', 'export const other = 2;\n');
    assert.match(
      await said(failed({}), [captured(number('30'), number('NaN'))]),
      /^unknown: .*No source file that this test uses changed since the last commit\. Check time, test order/,
    );
  });

  it('says test when only the test changed, and nothing when it is new', async () => {
    await workspace.write('test/cart.test.ts', `${files['test/cart.test.ts']}// changed\n`);
    assert.match(await said(failed({})), /^test: The test changed since the last commit, but no source/);
    await workspace.write('test/new.test.ts', '// new\n');
    assert.match(await said(failed({}, 'test/new.test.ts')), /^unknown: The test is new/);
  });

  it('says test when a fix that keeps the meaning is proposed', async () => {
    const moved: Fix = {
      ...oracle,
      trust: 'mechanical',
      origin: { outdated: 'uses a name that has changed' },
      evidence: [],
    };
    assert.match(await said(failed({ kind: 'error' }), [], [moved]), /^test: .*uses a name that has changed/);
    const fix: Fix = {
      ...moved,
      origin: { outdated: 'imports something that has moved' },
      evidence: ['src/a.ts was renamed to src/b.ts.'],
    };
    assert.equal(
      await said(failed({ kind: 'load' }), [], [fix]),
      'test: The test imports something that has moved. src/a.ts was renamed to src/b.ts.',
    );
  });

  for (const [message, reason] of [
    [
      `Failed to resolve import "chalk" from "test/cart.test.ts". Does the file exist?`,
      /package chalk is not/,
    ],
    [`Cannot find package '@scope/tool' imported from /x/y.ts`, /package @scope\/tool is not/],
    ['connect ECONNREFUSED 127.0.0.1:5432', /did not answer: ECONNREFUSED 127/],
    [
      'Test environment jest-environment-jsdom cannot be found.',
      /environment jest-environment-jsdom is not installed/,
    ],
    ['spawn psql ENOENT', /program psql is not installed/],
    ['Missing environment variable DATABASE_URL', /environment variable DATABASE_URL/],
  ] as const) {
    it(`says environment for "${message.slice(0, 40)}"`, async () => {
      const answer = await said(failed({ kind: 'error', message }));
      assert.match(answer, /^environment/);
      assert.match(answer, reason);
      // The same words inside an expectation say nothing about the environment.
      assert.match(await said(failed({ kind: 'assertion', message })), /^unknown/);
    });
  }

  it('does not take a module of the workspace under an alias for a package', async () => {
    workspace.git('mv', 'src/other.ts', 'src/another.ts');
    const message = `Failed to resolve import "@/other" from "test/cart.test.ts". Does the file exist?`;
    assert.doesNotMatch(await said(failed({ kind: 'load', message })), /^environment/);
    assert.doesNotMatch(
      await said(failed({ kind: 'load', message: message.replace('@/', 'src/') })),
      /^environment/,
    );
  });

  it('takes a SyntaxError that code throws for none of the file that calls it', async () => {
    await changeCart();
    const file = 'test/cart.test.ts';
    for (const message of ['SyntaxError: no list: [1]', 'Unexpected token in list: [1]'])
      assert.match(
        await said(
          failed({
            kind: 'load',
            message,
            location: { file, line: 2, column: 1 },
            stack: [
              { name: 'read', file: 'src/cart.ts', line: 1, column: 1 },
              { name: '', file, line: 2, column: 1 },
            ],
          }),
        ),
        /^unknown: src\/cart\.ts:1 throws since it changed: /,
      );
  });

  it('tells a syntax error of the test from one of the source', async () => {
    const message = 'Transform failed with 1 error:\nUnexpected "}"';
    const at = (file: string): Partial<Failure> => ({
      kind: 'load',
      message,
      location: { file, line: 2, column: 1 },
    });
    assert.match(
      await said(failed(at('test/cart.test.ts'))),
      /^test: test\/cart\.test\.ts:2 has a syntax error/,
    );
    await changeCart();
    assert.match(
      await said(failed(at('src/cart.ts'))),
      /^source: src\/cart\.ts:2 does not parse since it changed/,
    );
    // As jest tells it: the test was about to load the source.
    const stack = [{ name: 'Object.require', file: 'test/cart.test.ts', line: 1, column: 1 }];
    assert.match(
      await said(failed({ ...at('src/cart.ts'), stack })),
      /^source: src\/cart\.ts:2 does not parse since it changed/,
    );
  });

  it('says source for an error no caller can cause, and leaves others open', async () => {
    await changeCart();
    const stack = [{ name: 'total', file: 'src/cart.ts', line: 3, column: 1 }];
    assert.match(
      await said(failed({ kind: 'error', message: 'ReferenceError: taxRate is not defined', stack })),
      /^source: src\/cart\.ts:3 throws since it changed/,
    );
    assert.match(
      await said(
        failed({ kind: 'error', message: "Cannot read properties of undefined (reading 'cents')", stack }),
      ),
      /^unknown: .*or the test is outdated/,
    );
  });

  it('calls neither side wrong when a module was deleted', async () => {
    workspace.git('rm', '-q', 'src/cart.ts');
    const message = `Cannot find module '../src/cart' imported from /x/test/cart.test.ts`;
    assert.match(
      await said(failed({ kind: 'load', message })),
      /^unknown: .*src\/cart\.ts, which was deleted/,
    );
  });

  it('says that nothing is known without git', async () => {
    const plain = await temporaryWorkspace(files);
    try {
      const { root } = plain;
      const none = await readSourceChanges({ root, isTestFile, graph: createImportGraph({ root }) });
      const answer = await diagnose({ result: failed({}), captured: [], changes: none });
      assert.deepEqual([answer.fault, /not in a git repository/.test(answer.reason)], ['unknown', true]);
      assert.deepEqual(
        await historyStops({ result: failed({}), changes: none, assume: 'ask', isNewTest: false }),
        [],
      );
    } finally {
      await plain.dispose();
    }
  });

  it('stops a changed expectation that no source change explains, unless the user says the source is right', async () => {
    await workspace.write('src/other.ts', 'export const other = 2;\n');
    const known = await changes();
    const ask = { result: failed({}), changes: known, assume: 'ask', isNewTest: false } as const;
    const history = await historyStops(ask);
    assert.deepEqual(history, [
      { kind: 'history', reason: 'No source file that this test uses changed since the last commit.' },
    ]);
    assert.deepEqual(await historyStops({ ...ask, assume: 'source-is-right' }), []);
    assert.deepEqual(await historyStops({ ...ask, isNewTest: true }), []);
    assert.equal(applyStops(oracle, history).trust, 'propose');
    assert.equal(applyStops(oracle, []).trust, 'oracle');
    const value = [{ kind: 'value', reason: 'The actual value is NaN.' }] as const;
    const stopped = applyStops(oracle, value);
    assert.deepEqual([stopped.trust, stopped.stops], ['propose', [...value]]);
    const mechanical: Fix = { ...oracle, trust: 'mechanical' };
    assert.equal(applyStops(mechanical, [...value, ...history]), mechanical);
    await changeCart();
    assert.deepEqual(await historyStops({ ...ask, changes: await changes() }), []);
    const red = { ...ask, changes: await changes(), redAtBase: true };
    assert.equal((await historyStops(red)).length, 1);
    assert.equal((await historyStops({ ...red, assume: 'source-is-right' })).length, 1);
    assert.deepEqual(await historyStops({ ...red, isNewTest: true }), []);
  });

  it('shows the changed lines behind a new expectation, and nothing when none stands out', async () => {
    await changeCart();
    const read = (file: string): Promise<string | undefined> => readText(path.join(workspace.root, file));
    const question = { result: failed({}), changes: await changes(), readText: read };
    assert.deepEqual(
      await findSourceChange({ ...question, expectation: { old: "'Hi, Ada'", new: "'Hello, Ada'" } }),
      {
        location: { file: 'src/cart.ts', line: 8, column: 1 },
        excerpt: "-  return 'Hi, ' + name;\n+  return 'Hello, ' + name;",
      },
    );
    const onStack = failed({ stack: [{ name: 'total', file: 'src/cart.ts', line: 3, column: 5 }] });
    assert.equal((await findSourceChange({ ...question, result: onStack }))?.location.line, 3);
    assert.equal(await findSourceChange({ ...question, expectation: { old: '7', new: '9' } }), undefined);
    assert.equal(await findSourceChange({ ...question, result: failed({}, 'test/free.test.ts') }), undefined);
  });
});
