import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text as allOf } from 'node:stream/consumers';
import { z } from 'zod';
import { isAlive } from '../../support/isAlive.ts';
import { runProcess, type ProcessRequest } from '../../../src/core/process/runProcess.ts';

const node = (script: string, rest: Partial<ProcessRequest> = {}): ReturnType<typeof runProcess> =>
  runProcess({ command: process.execPath, args: ['-e', script], cwd: os.tmpdir(), ...rest });

/** A script that starts a detached process in a session of its own and writes its pid to fd 3. */
const startsDetached = (options = '{}'): string => `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore', ...${options} });
  child.unref();
  require('node:fs').writeSync(3, child.pid + '\\n');`;

describe('runProcess', () => {
  it('tells output, messages and the end of a process', async () => {
    const told: string[] = [];
    const result = await node(
      `console.log('out'); console.error('err'); require('node:fs').writeSync(3, 'one\\n\\ntwo'); process.exitCode = 3;`,
      {
        onOutput: (stream, text) => told.push(`${stream} ${text.trim()}`),
        onMessageLine: (line) => told.push(`message ${line}`),
      },
    );
    assert.deepEqual(told.sort(), ['message one', 'message two', 'stderr err', 'stdout out']);
    assert.equal(result.ended, 'exited');
    assert.equal(result.exitCode, 3);
  });

  it('puts characters together that arrive in two pieces', async () => {
    let text = '';
    await node(
      `const bytes = Buffer.from('grün 🙂'); const { writeSync } = require('node:fs');
       for (const byte of bytes) { writeSync(1, Buffer.from([byte])); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); }`,
      { onOutput: (_stream, piece) => (text += piece) },
    );
    assert.equal(text, 'grün 🙂');
  });

  it('gives the process the environment of the user, without what the editor put there', async () => {
    process.env['VSCODE_TESTMEND'] = '1';
    process.env['ELECTRON_RUN_AS_NODE'] = '1';
    let text = '';
    try {
      await node('console.log(JSON.stringify(process.env))', {
        env: { EXTRA: 'yes' },
        onOutput: (_stream, piece) => (text += piece),
      });
    } finally {
      delete process.env['VSCODE_TESTMEND'];
      delete process.env['ELECTRON_RUN_AS_NODE'];
    }
    const environment = z.record(z.string(), z.string()).parse(JSON.parse(text));
    const added = Object.keys(environment).filter((name) => !(name in process.env));
    assert.deepEqual(
      added.filter((name) => name !== 'TESTMEND_RUN'),
      ['EXTRA'],
    );
    assert.equal(environment['PATH'], process.env['PATH']);
  });

  it('says why a process could not be started', async () => {
    const missing = await runProcess({ command: '/no/such/program', args: [], cwd: os.tmpdir() });
    assert.equal(missing.ended, 'not-started');
    assert.match(missing.error ?? '', /no\/such\/program/);
    const nowhere = await runProcess({ command: process.execPath, args: [], cwd: '/no/such/folder' });
    assert.equal(nowhere.ended, 'not-started');
    assert.match(nowhere.error ?? '', /no\/such\/folder/);
  });

  it('ends the whole tree at the time limit, also detached children of a process that ignores SIGTERM', async () => {
    const pids: number[] = [];
    const result = await node(`process.on('SIGTERM', () => {}); ${startsDetached()} while (true);`, {
      timeoutMs: 500,
      onMessageLine: (line) => pids.push(Number(line)),
    });
    assert.equal(result.ended, 'timeout');
    assert.equal(result.signalCode, 'SIGKILL');
    assert.equal(pids.length, 1);
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it('ends the whole tree when it is cancelled', async () => {
    const controller = new AbortController();
    const pids: number[] = [];
    const result = await node(`${startsDetached()} setInterval(() => {}, 1000);`, {
      signal: controller.signal,
      onMessageLine: (line) => {
        pids.push(Number(line));
        controller.abort();
      },
    });
    assert.equal(result.ended, 'cancelled');
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it('leaves nothing behind when the process ends by itself', async () => {
    const pids: number[] = [];
    const result = await node(startsDetached(), { onMessageLine: (line) => pids.push(Number(line)) });
    assert.equal(result.ended, 'exited');
    assert.equal(pids.length, 1);
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it('does not wait for a stranger that keeps the pipes open', async () => {
    const pids: number[] = [];
    const withoutMark = `{ env: {}, stdio: 'inherit' }`;
    const result = await node(startsDetached(withoutMark), {
      timeoutMs: 20_000,
      onMessageLine: (line) => pids.push(Number(line)),
    });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    assert.equal(result.ended, 'exited');
  });

  it('does not touch what another run started', async () => {
    const flag = path.join(os.tmpdir(), `testmend-flag-${process.pid}`);
    await writeFile(flag, '');
    const long = node(
      `const timer = setInterval(() => { if (!require('node:fs').existsSync(${JSON.stringify(flag)})) { clearInterval(timer); console.log('done'); } }, 20)`,
      { timeoutMs: 30_000 },
    );
    const short = await node('while (true);', { timeoutMs: 100 });
    assert.equal(short.ended, 'timeout');
    await rm(flag);
    const result = await long;
    assert.equal(result.ended, 'exited');
    assert.equal(result.exitCode, 0);
  });

  it('ends a run inside a run with the outer one', async () => {
    const source = path.resolve(import.meta.dirname, '../../../src/core/process/runProcess.ts');
    const inner = `
      import { runProcess } from ${JSON.stringify(source)};
      import { writeSync } from 'node:fs';
      const script = 'require("node:fs").writeSync(3, process.pid + "\\\\n"); setInterval(() => {}, 1000)';
      await runProcess({ command: process.execPath, args: ['-e', script], cwd: '.', onMessageLine: (line) => writeSync(3, line + '\\n') });`;
    const controller = new AbortController();
    const pids: number[] = [];
    const result = await runProcess({
      command: process.execPath,
      args: ['--import=tsx', '--input-type=module', '-e', inner],
      cwd: path.resolve(import.meta.dirname, '../../..'),
      timeoutMs: 30_000,
      signal: controller.signal,
      onMessageLine: (line) => {
        pids.push(Number(line));
        controller.abort();
      },
    });
    assert.equal(result.ended, 'cancelled');
    assert.equal(pids.length, 1);
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it('leaves nothing behind when we leave at once', async () => {
    const source = path.resolve(import.meta.dirname, '../../../src/core/process/runProcess.ts');
    const inner = `
      import { runProcess } from ${JSON.stringify(source)};
      const script = 'require("node:fs").writeSync(3, process.pid + "\\\\n"); setInterval(() => {}, 1000)';
      await runProcess({ command: process.execPath, args: ['-e', script], cwd: '.', onMessageLine: (line) => {
        console.log(line);
        process.exit(3);
      } });`;
    // Not by runProcess, which would end what is left.
    const left = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', inner], {
      cwd: path.resolve(import.meta.dirname, '../../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = await allOf(left.stdout);
    assert.match(said, /^\d+\n$/);
    const pid = Number(said);
    try {
      for (let tries = 0; isAlive(pid) && tries < 500; tries++)
        await new Promise((resolve) => setTimeout(resolve, 10));
      assert.ok(!isAlive(pid));
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  });

  it('keeps up with a process that prints 200 MB', async () => {
    let length = 0;
    const result = await node(
      `for (let i = 0; i < 200; i++) require('node:fs').writeSync(1, 'x'.repeat(1 << 20))`,
      {
        onOutput: (_stream, text) => (length += text.length),
      },
    );
    assert.equal(result.exitCode, 0);
    assert.equal(length, 200 * 1024 * 1024);
  });
});
