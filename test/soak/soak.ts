// `npm run check:soak`: ten minutes of edit, save, run, cancel and fix in the real workbench; memory, processes and log must stay as they were.
// SOAK_MINUTES changes the time.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { missingForWorkbench } from '../host/vscodeServer.ts';
import { brokenShop, type Shop } from '../support/brokenShop.ts';
import { openProbedWorkbench, type ProbedWorkbench } from '../support/probedWorkbench.ts';
import { processesIn } from '../support/processesIn.ts';
import type { Workbench } from '../ui/workbench.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 10);
/**
 * Memory counts as flat when the least that the last third of the rounds needs is at most this much above the first third's, after one
 * round to warm up: between two collections a healthy process grows too, and only a leak raises what is left after one.
 */
const growth = { hostHeapMb: 8, engineMb: 40 } as const;

interface Round {
  readonly hostHeapMb: number;
  readonly engineMb: number;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const missing = missingForWorkbench();
  if (missing !== undefined) {
    console.log(`SKIPPED, nothing was tested: ${missing}`);
    return 1;
  }
  const shop = await brokenShop(465);
  const sandboxes = path.join(path.dirname(shop.root), 'sandboxes');
  const problems: string[] = [];
  const left = (): readonly string[] => processesIn([shop.root, sandboxes]);
  const opened = await openProbedWorkbench(shop.root, {
    env: { TESTMEND_SANDBOX_DIR: sandboxes },
    settings: { 'testing.automaticallyOpenTestResults': 'neverOpen' },
  });
  try {
    const rounds = await soak(opened, shop);
    problems.push(...growing(rounds));
    await until('no test process is left', () => left().length === 0).catch((error: Error) =>
      problems.push(`${error.message}: ${left().join('; ')}`),
    );
    problems.push(...errorsInLog(opened.folder));
  } catch (error) {
    await opened.workbench.page.screenshot({ path: 'test-output/soak-failed.png' });
    console.error(logLines(opened.folder).slice(-40).join('\n'));
    problems.push(String(error), ...errorsInLog(opened.folder));
  } finally {
    await opened.close();
  }
  await until('the engine has left no process', () => left().length === 0).catch((error: Error) =>
    problems.push(`${error.message}: ${left().join('; ')}`),
  );
  await shop.dispose();
  for (const problem of problems) console.error(`PROBLEM ${problem}`);
  console.log(problems.length === 0 ? 'Everything stayed as it was.' : `${problems.length} problems.`);
  return problems.length === 0 ? 0 : 1;
}

async function soak(opened: ProbedWorkbench, shop: Shop): Promise<readonly Round[]> {
  const { workbench, probe } = opened;
  const { page } = workbench;
  await workbench.openTestingView();
  await workbench.expand('Vitest');
  const end = Date.now() + minutes * 60_000;
  const rounds: Round[] = [];
  while (Date.now() < end || rounds.length < 4) {
    await typeAtStart(workbench, ';');
    await until('the edit is saved', async () => (await shop.read('tests/greeting.test.ts')).startsWith(';'));
    await run(opened, rounds.length === 0);
    await workbench.command('Test: Run All Tests');
    await page.waitForTimeout(300 * (rounds.length % 5));
    await workbench.command('Test: Cancel Test Run');
    await fix(opened, rounds.length % 2 === 0);
    await typeAtStart(workbench, 'Delete');
    await until('it is taken back', async () => !(await shop.read('tests/greeting.test.ts')).startsWith(';'));
    await workbench.command('View: Close All Editors');
    const round = { hostHeapMb: await probe.heapMb(), engineMb: engineMb((await probe.read()).pid) };
    rounds.push(round);
    console.log(
      `round ${rounds.length}: extension host ${round.hostHeapMb.toFixed(1)} MB, engine ${round.engineMb.toFixed(0)} MB`,
    );
  }
  return rounds;
}

/** Presses one key at the very start of a test file, and saves. */
async function typeAtStart(workbench: Workbench, key: string): Promise<void> {
  await workbench.openFile('greeting.test.ts');
  await workbench.page.locator('.editor-instance .view-line').first().click();
  for (const each of ['ControlOrMeta+Home', key, 'ControlOrMeta+s'])
    await workbench.page.keyboard.press(each);
}

/** Everything, to its end: the red test is red again. */
async function run({ workbench }: ProbedWorkbench, first: boolean): Promise<void> {
  const { page } = workbench;
  if (!first) await workbench.command('Test: Clear All Results');
  await workbench.command('Test: Run All Tests');
  await workbench.testRow('money.test.ts').locator('[class*="testing-failed"]').waitFor();
  await page.locator('.test-explorer .codicon-loading').first().waitFor({ state: 'detached' });
}

async function fix({ workbench }: ProbedWorkbench, stopped: boolean): Promise<void> {
  await workbench.command('Testmend: Fix Failing Tests');
  const panel = await workbench.webview('main h1');
  if (stopped) {
    await panel.locator('h1', { hasText: /^Iteration/ }).waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await panel.locator('h1', { hasText: /^Stopped/ }).waitFor();
    return;
  }
  await panel.locator('header[data-phase=ended]').waitFor({ timeout: 300_000 });
  const heading = await panel.locator('h1').innerText();
  if (heading === 'Stopped') throw new Error('the cycle was stopped, and nobody stopped it');
}

/** Resident memory of the engine, a child of the extension host; Linux only. */
function engineMb(hostPid: number): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      if (!new RegExp(`^PPid:\\s+${hostPid}$`, 'm').test(status)) continue;
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('dist/server.js')) continue;
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
    } catch {
      // it ended meanwhile
    }
  }
  throw new Error('the engine is not running');
}

function growing(rounds: readonly Round[]): readonly string[] {
  const warm = rounds.slice(1);
  const third = Math.max(1, Math.floor(warm.length / 3));
  return (['hostHeapMb', 'engineMb'] as const).flatMap((key) => {
    const first = Math.min(...warm.slice(0, third).map((round) => round[key]));
    const last = Math.min(...warm.slice(-third).map((round) => round[key]));
    console.log(`${key}: ${first.toFixed(1)} → ${last.toFixed(1)} over ${rounds.length} rounds`);
    return last - first > growth[key] ? [`${key} grew from ${first.toFixed(1)} to ${last.toFixed(1)}`] : [];
  });
}

function errorsInLog(folder: string): readonly string[] {
  const lines = logLines(folder);
  return lines.length === 0
    ? ['the extension wrote no log']
    : lines.filter((line) => line.includes('[error]'));
}

function logLines(folder: string): readonly string[] {
  const logs = path.join(folder, 'data/logs');
  return readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-Testmend.log'))
    .flatMap((file) => readFileSync(path.join(logs, file), 'utf8').trimEnd().split('\n'));
}

async function until(what: string, ask: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
