// A root as the core is told of it: where it lies, its limits, and its corner of the cache.
import os from 'node:os';
import { cornerOf, userCacheFolder } from '../base/userFolders.ts';
import type { Workspace } from '../model/settings.ts';

/** What a host says of a root; what it leaves out has the defaults of INTERFACES and CONTRACTS. */
export interface WorkspaceSettings {
  /** Absolute real path. */
  readonly root: string;
  /** All when empty. */
  readonly frameworks?: readonly string[];
  /** Of a run, s. */
  readonly timeoutSeconds?: number | undefined;
  /** Of one skill file, s. */
  readonly skillTimeoutSeconds?: number | undefined;
  /** Processes at once; as many as the machine has cores when absent or 0. */
  readonly maxParallel?: number | undefined;
  /** Empty for the first `node` on PATH. */
  readonly nodePath?: string;
  /** Empty for the Python of each project. */
  readonly pythonPath?: string;
  /** That the history keeps; usual when absent. */
  readonly historyRuns?: number | undefined;
}

/** `storageFolder`: where the host keeps what can be made again; the user's cache when absent. */
export function workspaceOf(settings: WorkspaceSettings, storageFolder?: string): Workspace {
  const { root, frameworks = [], timeoutSeconds = 300, skillTimeoutSeconds = 30 } = settings;
  const { maxParallel = 0, nodePath = '', pythonPath = '', historyRuns } = settings;
  return {
    root,
    limits: {
      timeoutMs: timeoutSeconds * 1_000,
      skillTimeoutMs: skillTimeoutSeconds * 1_000,
      maxParallel: maxParallel > 0 ? maxParallel : Math.max(1, os.availableParallelism()),
    },
    ...(nodePath === '' ? {} : { nodePath }),
    ...(pythonPath === '' ? {} : { pythonPath }),
    ...(historyRuns === undefined ? {} : { historyRuns }),
    frameworks,
    cacheFolder: cacheFolderOf(root, storageFolder),
  };
}

/** The root's corner of the storage, outside of it. */
export const cacheFolderOf = (root: string, storageFolder?: string): string =>
  cornerOf(root, storageFolder ?? userCacheFolder());
