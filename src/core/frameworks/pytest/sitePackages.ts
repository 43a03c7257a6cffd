// Where a Python keeps its packages, and what of them concerns us: the version of pytest, and what is installed in place.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { realPathOr } from '../../base/paths.ts';
import type { Python } from './pythonEnvironment.ts';

/** `unknown`: packages may be at places that only Python itself knows. */
type InstalledPytest = { readonly version: string } | 'none' | 'unknown';

/** Looks into the folders of packages, starts nothing. */
export function installedPytest(python: Python): InstalledPytest {
  for (const folder of packageFolders(python)) {
    const found = namesIn(folder)
      .map((name) => /^pytest-(\d[\w.]*)\.(?:dist|egg)-info$/.exec(name)?.[1])
      .find((version) => version !== undefined);
    if (found !== undefined) return { version: found };
  }
  const isClosed =
    python.environment !== undefined && isVirtual(python.environment) && !seesSystem(python.environment);
  return isClosed ? 'none' : 'unknown';
}

/** By the name of the folder with what pip tells of it. */
export function hasPackage(python: Python, name: RegExp): boolean {
  return packageFolders(python).some((folder) => namesIn(folder).some((one) => name.test(one)));
}

/** Absolute folders that hold packages, those of the environment first. */
export function packageFolders({ program, environment }: Python): readonly string[] {
  if (environment !== undefined && isVirtual(environment)) {
    const own = librariesOf(environment);
    if (!seesSystem(environment)) return own;
    const home = /^home\s*=\s*(.+)$/m.exec(configOf(environment))?.[1]?.trim();
    return home === undefined ? own : [...own, ...systemFolders(home)];
  }
  const real = realPathOr(program);
  // Its neighbours keep theirs in the same places.
  const version = /^python(3\.\d+)/.exec(path.basename(real))?.[1];
  const all = systemFolders(path.dirname(real));
  return version === undefined
    ? all
    : all.filter((folder) => !/python3\.\d/.test(folder) || folder.includes(`python${version}${path.sep}`));
}

/** Has it been made by venv, virtualenv or uv? A conda environment is a whole installation. */
function isVirtual(environment: string): boolean {
  return configOf(environment) !== '';
}

function systemFolders(binaries: string): readonly string[] {
  const prefix = path.dirname(binaries);
  return [
    ...librariesOf(path.join(os.homedir(), '.local')),
    ...librariesOf(prefix),
    ...(prefix === '/usr' ? [...librariesOf('/usr/local'), '/usr/lib/python3/dist-packages'] : []),
  ];
}

function librariesOf(prefix: string): readonly string[] {
  if (process.platform === 'win32') return [path.join(prefix, 'Lib', 'site-packages')];
  return namesIn(path.join(prefix, 'lib'))
    .filter((name) => /^(?:python3\.\d+t?|pypy3\.\d+)$/.test(name))
    .flatMap((name) =>
      ['site-packages', 'dist-packages'].map((packages) => path.join(prefix, 'lib', name, packages)),
    )
    .filter((folder) => existsSync(folder));
}

function seesSystem(environment: string): boolean {
  return /^include-system-site-packages\s*=\s*true/im.test(configOf(environment));
}

function configOf(environment: string): string {
  try {
    return readFileSync(path.join(environment, 'pyvenv.cfg'), 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
