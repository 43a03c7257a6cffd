// Whole cycles over real workspaces of vitest and, where it is no matter of the runner, of node:test: what is mended, what is left, and what never happens to the workspace.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runFixCycle } from '../../../src/core/cycle/fixCycle.ts';
import type { CycleRequest } from '../../../src/core/cycle/cycleRequest.ts';
import { expectedValue } from '../../../src/core/fixes/assertion/expectedValue.ts';
import type { FixProvider } from '../../../src/core/fixes/fixProvider.ts';
import type { CycleEvent, CycleReport } from '../../../src/core/model/cycle.ts';
import { fileEdit } from '../../../src/core/model/edit.ts';
import { inPlaceCorner } from '../../../src/core/base/userFolders.ts';
import { cycleRequest } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const packageJson = JSON.stringify({ name: 'shop', type: 'module', devDependencies: { vitest: '4' } });
const head = (name: string, from: string): string =>
  `import { expect, test } from 'vitest';\nimport { ${name} } from '../src/${from}.ts';\n\n`;
const testOf = (title: string, assertion: string): string =>
  `test('${title}', () => {\n  ${assertion}\n});\n`;

const shop = {
  'package.json': packageJson,
  'src/greet.ts': 'export const greet = (name: string) => `Hi, ${name}`;\n',
  'src/money.ts':
    'export const total = (prices: { price: number }[]) => prices.reduce((sum, item) => sum + item.price, 0);\n',
  'src/dates.ts': 'export const day = (date: Date) => date.toISOString().slice(0, 10);\n',
  'tests/greet.test.ts':
    head('greet', 'greet') +
    testOf('greets Ada', `expect(greet('Ada')).toBe('Hi, Ada');`) +
    testOf('greets Bob', `expect(greet('Bob')).toBe('Hi, Bob');`) +
    testOf('gives text', `expect(typeof greet('Cy')).toBe('string');`),
  'tests/money.test.ts':
    head('total', 'money') +
    testOf('adds', `expect(total([{ price: 1 }, { price: 2 }])).toBe(3);`) +
    testOf('adds nothing', `expect(total([])).toBe(0);`),
  'tests/dates.test.ts':
    head('day', 'dates') + testOf('writes a day', `expect(day(new Date(0))).toBe('1970-01-01');`),
};

/** The part of the shop that greets. */
const greeting = {
  'package.json': packageJson,
  'src/greet.ts': shop['src/greet.ts'],
  'tests/greet.test.ts': shop['tests/greet.test.ts'],
};

