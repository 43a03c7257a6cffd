// By which configuration the runner compiles a test file: ts-jest has one of its own, which need not be the nearest.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside, toPosix } from '../../base/paths.ts';
import { isOlder } from '../../frameworks/installation.ts';
import { configFileNames, readJestConfig, type JestSettings } from '../../frameworks/jest/jestConfig.ts';
import { findInstalled } from '../../frameworks/packageJson.ts';
import { globsMatcher, testNameMatcher } from '../../frameworks/jest/jestPatterns.ts';

export interface TestCompiler {
  /** Absolute folder from which the configuration is looked for, upwards. */
  readonly folder: string;
  /** Absolute, where the runner is told which configuration it is. */
  readonly file?: string;
  /** On top of the configuration, as written in one. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Present where ts-jest compiles: besides the test, it reads all files of the configuration but other tests. */
  readonly tsJest?: {
    readonly isEsm: boolean;
    /** Numbers of errors that it leaves out. */
    readonly ignoredCodes: readonly number[];
    readonly isTest: (file: string) => boolean;
    /** It checks no types where the configuration says `isolatedModules` (since 29.3). */
    readonly heedsIsolated: boolean;
  };
}

/**
 * `root` is absolute, `file` relative to it; the folder of the file where no runner says anything else, and undefined where the
 * runner does not check its types. Runs nothing.
 */
export async function testCompiler(root: string, file: string): Promise<TestCompiler | undefined> {
  const absolute = path.join(root, file);
  const beside = path.dirname(absolute);
  for (let folder = beside; isInside(root, folder); folder = path.dirname(folder)) {
    for (const name of [...configFileNames, 'package.json']) {
      if (!existsSync(path.join(folder, name))) continue;
      const found = compilerOf(await readJestConfig(path.join(folder, name)), folder, absolute);
      if (found) return found === 'none' ? undefined : found;
    }
    if (folder === root) break;
  }
  return { folder: beside };
}

function compilerOf(settings: JestSettings, home: string, file: string): TestCompiler | 'none' | undefined {
  const folder = path.resolve(home, settings.rootDir ?? '.');
  if (!isInside(folder, file)) return undefined;
  for (const project of settings.projects ?? []) {
    const found = typeof project === 'string' ? undefined : compilerOf(project, home, file);
    if (found) return found;
  }
  const { tsJest } = settings;
  if (tsJest === undefined) return undefined;
  const { tsconfig, ignoredCodes, unchecked, checked, isEsm = false } = tsJest;
  if (checked !== undefined && !findsPath(checked, toPosix(file))) return 'none';
  if (unchecked === 'all' || (unchecked.length > 0 && globsMatcher(unchecked)(toPosix(file)))) return 'none';
  return {
    folder,
    ...(typeof tsconfig === 'string' && {
      file: path.resolve(folder, tsconfig.replace(/^<rootDir>/, '.')),
    }),
    ...(typeof tsconfig === 'object' && { options: tsconfig }),
    tsJest: {
      isEsm,
      ignoredCodes,
      isTest: testNameMatcher(folder, settings, true),
      heedsIsolated: !isOlder(findInstalled(folder, 'ts-jest')?.version ?? '', '29.3'),
    },
  };
}

function findsPath(pattern: string, file: string): boolean {
  try {
    return new RegExp(pattern).test(file);
  } catch {
    return true;
  }
}
