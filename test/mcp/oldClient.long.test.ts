// The client of the first generation of the SDK, which most agents still carry: over stdio and over HTTP.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { cli } from '../support/programs.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { inherited } from './mcpClient.ts';

const readySchema = z.object({ url: z.string(), token: z.string() });
const runSchema = z.object({ exit_code: z.number(), passed: z.number(), failed: z.number() });

describe('a client of the former SDK', () => {
  let shop: TemporaryWorkspace;
  const env = (): Record<string, string> => ({
    ...inherited(),
    XDG_CACHE_HOME: path.join(path.dirname(shop.root), 'caches'),
  });
  const args = (...more: readonly string[]): string[] => [
    ...cli.options,
    cli.script,
    'mcp',
    shop.root,
    ...more,
  ];

  before(async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
      'test/a.test.js': `const { test } = require('node:test');\ntest('adds', () => {});\ntest('fails', () => { throw new Error('no'); });\n`,
    });
  });
  after(() => shop.dispose());

  const runTests = async (client: Client): Promise<void> => {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'run_tests') && tools.length > 10);
    const { structuredContent } = await client.callTool({ name: 'run_tests', arguments: {} });
    assert.deepEqual(runSchema.parse(structuredContent), { exit_code: 1, passed: 1, failed: 1 });
    const refused = await client.callTool({ name: 'run_tests', arguments: { filter: '--x' } });
    assert.equal(refused.isError, true);
  };

  it('lists tools and runs tests over stdio', async () => {
    const client = new Client({ name: 'old', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: args(), env: env() }));
    await runTests(client);
    await client.close();
  });

  it('lists tools and runs tests over HTTP', async () => {
    const server = spawn(process.execPath, args('--http', '47359'), {
      env: env(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line]: unknown[] = await once(server.stdout, 'data');
      const { url, token } = readySchema.parse(JSON.parse(String(line)));
      const headers = { authorization: `Bearer ${token}` };
      const client = new Client({ name: 'old', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
      await client.connect(transport);
      await runTests(client);
      await client.close();
    } finally {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  });
});
