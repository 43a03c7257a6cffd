// Where sandboxes live, and how their folders are named: apart from what makes and removes them, which hardly any start needs.
import os from 'node:os';
import path from 'node:path';
import type { UserEnvironment } from '../base/userFolders.ts';

/**
 * The parent folder of all sandboxes: TESTMEND_SANDBOX_DIR, else the system's cache folder when no tool would ignore files in
 * it, else a folder in the home (Linux keeps caches in `.cache`, which globs and watchers skip). Not created here.
 */
export function sandboxFolder(
  user: Pick<UserEnvironment, 'platform' | 'home' | 'env'> = {
    platform: process.platform,
    home: os.homedir(),
    env: process.env,
  },
): string {
  const { env, home, platform } = user;
  if (env['TESTMEND_SANDBOX_DIR']) return path.resolve(env['TESTMEND_SANDBOX_DIR']);
  const caches =
    platform === 'win32'
      ? env['LOCALAPPDATA']
      : platform === 'darwin'
        ? path.join(home, 'Library', 'Caches')
        : env['XDG_CACHE_HOME'];
  return caches !== undefined && path.isAbsolute(caches) && !hasIgnoredSegment(caches)
    ? path.join(caches, 'testmend')
    : path.join(home, fallbackName);
}

export const fallbackName = 'testmend-sandboxes';

/** True when tools (globs, watchers, test runners) skip files under this path: dot folders, tmp, dist, node_modules and their like. */
function hasIgnoredSegment(folder: string): boolean {
  return folder
    .split(path.sep)
    .some((segment) => /^(?:\..+|tmp|temp|dist|build|coverage|node_modules)$/i.test(segment));
}

/** Names of the folders of single sandboxes. */
export const folderName = /^[0-9a-f]{8}-[A-Za-z0-9]{6}$/;
