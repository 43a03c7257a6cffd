// Runs that overlap, roots that come and go, and files that are broken for a moment.
import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CancellationTokenSource, ResponseError } from 'vscode-languageserver-protocol/node';
import { editorNotifications, requests } from '../../src/server/messages.ts';
import type { EngineProcess } from '../support/engineProcess.ts';
import { endlessPid, gone, nodeGreetingShop, startEngineFor } from '../support/greetingShop.ts';
import { isAlive } from '../support/isAlive.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const endlessFile = 'nodeTest:tests/endless.test.js';
const greetingFile = 'nodeTest:tests/greeting.test.js';

describe('the engine', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let other: TemporaryWorkspace | undefined;
  let engine: EngineProcess;
  const run = (runId: string, fileId: string, token?: CancellationTokenSource['token']) =>
    engine.request(requests.run, { runId, root: workspace.root, targets: [{ fileId }] }, token);

  beforeEach(async () => {
    workspace = await nodeGreetingShop();
  });
  afterEach(async () => {
    await engine.end();
    await workspace.dispose();
    await other?.dispose();
    other = undefined;
  });

  it('lets runs that overlap follow each other, drops none, and cancels only the one that is cancelled', async () => {
    engine = await startEngineFor([workspace.root]);
    const [stopEndless, stopThird] = [new CancellationTokenSource(), new CancellationTokenSource()];
    const endless = run('1', endlessFile, stopEndless.token);
    const pid = await endlessPid(workspace);
    const second = run('2', greetingFile);
    const third = run('3', greetingFile, stopThird.token);
    const fourth = run('4', greetingFile);
    stopThird.cancel();
    const { ended, total } = await third;
    assert.deepEqual([ended, total], ['cancelled', 0]);
    assert.ok(isAlive(pid), 'the run before it goes on');
    assert.deepEqual(
      engine.runEvents.filter((event) => event.type === 'testEnded'),
      [],
    );
    stopEndless.cancel();
    assert.equal((await endless).ended, 'cancelled');
    for (const end of await Promise.all([second, fourth]))
      assert.deepEqual([end.passed, end.failed, end.ended], [1, 1, 'complete']);
  });

  it('runs tests while a fix cycle works', async () => {
    engine = await startEngineFor([workspace.root]);
    const { root } = workspace;
    await rm(path.join(root, 'tests/endless.test.js'));
    const cycle = engine.request(requests.startCycle, {
      cycleId: '1',
      root,
      files: ['tests/greeting.test.js'],
    });
    while (engine.cycleEvents.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const end = await run('1', greetingFile);
    assert.deepEqual([end.passed, end.failed, end.ended], [1, 1, 'complete']);
    assert.equal((await cycle).fixes.length, 1);
  });

  it('runs a whole fix cycle after one that was stopped', async () => {
    engine = await startEngineFor([workspace.root]);
    const { root } = workspace;
    await rm(path.join(root, 'tests/endless.test.js'));
    const stop = new CancellationTokenSource();
    const stopped = engine.request(requests.startCycle, { cycleId: '1', root }, stop.token);
    while (!engine.cycleEvents.some(({ type }) => type === 'iterationStarted'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    stop.cancel();
    assert.equal((await stopped).ended, 'cancelled');
    const report = await engine.request(requests.startCycle, { cycleId: '2', root });
    assert.notEqual(report.ended, 'cancelled');
    assert.equal(report.fixes.length, 1);
  });

  it('ends the runs of a folder that leaves the workspace, and goes on in the others', async () => {
    other = await nodeGreetingShop();
    engine = await startEngineFor([workspace.root, other.root]);
    const { projects } = await engine.request(requests.listFiles, {});
    assert.deepEqual(
      projects.map(({ root, files }) => [root, files.map(({ id }) => id)]),
      [workspace.root, other.root].map((root) => [root, [endlessFile, greetingFile]]),
    );
    const endless = run('1', endlessFile);
    const pid = await endlessPid(workspace);
    await engine.connection.sendNotification(editorNotifications.configure.method, {
      roots: [{ root: other.root }],
      trusted: true,
      hasOwnUi: true,
    });
    assert.equal((await endless).ended, 'cancelled');
    await gone(pid);
    const end = await engine.request(requests.run, {
      runId: '2',
      root: other.root,
      targets: [{ fileId: greetingFile }],
    });
    assert.deepEqual([end.passed, end.failed], [1, 1]);
  });

  it('answers when the root or a test file is deleted during a run', async () => {
    engine = await startEngineFor([workspace.root]);
    const stop = new CancellationTokenSource();
    const endless = run('1', endlessFile, stop.token);
    const pid = await endlessPid(workspace);
    const waiting = run('2', greetingFile);
    await rm(workspace.root, { recursive: true, force: true });
    stop.cancel();
    assert.equal((await endless).ended, 'cancelled');
    await gone(pid);
    const end = await waiting;
    assert.equal(end.passed, 0);
    const { projects } = await engine.request(requests.listFiles, {});
    assert.deepEqual(
      projects.flatMap(({ files }) => files),
      [],
    );
  });

  it('lists tests where there is no node on PATH, and says so when they are run, until there is one', async () => {
    const PATH = process.env['PATH'];
    process.env['PATH'] = path.join(workspace.root, 'nothing');
    engine = await startEngineFor([workspace.root]).finally(() => {
      if (PATH !== undefined) process.env['PATH'] = PATH;
    });
    const { projects } = await engine.request(requests.listFiles, {});
    assert.deepEqual(
      projects.flatMap(({ files }) => files.map(({ id }) => id)),
      [endlessFile, greetingFile],
    );
    await assert.rejects(run('1', greetingFile), (error) => {
      assert.ok(error instanceof ResponseError, String(error));
      assert.equal(error.message, 'No node executable was found on PATH.');
      assert.equal(error.data?.code, 'not-installed');
      assert.match(String(error.data?.remedy), /testmend\.nodePath/);
      return true;
    });
    await engine.connection.sendNotification(editorNotifications.configure.method, {
      roots: [{ root: workspace.root, nodePath: process.execPath }],
      trusted: true,
      hasOwnUi: true,
    });
    assert.equal((await run('2', greetingFile)).passed, 1);
  });

  it('says that its folder was deleted before the run, and runs again when it is back', async () => {
    engine = await startEngineFor([workspace.root]);
    await engine.request(requests.listFiles, {});
    const away = `${workspace.root}-away`;
    await rename(workspace.root, away);
    const end = await run('1', greetingFile);
    assert.equal(end.passed, 0);
    const told = engine.runEvents.flatMap((event) => (event.type === 'testEnded' ? [event.result] : []));
    assert.match([...end.notes, ...told.map(({ failure }) => failure?.message)].join('\n'), /shop/);
    assert.doesNotMatch(told.map(({ failure }) => failure?.message).join('\n'), /\n\s+at /);
    assert.match(
      (await engine.request(requests.listFiles, {})).notes.join(),
      /^The folder .*shop no longer exists/,
    );
    await rename(away, workspace.root);
    await engine.request(requests.listFiles, {});
    assert.equal((await run('2', greetingFile)).passed, 1);
  });

  it('keeps the files of a project while its package.json is broken', async () => {
    engine = await startEngineFor([workspace.root]);
    const list = async () => {
      const { projects } = await engine.request(requests.listFiles, {});
      return projects.map(({ problem, files }) => [problem?.message, files.map(({ id }) => id)]);
    };
    const good = await workspace.read('package.json');
    const files = [endlessFile, greetingFile];
    assert.deepEqual(await list(), [[undefined, files]]);
    await workspace.write('package.json', good.slice(0, -1));
    assert.deepEqual(await list(), [['package.json is broken at line 1: expected "," or "}".', files]]);
    await rm(path.join(workspace.root, 'tests/endless.test.js'));
    await workspace.write('package.json', good);
    assert.deepEqual(await list(), [[undefined, [greetingFile]]]);
  });
});
