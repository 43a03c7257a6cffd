// The server over HTTP: the SDK's client with the token, and nobody else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { z } from 'zod';
import { childrenOf } from '../support/processesIn.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { McpTestClient, startHttpServer, until, type Era, type HttpServer } from './mcpClient.ts';

const runSchema = z.object({ exit_code: z.number(), passed: z.number() });
const reportSchema = z.object({ summary: z.record(z.string(), z.number()) });
const textSchema = z.tuple([z.object({ text: z.string() })]);

describe('an MCP server over HTTP', () => {
  let shop: TemporaryWorkspace;
  let server: HttpServer;

  before(async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
      'test/a.test.js': `require('node:test').test('adds', () => {});\n`,
      'slow/b.test.js': `require('node:test').test('hangs', () => new Promise((end) => setTimeout(end, 60_000)));\n`,
    });
    server = await startHttpServer(shop.root);
  });
  after(async () => {
    await shop.dispose();
  });

  for (const era of ['modern', 'legacy'] satisfies Era[])
    it(`runs tests, and reads the report as a resource (${era})`, async () => {
      const { client } = await McpTestClient.connectOverHttp(server, { era });
      const told: unknown[] = [];
      const { structuredContent } = await client.callTool(
        { name: 'run_tests', arguments: { files: ['test'] } },
        { onprogress: (progress) => told.push(progress) },
      );
      const run = runSchema.parse(structuredContent);
      assert.deepEqual(run, { exit_code: 0, passed: 1 });
      assert.ok(told.length > 0);
      const { contents } = await client.readResource({ uri: 'report://json' });
      const { summary } = reportSchema.parse(JSON.parse(textSchema.parse(contents)[0].text));
      assert.deepEqual(summary, { total: 1, passed: 1, failed: 0, skipped: 0 });
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name }) => name),
        ['fix-failing-tests', 'explain-failure'],
      );
      await client.close();
    });

  it('leaves nothing of a run whose client goes away', async () => {
    const params = { name: 'run_tests', arguments: { files: ['slow'] } };
    const controller = new AbortController();
    const asked = fetch(server.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: controller.signal,
    }).then((response) => response.text());
    asked.catch(() => undefined);
    const running = (): number => childrenOf(server.process.pid ?? -1).length;
    await until(() => running() > 0);
    controller.abort();
    await assert.rejects(asked);
    await until(() => running() === 0);
  });

  it('refuses whoever has no token, other hosts and other origins', async () => {
    const right = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    assert.equal(await statusOf({}), 401);
    assert.equal(await statusOf({ ...right, authorization: 'Bearer x' }), 401);
    assert.equal(await statusOf({ ...right, host: 'evil.example' }), 403);
    assert.equal(await statusOf({ ...right, origin: 'https://evil.example' }), 403);
    assert.equal(await statusOf(right, '/other'), 404);
    assert.equal(await statusOf(right), 400);
  });

  it('ends when it is told to', async () => {
    server.process.kill('SIGTERM');
    const [code]: unknown[] = await once(server.process, 'exit');
    assert.equal(code, 130);
  });

  const statusOf = (headers: Record<string, string>, place = '/mcp'): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request(new URL(place, server.url), { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on('error', reject);
      asked.end('{}');
    });
});
