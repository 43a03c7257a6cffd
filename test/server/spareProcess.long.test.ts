// A process waits for the next run of a skill file: what runs in it is what would run in a process of its own, and it outlives nobody.
import assert from 'node:assert/strict';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CancellationTokenSource } from 'vscode-languageserver-protocol/node';
import { z } from 'zod';
import { editorNotifications, requests, type RunEnd, type WireRunEvent } from '../../src/server/messages.ts';
import type { EngineProcess } from '../support/engineProcess.ts';
import { gone, startEngineFor } from '../support/greetingShop.ts';
import { isAlive } from '../support/isAlive.ts';
import { childrenOf } from '../support/processesIn.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

/** Prints its process, and what it can see of how it was started. */
const shows = (passed = 1): string => `import assert from 'node:assert';
import { fstatSync, readdirSync } from 'node:fs';
const { TESTMEND_RUN: _mark, ...env } = process.env;
const seen = { env, cwd: process.cwd(), argv: process.argv, execArgv: process.execArgv, global: globalThis.left ?? null,
  input: fstatSync(0).isCharacterDevice(), files: readdirSync('/proc/self/fd').filter((fd) => fd < 4) };
globalThis.left = 'of an earlier run';
export default () => {
  console.log(JSON.stringify({ pid: process.pid, seen }));
  console.error('on stderr');
  assert.equal(1, 1);
  return { passed: ${passed}, failed: 0, errors: [] };
};
`;
const waits = `import { spawn } from 'node:child_process';
export default async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  console.log('children ' + process.pid + ' ' + child.pid + ' ready');
  await new Promise(() => setInterval(() => {}, 1000));
};
`;
const shownSchema = z.object({ pid: z.number(), seen: z.unknown() });
type Result = Extract<WireRunEvent, { type: 'testEnded' }>['result'];

