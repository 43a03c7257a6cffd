import assert from 'node:assert/strict';
import { runIsolated, type IsolatedOutcome } from '../../../src/core/cycle/isolatedRuns.ts';
import type { RunSummary, TestResult } from '../../../src/core/model/testResult.ts';

type Said = { readonly message: string; readonly expected?: string; readonly actual?: string };

const result = (title: string, said?: Said): TestResult => ({
  id: `pytest:test_a.py#${title}`,
  file: 'test_a.py',
  line: 1,
  title,
  suites: [],
  outcome: said === undefined ? 'passed' : 'failed',
  durationMs: 1,
  ...(said && { failure: { kind: 'assertion', severity: 'medium', stack: [], ...said } }),
});

const summaryOf = (test: TestResult): RunSummary => ({
  total: 1,
  passed: test.outcome === 'passed' ? 1 : 0,
  failed: test.outcome === 'failed' ? 1 : 0,
  skipped: 0,
  errored: 0,
  passRate: null,
  durationMs: 1,
  notes: [],
  tests: [test],
  ended: 'complete',
});

/** What a test that fails so in the suite is found to do, when it fails so alone. */
async function compared(suite: Said, alone: Said | undefined): Promise<IsolatedOutcome | undefined> {
  const suspect = result('suspect', suite);
  const company = result('company');
  const found = await runIsolated([suspect], {
    results: new Map([suspect, company].map((test) => [test.id, test])),
    root: '/',
    run: () => Promise.resolve(summaryOf(result('suspect', alone))),
  });
  return found.get(suspect.id);
}

describe('a failing test without its company', () => {
  it('is as it was when only addresses and times differ', async () => {
    const message = (address: string, ms: number): string =>
      `assert 8 == 2\n where 8 = len([<Comment at ${address}>]) in ${ms} ms`;
    assert.equal(
      await compared({ message: message('0x7F3D1AF048D0', 12) }, { message: message('0x7f5f3f9f61d0', 9) }),
      undefined,
    );
    const sides = { expected: '1', actual: '2' };
    assert.equal(await compared({ message: 'seed 7', ...sides }, { message: 'seed 8', ...sides }), undefined);
  });

  it('is as it was when it tells the same in another order, as a loop over a map of Go does', async () => {
    const [one, other] = ['got 1, want 2', 'got 3, want 4'];
    const suite = { message: `${one}\n${other}`, actual: '3', expected: '4' };
    const alone = { message: `${other}\n${one}`, actual: '1', expected: '2' };
    assert.equal(await compared(suite, alone), undefined);
    assert.equal(await compared(suite, { ...alone, message: `${one}\n${one}` }), 'other');
  });

  it('is run with half of its neighbours alone, when it is known to fail beside all of them', async () => {
    const said = { message: 'x', expected: '1', actual: '2' };
    const [a, b, c] = ['a', 'b', 'c'].map((title) => result(title, said));
    assert.ok(a && b && c);
    const elsewhere = { ...a, id: 'pytest:test_b.py#d', file: 'test_b.py', title: 'd' };
    const company = result('company');
    const rounds = async (suspects: readonly TestResult[], failByThemselves: boolean): Promise<string[]> => {
      const asked: string[] = [];
      await runIsolated(suspects, {
        failByThemselves,
        results: new Map([...suspects, company].map((test) => [test.id, test])),
        root: '/',
        run: ({ tests = [] }) => {
          asked.push(tests.map(({ names }) => names.join(' ')).join(' '));
          return Promise.resolve({ ...summaryOf(company), tests: [...suspects] });
        },
      });
      return asked;
    };
    assert.deepEqual(await rounds([a, b, c], false), ['a b c', 'a c', 'b']);
    assert.deepEqual(await rounds([a, b, c], true), ['a c', 'b']);
    assert.deepEqual(await rounds([a, b, elsewhere], true), ['a b d', 'a', 'b']);
  });

  it('is another when it compares other values, or passes', async () => {
    const sides = { expected: '1', actual: '2' };
    assert.equal(
      await compared({ message: 'x', ...sides }, { message: 'x', ...sides, actual: '3' }),
      'other',
    );
    assert.equal(await compared({ message: 'assert 1 == 2' }, { message: 'assert 3 == 2' }), 'other');
    assert.equal(await compared({ message: 'assert 1 == 2' }, undefined), 'green');
  });
});
