// A client that nobody here wrote, with a server of ours behind it: the SDK's, in either version of the protocol.
import assert from 'node:assert/strict';
import path from 'node:path';
import { Client, type ProgressCallback } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
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

/** What a tool gave. */
export interface Given {
  readonly isError: boolean;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool gives something else
  readonly data: any;
}

export class McpTestClient {
  readonly client: Client;
  readonly #transport: StdioClientTransport;

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.#transport = transport;
  }

  static async connect(root: string, options: ClientOptions = {}): Promise<McpTestClient> {
    const { era = 'modern', args = [], env = {}, capabilities = {}, agrees } = options;
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
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...cli.options, cli.script, 'mcp', root, ...args],
      // As from anywhere else: a server works in its roots alone.
      cwd: path.parse(root).root,
      env: { ...inherited(), ...ownFolders(root), ...env },
      stderr: 'pipe',
    });
    await client.connect(transport);
    return new McpTestClient(client, transport);
  }

  get pid(): number {
    return this.#transport.pid ?? -1;
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
