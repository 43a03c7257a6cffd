// Reads package.json files, and says where a broken one is broken.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { toRelativePosix } from '../base/paths.ts';
import type { PackageJson } from './framework.ts';
import { findJsonError } from './jsonError.ts';

/** Trouble that does not stop discovery: what, where, and what the user can do. */
export interface ProjectProblem {
  readonly message: string;
  readonly file?: string;
  readonly remedy: string;
}

const texts = z.record(z.string(), z.string()).optional().catch(undefined);
const packageJsonSchema = z.object({
  name: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  version: z.string().optional().catch(undefined),
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
  bin: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .catch(undefined),
});
type ReadPackage = z.infer<typeof packageJsonSchema>;

/** The package.json of the folder, a problem that names file and line, or neither when there is none. */
export function readPackageJson(
  folder: string,
  root: string,
): { readonly packageJson?: PackageJson; readonly problem?: ProjectProblem } {
  const file = path.join(folder, 'package.json');
  const text = readText(file);
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
        remedy: `Mend the JSON in ${name}, line ${line}; its framework is unknown until then.`,
      },
    };
  }
  const parsed = packageJsonSchema.safeParse(data);
  if (parsed.success) return { packageJson: withoutUndefined(parsed.data) };
  const message = `${name} holds no JSON object.`;
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
    const text = readText(path.join(home, 'package.json'));
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
  let parsed: ReadPackage;
  try {
    parsed = packageJsonSchema.parse(JSON.parse(text));
  } catch {
    return { folder: home };
  }
  const bin = typeof parsed.bin === 'string' ? parsed.bin : parsed.bin?.[name];
  return {
    folder: home,
    ...(parsed.version === undefined ? {} : { version: parsed.version }),
    ...(bin === undefined ? {} : { bin: path.join(home, bin) }),
  };
}

/** Byte order marks are dropped, as npm does. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

function withoutUndefined({ name, type, scripts, dependencies, devDependencies }: ReadPackage): PackageJson {
  return {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(scripts === undefined ? {} : { scripts }),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(devDependencies === undefined ? {} : { devDependencies }),
  };
}
