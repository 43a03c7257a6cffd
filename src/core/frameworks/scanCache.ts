// Remembers between starts what the full parse of a file found, as long as the file stays as it was.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import type { ScanResult } from './framework.ts';
import type { CachedScans } from './scanCacheSchema.ts';

export interface ScanCache {
  has(file: string): boolean;
  /** What was found in the file, when it still has the size and the time it had then. */
  get(file: string, stats: FileStamp): ScanResult | undefined;
  set(file: string, stats: FileStamp, result: ScanResult): void;
  /** Writes what changed; a folder that cannot be written to is no failure, only a slower next start. */
  save(): Promise<void>;
}

interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Raise it when the parser finds something else than before. */
const version = 1;

/** The cache of one root. A broken or foreign file counts as an empty one. */
export async function openScanCache(folder: string, root: string): Promise<ScanCache> {
  const file = path.join(folder, `scans-${hashText(root).slice(0, 12)}-${version}.json`);
  const entries = new Map(Object.entries(await readEntries(file)));
  let changed = false;
  return {
    has: (name) => entries.has(name),
    get: (name, { size, mtimeMs }) => {
      const entry = entries.get(name);
      return entry?.size === size && entry.mtimeMs === mtimeMs ? entry : undefined;
    },
    set: (name, { size, mtimeMs }, { tests, warnings }) => {
      entries.set(name, { size, mtimeMs, tests: [...tests], warnings: [...warnings] });
      changed = true;
    },
    save: async () => {
      if (!changed) return;
      await writeEntries(file, Object.fromEntries(entries));
      changed = false;
    },
  };
}

async function readEntries(file: string): Promise<CachedScans> {
  if (!existsSync(file)) return {};
  const { scanCacheSchema } = await import('./scanCacheSchema.ts');
  try {
    return scanCacheSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

async function writeEntries(file: string, files: CachedScans): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, JSON.stringify(files));
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
