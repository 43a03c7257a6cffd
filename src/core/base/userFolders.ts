// Where the operating system wants a user's caches and state, and the corner of a root in them (INTERFACES "Where things live").
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashText } from './hash.ts';
import { isInside, realPathOr } from './paths.ts';

/** What the folders depend on; a host passes nothing, a test another machine. */
export interface UserEnvironment {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly temporary: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const thisMachine = (): UserEnvironment => ({
  platform: process.platform,
  home: os.homedir(),
  temporary: os.tmpdir(),
  env: process.env,
});

/** Absolute folder for what can be made again. Not created here. */
export function userCacheFolder(user: UserEnvironment = thisMachine()): string {
  const { env, home, platform } = user;
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'testmend', 'Cache');
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'testmend');
  return path.join(absolute(env['XDG_CACHE_HOME']) ?? path.join(home, '.cache'), 'testmend');
}

/** Absolute folder for what the user would miss: journals, "It's a bug". Not created here. */
export function userStateFolder(user: UserEnvironment = thisMachine()): string {
  const { env, home, platform } = user;
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'testmend', 'State');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'testmend');
  return path.join(absolute(env['XDG_STATE_HOME']) ?? path.join(home, '.local', 'state'), 'testmend');
}

/** The corner of one root in a user folder, never inside that root. */
export function cornerOf(root: string, folder: string, user: UserEnvironment = thisMachine()): string {
  const real = realPathOr(root);
  const outside = isInside(real, folder) ? path.join(user.temporary, 'testmend') : folder;
  return path.join(outside, `${path.basename(real) || 'root'}-${hashText(real).slice(0, 12)}`);
}

/**
 * Where journals, kept originals and locks of who works in a root itself lie, and the locks of who must not do so at the same time:
 * not among caches, which people empty, and the same for every host and all roots of a repository, for trials may lie anywhere in it.
 */
export const inPlaceCorner = (root: string): string =>
  cornerOf(repositoryTop(realPathOr(root)), userStateFolder());

/** Asks no git: also where that is not to be had, everybody gets the same answer. */
function repositoryTop(root: string): string {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return root;
  }
}

/** The XDG rule: a relative path is ignored. */
const absolute = (folder: string | undefined): string | undefined =>
  folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
