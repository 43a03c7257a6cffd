// The installed packages of a replay, of npm and of Python: linked from the user's workspace, or installed once for each distinct lockfile and kept aside.
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import { runProcess } from '../process/runProcess.ts';
import { stripAnsi } from '../failures/stripAnsi.ts';
import { hasCode } from '../workspace/readText.ts';
import { findNodeModules, linkNodeModules } from '../sandbox/sandboxLinks.ts';
import { generatedFiles, readGenerated, writeGenerated, type GeneratedFiles } from './generatedFiles.ts';
import type { Scratch } from './scratch.ts';
import {
  activated,
  environmentsIn,
  followTree,
  hideFromGit,
  linkEnvironment,
} from './virtualEnvironments.ts';

/** Puts the packages for what is laid out in the scratch into it. */
export interface Environments {
  /** Why they cannot be had; undefined when they are there. `installed`: a program just ran in the scratch and may have changed files. */
  prepare(signal: AbortSignal): Promise<{ readonly problem?: string; readonly installed: boolean }>;
  /** Keeps what is to be kept. */
  dispose(): Promise<void>;
}

/** Links the node_modules and the virtual environments of the user's workspace, whatever the commit asks for. */
export function linkedEnvironments(scratch: Scratch): Environments {
  const linked = new Set<string>();
  return {
    async prepare(signal) {
      const tracked = foldersOf(await scratch.trackedFiles(signal));
      const folders = tracked.map((folder) => path.join(scratch.original, folder));
      const trees = { original: scratch.original, copy: scratch.top };
      for (const found of await findNodeModules(folders, trees)) {
        if (linked.has(found.from)) continue;
        linked.add(found.from);
        await linkNodeModules(found, trees, path.relative(scratch.original, found.from).startsWith('..'));
      }
      for (const folder of await environmentsIn(scratch.original, tracked)) {
        const [from, to] = [path.join(scratch.original, folder), path.join(scratch.top, folder)];
        if (linked.has(from)) continue;
        linked.add(from);
        await linkEnvironment({ from, to }, trees);
      }
      return { installed: false };
    },
    dispose: () => Promise.resolve(),
  };
}

export type InstallSteps = readonly (readonly string[])[];

interface InstallOptions {
  readonly scratch: Scratch;
  /** The words of each command, in their order; they never meet a shell. */
  readonly steps: InstallSteps;
  readonly timeoutMs: number;
  /** Where installed packages are kept; default beside the scratch, and gone with it. */
  readonly folder?: string;
  readonly onInstall?: (text: string) => void;
}

/**
 * Runs the commands once for each distinct content of the lockfiles (of the package.json files where there is no lockfile, and of what
 * projects of Python say of themselves).
 */
export function installedEnvironments(options: InstallOptions): Environments {
  return new InstalledEnvironments(options);
}

/** What lies in the scratch now: its key, its folders of packages, relative to the top, and what else the installation wrote. */
interface Installed {
  readonly key: string;
  readonly folders: readonly string[];
  readonly generated: GeneratedFiles;
}

