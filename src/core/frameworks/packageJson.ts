// Reads package.json files, and says where a broken one is broken.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { textOfFile } from './configFiles.ts';
import { toRelativePosix } from '../base/paths.ts';
import type { PackageJson } from './framework.ts';
import { findJsonError } from './jsonError.ts';

/** Trouble that does not stop discovery: what, where, and what the user can do. */
export interface ProjectProblem {
  readonly message: string;
  readonly file?: string;
  readonly remedy: string;
}

/** The package.json of the folder, a problem that names file and line, or neither when there is none. */
export function readPackageJson(
  folder: string,
  root: string,
): { readonly packageJson?: PackageJson; readonly problem?: ProjectProblem } {
  const file = path.join(folder, 'package.json');
  const text = textOfFile(file);
  if (text === undefined) return {};
  const name = toRelativePosix(root, file);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    const { line, expected } = findJsonError(text) ?? { line: 1, expected: 'JSON' };
    const message = `${name} is broken at line ${line}: expected ${expected}.`;
    return {
      problem: {
        message,
        file,
        remedy: `Repair the JSON in ${name}, line ${line}; its framework is unknown until then.`,
      },
    };
  }
  if (isRecord(data)) return { packageJson: toPackageJson(data) };
  const message = `${name} does not contain a JSON object.`;
  return {
    problem: { message, file, remedy: 'Write an object with "scripts" and "devDependencies" into it.' },
  };
}

/** An installed package, found from `folder` upwards as Node does; undefined when it is not installed. */
export function findInstalled(
  folder: string,
  name: string,
): { readonly folder: string; readonly version?: string; readonly bin?: string } | undefined {
  for (let here = folder; ; here = path.dirname(here)) {
    const home = path.join(here, 'node_modules', name);
    const text = textOfFile(path.join(home, 'package.json'));
    if (text !== undefined) return readInstalled(home, name, text);
    if (path.dirname(here) === here) return undefined;
  }
}

/** The command that installs the dependencies of the folder, by the lock file next to it or above. */
export function installCommand(folder: string): string {
  const locks = [
    ['pnpm-lock.yaml', 'pnpm install'],
    ['yarn.lock', 'yarn install'],
    ['bun.lock', 'bun install'],
    ['bun.lockb', 'bun install'],
    ['package-lock.json', 'npm install'],
  ] as const;
  for (let here = folder; ; here = path.dirname(here)) {
    const found = locks.find(([lock]) => existsSync(path.join(here, lock)));
    if (found) return found[1];
    if (path.dirname(here) === here) return 'npm install';
  }
}

function readInstalled(home: string, name: string, text: string): ReturnType<typeof findInstalled> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return { folder: home };
  }
  if (!isRecord(data)) return { folder: home };
  const { version, bin } = data;
  const [only, ...others] = isRecord(bin) ? Object.values(bin) : [bin];
  // A package in a scope names its program otherwise.
  const script = isRecord(bin) && others.length > 0 ? bin[name] : only;
  return {
    folder: home,
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof script === 'string' ? { bin: path.join(home, script) } : {}),
  };
}

// Checked by hand: a schema library takes longer to load than a small workspace to discover.
function toPackageJson({
  name,
  type,
  scripts,
  dependencies,
  devDependencies,
  jest,
}: Record<string, unknown>): PackageJson {
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    ...(isRecord(scripts) ? { scripts: textsOf(scripts) } : {}),
    ...(isRecord(dependencies) ? { dependencies: textsOf(dependencies) } : {}),
    ...(isRecord(devDependencies) ? { devDependencies: textsOf(devDependencies) } : {}),
    ...(isRecord(jest) || typeof jest === 'string' ? { jest: true } : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textsOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
