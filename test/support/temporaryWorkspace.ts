// A real workspace in a temporary folder, with the repository's own vitest linked in when asked for.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const nodeModules = path.resolve(import.meta.dirname, '../../node_modules');

export interface TemporaryWorkspace {
  /** Absolute real path. */
  readonly root: string;
  write(file: string, text: string): Promise<void>;
  read(file: string): Promise<string>;
  /** Runs git with the arguments in the root. */
  git(...args: string[]): string;
  dispose(): Promise<void>;
}

export interface TemporaryWorkspaceOptions {
  /** Make it a git repository whose only commit holds the files. */
  readonly git?: boolean;
  /** Link vitest and vite into its node_modules; `shared` runs all test files in one process, which takes a quarter of the time. */
  readonly vitest?: boolean | 'shared';
  /** Link these packages of the repository into its node_modules. */
  readonly packages?: readonly string[];
  /** Name of the root folder, for hostile paths. */
  readonly name?: string;
}

export async function temporaryWorkspace(
  files: Readonly<Record<string, string>>,
  options: TemporaryWorkspaceOptions = {},
): Promise<TemporaryWorkspace> {
  const parent = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-test-')));
  const root = path.join(parent, options.name ?? 'shop');
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  await mkdir(root, { recursive: true });
  if (options.vitest === 'shared')
    await write('vitest.config.js', 'export default { test: { isolate: false } };\n');
  for (const [file, text] of Object.entries(files)) await write(file, text);
  for (const name of [...(options.vitest ? ['vitest', 'vite'] : []), ...(options.packages ?? [])]) {
    const link = path.join(root, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(nodeModules, name), link);
  }
  if (options.git) {
    git('init', '-q', '-b', 'main');
    if (!('.gitignore' in files)) await write('.gitignore', 'node_modules\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'start');
  }
  return {
    root,
    write,
    read: (file) => readFile(path.join(root, file), 'utf8'),
    git,
    dispose: () => rm(parent, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