const nodeHead = (name: string, from: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${from}.js';\n\n`;

/** The same in node:test, which starts in a fifth of the time. */
const nodeGreeting = {
  'package.json': JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test' } }),
  'src/greet.js': 'export const greet = (name) => `Hi, ${name}`;\n',
  'tests/greet.test.js':
    nodeHead('greet', 'greet') +
    testOf('greets Ada', `assert.equal(greet('Ada'), 'Hi, Ada');`) +
    testOf('greets Bob', `assert.equal(greet('Bob'), 'Hi, Bob');`) +
    testOf('gives text', `assert.equal(typeof greet('Cy'), 'string');`),
};
const helloGreeting = nodeGreeting['src/greet.js'].replace('Hi', 'Hello');
const dates = 'export const day = (date) => date.toISOString().slice(0, 10);\n';

describe('a fix cycle', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let folder = '';
  const sandboxes = (): string => path.join(folder, 'copies');

  const open = async (files: Readonly<Record<string, string>>): Promise<void> => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-cycle-'));
    workspace = await temporaryWorkspace(files, {
      git: true,
      vitest: (files === shop || files === greeting) && 'shared',
    });
  };
  afterEach(async () => {
    await workspace.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const requestFor = (more: Partial<CycleRequest> = {}): Promise<CycleRequest> =>
    cycleRequest(workspace, folder, more);

  /** Runs to the end and holds that the workspace is untouched and nothing is left behind. */
  const run = async (
    more: Partial<CycleRequest> = {},
    onEvent: (event: CycleEvent) => void = () => undefined,
  ): Promise<{ report: CycleReport; events: readonly CycleEvent[] }> => {
    const before = await contentOf(workspace.root);
    const cycle = runFixCycle(await requestFor(more));
    const events: CycleEvent[] = [];
    let step = await cycle.next();
    for (; step.done !== true; step = await cycle.next()) {
      events.push(step.value);
      onEvent(step.value);
    }
    assert.deepEqual(await contentOf(workspace.root), before, 'the workspace changed');
    assert.deepEqual(await foldersIn(sandboxes()), [], 'a sandbox is left');
    for (const corner of [path.join(folder, 'cache'), inPlaceCorner(workspace.root)])
      assert.deepEqual(
        (await readdir(corner).catch(() => [])).filter((name) => name !== 'cycleTimes.json'),
        [],
        'a lock is left',
      );
    assert.ok(!JSON.stringify(events).includes(sandboxes()), 'an event names the sandbox');
    const last = events.at(-1);
    assert.deepEqual(last?.type === 'cycleEnded' && last.report, step.value);
    return { report: step.value, events };
  };

  it('mends what moved, asks about what changed, and leaves a bug of the source alone', async function () {
    this.timeout(300_000);
    await open(shop);
    await workspace.write('src/greet.ts', shop['src/greet.ts'].replace('Hi', 'Hello'));
    await workspace.write(
      'src/money.ts',
      shop['src/money.ts'].replace('item.price', '(item as never)["cost"]'),
    );
    workspace.git('mv', 'src/dates.ts', 'src/calendar.ts');
    const { report, events } = await run();

    const fixes = report.fixes.map(({ title, trust, state, verdict }) => [
      title,
      trust,
      state,
      verdict.verdict,
    ]);
    assert.deepEqual(fixes.map((fix) => fix.slice(1).join(' ')).sort(), [
      'mechanical accepted verified',
      'oracle unreviewed verified',
      'oracle unreviewed verified',
      'propose declined verified',
    ]);
    assert.equal(report.status, 'needs-attention');
    assert.equal(report.passRate, 83.3);
    assert.equal(report.passRateReviewed, 50);
    assert.deepEqual(
      report.remaining.map(({ title, fault }) => [title, fault]),
      [['adds', 'source']],
    );
    assert.match(report.patch, /^\+import \{ day \} from '\.\.\/src\/calendar\.ts';$/m);
    assert.match(report.patch, /^\+ {2}expect\(greet\('Ada'\)\)\.toBe\('Hello, Ada'\);$/m);
    assert.doesNotMatch(report.patch, /NaN|money/);
    assert.deepEqual([...new Set(events.map(({ type }) => type))].sort(), [
      'cycleEnded',
      'cycleStarted',
      'fixJudged',
      'fixProposed',
      'iterationEnded',
      'iterationStarted',
      'progress',
      'testsFailed',
      'testsFailing',
    ]);
    const oracle = report.fixes.find(({ trust }) => trust === 'oracle');
    assert.equal(oracle?.sourceChange?.location.file, 'src/greet.ts');
    assert.equal(oracle?.verdict.runs, 3);
  });

  it('takes the word of the person who is asked', async () => {
    await open(nodeGreeting);
    await workspace.write('src/greet.js', helloGreeting);
    const { report } = await run({
      accept: async (fix) => (fix.failures.some((id) => id.includes('Bob')) ? 'bug' : 'accept'),
    });
    assert.equal(report.status, 'needs-attention');
    assert.match(report.patch, /Hello, Ada/);
    assert.doesNotMatch(report.patch, /Hello, Bob/);
    const [remaining, ...others] = report.remaining;
    assert.deepEqual([remaining?.title, remaining?.fault, others.length], ['greets Bob', 'source', 0]);
  });

  it('has nothing to do when nothing is broken', async () => {
    await open(nodeGreeting);
    const { report } = await run();
    assert.deepEqual(
      [report.status, report.passRate, report.fixes, report.iterations, report.patch],
      ['nothing-to-do', 100, [], [], ''],
    );
  });

  it('never passes when all tests are gone', async () => {
    await open(greeting);
    await workspace.write('tests/greet.test.ts', '');
    assert.notEqual((await run()).report.status, 'passed');
    await rm(path.join(workspace.root, 'tests'), { recursive: true });
    const { report } = await run();
    assert.deepEqual([report.status, report.ended, report.passRate], ['needs-attention', 'no-tests', null]);
  });

  it('ends cleanly when it is cancelled in the middle of an iteration', async () => {
    await open(nodeGreeting);
    await workspace.write('src/greet.js', helloGreeting);
    const controller = new AbortController();
    const { report } = await run({ signal: controller.signal }, ({ type }) => {
      if (type === 'fixProposed') setTimeout(() => controller.abort(), 200);
    });
    assert.deepEqual([report.status, report.ended], ['needs-attention', 'cancelled']);
    assert.deepEqual(processesIn(sandboxes()), []);
  });

  it('lets one cycle run at a time for a root', async () => {
    await open(nodeGreeting);
    const request = await requestFor();
    for (const attempt of ['the first', 'one after it'])
      for await (const event of runFixCycle(request)) {
        assert.equal(event.type, 'cycleStarted', attempt);
        await assert.rejects(runFixCycle(request).next(), { code: 'busy' });
        break;
      }
  });

  it('takes back a fix that makes another test fail, and tries another one', async function () {
    this.timeout(240_000);
    await open({
      ...nodeGreeting,
      'src/dates.js': dates,
      'tests/dates.test.js':
        nodeHead('day', 'dates') + testOf('writes a day', `assert.equal(day(new Date(0)), '1970-01-01');`),
      // Reads the other test's text by a path that no tool can follow, so that only the full suite shows the damage.
      'tests/watch.test.js': `import assert from 'node:assert/strict';\nimport { readFileSync } from 'node:fs';\nimport { test } from 'node:test';\ntest('watches', () => {\n  const file = ['gre', 'et.test.js'].join('');\n  assert.doesNotMatch(readFileSync(new URL(file, import.meta.url), 'utf8'), /\\/\\/ bad/);\n});\n`,
    });
    await workspace.write('src/greet.js', helloGreeting);
    await workspace.write('src/dates.js', dates.replace('10)', '7)'));
    const expecting = (text: string, confidence: number): FixProvider =>
      rewriting(text, confidence, 'Hello,');
    const { report, events } = await run({
      providers: [
        expecting(' // bad', 0.9),
        expecting(' // good', 0.5),
        expectedValueOf('tests/dates.test.js'),
      ],
      assume: 'source-is-right',
    });
    assert.equal(events.filter(({ type }) => type === 'fixRolledBack').length, 1);
    assert.equal(report.status, 'passed');
    assert.match(report.patch, /\/\/ good/);
    assert.match(report.patch, /'1970-01'/);
    assert.doesNotMatch(report.patch, /\/\/ bad/);
    assert.equal(report.iterations.length, 2);
  });

  it('stops trying what three iterations do not move, and never tries what the gate forbids', async function () {
    this.timeout(300_000);
    await open(nodeGreeting);
    await workspace.write('src/greet.js', helloGreeting);
    const skipping: FixProvider = {
      ...rewriting('', 1, 'Hi,'),
      propose: async (context) => {
        const text = (await context.readText('tests/greet.test.js')) ?? '';
        const start = text.indexOf(`test('greets Ada`) + 4;
        const edits = [fileEdit('tests/greet.test.js', text, [{ start, end: start, newText: '.skip' }])];
        return [fixOf('skip', edits, 0.99, idsOf(context.failing))];
      },
    };
    const { report } = await run({
      providers: [skipping, rewriting(' // one', 0.8, 'Hey,'), rewriting(' // two', 0.7, 'Hey,')],
      targetPassRate: 100,
    });
    assert.equal(report.ended, 'stuck');
    assert.equal(report.iterations.length, 3);
    const [skip, ...others] = report.fixes;
    assert.deepEqual([skip?.verdict.violations[0]?.rule, skip?.verdict.runs], ['skip-or-only', 0]);
    assert.ok(others.every(({ verdict }) => verdict.verdict === 'rejected' && verdict.runs > 0));
    assert.match(report.remaining[0]?.reason ?? '', /different approach/);
    assert.equal(report.patch, '');
  });
});

/** Rewrites both expectations of the greeting test in one fix. */
function rewriting(comment: string, confidence: number, word: string): FixProvider {
  return {
    id: `rewriting${comment}`,
    description: 'Rewrites the greeting.',
    propose: async (context) => {
      const failing = context.failing.filter(({ result }) => result.file === 'tests/greet.test.js');
      const text = (await context.readText('tests/greet.test.js')) ?? '';
      const changes = [...text.matchAll(/, '(Hi|Hey|Hello),( \w+)'\);/g)].map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
        newText: `, '${word}${match[2] ?? ''}');${comment}`,
      }));
      return failing.length === 0
        ? []
        : [fixOf(comment, [fileEdit('tests/greet.test.js', text, changes)], confidence, idsOf(failing))];
    },
  };
}

