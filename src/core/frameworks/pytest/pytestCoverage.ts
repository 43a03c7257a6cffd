// Coverage of pytest: by pytest-cov in the Python of the project, with the sources of the user's own configuration.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage } from '../../base/humanError.ts';
import { isInside, realPathOr, toRelativePosix } from '../../base/paths.ts';
import type { FileCoverage } from '../../model/coverage.ts';
import type { FrameworkProject, Selection } from '../../model/frameworkProject.ts';
import type { CoverageReading, CoverageRequest, ListedFile } from '../framework.ts';
import { namesOfEntries, readPytestConfig, splitWords } from './pytestConfig.ts';
import { pythonOf } from './pytestProject.ts';
import { packageFolders } from './sitePackages.ts';

/** Options of one process. Without an order coverage is not measured: of some tests it would fall below every limit. */
export function coverageOptions(
  project: FrameworkProject,
  { coverage }: Selection,
  part: number,
): readonly string[] {
  if (coverage === undefined || !hasPytestCov(project)) return measuresCoverage(project) ? ['--no-cov'] : [];
  return [
    // Without a value: what the configuration names, else what is imported.
    '--cov',
    '--cov-branch',
    `--cov-report=json:${path.join(coverage.folder, `${part}.json`)}`,
    '--cov-fail-under=0',
  ];
}

/** The data of coverage.py go to the private folder, too. */
export function coverageEnv({ coverage }: Selection, part: number): Readonly<Record<string, string>> {
  return coverage === undefined ? {} : { COVERAGE_FILE: path.join(coverage.folder, `${part}.data`) };
}

export async function readPytestCoverage(
  { project, folder, root }: CoverageRequest,
  listTestFiles: (project: FrameworkProject) => Promise<readonly ListedFile[]>,
): Promise<CoverageReading> {
  if (!hasPytestCov(project)) {
    const note = `pytest counts coverage with a package that is not installed. Run \`${project.entry ?? 'python'} -m pip install pytest-cov\`.`;
    return { files: [], notes: [note] };
  }
  const [{ readCoveragePyJson }, { createSourceCheck }] = await Promise.all([
    import('../../coverage/coveragePyJson.ts'),
    import('../../coverage/ownSource.ts'),
  ]);
  const tests = (await listTestFiles(project)).map(({ file }) => toRelativePosix(root, file));
  const isOwn = createSourceCheck(new Set(tests));
  const files: FileCoverage[] = [];
  const notes: string[] = [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  if (names.length === 0) notes.push('No process finished, so none reported its coverage.');
  for (const name of names) {
    try {
      for (const file of readCoveragePyJson(await readFile(path.join(folder, name), 'utf8'))) {
        const absolute = realPathOr(path.resolve(project.root, file.file));
        const relative = toRelativePosix(root, absolute);
        if (isInside(root, absolute) && isOwn(relative)) files.push({ ...file, file: relative });
      }
    } catch (error) {
      notes.push(`The coverage of a process could not be read: ${errorMessage(error)}`);
    }
  }
  return { files, notes };
}

function hasPytestCov({ entry }: FrameworkProject): boolean {
  if (entry === undefined) return false;
  // Its file, not its folder: pip leaves the folder behind with what pytest compiled in it.
  return packageFolders(pythonOf(entry)).some((folder) =>
    existsSync(path.join(folder, 'pytest_cov', 'plugin.py')),
  );
}

/** Do its own options ask for coverage? */
function measuresCoverage({ root }: FrameworkProject): boolean {
  const config = readPytestConfig(root, namesOfEntries(root));
  const words = [...(config?.options ?? []), ...splitWords(process.env['PYTEST_ADDOPTS'] ?? '')];
  return words.some((word) => word === '--cov' || word.startsWith('--cov='));
}
