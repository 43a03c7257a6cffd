// By which configuration the runner compiles a test file: ts-jest has one of its own, which need not be the nearest.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import { configFileNames, readJestConfig, type JestSettings } from '../../frameworks/jest/jestConfig.ts';

export interface TestCompiler {
  /** Absolute folder from which the configuration is looked for, upwards. */
  readonly folder: string;
  /** Absolute, where the runner is told which configuration it is. */
  readonly file?: string;
  /** Options instead of a configuration, as written in one. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** `root` is absolute, `file` relative to it; the folder of the file where no runner says anything else. Runs nothing. */
export async function testCompiler(root: string, file: string): Promise<TestCompiler> {
  const beside = path.dirname(path.join(root, file));
  for (let folder = beside; isInside(root, folder); folder = path.dirname(folder)) {
    for (const name of [...configFileNames, 'package.json']) {
      if (!existsSync(path.join(folder, name))) continue;
      const found = compilerOf(await readJestConfig(path.join(folder, name)), folder, path.join(root, file));
      if (found) return found;
    }
    if (folder === root) break;
  }
  return { folder: beside };
}

function compilerOf(settings: JestSettings, home: string, file: string): TestCompiler | undefined {
  const folder = path.resolve(home, settings.rootDir ?? '.');
  if (!isInside(folder, file)) return undefined;
  for (const project of settings.projects ?? []) {
    const found = typeof project === 'string' ? undefined : compilerOf(project, home, file);
    if (found) return found;
  }
  const { tsJest } = settings;
  if (tsJest === undefined) return undefined;
  if (typeof tsJest === 'string')
    return { folder, file: path.resolve(folder, tsJest.replace(/^<rootDir>/, '.')) };
  return Object.keys(tsJest).length === 0 ? { folder } : { folder, options: tsJest };
}
