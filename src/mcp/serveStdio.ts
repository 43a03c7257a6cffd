// `testmend mcp`: one client over stdin and stdout, in either version of the protocol, until it goes away.
import { once } from 'node:events';
import { serveStdio as serve, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpSettings } from './allowedRoots.ts';
import { mcpServer } from './mcpServer.ts';
import { aborted, RunningCalls } from './runningCalls.ts';

/** Resolves when the client has gone, or the signal says so, and nothing runs any more. */
export async function serveStdio(settings: McpSettings, signal: AbortSignal): Promise<void> {
  const calls = new RunningCalls();
  const handle = serve(({ era }) => mcpServer(settings, era, calls.add), {
    transport: new StdioServerTransport(),
    onerror: (error) => process.stderr.write(`! ${error.message}\n`),
  });
  const gone = Promise.race([
    once(process.stdin, 'end'),
    once(process.stdin, 'close'),
    once(process.stdout, 'error'),
  ]);
  await Promise.race([gone, aborted(signal)]).catch(() => undefined);
  await handle.close().catch(() => undefined);
  await calls.ended();
}
