import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CancellationTokenSource, ResponseError } from 'vscode-languageserver-protocol/node';
import { applyEdit } from '../../src/core/model/edit.ts';
import { requests } from '../../src/server/messages.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { isAlive } from '../support/isAlive.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const greetingTest = `import { expect, it } from 'vitest';
import { greet } from '../src/greeting.js';

it('greets by name', () => {
  expect(greet('Ada')).toBe('Hi, Ada');
});
it('says something', () => {
  expect(greet('Ada').length).toBeGreaterThan(1);
});
`;

/** A test that never ends and leaves its process id. */
const endlessTest = `import { writeFileSync } from 'node:fs';
import { it } from 'vitest';

it('never ends', async () => {
  writeFileSync(new URL('../pid', import.meta.url), String(process.pid));
  await new Promise(() => setInterval(() => undefined, 1000));
}, 600_000);
`;

async function shop(): Promise<TemporaryWorkspace> {
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
      'src/greeting.js': 'export const greet = (name) => `Hi, ${name}`;\n',
      'tests/greeting.test.js': greetingTest,
      'tests/endless.test.js': endlessTest,
    },
    { git: true, vitest: true },
  );
  await workspace.write('src/greeting.js', 'export const greet = (name) => `Hello, ${name}`;\n');
  return workspace;
}

describe('the engine over IPC', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  const greeting = 'vitest:tests/greeting.test.js';
  const endless = 'vitest:tests/endless.test.js';
  const start = (trusted: boolean): Promise<EngineProcess> =>
    startEngine('ipc', {
      initializationOptions: {
        roots: [{ root: workspace.root }],
        trusted,
        storageFolder: path.join(path.dirname(workspace.root), 'storage'),
        hasOwnUi: true,
      },
    });

  beforeEach(async () => {
    workspace = await shop();
  });
  afterEach(async () => {
    await engine.end();
    await workspace.dispose();
  });

  it('lists files, finds tests, runs them, proposes a fix, proves it, and changes nothing', async () => {
    engine = await start(true);
    const { root } = workspace;
    const before = await workspace.read('tests/greeting.test.js');

    const { projects } = await engine.request(requests.listFiles, {});
    assert.deepEqual(
      projects.map(({ label, files }) => [label, files.map(({ id }) => id)]),
      [['Vitest', [endless, greeting]]],
    );
    const { files } = await engine.request(requests.discoverFiles, { root, ids: [greeting] });
    assert.deepEqual(
      files[0]?.tests.map(({ title, range }) => [title, range.start.line]),
      [
        ['greets by name', 4],
        ['says something', 7],
      ],
    );
    const end = await engine.request(requests.run, { runId: '1', root, targets: [{ fileId: greeting }] });
    assert.deepEqual([end.passed, end.failed, end.ended], [1, 1, 'complete']);
    const ended = engine.runEvents.filter((event) => event.type === 'testEnded').map(({ result }) => result);
    const failing = ended.filter(({ outcome }) => outcome === 'failed');
    assert.deepEqual(
      failing.map(({ id, failure }) => [id, failure?.location?.line, failure?.expected, failure?.actual]),
      [[`${greeting}#greets by name`, 5, 'Hi, Ada', 'Hello, Ada']],
    );

    const proposed = await engine.request(requests.proposeFixes, { root, ids: failing.map(({ id }) => id) });
    const [fix] = proposed.fixes;
    assert.ok(fix);
    assert.equal(fix.title, "expect 'Hello, Ada' (was 'Hi, Ada')");
    assert.equal(fix.trust, 'oracle');
    const { verdict, diff } = await engine.request(requests.verifyFix, { root, fixId: fix.id });
    assert.equal(verdict.verdict, 'verified', verdict.reason);
    assert.match(diff, /^\+ {2}expect\(greet\('Ada'\)\)\.toBe\('Hello, Ada'\);$/m);
    assert.equal(await workspace.read('tests/greeting.test.js'), before);

    const [edit] = (
      await engine.request(requests.composeFixes, { root, kept: [fix], applied: [], accepted: [fix] })
    ).edits;
    assert.ok(edit);
    assert.equal(applyEdit(edit, before), before.replace("'Hi, Ada'", "'Hello, Ada'"));
    await workspace.write('tests/greeting.test.js', `// mine\n${before}`);
    await assert.rejects(
      engine.request(requests.composeFixes, { root, kept: [fix], applied: [], accepted: [fix] }),
      (error) => refusedAs(error, 'stale'),
    );
  });

  it('finds tests but runs and fixes nothing in an untrusted workspace', async () => {
    engine = await start(false);
    const { root } = workspace;
    const { files } = await engine.request(requests.discoverFiles, { root, ids: [endless] });
    assert.deepEqual(
      files.map(({ tests }) => tests.map(({ title }) => title)),
      [['never ends']],
    );
    for (const asked of [
      engine.request(requests.run, { runId: '1', root }),
      engine.request(requests.proposeFixes, { root, ids: [`${endless}#never ends`] }),
      engine.request(requests.startCycle, { cycleId: '1', root }),
      engine.request(requests.recordScenario, { root, url: 'http://127.0.0.1:9/' }),
    ])
      await assert.rejects(asked, (error) => refusedAs(error, 'untrusted'));
    assert.equal(existsSync(path.join(root, 'pid')), false);
  });

  it('ends a cancelled run with its processes and says so', async () => {
    engine = await start(true);
    const { root } = workspace;
    const source = new CancellationTokenSource();
    const run = engine.request(
      requests.run,
      { runId: '1', root, targets: [{ fileId: endless }] },
      source.token,
    );
    const pid = await pidOf(workspace);
    source.cancel();
    assert.equal((await run).ended, 'cancelled');
    await gone(pid);
  });

  for (const [how, leave] of [
    ['the editor goes away', (child: EngineProcess['child']) => child.disconnect()],
    ['the engine is killed', (child: EngineProcess['child']) => child.kill('SIGKILL')],
  ] as const) {
    it(`leaves no test process behind when ${how} in the middle of a run`, async () => {
      engine = await start(true);
      const { root } = workspace;
      engine
        .request(requests.run, { runId: '1', root, targets: [{ fileId: endless }] })
        .catch(() => undefined);
      const pid = await pidOf(workspace);
      leave(engine.child);
      await engine.exited;
      await gone(pid);
    });
  }
});

function refusedAs(error: unknown, code: string): boolean {
  assert.ok(error instanceof ResponseError, String(error));
  assert.equal(error.data?.code, code);
  assert.ok(error.data?.remedy);
  return true;
}

async function pidOf(workspace: TemporaryWorkspace): Promise<number> {
  for (;;) {
    if (existsSync(path.join(workspace.root, 'pid'))) {
      const text = await workspace.read('pid');
      if (text !== '') return Number(text);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits, within the time limit of the test, until a process has ended. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
}
