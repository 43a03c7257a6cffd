// `npm run check:faces -- REVISION [FOLDER…]`: compares the help, exit codes and JSON of the command line of a former commit with those of
// this one. Ends with 1 when something that a caller can rely on is gone or has another form; what only reads otherwise is listed.
import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fastGlob from 'fast-glob';
import { shopWords } from '../../src/demo/shopWords.ts';
import { changeSource, makeShop } from '../../src/demo/shopWorkspace.ts';
import { loadMutator } from '../../src/core/replay/mutants.ts';
import { differencesOf, type Answer } from './differences.ts';
import { runProgram } from './runProgram.ts';

const commandNames = ['discover', 'run', 'fix', 'verify', 'generate', 'skills', 'messages', 'replay'];
const here = path.resolve(import.meta.dirname, '../..');
const [revision, ...folders] = process.argv.slice(2);
if (revision === undefined)
  throw new Error('Name the former commit: npm run check:faces -- REVISION [FOLDER…]');

const temporary = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-faces-')));
try {
  const former = await buildFormer(revision);
  const current = path.join(here, 'dist/cli.js');
  let broken = 0;
  for (const { name, root } of await workspaces()) {
    for (const words of commandsIn(name)) {
      const [before, after] = [await answer(former, root, words), await answer(current, root, words)];
      const differences = differencesOf(before, after);
      broken += differences.filter(({ isBroken }) => isBroken).length;
      console.log(
        `${differences.length === 0 ? 'same   ' : 'differs'} ${name}: ${words.join(' ')} → ${after.code}`,
      );
      for (const { isBroken, text } of differences)
        console.log(`    ${isBroken ? 'BROKEN' : 'other '} ${text}`);
    }
  }
  console.log(`\n${broken} broken`);
  process.exitCode = broken === 0 ? 0 : 1;
} finally {
  await rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** The command line of the commit, built with the packages that are installed here. */
async function buildFormer(commit: string): Promise<string> {
  const folder = path.join(temporary, 'former');
  await mkdir(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: here, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  await symlink(await realpath(path.join(here, 'node_modules')), path.join(folder, 'node_modules'));
  execFileSync(process.execPath, ['src/build.mjs'], { cwd: folder, stdio: 'inherit' });
  return path.join(folder, 'dist/cli.js');
}

interface Workspace {
  readonly name: string;
  readonly root: string;
}

/** The demo before and after its change, small projects with a bug each, and copies of the folders that were named, as they stand. */
async function workspaces(): Promise<Workspace[]> {
  const words = shopWords(1);
  const shops = ['good shop', 'broken shop'].map((name) => ({
    name,
    root: path.join(temporary, name, 'shop'),
  }));
  for (const { name, root } of shops) {
    await makeShop(root, words);
    if (name === 'broken shop') await changeSource(root, words);
  }
  const small = folders.length > 0 ? [] : ['cache', 'intervals', 'markdown', 'pricing', 'slugs'];
  const own = await Promise.all(small.map((name) => projectWithBug(name)));
  return [...shops, ...own, ...(await Promise.all(folders.map((folder) => copyOf(path.resolve(folder)))))];
}

async function projectWithBug(name: string): Promise<Workspace> {
  const copy = await copyOf(path.join(here, 'test/fixtures/traps', name));
  const file = (await fastGlob('src/*', { cwd: copy.root, absolute: true }))[0] ?? '';
  const [mutant] = await (await loadMutator(here))(file, await readFile(file, 'utf8'));
  await writeFile(file, mutant?.text ?? '');
  return copy;
}

/** Its node_modules and virtual environment are the folder's own. A folder without git becomes a repository. */
async function copyOf(folder: string): Promise<Workspace> {
  const name = path.basename(folder);
  const root = path.join(temporary, 'projects', name);
  const installed = ['node_modules', '.venv'];
  await cp(folder, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !installed.includes(path.relative(folder, file)),
  });
  for (const part of installed) {
    const from = [folder, here].map((one) => path.join(one, part)).find((one) => existsSync(one));
    if (from !== undefined) await symlink(await realpath(from), path.join(root, part));
  }
  const isNew = !existsSync(path.join(root, '.git'));
  const git = (...words: string[]): Buffer => execFileSync('git', words, { cwd: root });
  if (isNew) git('init', '-q');
  // A link is no folder to a pattern that ends with a slash.
  await appendFile(path.join(root, '.git/info/exclude'), `\n${installed.join('\n')}\n`);
  if (isNew) {
    git('add', '-A');
    git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'start');
  }
  return { name, root };
}

/** Help and mistakes once; then what each project answers to. */
function commandsIn(name: string): string[][] {
  const once = [
    ['--help'],
    ...commandNames.map((command) => [command, '--help']),
    ['version'],
    ['nonsense'],
    ['run', '--nonsense'],
    ['run', '--json', '--layer', 'L9'],
    ['run', '--json', 'no/such.test.ts'],
    ['verify', '--json'],
    ['verify', '--json', '--patch', 'no-such.patch'],
    ['generate', '--json', 'no/such.ts'],
    ['skills', 'list', '--json'],
    ['skills', 'smoke', '--json'],
    ['messages', 'list', '--json', '--session', 'no-such'],
    ['replay', '--json', '--commits', '1'],
    ['run', '--json', '--affected'],
    ['run', '--json', '--coverage'],
    ['run', '--json', '--repeat', '2'],
  ];
  return [
    ...(name === 'good shop' ? once : []),
    ['discover'],
    ['discover', '--json'],
    ['run', '--json'],
    ['run', '--json', '--reporter', 'junit=-'],
    ['fix', '--json', '--dry-run', '--patch', 'fixes.patch'],
    ['verify', '--json', '--patch', 'fixes.patch'],
    ['fix', '--dry-run', '--events', 'ndjson'],
  ];
}

async function answer(cli: string, root: string, words: readonly string[]): Promise<Answer> {
  const kept = path.join(temporary, path.dirname(cli) === path.join(here, 'dist') ? 'current' : 'earlier');
  return runProgram([cli, ...words], root, {
    XDG_CACHE_HOME: path.join(kept, 'cache'),
    XDG_STATE_HOME: path.join(kept, 'state'),
    NO_COLOR: '1',
  });
}
