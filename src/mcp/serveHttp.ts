// `testmend mcp --http`: clients of this machine over HTTP, each request with the token; without state between requests.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import type { McpSettings } from './allowedRoots.ts';
import { mcpServer } from './mcpServer.ts';
import { aborted, RunningCalls } from './runningCalls.ts';

const loopback = '127.0.0.1';
const place = '/mcp';
const largestBody = 4_000_000;

interface HttpServing {
  readonly settings: McpSettings;
  readonly port: number;
  /** Told once it listens: what a client has to know. */
  readonly onReady: (told: { readonly url: string; readonly token: string }) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Resolves when the signal says so and nothing runs any more. Throws a `usage` HumanError for a port that is taken. */
export async function serveHttp({ settings, port, onReady, signal }: HttpServing): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const calls = new RunningCalls();
  const onerror = (error: Error): void => void process.stderr.write(`! ${error.message}\n`);
  const handler = createMcpHandler(({ era }) => mcpServer(settings, era, calls.add), {
    onerror,
    maxRequestBodySize: largestBody,
  });
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    answer(incoming, gone.signal)
      .then((response) => send(response, outgoing))
      .catch(() => outgoing.destroy());
  });
  const answer = async (incoming: IncomingMessage, gone: AbortSignal): Promise<Response> => {
    const refused = refusal(incoming, token);
    return refused ?? handler.fetch(await requestOf(incoming, gone));
  };
  await listening(server, port);
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  await onReady({ url: `http://${loopback}:${taken}${place}`, token });
  await aborted(signal);
  await handler.close().catch(onerror);
  server.close();
  server.closeAllConnections();
  await calls.ended();
}

/** Before a body is read: pages of other origins, names that lead here by DNS, and whoever has no token. */
function refusal({ url = '/', headers }: IncomingMessage, token: string): Response | undefined {
  const { host = '', origin, authorization } = headers;
  const asked = new Request(`http://${loopback}`, {
    headers: { host, ...(origin !== undefined && { origin }) },
  });
  const refused =
    hostHeaderValidationResponse(asked, localhostAllowedHostnames()) ??
    originValidationResponse(asked, localhostAllowedOrigins());
  if (refused !== undefined) return refused;
  if (!hasToken(authorization, token))
    return new Response('The bearer token is missing or wrong.\n', {
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
    });
  return url.split('?')[0] === place ? undefined : new Response('Not found.\n', { status: 404 });
}

function listening(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve).once('error', (error) =>
      reject(
        new HumanError('usage', `Port ${port} cannot be used: ${errorMessage(error)}`, {
          value: String(port),
          remedy: 'Name another port: testmend mcp --http 7358.',
        }),
      ),
    );
    server.listen(port, loopback);
  });
}

/** Compared by hashes, so that the time tells nothing. */
function hasToken(header: string | undefined, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`));
}

/** Throws for a body that is too large. */
async function requestOf(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of incoming) {
    const bytes = Buffer.from(piece);
    length += bytes.length;
    if (length > largestBody) throw new Error('the body is too large');
    pieces.push(bytes);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, `http://${loopback}`), {
    method,
    headers,
    signal,
    ...(hasBody && { body: Buffer.concat(pieces) }),
  });
}

/** A stream of events is passed on piece by piece. */
async function send({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(status, Object.fromEntries(headers));
  const reader = body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece?.value === undefined) break;
    if (outgoing.destroyed) return reader?.cancel();
    if (!outgoing.write(piece.value)) await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close')]);
  }
  outgoing.end();
}
