// A server on this machine that speaks OpenAI's chat completions, as a story tells it to: well, wrongly, slowly, or not at all.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';

const bodySchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  response_format: z.unknown().optional(),
});

export interface ChatRequest {
  readonly authorization: string | undefined;
  readonly body: z.infer<typeof bodySchema>;
}

export interface ChatServer {
  /** As `--model-url` takes it. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

/** Answers one request; the number counts them from 0. */
export type Answerer = (response: ServerResponse, request: ChatRequest, index: number) => void;

/** Listens on the loopback address until it is closed. */
export async function chatServer(answer: Answerer): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const told = {
        authorization: request.headers.authorization,
        body: bodySchema.parse(JSON.parse(body)),
      };
      requests.push(told);
      answer(response, told, requests.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

/** A streamed answer in several pieces, with what it took. */
export function streamed(response: ServerResponse, text: string, usage: object = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let at = 0; at < text.length; at += 20)
    response.write(
      `data: ${JSON.stringify({ choices: [{ delta: { content: text.slice(at, at + 20) } }] })}\n\n`,
    );
  response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** An answer in one document, as servers give it that do not stream. */
export function whole(response: ServerResponse, text: string, usage?: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ choices: [{ message: { content: text } }], usage }));
}

export const failed = (
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  message = 'not now',
): void => {
  response.writeHead(status, headers);
  response.end(JSON.stringify({ error: { message } }));
};

/** The answer that a well-behaved model gives. */
export const edits = (...all: readonly { file: string; search: string; replace: string }[]): string =>
  JSON.stringify({ explanation: 'The greeting was reworded.', edits: all });
