// Coverage of Go: the profile that `go test` writes, for all packages of the module whoever tests them.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage } from '../base/humanError.ts';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { FileCoverage } from '../model/coverage.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { CoverageReading, CoverageRequest } from './framework.ts';

/** Options of one `go test`; `part` tells those of a run apart. */
export function goCoverageOptions({ coverage }: Selection, part: number): readonly string[] {
  if (coverage === undefined) return [];
  const profile = path.join(coverage.folder, `${part}.out`);
  return ['-covermode=atomic', '-coverpkg=./...', `-coverprofile=${profile}`];
}

export async function readGoCoverage({ project, folder, root }: CoverageRequest): Promise<CoverageReading> {
  const { readGoProfile } = await import('../coverage/goProfile.ts');
  const files: FileCoverage[] = [];
  const notes: string[] = [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.out'));
  if (names.length === 0) notes.push('go test wrote no profile: nothing was built, or it was ended before.');
  try {
    const module = /^module\s+"?([^\s"]+)/m.exec(
      await readFile(path.join(project.root, 'go.mod'), 'utf8'),
    )?.[1];
    const fileOf = (name: string): string | undefined => {
      if (module === undefined || !name.startsWith(`${module}/`)) return undefined;
      const file = path.join(project.root, name.slice(module.length + 1));
      return isInside(root, file) ? toRelativePosix(root, file) : undefined;
    };
    for (const name of names)
      files.push(...readGoProfile(await readFile(path.join(folder, name), 'utf8'), fileOf));
  } catch (error) {
    notes.push(`The coverage of Go could not be read: ${errorMessage(error)}`);
  }
  return { files, notes };
}
