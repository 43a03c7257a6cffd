// `testmend mcp`: one client over stdin and stdout, in either version of the protocol, until it goes away.
import { once } from 'node:events';
import { serveStdio as serve, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpSettings } from './allowedRoots.ts';
import { mcpServer } from './mcpServer.ts';

/** Resolves when the client has gone, or the signal says so, and nothing runs any more. */
export async function serveStdio(settings: McpSettings, signal: AbortSignal): Promise<void> {
  const calls = new Set<Promise<unknown>>();
  const busy = (call: Promise<unknown>): void => {
    calls.add(call);
    const forget = (): void => void calls.delete(call);
    call.then(forget, forget);
  };
  const handle = serve(({ era }) => mcpServer(settings, era, busy), {
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
  await Promise.allSettled(calls);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