describe('the process that waits for the next skill test', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  let runs = 0;

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        'a.test.js': "import { it } from 'vitest';\nit('runs', () => {});\n",
        'tests/a.tests.mjs': shows(),
        'more/tests/b.tests.mjs': shows(),
        'tests/waits.tests.mjs': waits,
      },
      { vitest: true },
    );
    engine = await startEngineFor([workspace.root]);
    await engine.request(requests.listFiles, {});
  });
  afterEach(async () => {
    await engine.end();
    await workspace.dispose();
  });

  async function run(
    fileId: string,
    more: { readonly coverage?: true } = {},
    token?: CancellationTokenSource['token'],
  ): Promise<{ readonly end: RunEnd; readonly results: readonly Result[] }> {
    const first = engine.runEvents.length;
    const asked = { runId: String(++runs), root: workspace.root, targets: [{ fileId }], ...more };
    const end = await engine.request(requests.run, asked, token);
    const events = engine.runEvents.slice(first);
    return { end, results: events.flatMap((event) => (event.type === 'testEnded' ? [event.result] : [])) };
  }
  const printed = (from = 0): string =>
    engine.runEvents
      .slice(from)
      .flatMap((event) => (event.type === 'output' ? [event.text] : []))
      .join('');
  /** What the file that shows everything printed in its last run. */
  const shown = (): { readonly pid: number; readonly seen: unknown } => {
    const line = printed()
      .split('\n')
      .findLast((one) => one.startsWith('{"pid"'));
    return shownSchema.parse(JSON.parse(line ?? ''));
  };
  const spares = (): readonly number[] =>
    childrenOf(engine.child.pid ?? 0)
      .filter(({ command }) => command.endsWith('skillHost.mjs'))
      .map(({ pid }) => pid);
  async function spare(): Promise<number> {
    for (;;) {
      const [pid] = spares();
      if (pid !== undefined) return pid;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  /** Longer than the next spare takes to be started. */
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));

  it('takes one run, which sees what it would see in a process of its own, and the last edit', async () => {
    await run('skill:tests/a.tests.mjs');
    const cold = shown();
    for (const passed of [2, 3]) {
      const waiting = await spare();
      await workspace.write('tests/a.tests.mjs', shows(passed));
      const { end, results } = await run('skill:tests/a.tests.mjs');
      assert.deepEqual([end.ended, end.passed, end.notes], ['complete', 1, []]);
      assert.deepEqual(results[0]?.counts, { passed, failed: 0 });
      const warm = shown();
      assert.equal(warm.pid, waiting);
      assert.deepEqual(warm.seen, cold.seen);
      assert.ok(!isAlive(waiting));
    }
    assert.equal(printed().split('on stderr').length, 4);
  });

  it('runs a file in another folder there', async () => {
    await run('skill:tests/a.tests.mjs');
    const waiting = await spare();
    await run('skill:more/tests/b.tests.mjs');
    const { pid, seen } = shown();
    assert.equal(pid, waiting);
    assert.match(JSON.stringify(seen), /"cwd":"[^"]*\/more\/tests"/);
  });

  it('runs in the folder that is there now, when that was made anew', async () => {
    await run('skill:tests/a.tests.mjs');
    const waiting = await spare();
    const folder = path.join(workspace.root, 'tests');
    await rename(folder, `${folder}-old`);
    await mkdir(folder);
    await workspace.write('tests/a.tests.mjs', shows(4));
    await rm(`${folder}-old`, { recursive: true });
    const { results } = await run('skill:tests/a.tests.mjs');
    assert.deepEqual(results[0]?.counts, { passed: 4, failed: 0 });
    assert.equal(shown().pid, waiting);
    assert.match(JSON.stringify(shown().seen), /"cwd":"[^"(]*\/tests"/);
  });

  it('is not there before a skill test ran, nor after other tests', async () => {
    await pause();
    assert.deepEqual(spares(), []);
    const { end } = await run('vitest:a.test.js');
    assert.equal(end.passed, 1);
    await pause();
    assert.deepEqual(spares(), []);
  });

  for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
    it(`makes no difference when it ${signal === 'SIGKILL' ? 'has died' : 'does not answer'}`, async () => {
      await run('skill:tests/a.tests.mjs');
      const waiting = await spare();
      await pause();
      process.kill(waiting, signal);
      const { end, results } = await run('skill:tests/a.tests.mjs');
      assert.deepEqual([end.ended, end.passed, end.notes], ['complete', 1, []]);
      assert.deepEqual(results[0]?.counts, { passed: 1, failed: 0 });
      assert.notEqual(shown().pid, waiting);
      await gone(waiting);
      assert.notEqual(await spare(), waiting);
    });
  }

  it('leaves a second run at the same time its own process', async () => {
    await run('skill:tests/a.tests.mjs');
    await spare();
    const first = engine.runEvents.length;
    const both = await Promise.all([run('skill:tests/a.tests.mjs'), run('skill:more/tests/b.tests.mjs')]);
    assert.deepEqual(
      both.map(({ end }) => [end.ended, end.passed]),
      [
        ['complete', 1],
        ['complete', 1],
      ],
    );
    const pids = [...printed(first).matchAll(/"pid":(\d+)/g)].map(([, pid]) => pid);
    assert.equal(new Set(pids).size, 2);
  });

  it('is cancelled with everything that its test started', async () => {
    await run('skill:tests/a.tests.mjs');
    const waiting = await spare();
    const stop = new CancellationTokenSource();
    const running = run('skill:tests/waits.tests.mjs', {}, stop.token);
    while (!/ready/.test(printed())) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.cancel();
    const { end } = await running;
    assert.equal(end.ended, 'cancelled');
    const pids = /children (\d+) (\d+)/.exec(printed())?.slice(1).map(Number) ?? [];
    assert.equal(pids[0], waiting);
    for (const pid of pids) await gone(pid);
  });

  it('is ended at the time limit of a file with everything that its test started', async () => {
    const limited = (): Promise<void> =>
      engine.connection.sendNotification(editorNotifications.configure.method, {
        roots: [{ root: workspace.root, skillTimeoutSeconds: 5 }],
        trusted: true,
        hasOwnUi: true,
      });
    await limited();
    await run('skill:tests/a.tests.mjs');
    const waiting = await spare();
    const { end, results } = await run('skill:tests/waits.tests.mjs');
    assert.deepEqual([end.errored, results[0]?.failure?.kind], [1, 'timeout']);
    const pids = /children (\d+) (\d+)/.exec(printed())?.slice(1).map(Number) ?? [];
    assert.equal(pids[0], waiting);
    for (const pid of pids) await gone(pid);
  });

  it('counts no coverage: that run has a process of its own', async () => {
    await run('skill:tests/a.tests.mjs');
    const waiting = await spare();
    const { end } = await run('skill:tests/a.tests.mjs', { coverage: true });
    assert.equal(end.passed, 1);
    assert.notEqual(shown().pid, waiting);
  });

  it('ends when settings change, when the trust is gone, and with the engine', async () => {
    const configure = (trusted: boolean): Promise<void> =>
      engine.connection.sendNotification(editorNotifications.configure.method, {
        roots: [{ root: workspace.root }],
        trusted,
        hasOwnUi: true,
      });
    for (const trusted of [true, false]) {
      await run('skill:tests/a.tests.mjs');
      const waiting = await spare();
      await configure(trusted);
      await gone(waiting);
      await pause();
      assert.deepEqual(spares(), []);
    }
    await configure(true);
    await run('skill:tests/a.tests.mjs');
    const waiting = await spare();
    await engine.end();
    await gone(waiting);
  });

  it('ends when the engine is killed', async () => {
    await run('skill:tests/a.tests.mjs');
    const waiting = await spare();
    engine.child.kill('SIGKILL');
    await engine.exited;
    await gone(waiting);
  });
});
