// A private file in which a reporter tells its results, for processes that a debugger starts: they have no pipe of ours.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readLines } from '../process/outputReaders.ts';

/** How often the file is looked at, ms. */
const pollMs = 25;

interface ReportFile {
  /** Absolute; in a folder of its own outside every workspace, which nobody else may enter. */
  readonly file: string;
  /** Tells what is left of the lines, and removes the file. */
  finish(): void;
}

/**
 * Tells each line of the file, without its end, within 50 ms of its writing. The reporter finds the key of its seal beside the file, and
 * removes it. Throws when no temporary file can be made.
 */
export function followReportFile(secret: string, onLine: (line: string) => void): ReportFile {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'testmend-debug-'));
  const file = path.join(folder, 'report');
  const descriptor = openSync(file, 'wx+', 0o600);
  writeFileSync(`${file}.key`, secret, { mode: 0o600 });
  const lines = readLines(onLine);
  const chunk = Buffer.alloc(64 * 1024);
  let position = 0;
  const drain = (): void => {
    for (;;) {
      const count = readSync(descriptor, chunk, 0, chunk.length, position);
      if (count === 0) return;
      position += count;
      lines.read(chunk.subarray(0, count));
    }
  };
  const timer = setInterval(drain, pollMs);
  return {
    file,
    finish() {
      clearInterval(timer);
      drain();
      lines.finish();
      closeSync(descriptor);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
