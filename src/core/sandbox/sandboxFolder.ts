// Where sandboxes live, who owns each of them, and how those of dead processes are removed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../base/humanError.ts';
import { hashText } from '../base/hash.ts';
import { isInside } from '../base/paths.ts';
import { endOrphans, isOwnerRunning, thisProcess } from './processOwner.ts';
import { processOwnerSchema } from './processOwnerSchema.ts';
import { hasCode } from '../workspace/readText.ts';
import { fallbackName, folderName } from './sandboxPlace.ts';

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
      await removeFolder(folder);
      if (isDefault(parent)) await rmdir(parent).catch(() => undefined);
    },
    releaseNow: () => {
      if (!existsSync(folder)) return;
      for (const name of readdirSync(folder)) if (name !== ownerFile) removeNow(path.join(folder, name));
      removeNow(folder);
    },
  };
}

/** Its owner's name goes last: whoever is killed meanwhile leaves a folder that the next start knows for what it is. */
async function removeFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (name !== ownerFile) await remove(path.join(folder, name));
  await remove(folder);
}

const forcibly = { recursive: true, force: true } as const;

async function remove(place: string): Promise<void> {
  await rm(place, { ...forcibly, maxRetries: 3, retryDelay: 50 }).catch(() => removeStubborn(place));
}

function removeNow(place: string): void {
  try {
    rmSync(place, forcibly);
  } catch {
    removeStubborn(place);
  }
}

/** Whatever ran in it may have made folders that nobody may enter, or whose paths are longer than the system takes. */
function removeStubborn(place: string): void {
  if (process.platform === 'win32') return;
  for (const [command, ...args] of [
    ['chmod', '-R', 'u+rwX', place],
    ['rm', '-rf', place],
  ] as const)
    spawnSync(command, args, { stdio: 'ignore', timeout: 60_000 });
}

const isDefault = (parent: string): boolean =>
  path.basename(parent) === fallbackName || path.basename(parent) === 'testmend';

const ownerFile = 'owner.json';
const ownerSchema = processOwnerSchema.extend({ kind: z.literal('testmend sandbox'), root: z.string() });
type Owner = z.infer<typeof ownerSchema>;

/** A folder without an owner is one being made, or all but removed: it is left alone for this long, and goes only when it is empty. */
const ownerlessGraceMs = 10 * 60_000;

/** Removes sandboxes whose owner is no longer running, and ends what it left running; returns how many. Touches nothing that is not a sandbox. */
export async function removeStaleSandboxes(parent: string): Promise<number> {
  const names = await readdir(parent).catch(() => []);
  const folders = names.filter((name) => folderName.test(name)).map((name) => path.join(parent, name));
  const removals = await Promise.all(folders.map(removalOf));
  let removed = 0;
  for (const removal of removals) {
    await removal?.().then(
      () => removed++,
      () => undefined,
    );
  }
  return removed;
}

/** How a stale folder is removed; undefined for one that is not, or not known to be ours. */
async function removalOf(folder: string): Promise<(() => Promise<void>) | undefined> {
  const owner = await readOwner(folder);
  if (owner === undefined) {
    const age = await stat(folder).then(
      (stats) => Date.now() - stats.mtimeMs,
      () => 0,
    );
    return age > ownerlessGraceMs ? () => rmdir(folder) : undefined;
  }
  if (await isOwnerRunning(owner)) return undefined;
  await endOrphans(owner);
  return () => removeFolder(folder);
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
