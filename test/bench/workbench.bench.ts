// What large workspaces cost in a real workbench: runs of 10,000 and 80,000 tests, 10,000 files known, activation.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openProbedWorkbench, type ProbedWorkbench } from '../support/probedWorkbench.ts';
import type { BenchRow } from './measure.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const settings = {
  'testing.automaticallyOpenTestResults': 'neverOpen',
  // Watches nothing and asks git nothing: what is measured is ours.
  'files.watcherExclude': { '**': true },
  'git.enabled': false,
};

export async function bench(): Promise<readonly BenchRow[]> {
  return [
    ...(await measured({ files: 200, testsPerFile: 50 }, tenThousand)),
    ...(await measured({ files: 800, testsPerFile: 100 }, eightyThousand)),
    ...(await measured({ files: 10_000, testsPerFile: 8 }, known)),
  ];
}

interface Size {
  readonly files: number;
  readonly testsPerFile: number;
}

interface Opened extends ProbedWorkbench {
  readonly root: string;
  readonly tests: number;
}

async function measured(
  size: Size,
  measure: (opened: Opened) => Promise<readonly BenchRow[]>,
): Promise<readonly BenchRow[]> {
  const root = makeWorkspace(size);
  try {
    const opened = await openProbedWorkbench(root, { settings });
    try {
      return await measure({ ...opened, root, tests: size.files * size.testsPerFile });
    } finally {
      await opened.close();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Fast tests without isolation, so that the runner itself is as quick as it gets; it notes when it starts and ends. */
function makeWorkspace({ files, testsPerFile }: Size): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'testmend-bench-'));
  mkdirSync(path.join(root, 'test'));
  symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'));
  const write = (name: string, text: string): void => writeFileSync(path.join(root, name), text);
  write('package.json', '{ "type": "module", "devDependencies": { "vitest": "^4" } }');
  write(
    'vitest.config.mjs',
    "export default { test: { isolate: false, pool: 'threads', globalSetup: './note.mjs' } };\n",
  );
  write(
    'note.mjs',
    `import { writeFileSync } from 'node:fs';
const note = (what) => writeFileSync(new URL(what, import.meta.url), String(Date.now()));
export default () => (note('started'), () => note('ended'));
`,
  );
  for (let file = 0; file < files; file++) {
    const tests = Array.from(
      { length: testsPerFile },
      (_, test) =>
        `  it('adds item ${test}', () => {\n    expect(${file} + ${test}).toBe(${file + test});\n  });\n`,
    );
    write(
      `test/cart${file}.test.ts`,
      `import { describe, expect, it } from 'vitest';\n\ndescribe('cart ${file}', () => {\n${tests.join('')}});\n`,
    );
  }
  return root;
}

async function tenThousand(opened: Opened): Promise<readonly BenchRow[]> {
  await opened.workbench.openTestingView();
  await opened.workbench.testRow('Vitest').waitFor();
  const first = await runAll(opened);
  const again = await runAll(opened);
  await opened.probe.startProfile();
  await runAll(opened);
  const ownMs = await opened.probe.stopProfile();
  // It opens a dialogue over everything: last.
  const activation = await activationMs(opened);
  return [
    { name: 'activation', value: activation, unit: 'ms', limit: 30 },
    { name: '10,000 tests: extension host, in our code and its calls', value: ownMs, unit: 'ms', limit: 500 },
    { name: '10,000 tests: extension host, everything in it', value: again.cpuMs, unit: 'ms' },
    { name: '10,000 tests: event loop blocked at most', value: again.blockedMs, unit: 'ms', limit: 50 },
    { name: '10,000 tests: view settled after the last', value: again.settledMs, unit: 'ms', limit: 3000 },
    { name: 'first run, tests unknown before: everything', value: first.cpuMs, unit: 'ms' },
    { name: 'first run: event loop blocked at most', value: first.blockedMs, unit: 'ms' },
    { name: 'first run: view settled after the last', value: first.settledMs, unit: 'ms' },
  ];
}

