// Models and agents that a cycle of the editor asks, through the engine as a real process; what the shared core does is proven in
// test/core/fixes.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CancellationTokenSource } from 'vscode-languageserver-protocol/node';
import type { CycleReport } from '../../src/core/model/cycle.ts';
import type { Outside } from '../../src/core/model/outside.ts';
import { editorNotifications, editorRequests, requests } from '../../src/server/messages.ts';
import { chatServer, failed, streamed, type Answerer, type ChatServer } from '../support/chatServer.ts';
import type { EngineProcess } from '../support/engineProcess.ts';
import { gone, startEngineFor } from '../support/greetingShop.ts';
import { outsideShop, outsideTest, outsideTestText, rightAnswer } from '../support/outsideShop.ts';
import { jailsHere } from '../support/jailsHere.ts';
import { startedWith } from '../support/processesIn.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const key = 'no-pattern-knows-this-one';
describe('a cycle of the editor with somebody outside', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  let server: ChatServer | undefined;

  before(async () => {
    workspace = await outsideShop();
  });
  after(() => workspace.dispose());
  beforeEach(async () => {
    engine = await startEngineFor([workspace.root]);
  });
  afterEach(async () => {
    await engine.end();
    await server?.close();
    server = undefined;
    assert.equal(await workspace.read(outsideTest), outsideTestText);
  });

  const cycle = (outside?: Outside, stop?: CancellationTokenSource): Promise<CycleReport> =>
    engine.request(
      requests.startCycle,
      { cycleId: '1', root: workspace.root, ...(outside && { outside }) },
      stop?.token,
    );
  const endpoint = async (answer: Answerer, model = 'qwen'): Promise<Outside> => {
    server = await chatServer(answer);
    return { kind: 'endpoint', url: server.url, model, apiKey: key, limits: {} };
  };
  const progress = (): string =>
    engine.cycleEvents.flatMap((event) => (event.type === 'progress' ? [event.text] : [])).join('\n');
  /** Everything that the engine told, logged or wrote down. */
  const traces = async (): Promise<string> => {
    const storage = path.join(path.dirname(workspace.root), 'storage');
    const names = await readdir(storage, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = names.filter((entry) => entry.isFile());
    const texts = files.map((entry) => readFile(path.join(entry.parentPath, entry.name), 'utf8'));
    return JSON.stringify([engine.cycleEvents, engine.runEvents, engine.log, await Promise.all(texts)]);
  };

  it('asks an endpoint where the built-in fixers have nothing, tells how far it is, and what it took', async () => {
    const report = await cycle(
      await endpoint((response) =>
        streamed(response, rightAnswer, { prompt_tokens: 70, completion_tokens: 9 }),
      ),
    );
    assert.deepEqual(
      report.fixes.map(({ provider, trust, state, verdict }) => [provider, trust, state, verdict.verdict]),
      [['model', 'oracle', 'unreviewed', 'verified']],
    );
    assert.equal(report.fixes[0]?.verdict.runs, 3);
    assert.deepEqual(report.spent.asked, [
      { provider: 'model', requests: 1, inputTokens: 70, outputTokens: 9 },
    ]);
    assert.match(progress(), /asking qwen about "greets by name"/);
    assert.equal(server?.requests[0]?.authorization, `Bearer ${key}`);
  });

  it('tells nobody the key: not in events, logs, files, nor where the endpoint itself says it', async () => {
    const report = await cycle(
      await endpoint((response) => failed(response, 401, { 'x-seen': key }, `unknown key ${key}`), 'other'),
    );
    assert.match(report.notes.join('\n'), /rejected the key: .*unknown key \[redacted\]/);
    assert.match(report.notes.join('\n'), /Testmend: Set Key of the Model Endpoint/);
    assert.equal(server?.requests[0]?.authorization, `Bearer ${key}`);
    assert.ok(!(await traces()).includes(key));
  });

  it('ends an answer that is still coming in when the cycle is stopped', async () => {
    const stop = new CancellationTokenSource();
    let closed = false;
    const outside = await endpoint((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      response.on('close', () => (closed = true));
      stop.cancel();
    }, 'slow');
    const report = await cycle(outside, stop);
    assert.equal(report.ended, 'cancelled');
    await until(() => closed);
  });

  it('asks nobody unless the cycle was started with somebody', async () => {
    const outside = await endpoint((response) => streamed(response, rightAnswer), 'unasked');
    const report = await cycle();
    assert.deepEqual([report.fixes, report.spent.asked, server?.requests], [[], [], []]);
    assert.equal(outside.kind, 'endpoint');
  });

  it('goes on with the built-in fixers where nobody can be asked, and says why', async () => {
    for (const [outside, said] of [
      [
        {
          kind: 'unavailable',
          asked: 'model',
          reason: 'VS Code provides no language model.',
          remedy: 'Install one.',
        },
        /The model was not asked: VS Code provides no language model\. Install one\./,
      ],
      [
        { kind: 'agent', command: 'scribe --fast', timeoutSeconds: 5 },
        /The agent was not asked: testmend\.fix\.agent\.command does not contain {task} or {taskFile}\. Name one of/,
      ],
      [
        { kind: 'endpoint', url: 'http://192.0.2.1/v1', model: 'm', apiKey: key, limits: {} },
        /The model was not asked: .*testmend\.fix\.model\.url/,
      ],
    ] as const) {
      const report = await cycle(outside);
      assert.match(report.notes.join('\n'), said);
      assert.ok(!JSON.stringify(report).includes(key));
    }
  });

  describe('with a model of the editor', () => {
    const outside: Outside = { kind: 'editorModel', id: 'vendor/good', name: 'Good', limits: {} };

    it('asks the editor, hears how far it is, and takes its answer like any other', async () => {
      const asked: string[] = [];
      engine.connection.onRequest(editorRequests.askModel.method, async (params: unknown) => {
        const { askId, modelId, system, user } = editorRequests.askModel.params.parse(params);
        asked.push(modelId, system, user);
        const told = { askId, characters: 4_000 };
        await engine.connection.sendNotification(editorNotifications.modelProgress.method, told);
        await until(() => /1,000 tokens so far/.test(progress()));
        return { answered: true, text: rightAnswer, inputTokens: 50, outputTokens: 5 };
      });
      const report = await cycle(outside);
      assert.deepEqual(
        report.fixes.map(({ provider, verdict }) => [provider, verdict.verdict]),
        [['model', 'verified']],
      );
      assert.deepEqual(report.spent.asked, [
        { provider: 'model', requests: 1, inputTokens: 50, outputTokens: 5 },
      ]);
      assert.equal(asked[0], 'vendor/good');
      assert.match(asked[1] ?? '', /Delete no test and no assertion/);
      assert.match(asked[2] ?? '', /greets by name/);
    });

    it('says what the editor says where it does not answer, and what can be done', async () => {
      engine.connection.onRequest(editorRequests.askModel.method, () => ({
        answered: false,
        reason: 'The model Bad is blocked.',
        remedy: 'Try again later.',
      }));
      const report = await cycle({ ...outside, id: 'vendor/bad', name: 'Bad' });
      assert.deepEqual(report.fixes, []);
      assert.match(
        report.notes.join('\n'),
        /The model failed and was not asked again: The model Bad is blocked\. Try again later\./,
      );
    });

    it('takes the question back when the cycle is stopped', async () => {
      const stop = new CancellationTokenSource();
      let cancelled = false;
      engine.connection.onRequest(editorRequests.askModel.method, async (_params: unknown, token) => {
        stop.cancel();
        await until(() => token.isCancellationRequested);
        cancelled = true;
        return { answered: false, reason: 'Cancelled.', remedy: '' };
      });
      const report = await cycle({ ...outside, id: 'vendor/slow' }, stop);
      assert.equal(report.ended, 'cancelled');
      assert.ok(cancelled);
    });
  });

  describe('with an agent', () => {
    /** A script that plays it; `text` is what it does in the present folder. */
    const agent = async (text: string): Promise<Extract<Outside, { kind: 'agent' }>> => {
      const program = path.join(path.dirname(workspace.root), 'agent.cjs');
      await writeFile(program, `const fs = require('node:fs');\n${text}\n`);
      return { kind: 'agent', command: `node ${program} {taskFile}`, timeoutSeconds: 60 };
    };

    it('takes what it wrote into the copy as a fix', async () => {
      const report = await cycle(
        await agent(
          `fs.writeFileSync('${outsideTest}', fs.readFileSync('${outsideTest}', 'utf8').replace("word.concat(', ', 'Ada')", "'Hello, Ada'"));`,
        ),
      );
      assert.deepEqual(
        report.fixes.map(({ provider, verdict }) => [provider, verdict.verdict]),
        [['agent', 'verified']],
      );
      assert.match(progress(), /node works on greet\.test\.js/);
    });

    it('gives it of the user what the settings say, in a jail, and no jail where they say so', async function () {
      if ((await jailsHere()).length === 0) this.skip();
      const own = await mkdtemp(path.join(os.tmpdir(), 'testmend-own-'));
      const [reads, writes] = [path.join(own, 'reads'), path.join(own, 'writes')];
      try {
        for (const place of [reads, writes]) await mkdir(place);
        await writeFile(path.join(own, 'hidden'), 'hidden');
        await writeFile(path.join(reads, 'told'), 'told');
        const outside =
          await agent(`const attempt = (work) => { try { return String(work()); } catch { return ''; } };
attempt(() => fs.writeFileSync('${reads}/written', ''));
attempt(() => fs.writeFileSync('${writes}/told', attempt(() => fs.readFileSync('${reads}/told')) + attempt(() => fs.readFileSync('${own}/hidden'))));`);
        const told = (): Promise<string> =>
          readFile(path.join(writes, 'told'), 'utf8').catch(() => 'nothing');
        await cycle(outside);
        assert.equal(await told(), 'nothing');
        const jailed = await cycle({ ...outside, jail: 'required', reads: [reads], writes: [writes] });
        assert.equal(await told(), 'told');
        assert.doesNotMatch(jailed.notes.join('\n'), /without a jail/);
        assert.deepEqual(await readdir(reads), ['told']);
        const free = await cycle({ ...outside, jail: 'off' });
        assert.equal(await told(), 'toldhidden');
        assert.match(free.notes.join('\n'), /ran without a jail, as you requested/);
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    });

    it('ends it and what it started when the cycle is stopped', async () => {
      const stop = new CancellationTokenSource();
      // In a jail it can leave no word outside of its copy: its processes are known by what only they were started with.
      const seconds = `600.${process.pid}`;
      const outside = await agent(
        `require('node:child_process').spawn('sleep', ['${seconds}']);
setInterval(() => {}, 1000);`,
      );
      const running = cycle(outside, stop);
      await until(() => startedWith(seconds).length > 0);
      const pids = startedWith(seconds);
      stop.cancel();
      assert.equal((await running).ended, 'cancelled');
      for (const pid of pids) await gone(pid);
      assert.deepEqual(startedWith(seconds), []);
    });
  });
});

/** Waits within the time limit of the test. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
