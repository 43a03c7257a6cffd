// Asking a model over HTTP: a real server on this machine that answers well, wrongly, slowly, or not at all.
import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/core/base/humanError.ts';
import { askChat, type ChatEndpoint } from '../../../../src/core/fixes/model/chatEndpoint.ts';
import type { ChatAnswer } from '../../../../src/core/fixes/model/chatModel.ts';
import {
  chatServer,
  failed,
  streamed,
  whole,
  type Answerer,
  type ChatServer,
} from '../../../support/chatServer.ts';

const setBy = { url: '--model-url', model: '--model', key: '--model-key-file' };

describe('asking a model', () => {
  let server: ChatServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function ask(
    answer: Answerer,
    more: Partial<ChatEndpoint> = {},
    signal = new AbortController().signal,
  ): Promise<ChatAnswer & { readonly progress: readonly number[] }> {
    server = await chatServer(answer);
    const progress: number[] = [];
    const given = await askChat(
      { baseUrl: new URL(server.url), model: 'qwen', setBy, key: 'sk-0123456789abcdef', ...more },
      {
        system: 'You mend.',
        user: 'Mend this.',
        schema: { name: 'edits', schema: { type: 'object' } },
        maxTokens: 100,
        signal,
        onProgress: (characters) => void progress.push(characters),
      },
    );
    return { ...given, progress };
  }

  const refused = async (
    answer: Answerer,
    expected: RegExp,
    more: Partial<ChatEndpoint> = {},
  ): Promise<void> => {
    await assert.rejects(ask(answer, more), (error: unknown) => {
      assert.ok(error instanceof HumanError, String(error));
      const told = JSON.stringify(error);
      assert.match(told, expected);
      assert.doesNotMatch(told, /sk-0123456789abcdef/);
      assert.notEqual(error.details.remedy, '');
      return true;
    });
  };

  it('takes a stream in pieces, tells how far it is, and what it took', async () => {
    const { text, usage, progress } = await ask((response) =>
      streamed(response, 'x'.repeat(50), { prompt_tokens: 7, completion_tokens: 3, cost: 0.5 }),
    );
    assert.equal(text, 'x'.repeat(50));
    assert.deepEqual(usage, { inputTokens: 7, outputTokens: 3, cost: 0.5 });
    assert.deepEqual(progress, [20, 40, 50, 50]);
    assert.equal(server?.requests[0]?.authorization, 'Bearer sk-0123456789abcdef');
  });

  it('takes one document, and sends no key where there is none', async () => {
    server = await chatServer((response) => whole(response, 'all of it'));
    const { text, usage } = await askChat(
      { baseUrl: new URL(`${server.url}/`), model: 'm', setBy },
      {
        system: '',
        user: '',
        schema: { name: 'x', schema: {} },
        maxTokens: 1,
        signal: new AbortController().signal,
      },
    );
    assert.equal(text, 'all of it');
    assert.deepEqual(usage, {});
    assert.equal(server.requests[0]?.authorization, undefined);
  });

  it('asks without a schema where the server knows none', async () => {
    const { text } = await ask((response, { body }) =>
      body.response_format === undefined ? streamed(response, 'plain') : failed(response, 400),
    );
    assert.equal(text, 'plain');
  });

  it('waits as long as a busy server says, once', async () => {
    const busy: Answerer = (response, _, index) =>
      index === 0 ? failed(response, 429, { 'retry-after': '0' }) : streamed(response, 'now');
    assert.equal((await ask(busy)).text, 'now');
    await server?.close();
    await refused((response) => failed(response, 429, { 'retry-after': '0' }), /no capacity/);
    assert.equal(server?.requests.length, 2);
  });

  it('does not wait for a server that is busy for longer than half a minute', async () => {
    const begun = Date.now();
    await refused(
      (response) => failed(response, 429, { 'retry-after': '999999999' }),
      /no capacity left: it accepts requests again in 999999999 s/,
    );
    assert.ok(Date.now() - begun < 15_000);
    assert.equal(server?.requests.length, 1);
  });

  it('says what is wrong: the key, the address, the server', async () => {
    await refused((response) => failed(response, 401), /rejected the key.*--model-key-file/);
    await server?.close();
    await refused((response) => failed(response, 404), /answers 404: .*--model-url/);
    await server?.close();
    await refused((response) => failed(response, 500), /answers 500/);
    await server?.close();
    await refused((response) => streamed(response, ''), /No model can be reached at http:..127.0.0.1:9/, {
      baseUrl: new URL('http://127.0.0.1:9/v1'),
    });
  });

  it('follows no redirection with the key', async () => {
    await refused(
      (response) => failed(response, 307, { location: 'http://127.0.0.1:9/' }),
      /redirects to http:..127\.0\.0\.1:9\/.*Set the final address with --model-url/,
    );
    assert.equal(server?.requests.length, 1);
  });

  const wrong: readonly (readonly [what: string, answer: Answerer, expected: RegExp])[] = [
    ['is no JSON', (response) => sse(response, 'data: {"choi\n\ndata: [DONE]\n\n'), /not a chat completion/],
    [
      'is of another shape',
      (response) => sse(response, 'data: [1]\n\ndata: [DONE]\n\n'),
      /not a chat completion/,
    ],
    ['tells an error', (response) => sse(response, 'data: {"error":{"message":"too long"}}\n\n'), /too long/],
    [
      'breaks off',
      (response) => sse(response, 'data: {"choices":[]}\n\n'),
      /closed in the middle of the response/,
    ],
    [
      'is cut',
      (response) => (response.writeHead(200), response.write('{'), setTimeout(() => response.destroy(), 50)),
      /did not answer completely/,
    ],
    [
      'is silent',
      (response) => response.writeHead(200).flushHeaders(),
      /was not complete within the time limit/,
    ],
    [
      'does not end what it says of its error',
      (response) => void response.writeHead(500).write('no '),
      /answers 500: no/,
    ],
    ['drops the connection', (response) => response.destroy(), /No model can be reached/],
    ['never begins', () => undefined, /no data arrived for 0.3 s/],
    ['never ends', (response) => endless(response), /does not end|in time/],
  ];
  for (const [what, answer, expected] of wrong)
    it(`gives up an answer that ${what}`, async () => {
      await refused(answer, expected, { silenceMs: 300, limitMs: 3_000 });
    });

  it('ends at once when it is cancelled', async () => {
    const stop = new AbortController();
    const asked = ask(() => setTimeout(() => stop.abort(), 50), {}, stop.signal);
    await assert.rejects(asked, { code: 'cancelled' });
  });
});

function sse(response: Parameters<Answerer>[0], text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(text);
}

function endless(response: Parameters<Answerer>[0]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(10_000) } }] })}\n\n`;
  const timer = setInterval(() => response.write(chunk), 5);
  response.on('close', () => clearInterval(timer));
}
