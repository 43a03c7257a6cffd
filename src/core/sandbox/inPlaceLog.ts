// The log of a journal of edits in the workspace itself: lines that are on the disk before what they tell is done.
import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { originalSchema, syncFolder } from './keptOriginal.ts';

export const logFile = 'log.ndjson';

const lineSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('original'), original: originalSchema }),
  /** `laid`: what is about to stand there, as keyOf tells it. */
  z.object({ op: z.literal('write'), file: z.string(), laid: z.string() }),
  z.object({ op: z.literal('folder'), folder: z.string() }),
  z.object({ op: z.literal('restored'), file: z.string() }),
]);
type LogLine = z.infer<typeof lineSchema>;

/** Waits until the disk has the lines. */
export function appendToLog(folder: string, lines: readonly LogLine[]): void {
  const handle = openSync(path.join(folder, logFile), 'a');
  try {
    // It begins with a line end, too: what a full disk cut off before must not swallow what follows.
    appendFileSync(handle, `\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolder(folder);
}

/** `isWhole`: every line could be read, but for a last one that was torn, which tells of nothing that was done. */
export function readLog(folder: string): { readonly lines: readonly LogLine[]; readonly isWhole: boolean } {
  let text: string;
  try {
    text = readFileSync(path.join(folder, logFile), 'utf8');
  } catch {
    return { lines: [], isWhole: false };
  }
  const told = text.split('\n').slice(0, -1).filter(Boolean);
  const lines = told.flatMap((line) => parseLine(line) ?? []);
  return { lines, isWhole: lines.length === told.length };
}

function parseLine(line: string): LogLine | undefined {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
