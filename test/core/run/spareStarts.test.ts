// When a process may wait for the next run: only as long as it is what would be started now, and not for ever.
import assert from 'node:assert/strict';
import { chmod, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { frameworkOf } from '../../../src/core/frameworks/registry.ts';
import { runTests } from '../../../src/core/run/runTests.ts';
import { SpareStarts } from '../../../src/core/run/spareStarts.ts';
import { childrenOf } from '../../support/processesIn.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('the process that waits for the next run', function () {
  let workspace: TemporaryWorkspace;
  let starts: SpareStarts;
  const own = { ...process.env };

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(async () => {
    starts = new SpareStarts();
    workspace = await temporaryWorkspace({
      'tests/a.tests.mjs':
        'export default () => { console.log(process.pid, process.env.SHOWN); return { passed: 1, failed: 0, errors: [] }; };\n',
      'tests/b.tests.mjs':
        'export default () => { console.log(process.pid); return { passed: 1, failed: 0, errors: [] }; };\n',
      'preload.cjs': '',
    });
  });
  afterEach(async () => {
    starts.dispose();
    for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
    Object.assign(process.env, own);
    await workspace.dispose();
  });

  async function run(
    name = 'a',
    nodePath?: string,
  ): Promise<{ readonly pid: number; readonly rest: string }> {
    const { root } = workspace;
    const { tests, notes } = await runTests({
      workspace: {
        root,
        limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 },
        frameworks: [],
        cacheFolder: path.join(path.dirname(root), 'cache'),
        ...(nodePath !== undefined && { nodePath }),
      },
      projects: [{ framework: 'skill', root }],
      selection: { files: [path.join(root, `tests/${name}.tests.mjs`)] },
      frameworks: (framework) => frameworkOf({ framework }),
      start: starts.start,
    });
    assert.deepEqual([tests.map(({ outcome }) => outcome), notes], [['passed'], []]);
    starts.prepare();
    const [pid = '', ...rest] = tests[0]?.output?.trim().split(' ') ?? [];
    return { pid: Number(pid), rest: rest.join(' ') };
  }
  const waiting = (): readonly number[] =>
    childrenOf(process.pid)
      .filter(({ command }) => command.endsWith('skillHost.mjs'))
      .map(({ pid }) => pid);
  async function spare(): Promise<number> {
    for (;;) {
      const [pid] = waiting();
      if (pid !== undefined) return pid;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  async function none(): Promise<void> {
    while (waiting().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  it('takes the next run', async () => {
    await run();
    const pid = await spare();
    assert.equal((await run('b')).pid, pid);
  });

  it('does not run in an environment that has changed since', async () => {
    await run();
    const pid = await spare();
    process.env['SHOWN'] = 'changed';
    const second = await run();
    assert.deepEqual([second.pid === pid, second.rest], [false, 'changed']);
    assert.ok(!waiting().includes(pid));
    const next = await spare();
    assert.deepEqual(await run(), { pid: next, rest: 'changed' });
  });

  it('is not the program that was replaced since, nor another one', async () => {
    const node = path.join(path.dirname(workspace.root), 'node');
    await copyFile(process.execPath, node);
    await run('a', node);
    const first = await spare();
    assert.notEqual((await run('a')).pid, first);
    const second = await spare();
    assert.notEqual((await run('a', node)).pid, second);
  });

  it('is not what a program chooses that looks at the folder first', async () => {
    const shim = path.join(path.dirname(workspace.root), 'node');
    await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
    await chmod(shim, 0o755);
    await run('a', shim);
    const pid = await spare();
    assert.notEqual((await run('a', shim)).pid, pid);
    await pause(300);
    assert.deepEqual(waiting(), []);
  });

  it('is not there where options of node load something of the user first', async () => {
    process.env['NODE_OPTIONS'] = `--max-old-space-size=2000 --require ${workspace.root}/preload.cjs`;
    await run();
    await pause(300);
    assert.deepEqual(waiting(), []);
    process.env['NODE_OPTIONS'] = '--max-old-space-size=2000 --no-warnings';
    await run();
    const pid = await spare();
    assert.equal((await run()).pid, pid);
  });

  it('ends when nobody needs it for a while', async () => {
    starts = new SpareStarts(200);
    await run();
    await spare();
    await none();
    assert.ok((await run()).pid > 0);
  });
});
