// Runs whose processes the editor's debugger starts: results come from a file, because there is no pipe of ours.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { CancellationTokenSource, type CancellationToken } from 'vscode-languageserver-protocol/node';
import type { DebugEnd } from '../../src/core/model/debugSession.ts';
import {
  editorNotifications,
  editorRequests,
  requests,
  type DebugParams,
} from '../../src/server/messages.ts';
import type { EngineProcess } from '../support/engineProcess.ts';
import { startEngineFor } from '../support/greetingShop.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

/** Longer than every time limit of the tests; they hold limits of their own too. */
const slow = 'await new Promise((resolve) => setTimeout(resolve, 500));';
const secrets = `for (const name of Object.keys(process.env)) {
    if (/^TESTMEND_(?:TOKEN|REPORT_FILE|JEST)/.test(name)) throw new Error(name);
  }`;
const failing = "throw new Error('as it should');";

describe('a run under a debugger', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  let asked: DebugParams[];
  let atOnce: number;
  /** What the editor does with a session. */
  let answer: (params: DebugParams, token: CancellationToken) => Promise<DebugEnd>;

  before(async () => {
    const json = JSON.stringify;
    workspace = await temporaryWorkspace(
      {
        'package.json': json({ name: 'root', private: true }),
        'vi/package.json': json({
          name: 'vi',
          scripts: { test: 'vitest --pool=threads --test-timeout 100' },
        }),
        'vi/vitest.config.mjs': 'export default { test: { testTimeout: 100 } };\n',
        'vi/a.test.mjs': `import { it } from 'vitest';
it('takes its time', async () => {
  ${secrets}
  console.log('printed by vitest');
  ${slow}
});
it('fails', () => { ${failing} });
`,
        'je/package.json': json({ name: 'je', scripts: { test: 'jest -w 2' }, jest: { testTimeout: 100 } }),
        'je/a.test.js': `jest.setTimeout(100);
beforeEach(async () => { ${slow} }, 100);
it('takes its time', async () => {
  ${secrets}
  ${slow}
}, 100);
it('fails', () => { ${failing} });
`,
        'mo/package.json': json({
          name: 'mo',
          scripts: { test: 'node --no-warnings node_modules/.bin/mocha' },
        }),
        'mo/.mocharc.json': json({ spec: '*.test.js', parallel: true, 'node-option': ['no-deprecation'] }),
        'mo/a.test.js': `it('takes its time', async function () {
  this.timeout(100);
  ${secrets}
  ${slow}
});
it('fails', () => { ${failing} });
`,
        'tests/a.tests.mjs': `export default async () => {
  ${secrets}
  ${slow}
  return { passed: 1, failed: 0, errors: [] };
};
`,
      },
      { vitest: true, packages: ['jest', 'mocha'], git: true },
    );
    engine = await startEngineFor([workspace.root]);
    engine.connection.onRequest(
      editorRequests.debug.method,
      async (params: unknown, token: CancellationToken) => {
        const parsed = editorRequests.debug.params.parse(params);
        asked.push(parsed);
        atOnce++;
        assert.equal(atOnce, 1, 'one session after the other');
        return answer(parsed, token).finally(() => atOnce--);
      },
    );
  });
  beforeEach(() => {
    asked = [];
    atOnce = 0;
    answer = startProgram;
  });
  after(async () => {
    await engine.end();
    await workspace.dispose();
  });

  /** As a debugger does: without our pipe, and what is printed comes as events. */
  function startProgram({ session, sessionId }: DebugParams, token: CancellationToken): Promise<DebugEnd> {
    const { program, args, cwd, env } = session;
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (data: Buffer) => {
      const params = { sessionId, stream: 'stdout', text: String(data) };
      void engine.connection.sendNotification(editorNotifications.debugOutput.method, params);
    });
    token.onCancellationRequested(() => child.kill('SIGKILL'));
    return new Promise((resolve) => {
      child.once('close', (exitCode) => resolve({ ended: 'exited', exitCode }));
    });
  }

  const run = (files?: readonly string[], token?: CancellationTokenSource['token']) => {
    engine.runEvents.length = 0;
    const targets = files?.map((fileId) => ({ fileId }));
    return engine.request(
      requests.run,
      { runId: 'one', root: workspace.root, debug: true, ...(targets && { targets }) },
      token,
    );
  };
  const results = (): string[] =>
    engine.runEvents.flatMap((event) =>
      event.type === 'testEnded' ? [`${event.result.outcome} ${event.result.id}`] : [],
    );
  const messages = (): string[] =>
    engine.runEvents.flatMap((event) =>
      event.type === 'testEnded' ? (event.result.failure?.message ?? []) : [],
    );

  it('has the results of every framework, one session after the other, without a time limit for a test', async () => {
    const reports = new Set<string>();
    answer = async (params, token) => {
      const file = params.session.env['TESTMEND_CHANNEL'] ?? '';
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.ok(!file.startsWith(workspace.root));
      reports.add(file);
      return startProgram(params, token);
    };
    const end = await run();
    assert.deepEqual(results().sort(), [
      'failed jest:je/a.test.js#fails',
      'failed mocha:mo/a.test.js#fails',
      'failed vitest:vi/a.test.mjs#fails',
      'passed jest:je/a.test.js#takes its time',
      'passed mocha:mo/a.test.js#takes its time',
      'passed skill:tests/a.tests.mjs',
      'passed vitest:vi/a.test.mjs#takes its time',
    ]);
    assert.deepEqual([end.passed, end.failed, end.ended, end.notes], [4, 3, 'complete', []]);
    assert.equal(reports.size, 4);
    assert.deepEqual([...reports].filter(existsSync), [], 'no report is left behind');
    const printed = engine.runEvents.flatMap((event) => (event.type === 'output' ? event.text : []));
    assert.match(printed.join(''), /printed by vitest/);
  });

  it('tells results while the session goes on', async () => {
    answer = async (params, token) => {
      const end = await startProgram(params, token);
      const endOfWait = Date.now() + 5_000;
      while (results().length < 2 && Date.now() < endOfWait)
        await new Promise((done) => setTimeout(done, 10));
      assert.equal(results().length, 2);
      return end;
    };
    await run(['jest:je/a.test.js']);
  });

  it('errors what did not end before the session', async () => {
    answer = async (params, token) => {
      const stop = new CancellationTokenSource();
      setTimeout(() => stop.cancel(), 300);
      token.onCancellationRequested(() => stop.cancel());
      return startProgram(params, stop.token);
    };
    const end = await run(['skill:tests/a.tests.mjs']);
    assert.deepEqual(results(), ['errored skill:tests/a.tests.mjs']);
    assert.match(messages().join(), /^It did not end: the debug session ended before\./);
    assert.deepEqual([end.errored, end.ended], [1, 'complete']);
  });

  it('ends the session when the run is cancelled, and what the session left running', async () => {
    const stop = new CancellationTokenSource();
    let pid: number | undefined;
    answer = (params, token) => {
      const { session } = params;
      const env = { ...process.env, ...session.env };
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { env });
      pid = child.pid;
      setTimeout(() => stop.cancel(), 100);
      // The debugger lets go of its process.
      return new Promise((resolve) =>
        token.onCancellationRequested(() => resolve({ ended: 'cancelled', exitCode: null })),
      );
    };
    const end = await run(['skill:tests/a.tests.mjs'], stop.token);
    assert.equal(end.ended, 'cancelled');
    assert.ok(pid !== undefined && !existsSync(path.join('/proc', String(pid), 'exe')));
  });

  it('says why a session could not be started', async () => {
    const error = 'debugging JavaScript tests needs the extension "JavaScript Debugger".';
    answer = () => Promise.resolve({ ended: 'not-started', exitCode: null, error });
    await run(['skill:tests/a.tests.mjs']);
    assert.match(messages().join(), /^Its process could not be started: debugging JavaScript tests needs/);
  });
});
