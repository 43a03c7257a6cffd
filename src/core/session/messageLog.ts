// The message log of a session: one JSON object a line in `.msg/messages.jsonl`, with ids that only grow (CONTRACTS T12).
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../base/humanError.ts';
import { blot, isSecretName, redactSecrets } from '../base/redactSecrets.ts';
import { takeLock } from '../sandbox/ownedLock.ts';
import { refuseLinks } from './sessionFiles.ts';

export const messageSchema = z.object({
  id: z.string().regex(/^MSG-\d+$/),
  /** ISO 8601, UTC. */
  ts: z.string(),
  from: z.string(),
  to: z.string(),
  type: z.string(),
  summary: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type Message = z.infer<typeof messageSchema>;
export type NewMessage = Omit<Message, 'id' | 'ts' | 'to'> & { readonly to?: string };

export interface MessageFilter {
  readonly from?: string;
  readonly to?: string;
  readonly type?: string;
  /** The newest so many, 1 to 100; default 20. */
  readonly last?: number;
}

/** What each sender did. */
interface MessageStatus {
  readonly total: number;
  readonly members: readonly {
    readonly member: string;
    readonly messages: number;
    readonly last: Pick<Message, 'id' | 'ts' | 'type' | 'summary'>;
  }[];
}

/** How long another writer is waited for, ms. */
const patienceMs = 5_000;
const everyone = 'all';

/** Writers of any number of processes; lines that are no messages are kept, and not told. */
export class MessageLog {
  readonly #folder: string;

  /** `session`: absolute folder of the session; nothing is made before something is written. */
  constructor(session: string) {
    this.#folder = logFolder(session);
  }

  get file(): string {
    return path.join(this.#folder, 'messages.jsonl');
  }

  /** Adds a message under the next id. Secrets in it are blotted out. Throws a `busy` HumanError when others keep the log for long. */
  log({ from, to = 'coordinator', type, summary, data }: NewMessage): Promise<Message> {
    return this.#exclusively(async () => {
      const number =
        Math.max(await this.#lastNumber(), ...(await this.#lines()).map(({ message }) => numberOf(message))) +
        1;
      const message: Message = {
        id: idOf(number),
        ts: new Date().toISOString(),
        from,
        to,
        type,
        summary: redactSecrets(summary),
        ...(data !== undefined && { data: redacted(data) }),
      };
      const text = await this.#text();
      // A line that a crash left without its end stays a line of its own.
      const start = text === '' || text.endsWith('\n') ? '' : '\n';
      await appendFile(this.file, `${start}${JSON.stringify(message)}\n`);
      await writeFile(this.#counter, String(number));
      return message;
    });
  }

  broadcast(message: Omit<NewMessage, 'to'>): Promise<Message> {
    return this.log({ ...message, to: everyone });
  }

  /** Oldest first. */
  async list({ from, to, type, last = 20 }: MessageFilter = {}): Promise<readonly Message[]> {
    const all = await this.#messages();
    const wanted = all.filter(
      (one) =>
        (from === undefined || one.from === from) &&
        (to === undefined || one.to === to || one.to === everyone) &&
        (type === undefined || one.type === type),
    );
    return wanted.slice(-Math.min(100, Math.max(1, last)));
  }

  /** Throws a `bad-input` HumanError when there is none. */
  async read(id: string): Promise<Message> {
    const found = (await this.#messages()).find((message) => message.id === id);
    if (found) return found;
    throw this.#unknown(id);
  }

  async status(): Promise<MessageStatus> {
    const all = await this.#messages();
    const members = [...new Set(all.map(({ from }) => from))].map((member) => {
      const own = all.filter(({ from }) => from === member);
      const last = own.at(-1);
      return {
        member,
        messages: own.length,
        last: {
          id: last?.id ?? '',
          ts: last?.ts ?? '',
          type: last?.type ?? '',
          summary: last?.summary ?? '',
        },
      };
    });
    return { total: all.length, members };
  }

  /** For each sender the newest `data`, put together: what is known of it now. */
  async state(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    const state: Record<string, Record<string, unknown>> = {};
    for (const { from, type, data } of await this.#messages())
      state[from] = { ...state[from], last_type: type, ...data };
    return state;
  }

  /** Throws a `bad-input` HumanError when there is none. Its id is not given again. */
  delete(id: string): Promise<void> {
    return this.#exclusively(async () => {
      const lines = await this.#lines();
      if (!lines.some(({ message }) => message?.id === id)) throw this.#unknown(id);
      await this.#replace(lines.filter(({ message }) => message?.id !== id).map(({ line }) => line));
    });
  }

  /** How many went; ids go on from where they were. */
  clear(): Promise<number> {
    return this.#exclusively(async () => {
      const lines = await this.#lines();
      const last = Math.max(await this.#lastNumber(), ...lines.map(({ message }) => numberOf(message)));
      await writeFile(this.#counter, String(last));
      await this.#replace([]);
      return lines.filter(({ message }) => message !== undefined).length;
    });
  }

  get #counter(): string {
    return path.join(this.#folder, '.last-id');
  }

  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    await refuseLinks(this.#folder, this.file, this.#counter);
    await mkdir(this.#folder, { recursive: true });
    const lock = await takeLock(path.join(this.#folder, '.lock'), patienceMs);
    if (lock === undefined)
      throw new HumanError('busy', 'Another process keeps the message log.', {
        file: this.file,
        remedy: 'Wait for it to end, and try again.',
      });
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }

  #text(): Promise<string> {
    return readFile(this.file, 'utf8').catch(() => '');
  }

  async #lines(): Promise<readonly { readonly line: string; readonly message: Message | undefined }[]> {
    const lines = (await this.#text()).split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => ({ line, message: parsed(line) }));
  }

  async #messages(): Promise<readonly Message[]> {
    return (await this.#lines()).flatMap(({ message }) => message ?? []);
  }

  async #lastNumber(): Promise<number> {
    const text = await readFile(this.#counter, 'utf8').catch(() => '0');
    return /^\d+$/.test(text) ? Number(text) : 0;
  }

  async #replace(lines: readonly string[]): Promise<void> {
    const draft = `${this.file}.${process.pid}`;
    await writeFile(draft, lines.map((line) => `${line}\n`).join(''));
    await rename(draft, this.file);
  }

  #unknown(id: string): HumanError {
    return new HumanError('bad-input', `There is no message ${id}.`, {
      file: this.file,
      value: id,
      remedy: 'The operation list tells those that are there.',
    });
  }
}

/** Where the messages of a session are: in `.msg`, else in the older place, where there are some (CONTRACTS T12). */
function logFolder(session: string): string {
  const own = path.join(session, '.msg');
  const { dir, base } = path.parse(session);
  const older = [session, ...(path.basename(dir) === '.team' ? [path.join(dir, '../.team-msg', base)] : [])];
  const hasLog = (folder: string): boolean => existsSync(path.join(folder, 'messages.jsonl'));
  return hasLog(own) ? own : (older.find(hasLog) ?? own);
}

/** Is there anything of the session, be it only messages in the older place? */
export function isSession(session: string): boolean {
  return existsSync(session) || existsSync(logFolder(session));
}

function parsed(line: string): Message | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Three digits at least. */
const idOf = (number: number): string => `MSG-${String(number).padStart(3, '0')}`;
const numberOf = (message: Message | undefined): number => Number(message?.id.slice('MSG-'.length) ?? 0);

function redacted(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: unknown = JSON.parse(JSON.stringify(data), (key, value: unknown) => {
    if (typeof value === 'string') return isSecretName(key) ? blot : redactSecrets(value);
    return typeof value === 'number' && isSecretName(key) ? blot : value;
  });
  return z.record(z.string(), z.unknown()).parse(copy);
}
