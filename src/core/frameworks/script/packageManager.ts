// Finds the package manager that runs the scripts of a package: the one it names, else the one whose lock file is there, else npm.
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import { programOnPath } from '../../process/programOnPath.ts';
import { isFile, textOfFile } from '../configFiles.ts';

interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Absolute path of what is started, a program or a script for node; absent when there is none on PATH. */
  readonly program?: string;
  /** The file that says so; absolute. */
  readonly file: string;
}

const locks = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
] as const;

/** Looks from the package up to the root of the workspace, the nearest sign first. */
export function findManager(folder: string, root: string): PackageManager {
  for (let here = folder; isInside(root, here); here = path.dirname(here)) {
    const found = signIn(here);
    if (found) return { ...found, ...programOf(found.name) };
    if (path.dirname(here) === here) break;
  }
  return { name: 'npm', file: path.join(folder, 'package.json'), ...programOf('npm') };
}

function signIn(folder: string): Pick<PackageManager, 'name' | 'file'> | undefined {
  const file = path.join(folder, 'package.json');
  const named = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(textOfFile(file) ?? '')?.[1];
  const name = (['npm', 'pnpm', 'yarn', 'bun'] as const).find((one) => one === named);
  if (name) return { name, file };
  const lock = locks.find(([lockFile]) => isFile(path.join(folder, lockFile)));
  return lock && { name: lock[1], file: path.join(folder, lock[0]) };
}

function programOf(name: PackageManager['name']): { readonly program?: string } {
  const program = programOnPath(candidates(name));
  return program === undefined ? {} : { program };
}

/** On Windows what stands on PATH is a `.cmd`, which only a shell can start: the script behind it is started with node. */
function candidates(name: string): readonly string[] {
  if (process.platform !== 'win32') return [name];
  const scripts = [`${name}-cli.js`, `${name}.cjs`, `${name}.js`];
  return [`${name}.exe`, ...scripts.map((script) => path.join('node_modules', name, 'bin', script))];
}
