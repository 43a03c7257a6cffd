// Where a dependency graph begins: the test files, each with the files that configure its runner.
import { existsSync, readdirSync, type Dirent } from 'node:fs';
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

/** What configures the runs in a folder; mocks of installed packages do so by themselves. */
function configsIn(folder: string): readonly string[] {
  return [
    ...namesIn(folder)
      .filter((entry) => runnerConfig.test(entry.name))
      .map((entry) => path.join(folder, entry.name)),
    ...packageMocks(folder, 2),
  ];
}

/** Files in `__mocks__` beside which no module of that name lies, so many folders down. */
function packageMocks(folder: string, depth: number): readonly string[] {
  const entries = namesIn(folder);
  return entries.flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    const inner = path.join(folder, entry.name);
    if (entry.name === '__mocks__') {
      const own = new Set(entries.map(({ name }) => name.replace(/\..*$/, '')));
      return mocksIn(inner, (name) => own.has(name));
    }
    return depth === 0 || entry.name.startsWith('.') || entry.name === 'node_modules'
      ? []
      : packageMocks(inner, depth - 1);
  });
}

function mocksIn(folder: string, isOwn: (name: string) => boolean): readonly string[] {
  return namesIn(folder).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return isOwn(entry.name) ? [] : mocksIn(place, () => false);
    return /\.[mc]?[jt]sx?$/.test(entry.name) && !isOwn(entry.name.replace(/\..*$/, '')) ? [place] : [];
  });
}

function namesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const runnerConfig =
  /^(?:package\.json|\.mocharc(?:\.\w+)?|(?:vite|vitest|jest|ava|playwright|cypress)(?:[.-][\w-]+)*\.(?:config|workspace|preset)\.(?:[mc]?[jt]s|json)|(?:vitest|jest|ava|playwright|cypress)\.(?:config|workspace)\.\w+)$/;
