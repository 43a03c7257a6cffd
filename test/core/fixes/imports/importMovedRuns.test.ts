// The import fixer on failures of real vitest and skill runs: red after the refactoring, green after the fixes.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { diagnose } from '../../../../src/core/diagnosis/diagnose.ts';
import { readSourceChanges } from '../../../../src/core/diagnosis/sourceChanges.ts';
import { importMoved } from '../../../../src/core/fixes/imports/importMoved.ts';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../../src/core/frameworks/registry.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import type { RunSummary, TestResult } from '../../../../src/core/model/testResult.ts';
import { runTests } from '../../../../src/core/run/runTests.ts';
import { createImportGraph } from '../../../../src/core/modules/importGraph.ts';
import { readText } from '../../../../src/core/workspace/readText.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { changeWorkspace, priceFunction, slugFunction } from './importSituation.ts';

const imports = (names: string, from: string): string => `import { ${names} } from '${from}';\n`;
const vitest = imports('describe, expect, it, vi', 'vitest');

const files = {
  'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
  'src/format.ts': priceFunction('formatPrice') + slugFunction('slugify'),
  'src/api.ts': `export function load(): string {\n  return ['real', 'answer', 'of', 'the', 'server'].join(' ');\n}\n`,
  'src/cart.ts': `${imports('load', './api')}export const cart = () => 'cart: ' + load();\n`,
  'src/greeting.mjs': 'export function greet(name) {\n  return `Hello, ${name}!`.trim();\n}\n',
  'test/mixed.test.ts': `${vitest}${imports('formatPrice, slugify', '../src/format')}
describe('format', () => {
  it('prints prices', () => {
    expect(formatPrice(5)).toBe('0.05 EUR');
  });
  it('makes slugs', () => {
    expect(slugify('A b')).toBe('a-b');
  });
});
`,
  'test/cart.test.ts': `${vitest}${imports('cart', '../src/cart')}vi.mock('../src/api', () => ({ load: () => 'mocked' }));
it('loads', () => expect(cart()).toBe('cart: mocked'));
`,
  'test/support/answers.ts': `${imports('load', '../../src/api')}export const answer = load();\n`,
  'test/helped.test.ts': `${vitest}${imports('answer', './support/answers')}it('answers', () => expect(answer).toContain('real'));\n`,
  'skills/greeting/SKILL.md': '# greeting\n',
  'tests/greeting.tests.mjs': `${imports('greet', '../src/greeting.mjs')}
export default async function () {
  const passed = greet('Ada') === 'Hello, Ada!';
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, errors: passed ? [] : ['greets: wrong'] };
}
`,
};

describe('the import fixer on real runs', () => {
  let workspace: TemporaryWorkspace;
  let cacheFolder: string;
  beforeEach(async () => {
    cacheFolder = await mkdtemp(path.join(os.tmpdir(), 'testmend-cache-'));
    workspace = await temporaryWorkspace(files, { git: true, vitest: true });
  });
  afterEach(async () => {
    await workspace.dispose();
    await rm(cacheFolder, { recursive: true, force: true });
  });

  const run = async (): Promise<RunSummary> => {
    const { root } = workspace;
    const limits = { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 };
    const { projects } = await detectProjects(root);
    return runTests({
      workspace: { root, limits, frameworks: [], cacheFolder },
      projects,
      selection: {},
      frameworks: (framework) => frameworkOf({ framework }),
    });
  };
  const isRed = (test: TestResult): boolean => test.outcome === 'failed' || test.outcome === 'errored';

  it('turns tests green that a refactoring broke, and leaves a changed behaviour alone', async () => {
    await changeWorkspace(workspace, {
      moved: { 'src/api.ts': 'src/net/client.ts' },
      written: {
        'src/cart.ts': files['src/cart.ts'].replace('./api', './net/client'),
        'src/format.ts': priceFunction('formatAmount') + slugFunction('slugify').replace("'-'", "'_'"),
        'src/greeting.mjs': files['src/greeting.mjs'].replace('greet', 'welcome'),
      },
    });
    const before = await run();
    const red = before.tests.filter(isRed);
    assert.equal(red.length, 5, red.map((test) => `${test.id}: ${test.failure?.message}`).join('\n'));

    const { root } = workspace;
    const graph = createImportGraph({ root });
    const tests = new Set(Object.keys(files).filter((file) => /\.tests?\./.test(file)));
    const helpers = await graph.onlyFromTests(
      Object.keys(files).filter((file) => /\.(?:ts|mjs)$/.test(file)),
      (file) => tests.has(file),
    );
    const isTestFile = (file: string): boolean => tests.has(file) || helpers.has(file);
    const changes = await readSourceChanges({ root, isTestFile, graph });
    const fixes = await importMoved.propose({
      root,
      failing: red.map((result) => ({ result, captured: [] })),
      readText: (file) => readText(path.join(root, file)),
      isTestFile,
      changes,
      signal: new AbortController().signal,
    });
    assert.deepEqual(
      fixes
        .map((fix) => [fix.title, fix.grade, fix.edits.map((edit) => edit.file).join()])
        .sort(([a = ''], [b = '']) => a.localeCompare(b)),
      [
        ["import formatAmount from '../src/format' (was formatPrice)", 'conservative', 'test/mixed.test.ts'],
        ["import from '../../src/net/client' (was '../../src/api')", 'surgical', 'test/support/answers.ts'],
        ["import welcome from '../src/greeting.mjs' (was greet)", 'conservative', 'tests/greeting.tests.mjs'],
        ["mock from '../src/net/client' (was '../src/api')", 'surgical', 'test/cart.test.ts'],
      ],
    );
    const slugs = red.find((test) => test.title === 'makes slugs');
    assert.ok(slugs && fixes.every((fix) => !fix.failures.includes(slugs.id)));
    assert.deepEqual(new Set(fixes.flatMap((fix) => fix.failures)).size, 4);
    for (const result of red) {
      const { fault } = await diagnose({ result, captured: [], changes, proposals: fixes, isTestFile });
      assert.equal(fault, result === slugs ? 'unknown' : 'test', result.id);
    }

    for (const edit of fixes.flatMap((fix) => fix.edits))
      await workspace.write(edit.file, applyEdit(edit, await workspace.read(edit.file)));
    const after = await run();
    assert.deepEqual(
      after.tests.filter(isRed).map((test) => test.title),
      ['makes slugs'],
    );
    assert.equal(after.passed, 4);
  });

  it('mines the last commit for who has just committed the refactoring', async () => {
    await changeWorkspace(workspace, { moved: { 'src/format.ts': 'src/text/format.ts' } });
    workspace.git('add', '-A');
    workspace.git('commit', '-q', '-m', 'move');
    const red = (await run()).tests.filter(isRed);
    assert.equal(red.length, 1);
    const { root } = workspace;
    const isTestFile = (file: string): boolean => file.startsWith('test');
    const graph = createImportGraph({ root });
    const fixes = await importMoved.propose({
      root,
      failing: red.map((result) => ({ result, captured: [] })),
      readText: (file) => readText(path.join(root, file)),
      isTestFile,
      changes: await readSourceChanges({ root, isTestFile, graph }),
      signal: new AbortController().signal,
    });
    assert.deepEqual(fixes[0]?.evidence, [
      'src/format.ts was renamed to src/text/format.ts (100 % similar) since the commit before the last.',
    ]);
    for (const edit of fixes.flatMap((fix) => fix.edits))
      await workspace.write(edit.file, applyEdit(edit, await workspace.read(edit.file)));
    assert.equal((await run()).passRate, 100);
  });
});
