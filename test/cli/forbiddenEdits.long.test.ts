// Every kind of edit that the fix policy forbids, tried as a patch from outside: what a person, a script or an agent would hand in.
import assert from 'node:assert/strict';
import { unifiedDiff } from '../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { assertRejects, rejectedRules, rulesTold, type JudgedFile } from './rejectedRules.ts';

const source = `export const add = (a: number, b: number): number => a + b;
export const minus = (a: number, b: number): number => a - b;
export const load = async (): Promise<string> => 'data';
export const parse = (text: string): string => {
  if (text === '') throw new Error('empty');
  return text;
};
`;
const test = `import { beforeEach, describe, expect, it, vi } from 'vitest';
import { add, load, minus, parse } from './calc';

beforeEach(() => {
  vi.useRealTimers();
});

const slow = false;

describe('calc', () => {
  it('adds', () => {
    expect(add(1, 2)).toBe(3);
    expect(add(2, 2)).toBe(4);
  });
  it.each([
    [1, 1, 2],
    [2, 3, 5],
  ])('adds %i and %i', (a, b, sum) => {
    expect(add(a, b)).toBe(sum);
  });
  it('loads', async () => {
    await expect(load()).resolves.toBe('data');
  });
  it('parses', () => {
    expect(() => parse('')).toThrow('empty');
  });
  it('describes', () => {
    expect({ sum: add(1, 2), kind: 'sum' }).toMatchObject({ sum: 3, kind: 'sum' });
  });
  it('is even', () => {
    expect(minus(3, 1) % 2 === 0).toBe(true);
  });
  it('compares', () => {
    if (!slow) expect({ sum: add(2, 1) }).toStrictEqual({ sum: 3 });
  });
  it('records', async () => {
    const log = vi.fn();
    let sum = add(1, 1);
    log(sum);
    expect(log).toHaveBeenCalledWith(2);
    expect(log).toHaveBeenCalledTimes(1);
    expect(log).not.toHaveBeenCalledWith(3);
    expect(sum).toBe(2);
  });
});
`;
const snapshots = `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`calc > adds 1\`] = \`3\`;

exports[\`calc > subtracts 1\`] = \`1\`;
`;
const first = 'expect(add(1, 2)).toBe(3);';
const second = 'expect(add(2, 2)).toBe(4);';
const strict = 'toStrictEqual({ sum: 3 })';
const counted = 'expect(log).toHaveBeenCalledTimes(1);';
const absent = 'expect(log).not.toHaveBeenCalledWith(3);';
const even = "  it('is even', () => {\n    expect(minus(3, 1) % 2 === 0).toBe(true);\n  });\n";
const wait = 'await new Promise((resolve) => setTimeout(resolve, 2000));';

