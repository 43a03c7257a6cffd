// Coverage of frameworks that run their tests in plain node processes: node itself counts (NODE_V8_COVERAGE).
import path from 'node:path';
import { toRelativePosix } from '../base/paths.ts';
import type { FrameworkProject, Selection } from '../model/frameworkProject.ts';
import type { CoverageReading, CoverageRequest, ListedFile } from './framework.ts';

/** What makes node and every node that it starts write what ran into the run's folder; `part` keeps launches apart. */
export function nodeCoverageEnv({ coverage }: Selection, part = ''): Readonly<Record<string, string>> {
  return coverage === undefined ? {} : { NODE_V8_COVERAGE: path.join(coverage.folder, part) };
}

/** Reads what the nodes left in the folder. */
export async function readNodeCoverage(
  { folder, root, project, signal }: CoverageRequest,
  listTestFiles: (project: FrameworkProject) => Promise<readonly ListedFile[]>,
): Promise<CoverageReading> {
  const [{ readV8Reports }, { coverageOfScripts }, { createSourceCheck }] = await Promise.all([
    import('../coverage/v8Reports.ts'),
    import('../coverage/v8Coverage.ts'),
    import('../coverage/ownSource.ts'),
  ]);
  const listed = await listTestFiles(project);
  const isOwn = createSourceCheck(new Set(listed.map(({ file }) => toRelativePosix(root, file))));
  const { scripts, read, unread } = await readV8Reports(folder, root, signal);
  const { files, changed } = coverageOfScripts(scripts, root, isOwn);
  return {
    files,
    notes: [
      ...(read + unread === 0 ? ['No process came to its end: none could tell its coverage.'] : []),
      ...(unread > 0 ? [`The coverage of ${unread} processes could not be read.`] : []),
      ...changed.map(
        (file) => `What ran of ${file} was not compiled from its text: its coverage is not known.`,
      ),
    ],
  };
}
