// What a command says where there are no tests at all: which folder to work on instead, or how to get a first one.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { isInside } from '../base/paths.ts';
import { listTestFiles } from '../frameworks/discover.ts';
import type { Workspace } from '../model/settings.ts';

/** What a project that Testmend takes has at its top. */
export const projectFiles = [
  'package.json',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'pytest.ini',
  'tox.ini',
  'go.mod',
];

/** A sentence with the exact option or command; none where nothing could be tested. Throws the cancellation error. */
export async function firstTestOffer(workspace: Workspace, signal: AbortSignal): Promise<readonly string[]> {
  const above = await projectAbove(workspace, signal);
  if (above !== undefined) {
    const typed = inShell(path.relative(process.cwd(), above) || '.');
    return [`This folder is part of the project in ${above}: name that project with --root ${typed}`];
  }
  const { likelySource } = await import('../firstTest/likelySource.ts');
  const source = await likelySource(workspace, signal);
  if (source === undefined) return [];
  return [`For a first test: testmend generate ${inShell(source)}`];
}

/**
 * The nearest folder above, within the repository, with a project that has tests: those of this folder among them, where this is a
 * project of its own.
 */
async function projectAbove(workspace: Workspace, signal: AbortSignal): Promise<string | undefined> {
  const { root } = workspace;
  const isOwn = await hasOne(root, projectFiles);
  for (const folder of await foldersAbove(root)) {
    if (!(await hasOne(folder, projectFiles))) continue;
    try {
      const { files } = await listTestFiles({ ...workspace, root: folder }, signal);
      if (files.some(({ absolute }) => !isOwn || isInside(root, absolute))) return folder;
    } catch (error) {
      if (!(error instanceof HumanError) || error.code === 'cancelled' || error.code === 'timeout')
        throw error;
    }
  }
  return undefined;
}

/** Nearest first, up to the top of the repository; none outside of one. */
async function foldersAbove(root: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = root; !(await hasOne(folder, ['.git']));) {
    const parent = path.dirname(folder);
    if (parent === folder) return [];
    folders.push(parent);
    folder = parent;
  }
  return folders;
}

async function hasOne(folder: string, names: readonly string[]): Promise<boolean> {
  for (const name of names)
    if ((await stat(path.join(folder, name)).catch(() => undefined)) !== undefined) return true;
  return false;
}

function inShell(file: string): string {
  return /^[\w./@+-]+$/.test(file) && !file.startsWith('-') ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
