// The installed packages of a replay: linked from the user's workspace, or installed once for each distinct lockfile and kept aside.
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import { runProcess } from '../process/runProcess.ts';
import { stripAnsi } from '../failures/stripAnsi.ts';
import { hasCode } from '../workspace/readText.ts';
import { findNodeModules, linkNodeModules } from '../workspace/sandboxLinks.ts';
import type { Scratch } from './scratch.ts';

/** Puts the packages for what is laid out in the scratch into it. */
export interface Environments {
  /** Why they cannot be had; undefined when they are there. `installed`: a program just ran in the scratch and may have changed files. */
  prepare(signal: AbortSignal): Promise<{ readonly problem?: string; readonly installed: boolean }>;
  /** Keeps what is to be kept. */
  dispose(): Promise<void>;
}

/** Links the node_modules of the user's workspace, whatever the commit asks for. */
export function linkedEnvironments(scratch: Scratch): Environments {
  const linked = new Set<string>();
  return {
    async prepare(signal) {
      const folders = foldersOf(await scratch.trackedFiles(signal)).map((folder) =>
        path.join(scratch.original, folder),
      );
      const trees = { original: scratch.original, copy: scratch.top };
      for (const found of await findNodeModules(folders, trees)) {
        if (linked.has(found.from)) continue;
        linked.add(found.from);
        await linkNodeModules(found, trees, path.relative(scratch.original, found.from).startsWith('..'));
      }
      return { installed: false };
    },
    dispose: () => Promise.resolve(),
  };
}

export interface InstallOptions {
  readonly scratch: Scratch;
  /** Words of the command; never meets a shell. */
  readonly command: readonly string[];
  readonly timeoutMs: number;
  /** Where installed packages are kept; default beside the scratch, and gone with it. */
  readonly folder?: string;
  readonly onInstall?: (text: string) => void;
}

/** Runs the command once for each distinct content of the lockfiles (of the package.json files where there is no lockfile). */
export function installedEnvironments(options: InstallOptions): Environments {
  return new InstalledEnvironments(options);
}

class InstalledEnvironments implements Environments {
  readonly #options: InstallOptions;
  readonly #store: string;
  readonly #problems = new Map<string, string>();
  /** What lies in the scratch now: its key and its node_modules folders, relative to the top. */
  #current: { readonly key: string; readonly folders: readonly string[] } | undefined;

  constructor(options: InstallOptions) {
    this.#options = options;
    this.#store = options.folder ?? path.join(options.scratch.home, 'environments');
  }

  async prepare(signal: AbortSignal): Promise<{ readonly problem?: string; readonly installed: boolean }> {
    const { scratch } = this.#options;
    const tracked = await scratch.trackedFiles(signal);
    const key = await this.#keyOf(tracked);
    const known = this.#problems.get(key);
    if (known !== undefined) return { problem: known, installed: false };
    if (this.#current?.key === key) return { installed: false };
    await this.#putAside();
    if (await this.#takeOut(key)) return { installed: false };
    const problem = await this.#install(tracked, signal);
    const folders = await installedFolders(scratch.top, tracked);
    if (problem === undefined) {
      this.#current = { key, folders };
      return { installed: true };
    }
    for (const folder of folders) await rm(path.join(scratch.top, folder), { recursive: true, force: true });
    if (!signal.aborted) this.#problems.set(key, problem);
    return { problem, installed: true };
  }

  async dispose(): Promise<void> {
    if (this.#options.folder !== undefined) await this.#putAside();
  }

  async #keyOf(tracked: readonly string[]): Promise<string> {
    const { scratch, command } = this.#options;
    const read = (file: string): Promise<string> =>
      readFile(path.join(scratch.top, file), 'utf8').catch(() => '');
    const named = (names: ReadonlySet<string>): string[] =>
      tracked.filter((file) => names.has(path.posix.basename(file)));
    const parts: string[] = [...command];
    for (const file of named(lockfiles)) parts.push(file, await read(file));
    if (parts.length === command.length)
      for (const file of named(manifests)) parts.push(file, dependenciesIn(await read(file)));
    return hashText(JSON.stringify(parts)).slice(0, 16);
  }

  async #install(tracked: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const { scratch, command, timeoutMs } = this.#options;
    const [program = '', ...args] = command;
    this.#options.onInstall?.(`installing packages: ${command.join(' ')}`);
    const own = path.relative(scratch.top, scratch.root);
    const hasOwn = tracked.some(
      (file) => lockfiles.has(path.posix.basename(file)) && path.posix.dirname(file) === (own || '.'),
    );
    let said = '';
    const result = await runProcess({
      command: program,
      args,
      cwd: hasOwn || !tracked.some((file) => lockfiles.has(file)) ? scratch.root : scratch.top,
      timeoutMs,
      signal,
      onOutput: (_stream, text) => (said = (said + text).slice(-4000)),
    });
    if (result.ended === 'exited' && result.exitCode === 0) return undefined;
    const line =
      lastWords(said) ??
      result.error ??
      `it ended with ${result.exitCode ?? result.signalCode ?? result.ended}`;
    const how = result.ended === 'timeout' ? `it did not end in ${timeoutMs / 1000} s` : line;
    return `Installing packages failed (${command.join(' ')}): ${how}`;
  }

  async #putAside(): Promise<void> {
    if (this.#current === undefined) return;
    const { key, folders } = this.#current;
    this.#current = undefined;
    const place = path.join(this.#store, key);
    await rm(place, { recursive: true, force: true });
    for (const folder of folders)
      await move(path.join(this.#options.scratch.top, folder), path.join(place, folder));
  }

  async #takeOut(key: string): Promise<boolean> {
    const place = path.join(this.#store, key);
    if (!(await isFolder(place))) return false;
    const { scratch } = this.#options;
    const folders = await installedFolders(place, await scratch.trackedFiles(new AbortController().signal));
    for (const folder of folders) await move(path.join(place, folder), path.join(scratch.top, folder));
    await rm(place, { recursive: true, force: true });
    this.#current = { key, folders };
    return true;
  }
}

const lockfiles: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
]);
const manifests: ReadonlySet<string> = new Set(['package.json']);

const manifestSchema = z.object({
  dependencies: z.unknown(),
  devDependencies: z.unknown(),
  optionalDependencies: z.unknown(),
  peerDependencies: z.unknown(),
  overrides: z.unknown(),
  workspaces: z.unknown(),
});

/** What of a package.json decides on what is installed; the whole text when it cannot be read. */
function dependenciesIn(text: string): string {
  try {
    return JSON.stringify(manifestSchema.partial().parse(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** The line that names the error, for people. */
function lastWords(output: string): string | undefined {
  const lines = stripAnsi(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/complete log|npm-debug|_logs/.test(line));
  return (lines.find((line) => /^(?:npm (?:err!|error)|error|ERR)/i.test(line)) ?? lines.at(-1))?.slice(
    0,
    300,
  );
}

/** Every folder that holds a tracked file, and the top itself. */
function foldersOf(tracked: readonly string[]): readonly string[] {
  const folders = new Set(['.']);
  for (const file of tracked)
    for (let folder = path.posix.dirname(file); !folders.has(folder); folder = path.posix.dirname(folder))
      folders.add(folder);
  return [...folders];
}

async function installedFolders(top: string, tracked: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of foldersOf(tracked)) {
    const place = path.join(folder, 'node_modules');
    if (await isFolder(path.join(top, place))) found.push(place);
  }
  return found;
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await rm(to, { recursive: true, force: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true, force: true });
  }
}

const isFolder = (place: string): Promise<boolean> =>
  stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
