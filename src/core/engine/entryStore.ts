// What processes found in a root, one file each by its id, so that any later process can answer for it.
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import { cacheFolderOf } from './workspaceOf.ts';

interface StoreLimits {
  readonly entries: number;
  /** Of all entries together. */
  readonly bytes: number;
}

const usualLimits: StoreLimits = { entries: 30, bytes: 64_000_000 };

/** `cycle-3f2a9c1e2b7d`: an id that nobody else gives. */
export const newId = (kind: string): string => `${kind}-${randomBytes(6).toString('hex')}`;

/**
 * Lies in the user's cache whatever host asks: the editor and the command line share it. Each entry is a file of its own, which takes its
 * place as a whole; the oldest go when there are too many. Only the user can read them.
 */
export class EntryStore<T> {
  readonly #folder: string;
  readonly #parse: (data: unknown) => T | undefined;
  readonly #limits: StoreLimits;

  /** `name` tells what it holds, and changes with the meaning of its files; `parse` gives nothing for data that is no entry. */
  constructor(
    root: string,
    name: string,
    parse: (data: unknown) => T | undefined,
    limits: StoreLimits = usualLimits,
  ) {
    this.#folder = path.join(cacheFolderOf(root), name);
    this.#parse = parse;
    this.#limits = limits;
  }

  /** Replaces what has this id. Rejects when it cannot be written, or is larger than the store may become. */
  async keep(id: string, entry: T): Promise<void> {
    const file = this.#fileOf(id);
    const draft = `${file}.${randomUUID()}`;
    const text = JSON.stringify(entry);
    if (text.length > this.#limits.bytes) throw new Error(`${id} is too large to be kept`);
    await mkdir(this.#folder, { recursive: true });
    try {
      await writeFile(draft, text, { mode: 0o600 });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await this.#forgetOldest();
  }

  /** Undefined for an id that is not known any more. */
  async read(id: string): Promise<T | undefined> {
    return this.#read(this.#fileOf(id));
  }

  /** The newest entry that `fits`; only those whose text has `needle` in it are read. */
  async newest(needle: string, fits: (entry: T) => boolean): Promise<T | undefined> {
    for (const { file } of await this.#files()) {
      if (!file.endsWith(entryEnd)) continue;
      const entry = await this.#read(file, needle);
      if (entry !== undefined && fits(entry)) return entry;
    }
    return undefined;
  }

  /** Adds a line to what is known of an entry; one line never mixes with that of another process. */
  async addNote(id: string, note: unknown): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await appendFile(this.#fileOf(id) + notesEnd, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  }

  /** What was added, in order; half a line of a killed process is left out. */
  async notes(id: string): Promise<readonly unknown[]> {
    const text = await readFile(this.#fileOf(id) + notesEnd, 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => parsed(line) ?? []);
  }

  async #read(file: string, needle = ''): Promise<T | undefined> {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined || !text.includes(needle)) return undefined;
    const data = parsed(text);
    const entry = data === undefined ? undefined : this.#parse(data);
    // Whoever looks for what went wrong finds it there, until it is the oldest.
    if (entry === undefined) await rename(file, file + tornEnd).catch(() => undefined);
    return entry;
  }

  /** Ids come from other programs, too: none of them leads out of the folder. */
  #fileOf(id: string): string {
    return path.join(this.#folder, hashText(id).slice(0, 20) + entryEnd);
  }

  /** Newest first. */
  async #files(): Promise<readonly { readonly file: string; readonly at: number; readonly size: number }[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#folder, name);
        const stats = await stat(file).catch(() => undefined);
        return stats === undefined ? [] : [{ file, at: stats.mtimeMs, size: stats.size }];
      }),
    );
    return found.flat().sort((a, b) => b.at - a.at);
  }

  async #forgetOldest(): Promise<void> {
    let [entries, bytes] = [0, 0];
    const files = await this.#files();
    const known = new Set(files.map(({ file }) => file));
    for (const { file, size } of files) {
      const owner = file.endsWith(notesEnd) ? file.slice(0, -notesEnd.length) : undefined;
      bytes += size;
      if (owner !== undefined && known.has(owner)) continue;
      if (owner === undefined) entries += 1;
      if (entries <= this.#limits.entries && bytes <= this.#limits.bytes) continue;
      for (const gone of [file, file + notesEnd]) await rm(gone, { force: true });
    }
  }
}

const entryEnd = '.json';
const tornEnd = '.torn';
const notesEnd = '.notes.jsonl';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
