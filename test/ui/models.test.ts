// Models and agents in the real workbench: asked for leave once, the key kept for one address, progress and cost in the panel, and
// VS Code's own models, which a small extension stands in for.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import glob from 'fast-glob';
import type { Frame } from 'playwright-core';
import { chatServer, streamed, type Answerer, type ChatServer } from '../support/chatServer.ts';
import { gone } from '../support/greetingShop.ts';
import { startedWith } from '../support/processesIn.ts';
import { outsideShop, outsideTest, outsideTestText, rightAnswer } from '../support/outsideShop.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { installed } from './installed.ts';
import { until, type Workbench } from './workbench.ts';

const key = 'no-pattern-knows-this-one';
const keyOfTheEnvironment = 'key-of-the-environment';
describe('models and agents in the workbench', function () {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'testmend-models-'));
  const standIn = path.join(folder, 'standIn');
  const dataFolder = path.join(folder, 'data');
  mkdirSync(standIn);
  let workspace: TemporaryWorkspace;
  let workbench: Workbench;
  const servers: ChatServer[] = [];

  const opened = installed(
    outsideShop,
    { 'testmend.trace': 'verbose', 'chat.disableAIFeatures': false },
    {
      ownData: dataFolder,
      extensionDevelopmentPath: path.join(import.meta.dirname, '../support/standInModels'),
      env: {
        TESTMEND_STAND_IN: standIn,
        TESTMEND_MODEL_URL: 'http://127.0.0.1:9/v1',
        TESTMEND_MODEL_KEY: keyOfTheEnvironment,
      },
    },
  );
  before(() => ({ workspace, workbench } = opened()));
  after(async () => {
    for (const server of servers) await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  const server = async (answer: Answerer): Promise<ChatServer> => {
    const started = await chatServer(answer);
    servers.push(started);
    return started;
  };
  let configured = 0;
  /** Resolves when the window wears the title that was set with the settings: it knows them then. */
  const configure = async (settings: Readonly<Record<string, unknown>>): Promise<void> => {
    const title = `settings ${++configured}`;
    const own = Object.entries(settings).map(([name, value]) => [`testmend.fix.${name}`, value]);
    const all = { 'window.title': title, ...Object.fromEntries(own) };
    await workspace.write('.vscode/settings.json', JSON.stringify(all));
    await until(title, async () => (await workbench.page.title()).includes(title));
  };
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  /** Answers the question whether somebody may be asked, and returns how it was put. */
  const answer = async (choice: string, screenshot?: string): Promise<string> => {
    await dialog().waitFor();
    const text = await dialog().innerText();
    if (screenshot !== undefined) await workbench.screenshot(screenshot);
    await dialog().locator('.monaco-button', { hasText: choice }).click();
    // A command that is chosen while the question still goes away is lost.
    await dialog().waitFor({ state: 'hidden' });
    return text;
  };
  const notified = async (text: string): Promise<void> => {
    await workbench.notification(text);
    await workbench.command('Notifications: Clear All Notifications');
  };
  const fix = () => workbench.command('Testmend: Fix Failing Tests');
  /** The panel once the cycle that was just started runs, and once it has ended. */
  const running = (): Promise<Frame> => workbench.webview('header[data-phase=running]', 120_000);
  const ended = async (): Promise<Frame> => {
    await running();
    return workbench.webview('header[data-phase=ended]', 300_000);
  };
  const notes = async (panel: Frame): Promise<string> => panel.locator('section.notes').innerText();

  it('asks an endpoint after leave was given, with the key kept for it, and shows how far it is and what it took', async () => {
    let release = (): void => undefined;
    const { url, requests } = await server((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        `data: ${JSON.stringify({ choices: [{ delta: { content: rightAnswer.slice(0, 40) } }] })}\n\n`,
      );
      release = () => {
        const rest = { choices: [{ delta: { content: rightAnswer.slice(40) } }] };
        const usage = { choices: [], usage: { prompt_tokens: 1_234, completion_tokens: 56, cost: 0.0031 } };
        response.write(`data: ${JSON.stringify(rest)}\n\ndata: ${JSON.stringify(usage)}\n\n`);
        response.end('data: [DONE]\n\n');
      };
    });
    const { origin } = new URL(url);
    await configure({ provider: 'endpoint', 'model.url': url, 'model.name': 'qwen' });
    await workbench.openFile('greet.test.js');
    await workbench.command('Testmend: Set Key of the Model Endpoint...');
    const input = workbench.page.locator('.quick-input-widget input[type=password]');
    await input.waitFor();
    await input.fill(key);
    await workbench.screenshot('m1-key');
    await workbench.page.keyboard.press('Enter');
    await notified(`the key for ${origin} is stored`);

    await fix();
    const asked = await answer('Continue', 'm2-consent');
    assert.ok(asked.includes(`send failing tests of shop and the code around them to ${origin}`), asked);
    const panel = await running();
    const step = panel.locator('header .step', {
      hasText: /Asking qwen about "greets by name", \d+ tokens so far/,
    });
    await step.waitFor({ timeout: 120_000 });
    await workbench.screenshot('m3-asking');
    release();
    const done = await workbench.webview('header[data-phase=ended]', 300_000);
    assert.equal(
      await done.locator('.spent').innerText(),
      'The model answered 1 question: 1,234 tokens in, 56 out (the endpoint reports a cost of 0.00310).',
    );
    assert.equal(await done.locator('.badge', { hasText: 'by the model' }).count(), 1);
    await workbench.screenshot('m4-proposed');
    assert.equal(requests[0]?.authorization, `Bearer ${key}`);
    assert.equal(await workspace.read(outsideTest), outsideTestText);
  });

  it('asks again for another address, goes on without it when told so, and sends it no key of the first', async () => {
    const { url, requests } = await server((response) => streamed(response, rightAnswer));
    await configure({ provider: 'endpoint', 'model.url': url, 'model.name': 'qwen' });
    await fix();
    assert.ok((await answer('Built-in Fixers Only')).includes(new URL(url).origin));
    assert.match(await notes(await ended()), /The model was not asked: You did not give your consent\./);
    assert.equal(requests.length, 0);
    await fix();
    await answer('Cancel');
    await fix();
    await answer('Continue');
    await ended();
    assert.deepEqual(
      requests.map(({ authorization }) => authorization),
      [undefined],
    );
    // Agreed to once: the next cycle starts without a question.
    await fix();
    await running();
    assert.equal(await dialog().count(), 0);
    await workbench.webview('header[data-phase=ended]', 300_000);
  });

  it('asks a model of VS Code, counts its tokens, and says when it may not be used or is not there', async () => {
    writeFileSync(path.join(standIn, 'answer'), rightAnswer);
    await configure({ provider: 'editorModel' });
    await fix();
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'Stand-in Good' }).waitFor();
    await workbench.screenshot('m5-pick');
    await rows.filter({ hasText: 'Stand-in Good' }).click();
    assert.match(
      await answer('Continue', 'm6-editor-model'),
      /language model Stand-in Good \(stand-in\) of VS Code/,
    );
    const panel = await ended();
    assert.match(
      await panel.locator('.spent').innerText(),
      /^The model answered 1 question: \d+ tokens in, \d+ out\.$/,
    );
    assert.equal(await panel.locator('.badge', { hasText: 'by the model' }).count(), 1);
    await workbench.screenshot('m7-editor-model-proposed');
    const words = rightAnswer.split(/\s+/).length;
    assert.match(await panel.locator('.spent').innerText(), new RegExp(` ${words} out`));
    assert.match(readFileSync(path.join(standIn, 'asked'), 'utf8'), /Delete no test[^]*greets by name/);

    await configure({ provider: 'editorModel', 'model.name': 'Stand-in Blocked' });
    await fix();
    await answer('Continue');
    assert.match(
      await notes(await ended()),
      /Stand-in Blocked is blocked, or its quota is used up: .*quota of today/,
    );
    await configure({ provider: 'editorModel', 'model.name': 'nobody' });
    await fix();
    assert.match(
      await notes(await ended()),
      /VS Code provides no language model "nobody"\. It provides .*Stand-in Good/,
    );
  });

  it('takes a question to a model of VS Code back when it is stopped', async () => {
    rmSync(path.join(standIn, 'asked'), { force: true });
    await configure({ provider: 'editorModel', 'model.name': 'silent-family' });
    await fix();
    await answer('Continue');
    await until('the model is asked', () => Promise.resolve(existsSync(path.join(standIn, 'asked'))));
    await workbench.command('Testmend: Stop the Fix Cycle');
    const panel = await workbench.webview('header[data-phase=ended]', 120_000);
    assert.equal(await panel.locator('h1').innerText(), 'Stopped');
    await until('it is cancelled', () => Promise.resolve(existsSync(path.join(standIn, 'cancelled'))));
  });

  it('starts an agent after leave was given, shows that it works, and stops it with all it started', async () => {
    const program = path.join(folder, 'scribe.cjs');
    // In a jail it can leave no word outside of its copy: its processes are known by what only they were started with.
    const seconds = `600.${process.pid}`;
    writeFileSync(
      program,
      `require('node:child_process').spawn('sleep', ['${seconds}']);\nsetInterval(() => {}, 1000);\n`,
    );
    const command = `node ${program} {taskFile}`;
    await configure({ provider: 'agent', 'agent.command': command });
    await fix();
    assert.ok(
      (await answer('Continue', 'm8-agent')).includes(`start the agent "${command}" in a copy of shop`),
    );
    const panel = await running();
    await panel
      .locator('header .step', { hasText: /Node works on greet\.test\.js for \d+ s, of 300 s at most/ })
      .waitFor({ timeout: 120_000 });
    await workbench.screenshot('m9-agent-works');
    const pids = startedWith(seconds);
    assert.ok(pids.length > 0);
    await workbench.command('Testmend: Stop the Fix Cycle');
    await workbench.webview('header[data-phase=ended]', 120_000);
    for (const pid of pids) await gone(pid);
    assert.equal(await workspace.read(outsideTest), outsideTestText);
  });

  // After the others: it looks at what they left.
  it('leaves no key in the logs, though every message is traced, nor in what it keeps of cycles', async () => {
    const files = await glob('**/*', {
      cwd: dataFolder,
      absolute: true,
      dot: true,
      ignore: ['**/extensions/**'],
    });
    const texts = files.map((name) => [name, readFileSync(name, 'utf8')] as const);
    const traced = texts.filter(([, text]) => /testmend\/startCycle/.test(text));
    assert.ok(traced.length > 0, 'the messages are traced');
    assert.ok(
      traced.some(([, text]) => /"apiKey": "\[redacted\]"/.test(text)),
      'the message with the key is traced',
    );
    const holding = texts.filter(([, text]) => text.includes(key) || text.includes(keyOfTheEnvironment));
    assert.deepEqual(
      holding.map(([name]) => name),
      [],
    );
  });

  it('forgets keys and leave when told so', async () => {
    const { requests, url } = await server((response) => streamed(response, rightAnswer));
    const [first] = servers;
    assert.ok(first);
    await configure({ provider: 'endpoint', 'model.url': first.url, 'model.name': 'another' });
    await workbench.command('Testmend: Forget Keys and Consents of Models');
    await notified(`deleted the keys for ${new URL(first.url).origin}`);
    await fix();
    await answer('Cancel');
    assert.deepEqual([requests.length, url === first.url], [0, false]);
  });
});
