// Reads the reports that node writes for NODE_V8_COVERAGE, one for each process and worker, and adds them up by script.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../base/paths.ts';
import { V8Counts, type V8Function } from './v8Counts.ts';

/** One text that ran, in however many processes. */
export interface V8Script {
  /** Absolute. */
  readonly file: string;
  readonly counts: V8Counts;
  /** Characters of the text. */
  readonly length: number;
  /** Of the lines of what ran, where there is a map. */
  readonly lineLengths: readonly number[];
  /** The source map of what ran and where it was found. */
  readonly map?: { readonly data: string; readonly url: string };
}

interface V8Reports {
  readonly scripts: readonly V8Script[];
  /** Reports that could not be read: a process was ended while it wrote, or it is larger than a text can be. */
  readonly unread: number;
  readonly read: number;
}

/** A text of this size is the longest that node parses, bytes. */
const largest = 500 * 1024 * 1024;

/** Scripts inside the root and outside node_modules, from the reports in the folder and below; one report in memory at a time. */
export async function readV8Reports(folder: string, root: string, signal?: AbortSignal): Promise<V8Reports> {
  const scripts = new Map<string, V8Script>();
  let read = 0;
  let unread = 0;
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names.filter((one) => /coverage-.*\.json$/.test(one))) {
    if (signal?.aborted) break;
    try {
      const file = path.join(folder, name);
      if ((await stat(file)).size > largest) throw new Error('too large');
      addReport(JSON.parse(await readFile(file, 'utf8')), root, scripts);
      read++;
    } catch {
      unread++;
    }
  }
  return { scripts: [...scripts.values()], read, unread };
}

function addReport(report: unknown, root: string, scripts: Map<string, V8Script>): void {
  if (!isRecord(report) || !Array.isArray(report['result'])) throw new Error('no report of V8');
  const cache = report['source-map-cache'];
  const maps = isRecord(cache) ? cache : {};
  for (const entry of report['result'] as readonly unknown[]) {
    if (!isRecord(entry)) continue;
    const { url, functions } = entry;
    if (typeof url !== 'string' || !url.startsWith('file:') || url.includes('/node_modules/')) continue;
    const file = fileOf(url);
    if (file === undefined || !isInside(root, file) || !isFunctions(functions)) continue;
    const length = functions[0]?.ranges[0]?.endOffset ?? 0;
    const mapped = readMap(maps[url], file);
    const key = [file, length, mapped.map?.data ?? ''].join('\0');
    const script = scripts.get(key) ?? { file, length, counts: new V8Counts(), ...mapped };
    scripts.set(key, script);
    script.counts.add(functions);
  }
}

function readMap(entry: unknown, file: string): Pick<V8Script, 'map' | 'lineLengths'> {
  if (!isRecord(entry) || !isRecord(entry['data']) || !Array.isArray(entry['lineLengths']))
    return { lineLengths: [] };
  const { url, data, lineLengths } = entry;
  const place = typeof url === 'string' && url.startsWith('file:') ? (fileOf(url) ?? file) : file;
  return {
    map: { data: JSON.stringify(data), url: place },
    lineLengths: lineLengths.map(Number),
  };
}

/** Loaders add questions to the addresses of modules. */
function fileOf(url: string): string | undefined {
  try {
    const { href, search, hash } = new URL(url);
    return fileURLToPath(href.slice(0, href.length - search.length - hash.length));
  } catch {
    return undefined;
  }
}

/** Only the first is looked at: a report holds many thousands, all from V8 itself. */
function isFunctions(value: unknown): value is readonly V8Function[] {
  return Array.isArray(value) && value.length > 0 && isRecord(value[0]) && Array.isArray(value[0]['ranges']);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
