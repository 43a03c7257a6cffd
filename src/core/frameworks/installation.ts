// Whether a framework from npm is installed where it is used, and what to say when it is not or is too old.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPathOr, toRelativePosix } from '../base/paths.ts';
import type { FolderFacts, FrameworkProject } from './framework.ts';
import { findInstalled, installCommand } from './packageJson.ts';

interface NpmFramework {
  /** Of the package, and of its program. */
  readonly name: string;
  /** As people write it: "Vitest". */
  readonly label: string;
  /** Oldest version that can be run: "28", "1.40". */
  readonly oldest: string;
}

/** Version and entry of the installed framework, else the problem with its remedy. */
export function npmInstallation(
  { folder, packageJson, tree }: FolderFacts,
  { name, label, oldest }: NpmFramework,
): Partial<FrameworkProject> {
  const installed = findInstalled(folder, name);
  const file = packageJson ? path.join(folder, 'package.json') : undefined;
  const place = file === undefined ? {} : { file };
  if (!installed?.bin || !existsSync(installed.bin)) {
    const { dependencies = {}, devDependencies = {} } = packageJson ?? {};
    const named = file !== undefined && (name in dependencies || name in devDependencies);
    const where = toRelativePosix(tree.root, named ? file : folder) || 'this folder';
    const message = `${label} is ${named ? 'named' : 'used'} in ${where} but not installed.`;
    const install = named ? installCommand(folder) : `npm install -D ${name}`;
    return { problem: { message, ...place, remedy: `Run \`${install}\`.` } };
  }
  const { version = '', bin } = installed;
  if (isOlder(version, oldest)) {
    const message = `${label} ${version} is too old: version ${oldest} or newer is needed.`;
    return { version, problem: { message, ...place, remedy: `Run \`npm install -D ${name}@latest\`.` } };
  }
  return { ...(version === '' ? {} : { version }), entry: bin };
}

/** By major and minor number; a version that cannot be read is not older. */
export function isOlder(version: string, oldest: string): boolean {
  const [major = NaN, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/**
 * For TestFramework.covers: a package below that merely depends on the same installation may be run from above, with the `files` of
 * the project there; one that configures or starts the framework is not.
 */
export function coversDependants(
  project: FrameworkProject,
  files: readonly string[],
): (inner: FrameworkProject) => boolean {
  return (inner) => {
    const sameInstallation =
      inner.entry === undefined || realPathOr(inner.entry) === realPathOr(project.entry ?? '');
    return (
      sameInstallation && inner.sign === 'dependency' && files.some((file) => isInside(inner.root, file))
    );
  };
}
