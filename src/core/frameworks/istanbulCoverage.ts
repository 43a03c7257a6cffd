// Coverage of frameworks that write istanbul's own JSON (jest, vitest): where each process leaves it, and how it is read.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage } from '../base/humanError.ts';
import { isInside, realPathOr, toRelativePosix } from '../base/paths.ts';
import { readIstanbulJson } from '../coverage/istanbulJson.ts';
import type { FileCoverage } from '../model/coverage.ts';
import type { CoverageReading, CoverageRequest } from './framework.ts';

/** Where a process leaves its coverage; `part` tells the processes of a run apart. */
export function coverageFile(folder: string, part: number): string {
  return path.join(folder, String(part), reportName);
}

const reportName = 'coverage-final.json';

/** Reads `coverage-final.json` of every process; sources outside of the root are left out. */
export async function readIstanbulCoverage({ folder, root }: CoverageRequest): Promise<CoverageReading> {
  const files: FileCoverage[] = [];
  const notes: string[] = [];
  const names = (await readdir(folder, { recursive: true }).catch(() => [])).filter(
    (name) => path.basename(name) === reportName,
  );
  if (names.length === 0) notes.push('No process finished, so none reported its coverage.');
  for (const name of names) {
    try {
      for (const file of readIstanbulJson(await readFile(path.join(folder, name), 'utf8'))) {
        const absolute = realPathOr(file.file);
        if (isInside(root, absolute)) files.push({ ...file, file: toRelativePosix(root, absolute) });
      }
    } catch (error) {
      notes.push(`The coverage of a process could not be read: ${errorMessage(error)}`);
    }
  }
  return { files, notes };
}
