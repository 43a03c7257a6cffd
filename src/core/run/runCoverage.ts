// The coverage of a run: private folders for what the frameworks leave, read and joined when their processes have ended.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { errorMessage } from '../base/humanError.ts';
import { mergeCoverage } from '../coverage/mergeCoverage.ts';
import { createReportedCheck } from '../coverage/reportedSources.ts';
import type { FrameworkProject, TestFramework } from '../frameworks/framework.ts';
import type { FileCoverage, RunCoverage } from '../model/coverage.ts';

export interface CoverageOptions {
  /** Only sources that match (relative to the root, POSIX), `!glob` for those to leave out; absent means all that the frameworks tell. */
  readonly globs?: readonly string[];
}

interface CollectedCoverage {
  readonly coverage: RunCoverage;
  /** Why something is missing, as sentences. */
  readonly notes: readonly string[];
}

export class CoverageCollector {
  readonly #folder: string;
  readonly #parts: { readonly project: FrameworkProject; readonly folder: string }[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes a folder that only this user can read; `dispose` removes it. */
  static async open(): Promise<CoverageCollector> {
    return new CoverageCollector(await mkdtemp(path.join(os.tmpdir(), 'testmend-coverage-')));
  }

  /** A new folder for one part of a project's run: a second report would overwrite the first. */
  async folderFor(project: FrameworkProject): Promise<string> {
    const folder = path.join(this.#folder, String(this.#parts.length));
    this.#parts.push({ project, folder });
    await mkdir(folder);
    return folder;
  }

  /** Reads what the processes of all projects have left; never rejects for what they wrote. */
  async collect(
    frameworks: (project: FrameworkProject) => TestFramework,
    root: string,
    { globs = [] }: CoverageOptions,
    signal: AbortSignal | undefined,
  ): Promise<CollectedCoverage> {
    const isTold = createReportedCheck(globs);
    const reports: (readonly FileCoverage[])[] = [];
    const notes: string[] = [];
    const byTest = new Map<string, readonly FileCoverage[]>();
    for (const { project, folder } of this.#parts) {
      const framework = frameworks(project);
      if (!framework.readCoverage) {
        notes.push(`${framework.label} tells no coverage.`);
        continue;
      }
      try {
        const read = await framework.readCoverage({ project, folder, root, ...(signal && { signal }) });
        const told = (files: readonly FileCoverage[]): FileCoverage[] =>
          files.filter(({ file }) => isTold(file));
        reports.push(told(read.files));
        for (const [id, files] of read.byTest ?? []) byTest.set(id, told(files));
        notes.push(...read.notes);
      } catch (error) {
        notes.push(`The coverage of ${framework.label} could not be read: ${errorMessage(error)}`);
      }
    }
    const coverage = mergeCoverage(reports);
    if (coverage.files.length === 0) notes.push('No coverage: nothing was told of any source.');
    return {
      coverage: { ...coverage, ...(byTest.size > 0 && { byTest }) },
      notes: [...new Set(notes)],
    };
  }

  async dispose(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
