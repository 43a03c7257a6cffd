// What the last run with coverage told: sums for all files at once, details for the one that somebody looks at.
import { totalsOfFile, type FileCoverage, type RunCoverage } from '../model/coverage.ts';
import type { FileTotals } from './rootSchemas.ts';

export class CoverageStore {
  #runId: string | undefined;
  /** As text, a tenth of what it takes as objects; the key is the file, after a test's id and a zero where it is one test's. */
  #details: ReadonlyMap<string, string> = new Map();

  /** Drops what was kept of the run before, and gives the sums. */
  keep(runId: string, { files, byTest = new Map() }: RunCoverage): FileTotals[] {
    const details = new Map<string, string>();
    const tests = new Map<string, string[]>();
    for (const file of files) details.set(file.file, JSON.stringify(file));
    for (const [id, own] of byTest) {
      for (const file of own) {
        if (!file.statements.some(({ count }) => count > 0)) continue;
        details.set(keyOf(file.file, id), JSON.stringify(file));
        tests.set(file.file, [...(tests.get(file.file) ?? []), id]);
      }
    }
    this.#runId = runId;
    this.#details = details;
    return files.map((file) => {
      const { statements, branches, functions } = totalsOfFile(file);
      const ids = tests.get(file.file);
      return { file: file.file, statements, branches, functions, ...(ids && { tests: ids }) };
    });
  }

  /** Of a file in the run, by one test when it is named; undefined when another run came since. */
  details(runId: string, file: string, test?: string): FileCoverage | undefined {
    if (runId !== this.#runId) return undefined;
    const text = this.#details.get(keyOf(file, test));
    if (text === undefined) return undefined;
    const found: FileCoverage = JSON.parse(text);
    return found;
  }
}

function keyOf(file: string, test: string | undefined): string {
  return test === undefined ? file : `${test}\0${file}`;
}
