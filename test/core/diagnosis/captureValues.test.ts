// Values recorded in real test processes, and fixes made from them: the loop from red to green.
import assert from 'node:assert/strict';
import { readdir, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { captureValues } from '../../../src/core/diagnosis/captureValues.ts';
import { expectedValue } from '../../../src/core/fixes/assertion/expectedValue.ts';
import { detectProjects } from '../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../src/core/frameworks/registry.ts';
import { applyChanges } from '../../../src/core/model/edit.ts';
import type { Fix } from '../../../src/core/model/fix.ts';
import type { Selection } from '../../../src/core/model/frameworkProject.ts';
import type { RunSummary, TestResult } from '../../../src/core/model/testResult.ts';
import type { CapturedAssertion } from '../../../src/core/model/value.ts';
import { runTests } from '../../../src/core/run/runTests.ts';
import { readText } from '../../../src/core/workspace/readText.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { writerIn } from '../../support/writerIn.ts';

const shop = `export class Money {
  constructor(value, currency) { this.value = value; this.currency = currency; }
}
export const greet = (name) => \`Hello, \${name}\`;
export const total = (items) => ({ items: items.length, sum: { value: items.reduce((a, b) => a + b, 0) * 1.2, currency: 'EUR' } });
export const slug = (text) => text.toLowerCase().replaceAll(' ', '_');
export const later = async (value) => ({ value, tags: new Set(['new', value]), prices: new Map([['net', 10], ['gross', 12]]) });
export const money = (value) => new Money(value, 'EUR');
export const tree = () => { const node = { name: 'root', children: [] }; node.children.push({ name: 'leaf', parent: node }); return node; };
export const lines = () => ['id;name', '1;Tea', '2;Milk'].join('\\n');
`;

const greeting = `// @vitest-environment node
import { expect, it, describe, vi } from 'vitest';
import { greet, slug } from '../src/shop.js';

describe('greeting', () => {
  it('greets', () => {
    expect(greet('Ada')).toBe('Hi, Ada');
  });
  it('greets softly', () => {
    expect.soft(greet('Bob')).toBe("Hi, Bob");
    expect.soft(greet('Cy')).toMatch(/Cy/);
    expect.soft({ text: greet('Di'), other: 1 }).toMatchObject({ text: 'Hi, Di' });
  });
  it.each([
    ['Red Tea', 'red-tea'],
    ['Milk', 'milk'],
    ['Brown Sugar', 'brown-sugar'],
  ])('slugs %s', (text, wanted) => {
    expect(slug(text)).toBe(wanted);
  });
  it.concurrent('is concurrent', async ({ expect }) => {
    expect(greet('Eve')).toEqual('Hi, Eve');
  });
  it('catches its own', () => {
    try { expect(greet('Fay')).toBe('never'); } catch { /* on purpose */ }
    expect(greet('Fay')).toBe('Hi, Fay');
  });
  it('greets all', () => {
    for (const [name, text] of [['Gus', 'Hi, Gus'], ['Hal', 'Hi, Hal']]) expect(greet(name)).toBe(text);
    expect(slug('A b')).toEqual('a-b');
  });
  it('waits', async () => {
    let text = 'nothing yet';
    setTimeout(() => { text = greet('Ida'); }, 20);
    await vi.waitFor(() => expect(text).toBe('Hi, Ida'), { timeout: 200, interval: 10 });
  });
});
describe('twins', () => {
  it('same name', () => { expect(greet('A')).toBe('Hello, A'); });
  it('same name', () => { expect(greet('B')).toBe('Hi, B'); });
});
`;

const structures = `\uFEFF'use strict';\r
import { expect, test } from 'vitest';\r
import assert, { deepStrictEqual } from 'node:assert';\r
import { later, lines, money, total, tree } from '../src/shop.js';\r
\r
test('total', () => {\r
\texpect(total([5, 5])).toEqual({\r
\t\titems: expect.any(Number),\r
\t\tsum: { value: 10, currency: '€' }, // with tax\r
\t});\r
});\r
test('later', async () => {\r
\tawait expect(later('x')).resolves.toEqual({ value: 'x', tags: new Set(['x']), prices: new Map([['net', 10]]) });\r
});\r
test('instances', () => {\r
\texpect(money(3)).toMatchObject({ currency: '€' });\r
\texpect(money(3)).toStrictEqual({ value: 3, currency: 'EUR' });\r
});\r
test('cycles', () => {\r
\texpect(tree()).toMatchObject({ name: 'top' });\r
});\r
test('assert', () => {\r
\tassert.deepEqual(total([1]).sum, { value: 1, currency: 'EUR' });\r
});\r
test('assert by name', () => {\r
\tdeepStrictEqual(lines().split('\\n'), ['id,name', '1,Tea']);\r
});\r
test('passes', () => { expect(1).toBe(1); });`;

const skillTest = `import assert from 'node:assert/strict';
import { greet } from '../src/shop.js';
const tests = {
  greets: () => assert.equal(greet('Ada'), 'Hi, Ada'),
  counts: () => assert.deepEqual([greet('B').length], [5]),
  fine: () => assert.ok(true),
};
export default async function runTests() {
  const result = { passed: 0, failed: 0, errors: [] };
  for (const [name, run] of Object.entries(tests)) {
    try { run(); result.passed++; } catch (error) { result.failed++; result.errors.push(\`\${name}: \${error.message}\`); }
  }
  return result;
}
`;

interface Snapshot {
  readonly file: string;
  readonly text: string;
  readonly modified: number;
}

describe('values captured in the running test', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let first: RunSummary;
  let untouched: readonly Snapshot[];
  let captured: ReadonlyMap<string, readonly CapturedAssertion[]>;

  const run = async (selection: Selection, env: Record<string, string>): Promise<RunSummary> => {
    const { projects } = await detectProjects(workspace.root);
    const limits = { timeoutMs: 60_000, skillTimeoutMs: 20_000, maxParallel: 2 };
    return runTests({
      workspace: { root: workspace.root, limits, frameworks: [], cacheFolder: workspace.root },
      projects,
      selection,
      frameworks: (framework) => frameworkOf({ framework }),
      env,
    });
  };
  const capture = (results: readonly TestResult[]): ReturnType<typeof captureValues> =>
    captureValues({ root: workspace.root, write: writerIn(workspace.root), results, run });
  const ofTest = (title: string): readonly CapturedAssertion[] => {
    const result = first.tests.find((test) => test.title === title && test.outcome === 'failed');
    return captured.get(result?.id ?? '') ?? [];
  };

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"name":"shop","type":"module","devDependencies":{"vitest":"*"}}',
        'src/shop.js': shop,
        'test/greeting.test.ts': greeting,
        'test/structures.test.ts': structures,
        'tests/greet.tests.mjs': skillTest,
      },
      { vitest: true, name: "the shop's (copy)" },
    );
    first = await run({}, {});
    // A whole second: file systems and Date round parts of milliseconds each in their own way.
    const second = new Date('2024-01-01T00:00:00Z');
    for (const { file } of await snapshots(workspace.root))
      await utimes(path.join(workspace.root, file), second, second);
    untouched = await snapshots(workspace.root);
    captured = await capture(failing(first));
  });
  after(() => workspace.dispose());

  it('leaves every file as it was, to the byte and the time, and nothing beside them', async () => {
    assert.deepEqual(await snapshots(workspace.root), untouched);
  });

  it('has an answer for every failing test, and for no other', () => {
    assert.deepEqual(
      [...captured.keys()].sort(),
      failing(first)
        .map((test) => test.id)
        .sort(),
    );
    assert.equal(failing(first).length, 16);
    assert.deepEqual(
      [...captured].filter(([, found]) => found.length === 0),
      [],
    );
  });

  it('tells texts from numbers, and keeps soft assertions together', () => {
    const text = (value: string): unknown => ({ kind: 'string', value });
    const soft = ofTest('greets softly');
    assert.deepEqual(
      soft.map((one) => one.matcher),
      ['toBe', 'toMatchObject'],
    );
    assert.deepEqual([soft[0]?.actual, soft[0]?.expected], [text('Hello, Bob'), text('Hi, Bob')]);
  });

  it('knows which of two tests with one name it was, and what a test caught by itself', () => {
    assert.deepEqual(
      ofTest('same name').map((one) => one.actual),
      [{ kind: 'string', value: 'Hello, B' }],
    );
    assert.deepEqual(
      ofTest('catches its own').map((one) => one.expected),
      [{ kind: 'string', value: 'Hi, Fay' }],
    );
  });

  it('sees all comparisons that fail in a test, and of those that are repeated until they hold only the last', () => {
    const values = (title: string): unknown[] => ofTest(title).map(({ actual }) => actual);
    const text = (value: string): unknown => ({ kind: 'string', value });
    assert.deepEqual(values('greets all'), [text('Hello, Gus'), text('Hello, Hal'), text('a_b')]);
    assert.deepEqual(values('waits'), [text('Hello, Ida')]);
  });

  it('records sets, maps, instances and cycles as data', () => {
    const later = ofTest('later')[0]?.actual;
    assert.ok(later?.kind === 'object');
    assert.deepEqual(Object.fromEntries(later.entries).tags, {
      kind: 'set',
      items: [
        { kind: 'string', value: 'new' },
        { kind: 'string', value: 'x' },
      ],
    });
    const money = ofTest('instances')[0]?.actual;
    assert.equal(money?.kind === 'object' && money.className, 'Money');
    assert.match(JSON.stringify(ofTest('cycles')[0]?.actual), /a cycle/);
    assert.match(JSON.stringify(ofTest('total')[0]?.expected), /asymmetric matched/);
  });

  it('sees what a skill test swallows', () => {
    assert.deepEqual(
      ofTest('greet').map((one) => one.matcher),
      ['strictEqual', 'deepStrictEqual'],
    );
  });

  it('makes the tests pass for real, within the cycle, and nothing left to change after that', async () => {
    const fixed: Fix[] = [];
    let summary = first;
    let values = captured;
    for (let iteration = 0; iteration < 3 && failing(summary).length > 0; iteration++) {
      const refusals: string[] = [];
      const fixes = await expectedValue.propose({
        root: workspace.root,
        failing: failing(summary).map((result) => ({ result, captured: values.get(result.id) ?? [] })),
        readText: (file) => readText(path.join(workspace.root, file)),
        isTestFile: (file) => /^tests?\//.test(file),
        changes: { files: [], baseText: async () => undefined, reaching: async () => [] },
        signal: new AbortController().signal,
        refuse: (id, reason) => void refusals.push(`${id}: ${reason}`),
      });
      // An instance has no literal: this test stays for a person, with all that it expects.
      assert.deepEqual(
        refusals.filter((reason) => !reason.includes('instances')),
        [],
      );
      fixed.push(...fixes);
      for (const [file, edits] of byFile(fixes)) {
        const text = (await readText(path.join(workspace.root, file))) ?? '';
        await workspace.write(file, applyChanges(edits, text));
      }
      summary = await run({}, {});
      values = await capture(failing(summary));
    }
    assert.deepEqual(
      failing(summary).map((test) => test.title),
      ['instances'],
    );
    assert.ok(fixed.length >= 10);
    assert.equal(
      await workspace.read('test/greeting.test.ts'),
      greeting
        .replaceAll('Hi, ', 'Hello, ')
        .replace("'a-b'", "'a_b'")
        .replace("'red-tea'", "'red_tea'")
        .replace("'brown-sugar'", "'brown_sugar'"),
    );
    assert.equal(await workspace.read('test/structures.test.ts'), mendedStructures());
  });
});

