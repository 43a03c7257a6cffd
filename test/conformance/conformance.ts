// `npm run check:conformance`: the protocol's own conformance suite against `testmend mcp --http`, with Node 22 of its own from the registry.
// What it may find is listed in expectedFailures.yml, each with the reason; anything else, and a listed one that passes, is an error.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { z } from 'zod';
import { cli } from '../support/programs.ts';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';

const suite = '@modelcontextprotocol/conformance@0.1.16';
const readySchema = z.object({ url: z.string(), token: z.string() });
const addressSchema = z.object({ port: z.number() });

process.exitCode = await main();

async function main(): Promise<number> {
  const shop = await temporaryWorkspace({
    'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
    'test/a.test.js': `require('node:test').test('adds', () => {});\n`,
  });
  const args = [...cli.options, cli.script, 'mcp', shop.root, '--http', '47361'];
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line]: unknown[] = await once(server.stdout, 'data');
    const door = withToken(readySchema.parse(JSON.parse(String(line))));
    await once(door.listen(0, '127.0.0.1'), 'listening');
    const { port } = addressSchema.parse(door.address());
    const code = await runSuite(`http://127.0.0.1:${port}/mcp`);
    door.closeAllConnections();
    door.close();
    return code;
  } finally {
    server.kill();
    await once(server, 'exit');
    await shop.dispose();
  }
}

async function runSuite(url: string): Promise<number> {
  const expected = path.join(import.meta.dirname, 'expectedFailures.yml');
  const options = ['--url', url, '--suite', 'all', '--expected-failures', expected];
  const packages = ['-p', 'node@22', '-p', suite];
  const child = spawn('npx', ['--yes', ...packages, 'conformance', 'server', ...options], {
    stdio: 'inherit',
  });
  const [code]: unknown[] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** The suite cannot be told of a token: this door adds it, and passes on everything else as it is. */
function withToken({ url, token }: z.infer<typeof readySchema>): ReturnType<typeof createServer> {
  return createServer((asked: IncomingMessage, answer: ServerResponse) => {
    const { method, headers } = asked;
    const passed = request(
      url,
      { ...(method !== undefined && { method }), headers: { ...headers, authorization: `Bearer ${token}` } },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
}