/** The rule, what is replaced in the test file, and what stands there instead. */
const edits: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['skip-or-only', "it('adds'", "it.skip('adds'"],
  ['skip-or-only', "it('adds'", "it.only('adds'"],
  ['skip-or-only', "it('is even', () => {", "it('is even', (context) => {\n    context.skip();"],
  ['skip-or-only', even, "  it.todo('is even');\n"],
  ['skip-or-only', "it('is even'", "xit('is even'"],
  ['skip-or-only', "it('is even'", "it.skipIf(true)('is even'"],
  ['skip-or-only', "it('is even'", "it.fails('is even'"],
  ['skip-or-only', "describe('calc'", "describe.skip('calc'"],
  ['conditional-test', "  it('adds',", "  if (process.env.HOME) it('adds',"],
  ['removed-test', "  it('is even', () => {\n    expect(minus(3, 1) % 2 === 0).toBe(true);\n  });\n", ''],
  ['removed-rows', '    [2, 3, 5],\n', ''],
  ['removed-hook', 'beforeEach(() => {\n  vi.useRealTimers();\n});\n', ''],
  ['empty-test', `    ${first}\n    ${second}\n`, ''],
  ['fewer-assertions', `    ${second}\n`, ''],
  ['removed-await', 'await expect(load())', 'void expect(load())'],
  ['weaker-matcher', first, 'expect(add(1, 2)).toBeTruthy();'],
  ['weaker-matcher', first, 'expect(add(1, 2)).toBeDefined();'],
  ['weaker-matcher', first, 'expect(add(1, 2)).toEqual(expect.any(Number));'],
  ['weaker-matcher', ".toThrow('empty')", '.toThrow()'],
  ['weaker-matcher', strict, 'toEqual({ sum: 3 })'],
  ['weaker-matcher', strict, 'toMatchObject({ sum: 3 })'],
  ['weaker-matcher', strict, 'toEqual(expect.objectContaining({ sum: 3 }))'],
  ['moved-assertion', first, `queueMicrotask(() => { ${first} });`],
  ['replaced-value', 'let sum = add(1, 1);', 'let sum = add(1, 1);\n    sum = 2;'],
  ['waited-count', counted, `await vi.waitFor(() => ${counted.slice(0, -1)});`],
  ['waited-absence', absent, `await vi.waitFor(() => ${absent.slice(0, -1)});`],
  ['retried-step', 'log(sum);', 'await vi.waitFor(() => {\n      log(sum);\n    });'],
  ['erased-calls', 'log(sum);', 'log(sum);\n    log.mockClear();'],
  ['retry', "it('is even', () => {", "it('is even', { retry: 3 }, () => {"],
  ['widened', "{ sum: 3, kind: 'sum' }", '{ sum: 3 }'],
  ['weakened-subject', first, "expect(typeof add(1, 2)).toBe('number');"],
  ['conditional-assertion', first, `if (add(1, 2) === 3) ${first}`],
  ['unreachable-assertion', first, `return;\n    ${first}`],
  ['vacuous-assertion', first, 'expect(3).toBe(3);'],
  ['swallowed-error', first, `try {\n      ${first}\n    } catch {}`],
  ['swallowed-error', "toBe('data');", "toBe('data').catch(() => {});"],
  ['inverted', 'toBe(true)', 'toBe(false)'],
  ['inverted', first, 'expect(add(1, 2)).not.toBe(4);'],
  ['computed-expectation', first, 'expect(add(1, 2)).toBe(add(1, 2));'],
  ['suppression', first, `// @ts-ignore\n    ${first}`],
  ['suppression', first, `// @ts-expect-error\n    ${first}`],
  ['suppression', 'import { beforeEach', '// @ts-nocheck\nimport { beforeEach'],
  ['suppression', first, `// eslint-disable-next-line\n    ${first}`],
  ['loose-type', first, 'expect((add as any)(1, 2)).toBe(3);'],
  ['loose-type', first, 'expect((add as unknown as () => number)()).toBe(3);'],
  ['mocked-source', 'beforeEach(', "vi.mock('./calc', () => ({ add: () => 3 }));\nbeforeEach("],
  ['redirected-import', '{ add, load, minus, parse }', '{ minus as add, load, minus, parse }'],
  ['outside-access', first, `require('node:fs').writeFileSync('calc.ts', '');\n    ${first}`],
  ['process-control', first, `process.exit(0);\n    ${first}`],
  ['sleep', 'await expect(load())', `${wait}\n    await expect(load())`],
  ['longer-timeout', ".toThrow('empty');\n  });", ".toThrow('empty');\n  }, 60_000);"],
  [
    'test-api-tampering',
    'beforeEach(',
    'expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });\nbeforeEach(',
  ],
  ['changed-input', first, 'expect(add(0, 3)).toBe(3);'],
  ['new-set-up', first, `vi.setSystemTime(0);\n    ${first}`],
  ['changed-condition', 'const slow = false', 'const slow = true'],
  ['syntax-error', first, 'expect(add(1, 2).toBe(3);'],
];

describe('testmend verify, for what the fix policy forbids', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        'calc.ts': source,
        'calc.test.ts': test,
        '__snapshots__/calc.test.ts.snap': snapshots,
      },
      { vitest: true, git: true },
    );
  });
  after(() => workspace.dispose());

  const judged = (): JudgedFile => ({ workspace, file: 'calc.test.ts', text: test });
  const rulesOf = (patch: string): Promise<readonly string[]> => rejectedRules(judged(), patch);

  for (const [rule, from, to] of edits)
    it(`rejects ${rule}: ${to === '' ? `without ${from.trim().split('\n')[0]}` : to.trim().split('\n')[0]}`, () =>
      assertRejects(judged(), rule, [from, to]));

  it('rejects lost, foreign and running snapshots', async () => {
    const changed = (from: string, to: string): string =>
      unifiedDiff(
        '__snapshots__/calc.test.ts.snap',
        snapshots,
        snapshots.replace(from, () => to),
      );
    const lost = 'exports[`calc > subtracts 1`] = `1`;\n';
    assert.ok((await rulesOf(changed(lost, ''))).includes('removed-entries'));
    assert.ok((await rulesOf(changed('`1`', '`${process.exit(0)}`'))).includes('snapshot-code'));
  });

  it('rejects an edit of the source, and the removal of a test file', async () => {
    const edited = unifiedDiff('calc.ts', source, source.replace('a + b', 'a + b + 1'));
    assert.deepEqual(await rulesTold(judged(), edited), ['only-test-files']);
    assert.ok(
      (await rulesTold(judged(), unifiedDiff('calc.test.ts', test, undefined))).includes('removed-file'),
    );
  });
});
