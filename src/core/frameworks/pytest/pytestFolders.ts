// Which folders of a workspace are projects of pytest: those that configure it, and Python projects with test files.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import type { FileTree } from '../../workspace/walk.ts';
import { configNames, defaultConfig, readPytestConfig, type PytestConfig } from './pytestConfig.ts';
import { pythonTestFiles } from './pytestFiles.ts';

interface PytestFolder {
  /** Absolute. */
  readonly folder: string;
  readonly config: PytestConfig;
  /** pytest is configured there; else tests just stand there. */
  readonly isConfigured: boolean;
}

/** Files that begin a Python project, which has an environment and an import path of its own. */
const projectFiles = ['pyproject.toml', 'setup.py', 'setup.cfg', 'Pipfile', 'requirements.txt', 'manage.py'];

export const pytestMarks: readonly string[] = [...new Set([...configNames, ...projectFiles, 'conftest.py'])];

interface Candidate extends PytestFolder {
  /** 3: configures pytest · 2: a Python project · 1: a conftest.py outside of tests · 0: the root of the workspace. */
  readonly rank: 0 | 1 | 2 | 3;
}

/** In one tree the answer is the same for every folder that is asked about. */
const known = new WeakMap<FileTree, ReadonlyMap<string, PytestFolder>>();

/** The project at the folder; undefined when there is none. */
export function pytestFolderAt(tree: FileTree, folder: string): PytestFolder | undefined {
  const folders = known.get(tree) ?? pytestFolders(tree);
  known.set(tree, folders);
  return folders.get(folder);
}

function pytestFolders(tree: FileTree): ReadonlyMap<string, PytestFolder> {
  if (!tree.files.some((file) => file.endsWith('.py'))) return new Map();
  const kept: Candidate[] = [];
  for (const candidate of candidatesIn(tree)) {
    const around = kept.filter(({ folder }) => isInside(folder, candidate.folder)).at(-1);
    if (around === undefined || !isCovered(candidate, around, tree)) kept.push(candidate);
  }
  const found = kept.filter(({ folder, config, rank }) => {
    if (rank === 3) return true;
    const inner = kept.filter((other) => other.folder !== folder && isInside(folder, other.folder));
    return (
      pythonTestFiles(
        tree,
        folder,
        config,
        inner.map((one) => one.folder),
      ).length > 0
    );
  });
  return new Map(found.map((one) => [one.folder, one]));
}

/** Outer folders first; the root of the workspace is always among them. */
function candidatesIn({ root, files }: FileTree): readonly Candidate[] {
  const marks = new Set(pytestMarks);
  const folders = new Map<string, Set<string>>([['', new Set()]]);
  for (const file of files) {
    const slash = file.lastIndexOf('/');
    if (!marks.has(file.slice(slash + 1))) continue;
    const folder = file.slice(0, Math.max(slash, 0));
    folders.set(folder, (folders.get(folder) ?? new Set()).add(file.slice(slash + 1)));
  }
  return [...folders]
    .sort(([a], [b]) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
    .flatMap(([relative, names]): readonly Candidate[] => {
      const folder = path.join(root, relative);
      const config = readPytestConfig(folder, names);
      if (config) return [{ folder, config, isConfigured: true, rank: 3 }];
      const rank = rankOf(folder, relative, names);
      return rank === undefined ? [] : [{ folder, config: defaultConfig, isConfigured: false, rank }];
    });
}

function rankOf(folder: string, relative: string, names: ReadonlySet<string>): 0 | 1 | 2 | undefined {
  const isOfTests = /^(?:tests?|testing|docs?)$/.test(path.posix.basename(relative));
  if (names.has('pyproject.toml') || names.has('setup.py')) return 2;
  if (!isOfTests && projectFiles.some((name) => names.has(name))) return 2;
  // Within a package it serves the tests of the project around.
  if (!isOfTests && names.has('conftest.py') && !entriesOf(folder).includes('__init__.py')) return 1;
  return relative === '' ? 0 : undefined;
}

/** Are the tests of the inner folder run from the outer one? */
function isCovered(inner: Candidate, outer: Candidate, tree: FileTree): boolean {
  if (inner.rank === 3) return false;
  if (inner.rank <= 1) return outer.rank >= 1;
  if (outer.rank < 3) return false;
  return pythonTestFiles(tree, outer.folder, outer.config).some((file) => isInside(inner.folder, file));
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
