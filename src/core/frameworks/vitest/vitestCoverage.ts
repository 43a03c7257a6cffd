// Coverage of vitest: by the provider that is installed beside it, with what the user's configuration includes.
import path from 'node:path';
import type { FrameworkProject, Selection } from '../../model/frameworkProject.ts';
import type { CoverageReading, CoverageRequest } from '../framework.ts';
import { coverageFile, readIstanbulCoverage } from '../istanbulCoverage.ts';
import { findInstalled, installCommand } from '../packageJson.ts';

/** Options of one process. Without a provider there is no coverage: vitest would ask whether to install one, and stop. */
export function coverageOptions(
  project: FrameworkProject,
  { coverage }: Selection,
  index: number,
): readonly string[] {
  const [provider, other] = installedProviders(project);
  if (coverage === undefined || provider === undefined)
    // Version 0 takes any option of coverage for the wish to have it.
    return [isVersion0(project) ? '--coverage=false' : '--coverage.enabled=false'];
  return [
    '--coverage.enabled=true',
    // With two the configuration chooses; a provider that it names and nobody installed would end the run.
    ...(other === undefined ? [`--coverage.provider=${provider}`] : []),
    '--coverage.reporter=json',
    // It is emptied first: a folder of its own for each process.
    `--coverage.reportsDirectory=${path.dirname(coverageFile(coverage.folder, index))}`,
    '--coverage.reportOnFailure=true',
    '--coverage.thresholds.autoUpdate=false',
  ];
}

export async function readVitestCoverage(request: CoverageRequest): Promise<CoverageReading> {
  const { root, version } = request.project;
  if (isVersion0(request.project))
    return { files: [], notes: ['Coverage needs Vitest 1 or newer: run `npm install -D vitest@latest`.'] };
  if (installedProviders(request.project).length > 0) return readIstanbulCoverage(request);
  const wanted = `@vitest/coverage-v8${version === undefined ? '' : `@${version}`}`;
  const [tool = 'npm'] = installCommand(root).split(' ');
  const add = tool === 'npm' ? 'npm install -D' : `${tool} add -D`;
  return {
    files: [],
    notes: [`Vitest counts coverage with a package that is not installed. Run \`${add} ${wanted}\`.`],
  };
}

/** Coverage in version 0 had other providers and options. */
function installedProviders(project: FrameworkProject): readonly string[] {
  if (isVersion0(project)) return [];
  const { root } = project;
  return ['v8', 'istanbul'].filter((name) => findInstalled(root, `@vitest/coverage-${name}`) !== undefined);
}

export const isVersion0 = ({ version }: FrameworkProject): boolean => version?.startsWith('0.') === true;
