// A fix cycle of the engine in the workspace itself (`testmend.fix.sandbox: inPlace`): runs are refused meanwhile, and a killed engine loses nothing.
import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { requests } from '../../src/server/messages.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { heldShop, heldTest, heldTestText, isOnTrial, ownFiles } from '../support/heldTrial.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

const lockSchema = z.object({ pid: z.number() });

describe('the engine, with fixes tried in the workspace itself', function () {
  this.timeout(300_000);
  const folders = { XDG_CACHE_HOME: 'caches', XDG_STATE_HOME: 'state' };
  const former = Object.keys(folders).map((name) => [name, process.env[name]] as const);
  let workspace: TemporaryWorkspace;
  let beside: string;
  const engines: EngineProcess[] = [];
  beforeEach(async () => {
    workspace = await heldShop();
    beside = path.dirname(workspace.root);
    for (const [name, folder] of Object.entries(folders)) process.env[name] = path.join(beside, folder);
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.end();
    for (const [name, value] of former) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await workspace.dispose();
  });

  const start = async (sandbox = 'inPlace'): Promise<EngineProcess> => {
    const engine = await startEngine('ipc', {
      initializationOptions: {
        roots: [{ root: workspace.root, sandbox }],
        trusted: true,
        storageFolder: path.join(beside, 'storage'),
        hasOwnUi: true,
      },
    });
    engines.push(engine);
    return engine;
  };
  const command = (...args: readonly string[]): Promise<CliResult> => testmend(args, { cwd: workspace.root });
  const locks = async (): Promise<readonly string[]> => {
    const state = path.join(beside, 'state');
    const names = await readdir(state, { recursive: true }).catch(() => []);
    return names.filter((name) => name.endsWith('.lock')).map((name) => path.join(state, name));
  };
  const trial = async (): Promise<void> => {
    while (!(await isOnTrial(workspace))) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('refuses runs while a fix is on trial, and gives the very files back', async () => {
    const { root } = workspace;
    const before = await ownFiles(workspace);
    const engine = await start();
    await writeFile(path.join(beside, 'hold'), '');
    const cycle = engine.request(requests.startCycle, { cycleId: '1', root });
    await trial();
    await assert.rejects(engine.request(requests.run, { runId: '1', root }), /tried in this folder itself/);
    await rm(path.join(beside, 'hold'));
    const { fixes } = await cycle;
    assert.deepEqual(
      fixes.map(({ verdict }) => verdict.verdict),
      ['verified'],
    );
    assert.deepEqual(await ownFiles(workspace), before);
    const { failed } = await engine.request(requests.run, { runId: '2', root });
    assert.equal(failed, 1, 'nothing was changed without a yes');
  });

  it('shares the folder with no command, in neither direction', async () => {
    const { root } = workspace;
    const before = await ownFiles(workspace);
    const engine = await start();
    await writeFile(path.join(beside, 'hold'), '');
    const cycle = engine.request(requests.startCycle, { cycleId: '1', root });
    await trial();
    for (const args of [['run'], ['fix'], ['fix', '--sandbox', 'in-place']]) {
      const { code, stderr } = await command(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /tried in this folder itself/);
    }
    await rm(path.join(beside, 'hold'));
    await cycle;
    await writeFile(path.join(beside, 'hold'), '');
    const other = command('fix', '--sandbox', 'in-place');
    await trial();
    await assert.rejects(engine.request(requests.run, { runId: '1', root }), /tried in this folder itself/);
    await assert.rejects(engine.request(requests.startCycle, { cycleId: '2', root }), /tried in this folder/);
    await rm(path.join(beside, 'hold'));
    await other;
    assert.deepEqual(await ownFiles(workspace), before);
  });

  it('refuses a cycle in a copy while a command has one, and is told so the other way round', async () => {
    const { root } = workspace;
    const engine = await start('copy');
    const hold = path.join(beside, 'hold');
    await writeFile(hold, '');
    const waiting = `while (existsSync(${JSON.stringify(hold)})) await`;
    await workspace.write(heldTest, heldTestText.replace(/while \(.*\n *await/, waiting));
    const over = command('fix');
    while (!(await locks()).some((file) => /cycle-[0-9a-f]+\.lock$/.test(file)))
      await new Promise((resolve) => setTimeout(resolve, 10));
    await assert.rejects(
      engine.request(requests.startCycle, { cycleId: '1', root }),
      /A fix cycle is already running for this folder since \d\d:\d\d, in process \d+/,
    );
    await rm(hold);
    await over;
    await writeFile(hold, '');
    const own = engine.request(requests.startCycle, { cycleId: '2', root });
    while (!(await locks()).some((file) => /cycle-[0-9a-f]+\.lock$/.test(file)))
      await new Promise((resolve) => setTimeout(resolve, 10));
    const { code, stderr } = await command('fix');
    assert.equal(code, 2);
    assert.match(stderr, /A fix cycle is already running for this folder since/);
    await rm(hold);
    await own;
    assert.deepEqual(await locks(), []);
  });

  it('runs the files of the user after a command was killed in its terminal', async () => {
    const before = await ownFiles(workspace);
    const engine = await start();
    await engine.request(requests.listFiles, {});
    await writeFile(path.join(beside, 'hold'), '');
    const killed = command('fix', '--sandbox', 'in-place');
    await trial();
    const { pid } = lockSchema.parse(
      JSON.parse(
        await readFile((await locks()).find((file) => file.endsWith('in-place.lock')) ?? '', 'utf8'),
      ),
    );
    process.kill(pid, 'SIGKILL');
    await killed;
    const { failed, passed } = await engine.request(requests.run, { runId: '1', root: workspace.root });
    assert.deepEqual({ failed, passed }, { failed: 1, passed: 0 }, 'no unaccepted fix makes it pass');
    assert.deepEqual(await ownFiles(workspace), before);
  });

  it('gives them back at the next start when it was killed, and ends what it left running', async () => {
    const before = await ownFiles(workspace);
    const first = await start();
    await writeFile(path.join(beside, 'hold'), '');
    first.request(requests.startCycle, { cycleId: '1', root: workspace.root }).catch(() => undefined);
    await trial();
    first.child.kill('SIGKILL');
    await first.exited;
    engines.splice(0);
    const second = await start();
    await second.request(requests.listFiles, {});
    assert.deepEqual(await ownFiles(workspace), before);
    assert.ok(
      second.log.some((line) => /killed while it tried fixes/.test(line)),
      second.log.join('\n'),
    );
  });
});
