// Where a dependency graph begins: the test files, each with the files that configure its runner.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { TestListing } from '../frameworks/discover.ts';
import type { GraphRoot } from '../modules/dependencyGraph.ts';

/** The roots of a listing: package.json, the configuration in use and others beside it configure what a project runs. */
export function rootsOfListing({ root, files }: TestListing): readonly GraphRoot[] {
  const configs = new Map<string, readonly string[]>();
  const found = new Map<string, Set<string>>();
  for (const { file, frameworkProject } of files) {
    const { root: folder, configFile = '' } = frameworkProject;
    const key = `${folder}\0${configFile}`;
    let own = configs.get(key);
    if (own === undefined) {
      own = [...configsIn(folder), ...(configFile === '' ? [] : [configFile])].map((one) =>
        toRelativePosix(root, one),
      );
      configs.set(key, own);
    }
    const known = found.get(file);
    if (known === undefined) found.set(file, new Set(own));
    else for (const config of own) known.add(config);
  }
  return [...found].map(([file, own]) => ({ file, configs: [...own] }));
}

/** The same without a listing: the nearest folder above each test with a package.json configures it. */
export function graphRoots(root: string, testFiles: readonly string[]): readonly GraphRoot[] {
  const configs = new Map<string, readonly string[]>();
  const configsAbove = (folder: string): readonly string[] => {
    const known = configs.get(folder);
    if (known !== undefined) return known;
    const above = path.dirname(folder);
    const own = existsSync(path.join(folder, 'package.json')) ? configsIn(folder) : [];
    const all = own.length === 0 && folder !== root && isInside(root, above) ? configsAbove(above) : own;
    configs.set(folder, all);
    return all;
  };
  return testFiles.map((file) => ({
    file,
    configs: configsAbove(path.dirname(path.join(root, file))).map((one) => toRelativePosix(root, one)),
  }));
}

function configsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => runnerConfig.test(name))
      .map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

const runnerConfig =
  /^(?:package\.json|\.mocharc(?:\.\w+)?|(?:vite|vitest|jest|ava|playwright|cypress)(?:[.-][\w-]+)*\.(?:config|workspace|preset)\.(?:[mc]?[jt]s|json)|(?:vitest|jest|ava|playwright|cypress)\.(?:config|workspace)\.\w+)$/;
