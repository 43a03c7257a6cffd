// A client that nobody here wrote, with a server of ours behind it: the SDK's, in either version of the protocol.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type ProgressCallback } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { cli } from '../support/programs.ts';

export type Era = 'legacy' | 'modern';

export interface ClientOptions {
  readonly era?: Era;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the client says that it can do beside that. */
  readonly capabilities?: object;
  /** The person's answer to whatever is asked; nobody is there without. */
  readonly agrees?: (question: string) => boolean;
}

const addressSchema = z.object({ url: z.string(), token: z.string() });
type HttpAddress = z.infer<typeof addressSchema>;

/** What a tool gave. */
export interface Given {
  readonly isError: boolean;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool gives something else
  readonly data: any;
}

export class McpTestClient {
  readonly client: Client;
  /** Of the server; -1 where the client did not start it. */
  readonly pid: number;

  private constructor(client: Client, pid: number) {
    this.client = client;
    this.pid = pid;
  }

  /** Starts a server for itself, and talks to it over stdin and stdout. */
  static async connect(root: string, options: ClientOptions = {}): Promise<McpTestClient> {
    const { args = [], env = {} } = options;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...cli.options, cli.script, 'mcp', root, ...args],
      // As from anywhere else: a server works in its roots alone.
      cwd: path.parse(root).root,
      env: { ...inherited(), ...ownFolders(root), ...env },
      stderr: 'pipe',
    });
    const client = newClient(options);
    await client.connect(transport);
    return new McpTestClient(client, transport.pid ?? -1);
  }

  /** Talks to a server that listens already. */
  static async connectOverHttp(
    { url, token }: HttpAddress,
    options: ClientOptions = {},
  ): Promise<McpTestClient> {
    const headers = { authorization: `Bearer ${token}` };
    const client = newClient(options);
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return new McpTestClient(client, -1);
  }

  async call(
    name: string,
    input: object = {},
    onprogress?: ProgressCallback,
    signal?: AbortSignal,
  ): Promise<Given> {
    const result = await this.client.callTool(
      { name, arguments: { ...input } },
      { timeout: 120_000, ...(onprogress && { onprogress }), ...(signal && { signal }) },
    );
    const [first] = result.content;
    const text = first?.type === 'text' ? first.text : '';
    return { isError: result.isError === true, text, data: result.structuredContent };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

function newClient({ era = 'modern', capabilities = {}, agrees }: ClientOptions): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { ...capabilities, ...(agrees !== undefined && { elicitation: { form: {} } }) },
      ...(era === 'modern' && { versionNegotiation: { mode: 'auto' } }),
    },
  );
  if (agrees !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { agree: agrees(params.message) },
    }));
  return client;
}

export interface HttpServer extends HttpAddress {
  readonly process: ChildProcess;
}

/** `testmend mcp --http` on a port that is free, once it listens. Whoever starts it ends it. */
export async function startHttpServer(root: string): Promise<HttpServer> {
  const args = [...cli.options, cli.script, 'mcp', root, '--http', String(await freePort())];
  const server = spawn(process.execPath, args, {
    cwd: path.parse(root).root,
    env: { ...inherited(), ...ownFolders(root) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await Promise.race([once(server.stdout, 'data'), once(server, 'exit')]);
  return { ...addressSchema.parse(JSON.parse(String(line))), process: server };
}

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = z.object({ port: z.number() }).parse(taken.address());
  taken.close();
  return port;
}

export const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );

const ownFolders = (root: string): Record<string, string> => ({
  XDG_CACHE_HOME: path.join(path.dirname(root), 'caches'),
  XDG_STATE_HOME: path.join(path.dirname(root), 'state'),
  TESTMEND_SANDBOX_DIR: path.join(path.dirname(root), 'sandboxes'),
});

/** Asked again and again; fails after some seconds. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let left = 400; !isSo(); left--) {
    assert.ok(left > 0, 'it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