async function eightyThousand(opened: Opened): Promise<readonly BenchRow[]> {
  await opened.workbench.openTestingView();
  await opened.workbench.testRow('Vitest').waitFor();
  const run = await runAll(opened);
  return [
    { name: '80,000 tests: complete', value: run.totalMs, unit: 'ms', limit: 15_000 },
    { name: '80,000 tests: of it vitest, from its start to its end', value: run.runnerMs, unit: 'ms' },
    { name: '80,000 tests: view settled after the last', value: run.settledMs, unit: 'ms' },
    { name: '80,000 tests: event loop blocked at most', value: run.blockedMs, unit: 'ms' },
  ];
}

async function known({ workbench, probe, root }: Opened): Promise<readonly BenchRow[]> {
  const before = await probe.heapMb();
  const opening = Date.now();
  await workbench.openTestingView();
  await workbench.testRow('Vitest').waitFor();
  const firstRowMs = Date.now() - opening;
  const listed = await probe.heapMb();
  await workbench.command('Test: Run All Tests');
  await appears(workbench.page, path.join(root, 'started'));
  await workbench.command('Test: Cancel Test Run');
  await workbench.page.waitForTimeout(3_000);
  return [
    { name: '10,000 files: first row', value: firstRowMs, unit: 'ms', limit: 1000 },
    { name: '10,000 files listed: heap of the extension host', value: listed - before, unit: 'MB' },
    { name: '80,000 tests known: heap', value: (await probe.heapMb()) - before, unit: 'MB', limit: 80 },
  ];
}

interface MeasuredRun {
  readonly totalMs: number;
  readonly runnerMs: number;
  /** From the runner's end to the last change of the view's summary. */
  readonly settledMs: number;
  readonly cpuMs: number;
  readonly blockedMs: number;
}

async function runAll({ workbench, probe, root, tests }: Opened): Promise<MeasuredRun> {
  const { page } = workbench;
  for (const name of ['started', 'ended']) rmSync(path.join(root, name), { force: true });
  // What the last run left to do must not count here.
  await page.waitForTimeout(2_000);
  await workbench.command('Test: Run All Tests');
  await probe.start();
  const began = Date.now();
  await appears(page, path.join(root, 'ended'));
  const summary = page.locator('.result-summary').first();
  let text = '';
  let changed = Date.now();
  while (!text.startsWith(`${tests}/`) || Date.now() - changed < 1_500) {
    const now = (await summary.textContent()) ?? '';
    if (now !== text) [text, changed] = [now, Date.now()];
    if (Date.now() - began > 180_000) throw new Error(`the run did not settle: ${text}`);
    await page.waitForTimeout(20);
  }
  const at = (name: string): number => Number(readFileSync(path.join(root, name), 'utf8'));
  const { cpuMs, blockedMs } = await probe.read();
  return {
    totalMs: changed - began,
    runnerMs: at('ended') - at('started'),
    settledMs: changed - at('ended'),
    cpuMs,
    blockedMs,
  };
}

async function appears(page: ProbedWorkbench['workbench']['page'], file: string): Promise<void> {
  const end = Date.now() + 180_000;
  while (!existsSync(file)) {
    if (Date.now() > end) throw new Error(`${file} was never written`);
    await page.waitForTimeout(20);
  }
}

/** As VS Code itself measured it. */
async function activationMs({ workbench }: Opened): Promise<number> {
  await workbench.command('Developer: Show Running Extensions');
  const row = workbench.page
    .locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'Testmend' })
    .first();
  await row.waitFor();
  const text = (await row.textContent()) ?? '';
  const found = /Activation:\s*(\d+)\s*ms/i.exec(text)?.[1];
  if (found === undefined) throw new Error(`no activation time in: ${text}`);
  return Number(found);
}
