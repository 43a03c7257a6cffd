// Leads a frame in compiled JavaScript back to the source it was compiled from, when the file has a source map.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { originalPositionFor, TraceMap, sourceContentFor } from '@jridgewell/trace-mapping';
import type { ParsedFrame } from './parseStack.ts';

const largestFile = 10 * 1024 * 1024;

/** The frame in the original source; the frame itself when there is no map, or none that covers it. */
export function originalPosition(frame: ParsedFrame): ParsedFrame {
  if (!path.isAbsolute(frame.file) || !/\.[cm]?jsx?$/.test(frame.file)) return frame;
  if (/[\\/]node_modules[\\/]/.test(frame.file)) return frame;
  const map = mapOf(frame.file);
  if (map === undefined) return frame;
  const { source, line, column } = originalPositionFor(map, { line: frame.line, column: frame.column - 1 });
  if (source === null || line === null) return frame;
  const file = sourceFile(source);
  if (file === undefined || (!exists(file) && !sourceContentFor(map, source))) return frame;
  return { ...frame, file, line, column: column + 1 };
}

/** Inline or beside the file, as its last `sourceMappingURL` says. */
function mapOf(file: string): TraceMap | undefined {
  try {
    if (statSync(file).size > largestFile) return undefined;
    const text = readFileSync(file, 'utf8');
    const url = [...text.matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1];
    if (url === undefined) return undefined;
    const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/.exec(url);
    const mapFile = path.resolve(path.dirname(file), decodeURI(url));
    const json = inline
      ? Buffer.from(decodeURIComponent(inline[2] ?? ''), inline[1] ? 'base64' : 'utf8').toString('utf8')
      : readFileSync(mapFile, 'utf8');
    return new TraceMap(json, inline ? file : mapFile);
  } catch {
    return undefined; // a broken map helps nobody: the compiled place stays
  }
}

function sourceFile(source: string): string | undefined {
  if (source.startsWith('file:')) {
    try {
      return fileURLToPath(source);
    } catch {
      return undefined;
    }
  }
  return path.isAbsolute(source) ? path.normalize(source) : undefined;
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}