/** The fixer of expected values, for one file only. */
function expectedValueOf(file: string): FixProvider {
  return {
    ...expectedValue,
    propose: (context) =>
      expectedValue.propose({
        ...context,
        failing: context.failing.filter(({ result }) => result.file === file),
      }),
  };
}

const idsOf = (failing: readonly { readonly result: { readonly id: string } }[]): string[] =>
  failing.map(({ result }) => result.id);

function fixOf(
  name: string,
  edits: ReturnType<typeof fileEdit>[],
  confidence: number,
  failures: string[],
): Awaited<ReturnType<FixProvider['propose']>>[number] {
  return {
    id: `fix${name}`,
    title: `rewrite${name}`,
    grade: 'conservative',
    trust: 'oracle',
    edits,
    failures,
    provider: `rewriting${name}`,
    confidence,
    evidence: [],
  };
}

/** Every file of the workspace with the hash of its bytes; what is linked in belongs to others. */
async function contentOf(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const content = new Map<string, string>();
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || file.includes('node_modules') || file.includes(`${path.sep}.git${path.sep}`))
      continue;
    content.set(
      file,
      createHash('sha1')
        .update(await readFile(file))
        .digest('hex'),
    );
  }
  return content;
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Command lines of running processes that name the folder. */
function processesIn(folder: string): readonly string[] {
  const list = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return list.split('\n').filter((line) => line.includes(folder));
}
