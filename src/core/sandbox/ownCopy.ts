// A copy of a sandbox for a program that nobody trusts: real files only, thrown away after it; what it wrote is told by content.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import { isInside } from '../base/paths.ts';
import { copyModules } from './copyModules.ts';
import type { Repository } from '../workspace/git.ts';
import { decodeText } from '../workspace/readText.ts';
import type { OwnCopy, Written } from './sandbox.ts';
import { copyEntry, forEachLimited, neverCopied, stampOf, type TreePair } from './sandboxFiles.ts';
import { claimSandboxFolder } from './sandboxFolder.ts';
import { makePrivateGit } from './sandboxGit.ts';
import { findNodeModules, foldersAround, linkNodeModules } from './sandboxLinks.ts';

interface OwnCopyRequest {
  /** Parent folder of all sandboxes. */
  readonly parent: string;
  /** The repository, and the sandbox that is copied. */
  readonly trees: TreePair;
  /** The workspace root, relative to either. */
  readonly root: string;
  /** What belongs in the copy, relative to either. */
  readonly files: readonly string[];
  readonly repository: Repository | undefined;
  /**
   * Can the program write nowhere but in this copy? Then its packages may be links to the user's. They are copied else, when they are not
   * too large.
   */
  readonly isJailed: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Lets `work` have a copy of its own, tells what it wrote there, and leaves nothing of it. */
export async function inOwnCopy(
  request: OwnCopyRequest,
  work: (copy: OwnCopy) => Promise<void>,
): Promise<Written> {
  const { parent, trees, root, files, repository, isJailed, signal } = request;
  const home = await claimSandboxFolder(parent, trees.original);
  try {
    const top = path.join(home.folder, path.basename(trees.copy));
    const own: TreePair = { original: trees.copy, copy: top };
    await mkdir(path.join(top, root), { recursive: true });
    const links = new Map<string, string>();
    await forEachLimited([...files].sort(), async (file) => {
      throwIfCancelled(signal);
      const [from, to] = [path.join(trees.copy, file), path.join(top, file)];
      const stamp = await stampOf(from);
      if (stamp === undefined || stamp === 'folder') return;
      // Through a link that leads out of the copy the program would write to a file of the user's.
      if (stamp.kind === 'link' && !(await staysInside(from, trees.copy))) return;
      await mkdir(path.dirname(to), { recursive: true });
      await copyEntry(from, to, stamp, own);
      if (stamp.kind === 'link') links.set(file, await readlink(to));
    });
    const packages = await givePackages(request, top);
    if (repository) await makePrivateGit(top, repository, signal);
    const readable = [...packages.readable, ...(repository && isJailed ? [repository.objectsFolder] : [])];
    await work({
      root: path.join(top, root),
      folder: home.folder,
      top,
      hidden: [trees.original, parent],
      readable,
      notes: packages.notes,
    });
    return await whatWasWritten(request, top, links);
  } finally {
    await home.release();
  }
}

async function staysInside(link: string, top: string): Promise<boolean> {
  const target = path.resolve(path.dirname(link), await readlink(link));
  const real = await realpath(target).catch(() => target);
  return isInside(top, target) && isInside(top, real);
}

interface Packages {
  /** Folders of the user's that have to be seen for them. */
  readonly readable: readonly string[];
  readonly notes: readonly string[];
}

async function givePackages(request: OwnCopyRequest, top: string): Promise<Packages> {
  const { trees, root, files, isJailed, signal } = request;
  const own: TreePair = { original: trees.original, copy: top };
  const found = await findNodeModules(foldersAround(files, root, trees.original), own);
  if (!isJailed) return { readable: [], notes: await copyModules(found, own, signal) };
  for (const linked of found) await linkNodeModules(linked, own, !isInside(trees.original, linked.from));
  return { readable: await placesOf(found.map(({ from }) => from)), notes: [] };
}

/** The folders, and what their entries lead to outside of them: each with the packages around it. */
async function placesOf(folders: readonly string[]): Promise<readonly string[]> {
  const places = new Set(folders);
  const isKnown = (file: string): boolean => [...places].some((place) => isInside(place, file));
  for (const folder of folders) {
    const scopes = (await readdir(folder)).filter((name) => name.startsWith('@'));
    for (const parent of [folder, ...scopes.map((scope) => path.join(folder, scope))])
      for (const entry of await readdir(parent, { withFileTypes: true }).catch(() => [])) {
        if (!entry.isSymbolicLink()) continue;
        const real = await realpath(path.join(parent, entry.name)).catch(() => undefined);
        if (real === undefined || isKnown(real)) continue;
        const parts = real.split(path.sep);
        const modules = parts.indexOf('node_modules');
        places.add(modules > 0 ? parts.slice(0, modules + 1).join(path.sep) : real);
      }
  }
  return [...places];
}

/** A changed file that is larger than this, or all of them together, is no edit of a test, bytes. */
const textLimit = 2_000_000;
const allTextLimit = 40_000_000;

/** Walks the copy by what is really there: through no link, and into nothing but regular files. */
async function whatWasWritten(
  { trees, root, files }: OwnCopyRequest,
  top: string,
  links: ReadonlyMap<string, string>,
): Promise<Written> {
  const changed = new Map<string, string>();
  const others: string[] = [];
  const known = new Set(files);
  let room = allTextLimit;
  const told = (file: string): string => path.relative(root, file).split(path.sep).join('/');
  await forEachLimited(await entriesOf(top), async (file) => {
    const link = links.get(file);
    if (link !== undefined) {
      if ((await readlink(path.join(top, file)).catch(() => undefined)) !== link) others.push(told(file));
      return;
    }
    if (!known.has(file)) return void others.push(told(file));
    const before = await readFile(path.join(trees.copy, file)).catch(() => undefined);
    const after = await bytesOf(path.join(top, file), Math.max(textLimit, before?.length ?? 0));
    if (before === undefined || after === undefined) return void others.push(told(file));
    if (after.equals(before)) return;
    const text = after.length > textLimit ? undefined : decodeText(after);
    room -= after.length;
    if (text === undefined || room < 0) others.push(told(file));
    else changed.set(told(file), text);
  });
  return { changed, others: others.sort() };
}

/** More entries than this are not looked at: no edit of a test makes so many. */
const maxEntries = 300_000;

/** All but folders, relative to the top; what is in folders of packages and caches is nobody's edit. */
async function entriesOf(top: string): Promise<readonly string[]> {
  const entries: string[] = [];
  const queue = [''];
  for (let next = queue.pop(); next !== undefined && entries.length < maxEntries; next = queue.pop()) {
    const found = await readdir(path.join(top, next), { withFileTypes: true }).catch(() => []);
    for (const entry of found) {
      const file = path.join(next, entry.name);
      if (!entry.isDirectory()) entries.push(file);
      else if (!neverCopied.test(entry.name)) queue.push(file);
    }
  }
  return entries;
}

/** Of a regular file with one name; undefined for a pipe, a device, a link, or one that is larger than the limit. */
async function bytesOf(file: string, limit: number): Promise<Buffer | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  // It may have become something else meanwhile: where there is no jail, somebody may still be at work.
  const { O_NOFOLLOW, O_NONBLOCK } = constants;
  const opened = await open(file, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (opened === undefined) return undefined;
  try {
    const now = await opened.stat();
    if (!now.isFile() || now.nlink > 1 || now.size > limit) return undefined;
    const bytes = Buffer.alloc(now.size + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      ({ bytesRead: read } = await opened.read(bytes, length, bytes.length - length));
    return length > now.size ? undefined : bytes.subarray(0, length);
  } catch {
    return undefined;
  } finally {
    await opened.close();
  }
}
