// Speaks the Debug Adapter Protocol with a debugger, as an editor does.
import { spawn, type ChildProcess } from 'node:child_process';
import net from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

const messageSchema = z.object({
  type: z.string(),
  event: z.string().optional(),
  command: z.string().optional(),
  request_seq: z.number().optional(),
  success: z.boolean().optional(),
  message: z.string().optional(),
  body: z.record(z.string(), z.unknown()).optional(),
});
export type DapMessage = z.infer<typeof messageSchema>;
type Body = Record<string, unknown>;

export class DapClient {
  readonly #input: Writable;
  readonly #process: ChildProcess;
  readonly #answers = new Map<number, (message: DapMessage) => void>();
  readonly #listeners = new Set<(message: DapMessage) => void>();
  #sequence = 0;
  #text = Buffer.alloc(0);

  private constructor(child: ChildProcess, input: Writable, output: Readable) {
    this.#process = child;
    this.#input = input;
    output.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  /** A debug adapter that speaks on its own stdin and stdout. */
  static start(command: string, args: readonly string[]): DapClient {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    return new DapClient(child, child.stdin, child.stdout);
  }

  /** A debug adapter that says on stdout at which port it listens. */
  static async listenTo(command: string, args: readonly string[]): Promise<DapClient> {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = await new Promise<number>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`${command} ended`)));
      child.stdout.on('data', (chunk: Buffer) => {
        const found = /listening at: \S+:(\d+)/.exec(String(chunk))?.[1];
        if (found !== undefined) resolve(Number(found));
      });
    });
    const socket = net.connect(port, '127.0.0.1');
    return new DapClient(child, socket, socket);
  }

  onEvent(listener: (event: string, body: Body) => void): void {
    this.#listeners.add(({ event, body }) => event !== undefined && listener(event, body ?? {}));
  }

  /** The body of the next such event. */
  next(event: string): Promise<Body> {
    return new Promise((resolve) => {
      const listener = (message: DapMessage): void => {
        if (message.event !== event) return;
        this.#listeners.delete(listener);
        resolve(message.body ?? {});
      };
      this.#listeners.add(listener);
    });
  }

  /** The body of the answer; throws what the debugger refuses. */
  async request(command: string, given: object = {}): Promise<Body> {
    const seq = ++this.#sequence;
    const text = JSON.stringify({ seq, type: 'request', command, arguments: given });
    const answer = new Promise<DapMessage>((resolve) => this.#answers.set(seq, resolve));
    this.#input.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    const { success, message, body = {} } = await answer;
    if (success !== true) throw new Error(`${command}: ${message ?? ''} ${JSON.stringify(body)}`);
    return body;
  }

  end(): void {
    this.#process.kill('SIGKILL');
  }

  #read(chunk: Buffer): void {
    this.#text = Buffer.concat([this.#text, chunk]);
    for (;;) {
      const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(this.#text.toString('latin1')) ?? [];
      if (head === undefined || this.#text.length < head.length + Number(length)) return;
      const end = head.length + Number(length);
      const message = messageSchema.parse(JSON.parse(this.#text.toString('utf8', head.length, end)));
      this.#text = this.#text.subarray(end);
      if (message.request_seq !== undefined) this.#answers.get(message.request_seq)?.(message);
      for (const listener of this.#listeners) listener(message);
    }
  }
}
