// Remembers between starts what the full parse of a file found, as long as the file stays as it was.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import type { ScannedTest } from '../model/testNode.ts';
import type { ScanResult } from './framework.ts';

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

const positionSchema = z.object({ line: z.number(), column: z.number() });
const scannedTestSchema: z.ZodType<ScannedTest> = z.lazy(() =>
  z.object({
    kind: z.enum(['suite', 'test', 'template']),
    title: z.string(),
    mode: z.enum(['run', 'skip', 'todo', 'only']),
    range: z.object({ start: positionSchema, end: positionSchema }),
    children: z.array(scannedTestSchema),
  }),
);
const cacheSchema = z.object({
  version: z.literal(version),
  files: z.record(
    z.string(),
    z.object({
      size: z.number(),
      mtimeMs: z.number(),
      tests: z.array(scannedTestSchema),
      warnings: z.array(z.string()),
    }),
  ),
});
type Entries = z.infer<typeof cacheSchema>['files'];

/** The cache of one root. A broken or foreign file counts as an empty one. */
export function openScanCache(folder: string, root: string): ScanCache {
  const file = path.join(folder, `scans-${hashText(root).slice(0, 12)}.json`);
  const entries = new Map(Object.entries(readEntries(file)));
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

function readEntries(file: string): Entries {
  try {
    return cacheSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).files;
  } catch {
    return {};
  }
}

async function writeEntries(file: string, files: Entries): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, JSON.stringify({ version, files }));
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
