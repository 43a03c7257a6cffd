// Where sandboxes live, who owns each of them, and how those of dead processes are removed.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../base/humanError.ts';
import { hashText } from '../base/hash.ts';
import { isInside } from '../base/paths.ts';
import { isOwnerRunning, processOwnerSchema, thisProcess } from './processOwner.ts';
import { hasCode } from './readText.ts';
import type { UserEnvironment } from './userFolders.ts';

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

const fallbackName = 'testmend-sandboxes';

/** True when tools (globs, watchers, test runners) skip files under this path: dot folders, tmp, dist, node_modules and their like. */
export function hasIgnoredSegment(folder: string): boolean {
  return folder
    .split(path.sep)
    .some((segment) => /^(?:\..+|tmp|temp|dist|build|coverage|node_modules)$/i.test(segment));
}

/** One sandbox's own folder, marked as owned by this process. */
export interface ClaimedFolder {
  readonly folder: string;
  /** Removes the folder, and its parent when it is a default one and now empty. */
  release(): Promise<void>;
  /** The same while the process exits. */
  releaseNow(): void;
}

/** Makes a folder for one sandbox of `root`, after removing what dead processes left. Throws a `read-only` HumanError. */
export async function claimSandboxFolder(parent: string, root: string): Promise<ClaimedFolder> {
  if (isInside(root, parent)) {
    throw new HumanError('broken-project', `The sandbox folder ${parent} lies inside the workspace.`, {
      file: parent,
      remedy: 'Set TESTMEND_SANDBOX_DIR to a folder outside of it.',
    });
  }
  await removeStaleSandboxes(parent);
  const owner: Owner = { kind: 'testmend sandbox', root, ...(await thisProcess()) };
  const folder = await makeFolder(parent, root);
  await writeFile(path.join(folder, ownerFile), JSON.stringify(owner));
  return {
    folder,
    release: async () => {
      await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
      if (isDefault(parent)) await rmdir(parent).catch(() => undefined);
    },
    releaseNow: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const isDefault = (parent: string): boolean =>
  path.basename(parent) === fallbackName || path.basename(parent) === 'testmend';

const ownerFile = 'owner.json';
const ownerSchema = processOwnerSchema.extend({ kind: z.literal('testmend sandbox'), root: z.string() });
type Owner = z.infer<typeof ownerSchema>;

/** A folder without an owner is one being made, or half removed; it is left alone for this long. */
const ownerlessGraceMs = 10 * 60_000;
const folderName = /^[0-9a-f]{8}-[A-Za-z0-9]{6}$/;

/** Removes sandboxes whose owner is no longer running; returns how many. Touches nothing that is not a sandbox. */
export async function removeStaleSandboxes(parent: string): Promise<number> {
  const names = await readdir(parent).catch(() => []);
  const stale = await Promise.all(
    names
      .filter((name) => folderName.test(name))
      .map(async (name) => {
        const folder = path.join(parent, name);
        return (await isStale(folder)) ? folder : undefined;
      }),
  );
  let removed = 0;
  for (const folder of stale) {
    if (folder === undefined) continue;
    await rm(folder, { recursive: true, force: true }).then(
      () => removed++,
      () => undefined,
    );
  }
  return removed;
}

async function isStale(folder: string): Promise<boolean> {
  const owner = await readOwner(folder);
  if (owner === undefined) {
    const age = await stat(folder).then(
      (stats) => Date.now() - stats.mtimeMs,
      () => 0,
    );
    return age > ownerlessGraceMs;
  }
  return !(await isOwnerRunning(owner));
}

async function readOwner(folder: string): Promise<Owner | undefined> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(path.join(folder, ownerFile), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Another process may remove the empty parent just now, hence the second try. */
async function makeFolder(parent: string, root: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(parent, { recursive: true });
      return await realpath(await mkdtemp(path.join(parent, `${hashText(root).slice(0, 8)}-`)));
    } catch (error) {
      if (attempt < 3 && hasCode(error, 'ENOENT')) continue;
      throw new HumanError(
        'read-only',
        `The folder for sandboxes, ${parent}, cannot be written.`,
        { file: parent, remedy: 'Set TESTMEND_SANDBOX_DIR to a folder that can.' },
        { cause: error },
      );
    }
  }
}
