// Coverage of frameworks that run their tests in plain node processes: node itself counts (NODE_V8_COVERAGE).
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { toRelativePosix } from '../base/paths.ts';
import type { FileCoverage } from '../model/coverage.ts';
import type { FrameworkProject, Selection } from '../model/frameworkProject.ts';
import type { CoverageReading, CoverageRequest, ListedFile } from './framework.ts';

/** What makes node and every node that it starts write what ran into the run's folder; `part` keeps launches apart. */
export function nodeCoverageEnv({ coverage }: Selection, part = ''): Readonly<Record<string, string>> {
  return coverage === undefined ? {} : { NODE_V8_COVERAGE: path.join(coverage.folder, part) };
}

/** A test that is a whole file: its id, and the part of the folder in which its process leaves what it counted. */
type OwnPart = (file: string) => { readonly id: string; readonly part: string };

/** Above so many the sources would be counted again and again for single tests. */
const mostSingleTests = 200;

/** Reads what the nodes left in the folder; with `ownPart` also what each test file ran by itself. */
export async function readNodeCoverage(
  { folder, root, project, signal }: CoverageRequest,
  listTestFiles: (project: FrameworkProject) => Promise<readonly ListedFile[]>,
  ownPart?: OwnPart,
): Promise<CoverageReading> {
  const [{ readV8Reports }, { coverageOfScripts, sourceReader }, { createSourceCheck }] = await Promise.all([
    import('../coverage/v8Reports.ts'),
    import('../coverage/v8Coverage.ts'),
    import('../coverage/ownSource.ts'),
  ]);
  const tests = (await listTestFiles(project)).map(({ file }) => file);
  const isOwn = createSourceCheck(new Set(tests.map((file) => toRelativePosix(root, file))));
  const { scripts, read, unread } = await readV8Reports(folder, root, signal);
  const sourceOf = sourceReader();
  const { files, changed } = coverageOfScripts(scripts, root, isOwn, sourceOf);
  const byTest = new Map<string, readonly FileCoverage[]>();
  const parts = new Set(ownPart ? await readdir(folder).catch(() => []) : []);
  if (ownPart && parts.size <= mostSingleTests) {
    for (const { id, part } of tests.map(ownPart).filter((one) => parts.has(one.part))) {
      const own = await readV8Reports(path.join(folder, part), root, signal);
      byTest.set(id, coverageOfScripts(own.scripts, root, isOwn, sourceOf).files);
    }
  }
  return {
    files,
    ...(byTest.size > 0 && { byTest }),
    notes: [
      ...(read + unread === 0 ? ['No process finished, so none reported its coverage.'] : []),
      ...(unread > 0 ? [`The coverage of ${unread} processes could not be read.`] : []),
      ...changed.map(
        (file) =>
          `The code that ran for ${file} was not compiled from its current text: its coverage is not known.`,
      ),
    ],
  };
}
