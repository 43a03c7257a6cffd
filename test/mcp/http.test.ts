// The server over HTTP: the SDK's client with the token, and nobody else.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { childrenOf } from '../support/processesIn.ts';
import { cli } from '../support/programs.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { until } from './mcpClient.ts';

const readySchema = z.object({ url: z.string(), token: z.string() });
const runSchema = z.object({ exit_code: z.number(), passed: z.number() });
const reportSchema = z.object({ summary: z.record(z.string(), z.number()) });
const textSchema = z.tuple([z.object({ text: z.string() })]);

describe('an MCP server over HTTP', () => {
  let shop: TemporaryWorkspace;
  let server: ChildProcess;
  let ready: z.infer<typeof readySchema>;

  before(async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
      'test/a.test.js': `require('node:test').test('adds', () => {});\n`,
      'slow/b.test.js': `require('node:test').test('hangs', () => new Promise((end) => setTimeout(end, 60_000)));\n`,
    });
    const args = [...cli.options, cli.script, 'mcp', shop.root, '--http', '47357'];
    const env = { ...process.env, XDG_CACHE_HOME: path.join(path.dirname(shop.root), 'caches') };
    server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line]: unknown[] = await once(server.stdout ?? server, 'data');
    ready = readySchema.parse(JSON.parse(String(line)));
  });
  after(async () => {
    await shop.dispose();
  });

  for (const mode of ['auto', 'legacy'] as const)
    it(`runs tests, and reads the report as a resource (${mode})`, async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const headers = { authorization: `Bearer ${ready.token}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(ready.url), { requestInit: { headers } }),
      );
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
    const asked = fetch(ready.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ready.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: controller.signal,
    }).then((response) => response.text());
    asked.catch(() => undefined);
    const running = (): number => childrenOf(server.pid ?? -1).length;
    await until(() => running() > 0);
    controller.abort();
    await assert.rejects(asked);
    await until(() => running() === 0);
  });

  it('refuses whoever has no token, other hosts and other origins', async () => {
    const right = { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' };
    assert.equal(await statusOf({}), 401);
    assert.equal(await statusOf({ ...right, authorization: 'Bearer x' }), 401);
    assert.equal(await statusOf({ ...right, host: 'evil.example:47357' }), 403);
    assert.equal(await statusOf({ ...right, origin: 'https://evil.example' }), 403);
    assert.equal(await statusOf(right, '/other'), 404);
    assert.equal(await statusOf(right), 400);
  });

  it('ends when it is told to', async () => {
    server.kill('SIGTERM');
    const [code]: unknown[] = await once(server, 'exit');
    assert.equal(code, 130);
  });

  const statusOf = (headers: Record<string, string>, place = '/mcp'): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port: 47357, path: place, method: 'POST', headers },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      asked.on('error', reject);
      asked.end('{}');
    });
});
