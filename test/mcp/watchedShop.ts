// A server whose every program leaves a trace when it is started, for calls that must start none.
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { McpTestClient } from './mcpClient.ts';

export interface WatchedShop {
  readonly client: McpTestClient;
  /** One name for each program that was started. */
  started(): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

export async function watchedShop(): Promise<WatchedShop> {
  const shop = await temporaryWorkspace({
    'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
    'test/a.test.js': `require('node:test').test('adds', () => {});\n`,
  });
  const folder = path.join(path.dirname(shop.root), 'programs');
  const started = path.join(path.dirname(shop.root), 'started');
  await mkdir(folder);
  await mkdir(started);
  for (const name of ['node', 'git', 'npm', 'npx', 'python3', 'sh', 'go']) {
    await writeFile(path.join(folder, name), `#!/bin/sh\n: > ${started}/$$\nexit 1\n`);
    await chmod(path.join(folder, name), 0o755);
  }
  const client = await McpTestClient.connect(shop.root, { env: { PATH: folder } });
  return {
    client,
    started: () => readdir(started),
    dispose: async () => {
      await client.close();
      await shop.dispose();
    },
  };
}