function mendedStructures(): string {
  const changes: readonly (readonly [string, string])[] = [
    [`value: 10, currency: '€'`, `value: 12, currency: 'EUR'`],
    [`new Set(['x'])`, `new Set(['x', 'new'])`],
    [`new Map([['net', 10]])`, `new Map([['net', 10], ['gross', 12]])`],
    [`name: 'top'`, `name: 'root'`],
    ['value: 1, c', 'value: 1.2, c'],
    [`['id,name', '1,Tea']`, `['id;name', '1;Tea', '2;Milk']`],
  ];
  return changes.reduce((text, [from, to]) => text.replace(from, to), structures);
}

function failing(summary: RunSummary): TestResult[] {
  return summary.tests.filter((test) => test.outcome === 'failed' || test.outcome === 'errored');
}

function byFile(fixes: readonly Fix[]): Map<string, Fix['edits'][number]['changes']> {
  const changes = new Map<string, Fix['edits'][number]['changes']>();
  for (const edit of fixes.flatMap((fix) => fix.edits))
    changes.set(edit.file, [...(changes.get(edit.file) ?? []), ...edit.changes]);
  return changes;
}

async function snapshots(root: string): Promise<Snapshot[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'))
    .sort();
  return Promise.all(
    files.map(async (file) => ({
      file: path.relative(root, file),
      text: (await readText(file)) ?? '',
      modified: (await stat(file)).mtimeMs,
    })),
  );
}
