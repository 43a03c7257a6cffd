// Serves the sample shop on the loopback, in the version that is asked for, and a workspace with its scenarios.
import { readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures/shop');

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** On a free port of the loopback. */
export async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Shop extends Served {
  version: 'v1' | 'v2';
}

export async function serveShop(): Promise<Shop> {
  const shop = { version: 'v1' as Shop['version'] };
  const served = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    if (pathname === '/shop.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(readFileSync(path.join(fixtures, 'shop.js')));
      return;
    }
    const name = pathname === '/' ? 'index' : pathname.slice(1).replace(/\W/g, '');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    try {
      response.end(readFileSync(path.join(fixtures, shop.version, `${name}.html`)));
    } catch {
      response.statusCode = 404;
      response.end('<h1>Not found</h1>');
    }
  });
  return Object.assign(shop, served);
}

/** With the shop's scenarios, pointed at the address. */
export async function shopWorkspace(url: string): Promise<TemporaryWorkspace> {
  const workspace = await temporaryWorkspace({ 'package.json': '{}' });
  await cp(path.join(fixtures, 'scenarios'), workspace.root, { recursive: true });
  const config = path.join(workspace.root, 'scenario.config.yaml');
  await writeFile(config, (await readFile(config, 'utf8')).replace('http://127.0.0.1:1', url));
  return workspace;
}

/** A workspace of one scenario with these steps. */
export function scenarioWorkspace(
  url: string,
  steps: string,
  more: { readonly head?: string; readonly config?: string } = {},
): Promise<TemporaryWorkspace> {
  const indented = steps.trim().split('\n').map((line) => `  ${line}`).join('\n'); // prettier-ignore
  return temporaryWorkspace({
    'package.json': '{}',
    'scenario.config.yaml': `baseUrl: ${url}\ntimeout: 3000\n${more.config ?? ''}`,
    'one.scenario.yaml': `id: one\nname: One\n${more.head ?? ''}\nsteps:\n${indented}\n`,
  });
}
