// Remembers between starts what was found in each test file, as long as the file stays as it was.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import type { ScannedTest, TestKind, TestMode } from '../model/testNode.ts';
import type { ScanResult } from './framework.ts';

/** Keys say which framework read which file: dialects differ. */
export interface ScanCache {
  /** What was found in the file, when it still has the size and the time it had then. */
  get(key: string, stamp: FileStamp): ScanResult | undefined;
  set(key: string, stamp: FileStamp, result: ScanResult): void;
  /** How many files this start found or knew by their own text alone. */
  readonly size: number;
  /** Writes what changed, without the entries that nobody asked for; a folder that cannot be written to is no failure, only a slower next start. */
  save(): Promise<void>;
}

interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Raise it when a scan finds something else than before. */
export const scanVersion = 3;
/** A file written this shortly before it was read may change again without a new time, ms. */
const stillWarm = 50;

/**
 * The cache of one root. A line for each file: its key, size and time, and what was found, which is read only when it is asked for.
 * A broken or foreign file counts as an empty one.
 */
export function openScanCache(folder: string, root: string): ScanCache {
  const file = path.join(folder, `scans-${hashText(root).slice(0, 12)}-${scanVersion}.txt`);
  const lines = readEntries(file);
  const kept = new Map<string, string>();
  let changed = false;
  return {
    get: (key, stamp) => {
      const name = JSON.stringify(key);
      const line = lines.get(name);
      const start = head(name, stamp);
      if (line === undefined || !line.startsWith(start)) return undefined;
      const found = decode(line.slice(start.length));
      if (found) kept.set(name, line);
      return found;
    },
    set: (key, stamp, result) => {
      if (Date.now() - stamp.mtimeMs < stillWarm) return;
      const name = JSON.stringify(key);
      kept.set(name, head(name, stamp) + encode(result));
      changed = true;
    },
    get size() {
      return kept.size;
    },
    save: async () => {
      if (!changed && kept.size === lines.size) return;
      await writeEntries(file, [...kept.values()].join('\n'));
      changed = false;
    },
  };
}

/** JSON holds no raw tab and no raw line end, so that both can part the entries. */
const head = (name: string, { size, mtimeMs }: FileStamp): string => `${name}\t${size}\t${mtimeMs}\t`;

function readEntries(file: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  try {
    for (const line of readFileSync(file, 'utf8').split('\n'))
      lines.set(line.slice(0, line.indexOf('\t')), line);
  } catch {
    // There is none yet, or none that can be read.
  }
  return lines;
}

/** Whole or not at all; a folder that cannot be written to is no failure. */
export async function writeEntries(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, text);
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

const kinds: readonly TestKind[] = ['suite', 'test', 'template'];
const modes: readonly TestMode[] = ['run', 'skip', 'todo', 'only'];

/**
 * The titles of all tests, parents first, and for each of them seven numbers in one list: kind, mode, the range, the number of its
 * children. Names of fields would be most of the text, and lists in lists most of the time it takes to read it.
 */
function encode({ tests, warnings }: ScanResult): string {
  const titles: string[] = [];
  const numbers: number[] = [];
  const add = ({ kind, title, mode, range: { start, end }, children }: ScannedTest): void => {
    titles.push(title);
    numbers.push(kinds.indexOf(kind), modes.indexOf(mode));
    numbers.push(start.line, start.column, end.line, end.column, children.length);
    for (const child of children) add(child);
  };
  for (const test of tests) add(test);
  return JSON.stringify([warnings, titles, numbers]);
}

/** Undefined for what this version did not write. */
function decode(text: string): ScanResult | undefined {
  try {
    const [warnings, titles, numbers] = list(JSON.parse(text)).map(list);
    if (!warnings || !titles || !numbers) return undefined;
    let next = 0;
    const number = (index: number): number => {
      const value = numbers[index];
      return typeof value === 'number' ? value : broken();
    };
    const take = (): ScannedTest => {
      const title = titles[next];
      const at = next++ * 7;
      return {
        kind: kinds[number(at)] ?? broken(),
        title: typeof title === 'string' ? title : broken(),
        mode: modes[number(at + 1)] ?? broken(),
        range: {
          start: { line: number(at + 2), column: number(at + 3) },
          end: { line: number(at + 4), column: number(at + 5) },
        },
        children: takeAll(number(at + 6)),
      };
    };
    const takeAll = (count: number): readonly ScannedTest[] =>
      count === 0 ? none : Array.from({ length: count }, take);
    const tests: ScannedTest[] = [];
    while (next < titles.length) tests.push(take());
    return { tests, warnings: warnings.map(String) };
  } catch {
    return undefined;
  }
}

/** Most tests have no children: they share this. */
const none: readonly ScannedTest[] = [];
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : broken());

function broken(): never {
  throw new Error('not an entry of the scan cache');
}