class InstalledEnvironments implements Environments {
  readonly #options: InstallOptions;
  readonly #store: string;
  readonly #problems = new Map<string, string>();
  #current: Installed | undefined;

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
    if (this.#current?.key !== key) {
      await this.#putAside();
      await this.#takeOut(key);
    }
    if (this.#current !== undefined) {
      await writeGenerated(scratch.top, this.#current.generated);
      return { installed: false };
    }
    const problem = await this.#install(tracked, signal);
    const folders = await installedFolders(scratch.top, tracked);
    if (problem === undefined) {
      this.#current = { key, folders, generated: await generatedFiles(scratch.top, signal) };
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
    const { scratch, steps } = this.#options;
    const read = (file: string): Promise<string> =>
      readFile(path.join(scratch.top, file), 'utf8').catch(() => '');
    const named = (names: ReadonlySet<string>): string[] =>
      tracked.filter((file) => names.has(path.posix.basename(file)));
    const words = steps.flat();
    const parts: string[] = [...words];
    for (const file of named(lockfiles)) parts.push(file, await read(file));
    if (parts.length === words.length)
      for (const file of named(manifests)) parts.push(file, dependenciesIn(await read(file)));
    // Not every installer of Python reads a lockfile.
    for (const file of tracked.filter((one) => isOfPython(path.posix.basename(one))))
      parts.push(file, await read(file));
    return hashText(JSON.stringify(parts)).slice(0, 16);
  }

  async #install(tracked: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const { scratch, steps } = this.#options;
    const own = path.relative(scratch.top, scratch.root);
    const hasOwn = tracked.some(
      (file) => lockfiles.has(path.posix.basename(file)) && path.posix.dirname(file) === (own || '.'),
    );
    const isOwn = hasOwn || !tracked.some((file) => lockfiles.has(file));
    for (const step of steps) {
      const problem = await this.#runStep(step, isOwn ? scratch.root : scratch.top, signal);
      if (problem !== undefined) return problem;
    }
    for (const folder of await environmentsIn(scratch.top, foldersOf(tracked)))
      await hideFromGit(path.join(scratch.top, folder));
    return undefined;
  }

  async #runStep(words: readonly string[], cwd: string, signal: AbortSignal): Promise<string | undefined> {
    const { timeoutMs } = this.#options;
    const [program = '', ...args] = words;
    this.#options.onInstall?.(`installing packages: ${words.join(' ')}`);
    const [environment] = await environmentsIn(cwd, ['.']);
    let said = '';
    const result = await runProcess({
      command: program,
      args,
      cwd,
      timeoutMs,
      signal,
      ...(environment === undefined ? {} : { env: activated(path.join(cwd, environment), process.env) }),
      onOutput: (_stream, text) => (said = (said + text).slice(-4000)),
    });
    if (result.ended === 'exited' && result.exitCode === 0) return undefined;
    const line =
      lastWords(said) ??
      result.error ??
      `it ended with ${result.exitCode ?? result.signalCode ?? result.ended}`;
    const how = result.ended === 'timeout' ? `it did not end in ${timeoutMs / 1000} s` : line;
    return `Installing packages failed (${words.join(' ')}): ${how}`;
  }

  async #putAside(): Promise<void> {
    if (this.#current === undefined) return;
    const { key, folders, generated } = this.#current;
    this.#current = undefined;
    const place = path.join(this.#store, key);
    await rm(place, { recursive: true, force: true });
    const { top } = this.#options.scratch;
    for (const folder of folders) await move(path.join(top, folder), path.join(place, folder));
    await writeFile(path.join(place, placeFile), top);
    await writeFile(path.join(place, generatedFile), JSON.stringify(generated));
  }

  async #takeOut(key: string): Promise<void> {
    const place = path.join(this.#store, key);
    if (!(await isFolder(place))) return;
    const { scratch } = this.#options;
    const folders = await installedFolders(place, await scratch.trackedFiles(new AbortController().signal));
    const before = await readFile(path.join(place, placeFile), 'utf8').catch(() => undefined);
    for (const folder of folders) {
      const target = path.join(scratch.top, folder);
      await move(path.join(place, folder), target);
      if (before !== undefined && path.basename(folder) !== 'node_modules')
        await followTree(target, before, scratch.top);
    }
    const generated = await readGenerated(path.join(place, generatedFile));
    await rm(place, { recursive: true, force: true });
    this.#current = { key, folders, generated };
  }
}

/** Beside what is put aside: the top that it was installed in. */
const placeFile = 'installed-in';
const generatedFile = 'generated.json';

const lockfiles: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
]);
const manifests: ReadonlySet<string> = new Set(['package.json']);

const isOfPython = (name: string): boolean =>
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile(?:\.lock)?|(?:uv|poetry|pdm)\.lock|tox\.ini|requirements.*\.txt)$/.test(
    name,
  );

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
  const folders = foldersOf(tracked);
  for (const folder of folders) {
    const place = path.join(folder, 'node_modules');
    if (await isFolder(path.join(top, place))) found.push(place);
  }
  return [...found, ...(await environmentsIn(top, folders))];
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
