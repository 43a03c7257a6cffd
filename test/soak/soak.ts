// `npm run check:soak`: ten minutes of edit, save, run, cancel and fix in the real workbench; memory, processes and log must stay as they were.
// SOAK_MINUTES changes the time.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
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
const growth = { hostHeapMb: 8, engineHeapMb: 8 } as const;

const heapUsageSchema = z.object({ usedSize: z.number() });
const answerSchema = z.object({ result: z.unknown() });
const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() }));

interface Round {
  readonly hostHeapMb: number;
  readonly engineHeapMb: number;
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
  // VS Code's own language servers work in the workspace, too.
  const left = (): readonly string[] =>
    processesIn([shop.root, sandboxes]).filter((command) => !command.includes('/code-server/'));
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
    const round = {
      hostHeapMb: await probe.heapMb(),
      engineHeapMb: await heapMb(enginePid((await probe.read()).pid)),
    };
    rounds.push(round);
    console.log(
      `round ${rounds.length}: extension host ${round.hostHeapMb.toFixed(1)} MB, engine ${round.engineHeapMb.toFixed(1)} MB`,
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

/** The process id of the engine, a child of the extension host; Linux only. */
function enginePid(hostPid: number): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (!new RegExp(`^PPid:\\s+${hostPid}$`, 'm').test(readFileSync(`/proc/${name}/status`, 'utf8')))
        continue;
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('dist/server.js')) return Number(name);
    } catch {
      // it ended meanwhile
    }
  }
  throw new Error('the engine is not running');
}

/** The heap of a Node process after a full collection, MiB, through its inspector: what it has of the system says little of a leak. */
async function heapMb(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const url = await inspectorUrl();
  const socket = new WebSocket(url);
  try {
    await once(socket, 'open');
    const ask = async (id: number, method: string): Promise<unknown> => {
      const answer = once(socket, 'message');
      socket.send(JSON.stringify({ id, method }));
      return answerSchema.parse(JSON.parse(String(await answer))).result;
    };
    await ask(1, 'HeapProfiler.collectGarbage');
    return heapUsageSchema.parse(await ask(2, 'Runtime.getHeapUsage')).usedSize / 2 ** 20;
  } finally {
    socket.close();
  }
}

/** Where Node opens its inspector when it is asked to by a signal. */
async function inspectorUrl(): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      const targets = targetsSchema.parse(await (await fetch('http://127.0.0.1:9229/json/list')).json());
      if (targets[0] !== undefined) return targets[0].webSocketDebuggerUrl;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('the engine opens no inspector');
}

function once(socket: WebSocket, event: 'open' | 'message'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const told = (said: Event): void => resolve('data' in said ? said.data : undefined);
    socket.addEventListener(event, told, { once: true });
    socket.addEventListener('error', () => reject(new Error('the inspector went away')), { once: true });
  });
}

function growing(rounds: readonly Round[]): readonly string[] {
  const warm = rounds.slice(1);
  const third = Math.max(1, Math.floor(warm.length / 3));
  return (['hostHeapMb', 'engineHeapMb'] as const).flatMap((key) => {
    const first = Math.min(...warm.slice(0, third).map((round) => round[key]));
    const last = Math.min(...warm.slice(-third).map((round) => round[key]));
    console.log(`${key}: ${first.toFixed(1)} → ${last.toFixed(1)} over ${rounds.length} rounds`);
    return last - first > growth[key] ? [`${key} grew from ${first.toFixed(1)} to ${last.toFixed(1)}`] : [];
  });
}

/** What Node says when this test looks at the engine's heap. */
const ofInspector = /\] (?:Debugger (?:listening|attached|ending)|For help, see: )/;

function errorsInLog(folder: string): readonly string[] {
  const lines = logLines(folder);
  return lines.length === 0
    ? ['the extension wrote no log']
    : lines.filter((line) => line.includes('[error]') && !ofInspector.test(line));
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
