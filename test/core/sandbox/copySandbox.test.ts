// Holds that a sandbox is a faithful copy in which tests run as in the original, and that the original is never written to.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { fileEdit } from '../../../src/core/model/edit.ts';
import {
  openCopySandbox,
  type CopySandbox,
  type CopySandboxOptions,
} from '../../../src/core/sandbox/copySandbox.ts';
import { removeStaleSandboxes } from '../../../src/core/sandbox/sandboxFolder.ts';
import { sandboxFolder } from '../../../src/core/sandbox/sandboxPlace.ts';
import {
  temporaryWorkspace,
  type TemporaryWorkspace,
  type TemporaryWorkspaceOptions,
} from '../../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../../support/treeSnapshot.ts';

const vitest = path.resolve(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');

const reportSchema = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) }),
  ),
});

/** Outcomes by title, as vitest itself reports them. */
async function runVitest(root: string): Promise<Readonly<Record<string, string>>> {
  const report = path.join(root, '..', 'report.json');
  await promisify(execFile)(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${report}`], {
    cwd: root,
  }).catch(() => undefined);
  const { testResults } = reportSchema.parse(JSON.parse(await readFile(report, 'utf8')));
  return Object.fromEntries(
    testResults.flatMap((file) => file.assertionResults.map(({ title, status }) => [title, status])),
  );
}

async function edit(sandbox: CopySandbox, file: string, old: string, now: string): Promise<void> {
  const text = (await sandbox.readText(file)) ?? '';
  const start = text.indexOf(old);
  assert.ok(start >= 0, `${old} is in ${file}`);
  await sandbox.applyEdits([fileEdit(file, text, [{ start, end: start + old.length, newText: now }])]);
}

describe('a sandbox', () => {
  let workspace: TemporaryWorkspace;
  let folder: string;
  const opened: CopySandbox[] = [];
  const make = async (
    files: Readonly<Record<string, string>>,
    options: TemporaryWorkspaceOptions = {},
  ): Promise<void> => {
    workspace = await temporaryWorkspace(files, options);
    folder = path.join(workspace.root, '../sandboxes');
  };
  const open = async (options: Partial<CopySandboxOptions> = {}): Promise<CopySandbox> => {
    const sandbox = await openCopySandbox({ root: workspace.root, folder, ...options });
    opened.push(sandbox);
    return sandbox;
  };
  const inOriginal = (...parts: string[]): string => path.join(workspace.root, ...parts);
  const link = async (target: string, file: string): Promise<void> => {
    await mkdir(path.dirname(inOriginal(file)), { recursive: true });
    await symlink(target, inOriginal(file));
  };
  afterEach(async () => {
    for (const sandbox of opened.splice(0)) await sandbox.dispose();
    await workspace.dispose();
  });

  it('runs npm workspaces, path aliases and scopes as the original does, sees an edited package, and writes nothing back', async () => {
    await make(
      {
        'package.json': '{"private":true,"workspaces":["packages/*"]}',
        'tsconfig.json': '{"compilerOptions":{"paths":{"@app/*":["./src/*"]}}}',
        'vitest.config.ts': `import { readFileSync } from 'node:fs';
const { paths } = JSON.parse(readFileSync(new URL('./tsconfig.json', import.meta.url), 'utf8')).compilerOptions;
export default { resolve: { alias: { '@app': new URL(paths['@app/*'][0].replace('/*', ''), import.meta.url).pathname } } };
`,
        'src/greet.ts': `import { name } from '@shop/names';\nexport const greet = () => 'Hi ' + name;\n`,
        'src/greet.test.ts': `import { expect, it } from 'vitest';
import { greet } from '@app/greet';
it('greets', () => expect(greet()).toBe('Hi Ada'));
`,
        'packages/names/package.json':
          '{"name":"@shop/names","type":"module","exports":"./index.ts","version":"1.0.0"}',
        'packages/names/index.ts': `export const name = 'Ada';\n`,
        'packages/user/package.json': '{"name":"user","type":"module"}',
        'packages/user/user.test.ts': `import { expect, it } from 'vitest';
import { name } from '@shop/names';
it('knows its name', () => expect(name).toBe('Ada'));
`,
        '.gitignore': 'node_modules\n',
      },
      { git: true, vitest: true },
    );
    await link('../../packages/names', 'node_modules/@shop/names');
    await link('../packages/user', 'node_modules/user');
    await mkdir(inOriginal('node_modules/.bin'));
    await link('../vitest/vitest.mjs', 'node_modules/.bin/vitest');
    const before = await treeSnapshot(workspace.root);
    const sandbox = await open();
    assert.deepEqual(await runVitest(sandbox.root), { greets: 'passed', 'knows its name': 'passed' });
    await edit(sandbox, 'packages/names/index.ts', 'Ada', 'Bob');
    assert.deepEqual(await runVitest(sandbox.root), { greets: 'failed', 'knows its name': 'failed' });
    assert.deepEqual(await treeSnapshot(workspace.root), before);
  });

  it('runs a pnpm layout as the original does, and re-points its workspace packages', async () => {
    await make(
      {
        'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
        'package.json': '{"private":true}',
        'node_modules/.modules.yaml': 'layoutVersion: 5\n',
        'node_modules/.pnpm/left@1.0.0/node_modules/left/package.json': '{"name":"left","main":"index.cjs"}',
        'node_modules/.pnpm/left@1.0.0/node_modules/left/index.cjs': `module.exports = 'left and ' + require('right');`,
        'node_modules/.pnpm/right@1.0.0/node_modules/right/package.json':
          '{"name":"right","main":"index.cjs"}',
        'node_modules/.pnpm/right@1.0.0/node_modules/right/index.cjs': `module.exports = 'right';`,
        'packages/a/package.json': '{"name":"a","type":"module"}',
        'packages/a/a.test.ts': `import { expect, it } from 'vitest';
import left from 'left';
import { b } from 'b';
it('has its dependencies', () => expect(left).toBe('left and right'));
it('has its neighbour', () => expect(b).toBe(1));
`,
        'packages/b/package.json': '{"name":"b","type":"module","exports":"./b.ts"}',
        'packages/b/b.ts': 'export const b = 1;\n',
        '.gitignore': 'node_modules\n',
      },
      { git: true, vitest: true },
    );
    await link('../../right@1.0.0/node_modules/right', 'node_modules/.pnpm/left@1.0.0/node_modules/right');
    await link('../../../node_modules/.pnpm/left@1.0.0/node_modules/left', 'packages/a/node_modules/left');
    await link('../../b', 'packages/a/node_modules/b');
    const before = await treeSnapshot(workspace.root);
    const sandbox = await open();
    const all = { 'has its dependencies': 'passed', 'has its neighbour': 'passed' };
    assert.deepEqual(await runVitest(workspace.root), all);
    await rm(inOriginal('node_modules/.vite'), { recursive: true, force: true });
    assert.deepEqual(await runVitest(sandbox.root), all);
    assert.equal(
      await readlink(path.join(sandbox.root, 'packages/a/node_modules/b')),
      path.join(sandbox.root, 'packages/b'),
    );
    await edit(sandbox, 'packages/b/b.ts', '1', '2');
    assert.equal((await runVitest(sandbox.root))['has its neighbour'], 'failed');
    const contents = (tree: Readonly<Record<string, string>>): unknown =>
      Object.entries(tree).filter(([file]) => file !== 'node_modules');
    assert.deepEqual(contents(await treeSnapshot(workspace.root)), contents(before));
  });

  it('has a git repository of its own at the same commit and branch, and shows the same changes', async () => {
    await make({ 'a.ts': '1\n', 'b.ts': '1\n' }, { git: true });
    await workspace.write('a.ts', '2\n');
    await workspace.write('new.ts', '');
    const before = await treeSnapshot(workspace.root);
    const sandbox = await open();
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: sandbox.root, encoding: 'utf8' }).trim();
    assert.equal(git('rev-parse', 'HEAD'), workspace.git('rev-parse', 'HEAD').trim());
    assert.equal(git('branch', '--show-current'), 'main');
    assert.equal(git('status', '--short'), 'M a.ts\n?? new.ts');
    assert.equal(git('rev-parse', '--show-toplevel'), sandbox.root);
    git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qam', 'only here');
    // Git gives an object that it meets again in the original's database a new time; nothing else may differ.
    const contents = (tree: Readonly<Record<string, string>>): unknown =>
      Object.entries(tree).map(([file, state]) => [file, state.replace(/ [\d.]+ /, ' ')]);
    assert.deepEqual(contents(await treeSnapshot(workspace.root)), contents(before));
  });

  it('takes over what changed since, leaves the rest, and goes back to it on reset', async () => {
    await make({ 'a.ts': '1\n', 'b.ts': '1\n', 'gone.ts': '', 'dir/c.ts': '1\n' }, { git: true });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const sandbox = await open();
    assert.deepEqual(await sandbox.sync(), { changed: 0 });
    await workspace.write('a.ts', '22\n');
    await workspace.write('dir/new.ts', 'x\n');
    await rm(inOriginal('gone.ts'));
    assert.deepEqual(await sandbox.sync(), { changed: 3 });
    assert.equal(await sandbox.readText('a.ts'), '22\n');
    assert.equal(await sandbox.readText('gone.ts'), undefined);
    await edit(sandbox, 'b.ts', '1', '9');
    await writeFile(path.join(sandbox.root, 'dir/c.ts'), 'a test wrote this\n');
    await writeFile(path.join(sandbox.root, 'left-behind.txt'), '');
    assert.deepEqual(await sandbox.restoreStrays(), ['dir/c.ts']);
    assert.equal(await sandbox.readText('b.ts'), '9\n', 'an edit is no stray');
    await sandbox.reset();
    assert.equal(await sandbox.readText('b.ts'), '1\n');
    assert.equal(await sandbox.readText('left-behind.txt'), undefined);
  });

  it('finds what was written with the size and the time of before, and a link that leads elsewhere now', async () => {
    await make({ 'a.ts': 'one\n', 'b.ts': 'one\n' }, { git: true });
    await link('a.ts', 'link.ts');
    await new Promise((resolve) => setTimeout(resolve, 60));
    const sandbox = await open();
    const copy = path.join(sandbox.root, 'a.ts');
    const { atimeMs, mtimeMs, size } = await stat(copy);
    await writeFile(copy, 'two\n');
    await utimes(copy, atimeMs / 1000, mtimeMs / 1000);
    assert.equal((await stat(copy)).size, size);
    await rm(path.join(sandbox.root, 'link.ts'));
    await symlink('b.ts', path.join(sandbox.root, 'link.ts'));
    assert.deepEqual(await sandbox.restoreStrays(), ['a.ts', 'link.ts']);
    assert.equal(await sandbox.readText('a.ts'), 'one\n');
    assert.equal(await readlink(path.join(sandbox.root, 'link.ts')), 'a.ts');
    await utimes(copy, 1, 1);
    assert.deepEqual(await sandbox.restoreStrays(), [], 'the content is what counts');
  });

  it('undoes edits to the byte, keeps encodings, and refuses stale ones and ways out', async () => {
    await make({ 'a.test.ts': '\uFEFFexpect(1)\r\n', 'b.test.ts': 'expect(1)\n' });
    await writeFile(inOriginal('latin.ts'), Buffer.from([0x27, 0xe9, 0x27]));
    await mkdir(inOriginal('../outside'));
    await link('../outside', 'out');
    const sandbox = await open();
    const text = (await sandbox.readText('a.test.ts')) ?? '';
    const good = fileEdit('a.test.ts', text, [{ start: 8, end: 9, newText: '2' }]);
    const stale = fileEdit('b.test.ts', 'other', [{ start: 0, end: 1, newText: '' }]);
    await assert.rejects(sandbox.applyEdits([good, stale]), { code: 'stale' });
    assert.equal(await sandbox.readText('a.test.ts'), text);
    const undo = await sandbox.applyEdits([good]);
    assert.equal(await sandbox.readText('a.test.ts'), '\uFEFFexpect(2)\r\n');
    await undo.undo();
    assert.deepEqual(
      await readFile(path.join(sandbox.root, 'a.test.ts')),
      await readFile(inOriginal('a.test.ts')),
    );
    await assert.rejects(sandbox.readText('latin.ts'), { code: 'bad-input' });
    for (const file of ['../../x', 'out/x.ts'])
      await assert.rejects(sandbox.write(new Map([[file, 'x']])), { code: 'bad-input' });
  });

  it('survives links that loop, dangle, or point into the root by an absolute path, and packages above the root', async () => {
    await make({ 'src/a.ts': '1\n' });
    await link('.', 'src/loop');
    await link('nowhere', 'src/dangling');
    await link(inOriginal('src'), 'absolute');
    await link('self', 'self');
    await mkdir(inOriginal('../node_modules/above'), { recursive: true });
    const sandbox = await open();
    assert.equal(
      await readlink(path.join(sandbox.root, '../node_modules/above')),
      inOriginal('../node_modules/above'),
      'packages above a root without git are found from the copy too',
    );
    assert.equal(await readlink(path.join(sandbox.root, 'src/loop')), '.');
    assert.equal(await readlink(path.join(sandbox.root, 'absolute')), path.join(sandbox.root, 'src'));
    assert.equal(await readlink(path.join(sandbox.root, 'src/dangling')), 'nowhere');
    await sandbox.write(new Map([['absolute/a.ts', '2\n']]));
    assert.equal(await workspace.read('src/a.ts'), '1\n');
  });

  it('takes away a link that a run made, and not what it leads to', async () => {
    await make({ 'src/a.ts': '1\n' });
    const sandbox = await open();
    const theirs = inOriginal('../theirs.txt');
    await writeFile(theirs, 'theirs\n');
    const { added } = await sandbox.writtenBy(async () => {
      await symlink(theirs, path.join(sandbox.root, 'out'));
      await symlink('src/a.ts', path.join(sandbox.root, 'in'));
    });
    assert.deepEqual([...added].sort(), ['in', 'out']);
    assert.deepEqual(await readdir(sandbox.root), ['src']);
    assert.deepEqual(
      [await readFile(theirs, 'utf8'), await sandbox.readText('src/a.ts')],
      ['theirs\n', '1\n'],
    );
  });

  it('can be written although the workspace is read-only, and works inside an ignored folder', async () => {
    await make({ '.gitignore': 'build/\n', 'build/app/a.test.ts': '1\n', 'a.ts': '' }, { git: true });
    const root = inOriginal('build/app');
    await chmod(path.join(root, 'a.test.ts'), 0o444);
    await chmod(root, 0o555);
    try {
      const sandbox = await open({ root });
      assert.equal(path.basename(sandbox.root), 'app');
      assert.equal((await stat(path.join(sandbox.root, 'a.test.ts'))).mode & 0o777, 0o644);
      await sandbox.write(new Map([['a.test.ts', '2\n']]));
      assert.equal((await lstat(path.join(root, 'a.test.ts'))).mode & 0o777, 0o444);
    } finally {
      await chmod(root, 0o755);
    }
  });

  it('copies the whole repository of a root below its top, and ignored files only when asked', async () => {
    await make(
      { 'shared/s.ts': '1\n', 'apps/web/a.ts': '1\n', '.gitignore': 'gen/\n', 'apps/web/gen/made.ts': '1\n' },
      { git: true },
    );
    const sandbox = await open({ root: inOriginal('apps/web') });
    assert.equal(await sandbox.readText('../../shared/s.ts'), '1\n');
    assert.equal(sandbox.toSandbox(inOriginal('shared/s.ts')), path.join(sandbox.root, '../../shared/s.ts'));
    assert.equal(sandbox.toOriginal(path.join(sandbox.root, 'a.ts')), inOriginal('apps/web/a.ts'));
    assert.equal(await sandbox.readText('gen/made.ts'), undefined);
    await sandbox.copyIgnored();
    assert.equal(await sandbox.readText('gen/made.ts'), '1\n');
    assert.deepEqual([sandbox.isIgnored('gen/made.ts'), sandbox.isIgnored('a.ts')], [true, false]);
  });

  it('is removed when its process was killed, and only then', async () => {
    await make({ 'a.ts': '1\n' });
    const mine = await open();
    const script = path.join(folder, '../open.mts');
    const source = path.resolve(import.meta.dirname, '../../../src/core/sandbox/copySandbox.ts');
    await writeFile(
      script,
      `const { openCopySandbox } = await import(${JSON.stringify(`file://${source}`)});
await openCopySandbox({ root: ${JSON.stringify(workspace.root)}, folder: ${JSON.stringify(folder)} });
process.kill(process.pid, process.argv[2]);
process.exit(0);
`,
    );
    const start = (signal: string): Promise<unknown> =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', script, signal], {
        cwd: path.resolve(import.meta.dirname, '../../..'),
      }).catch(() => undefined);
    await start('0');
    assert.equal((await readdir(folder)).length, 1, 'a process that exits takes its sandbox along');
    await start('SIGKILL');
    assert.equal((await readdir(folder)).length, 2);
    await open();
    assert.equal(
      (await readdir(folder)).length,
      2,
      'the killed one is gone, the two of this process are there',
    );
    assert.equal(await mine.readText('a.ts'), '1\n');
  });

  it('takes no folder for a sandbox by its name alone', async () => {
    await make({ 'a.ts': '1\n' });
    const [theirs, empty] = ['0123abcd-abcdef', '0123abcd-ABCDEF'].map((name) => path.join(folder, name));
    assert.ok(theirs && empty);
    for (const one of [theirs, empty]) await mkdir(one, { recursive: true });
    await writeFile(path.join(theirs, 'photos'), 'theirs');
    const longAgo = Date.now() / 1000 - 3600;
    for (const one of [theirs, empty]) await utimes(one, longAgo, longAgo);
    await removeStaleSandboxes(folder);
    assert.deepEqual((await readdir(folder)).sort(), ['0123abcd-abcdef']);
    assert.equal(await readFile(path.join(theirs, 'photos'), 'utf8'), 'theirs');
  });

  it('says what to do when its folder cannot be written or lies inside the workspace', async () => {
    await make({ 'a.ts': '1\n' });
    await assert.rejects(open({ folder: inOriginal('a.ts', 'x') }), { code: 'broken-project' });
    await assert.rejects(open({ folder: path.join(os.devNull, 'x') }), {
      code: 'read-only',
      details: { remedy: 'Set TESTMEND_SANDBOX_DIR to a folder that can.', file: path.join(os.devNull, 'x') },
    });
  });

  it('has no segment in its path that tools ignore', async () => {
    await make({});
    const linux = (env: Record<string, string>): string =>
      sandboxFolder({ platform: 'linux', home: '/home/ada', env });
    assert.equal(linux({}), '/home/ada/testmend-sandboxes');
    assert.equal(linux({ XDG_CACHE_HOME: '/home/ada/.cache' }), '/home/ada/testmend-sandboxes');
    assert.equal(linux({ XDG_CACHE_HOME: '/var/caches/ada' }), '/var/caches/ada/testmend');
    assert.equal(linux({ TESTMEND_SANDBOX_DIR: '/scratch' }), '/scratch');
  });
});
