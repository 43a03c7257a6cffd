// Holds what git tells about a working tree, and that asking changes nothing in the repository.
import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openRepository, type Repository } from '../../../src/core/workspace/git.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../../support/treeSnapshot.ts';

const tenLines = Array.from({ length: 10 }, (_, index) => `export const line${index} = ${index};\n`).join('');

async function repositoryOf(workspace: TemporaryWorkspace): Promise<Repository> {
  const repository = await openRepository(workspace.root);
  assert.ok(repository);
  return repository;
}

describe('a git repository', () => {
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      {
        'src/price.ts': tenLines,
        'src/gone.ts': 'export {};\n',
        'ümlaut name.ts': 'export {};\n',
        '.gitignore': 'out/\nnode_modules\n*.secret\n',
      },
      { git: true },
    );
  });
  afterEach(() => workspace.dispose());

  it('lists tracked and untracked files, but neither ignored ones nor node_modules', async () => {
    await workspace.write('.gitignore', 'out/\n');
    await workspace.write('new.ts', '');
    await workspace.write('out/made.js', '');
    await workspace.write('node_modules/x/index.js', '');
    const files = await (await repositoryOf(workspace)).listFiles();
    assert.deepEqual(files.map((file) => path.relative(workspace.root, file)).sort(), [
      '.gitignore',
      'new.ts',
      'src/gone.ts',
      'src/price.ts',
      'ümlaut name.ts',
    ]);
  });

  it('finds a rename to an untracked file, and changes nothing in .git while it looks', async () => {
    await rename(path.join(workspace.root, 'src/price.ts'), path.join(workspace.root, 'src/cost "é".ts'));
    await workspace.write('src/cost "é".ts', tenLines + '// more\n');
    await workspace.write('src/fresh.ts', 'something else entirely\n');
    await rm(path.join(workspace.root, 'src/gone.ts'));
    const before = await treeSnapshot(workspace.root);
    const repository = await repositoryOf(workspace);
    const changed = await repository.changedFiles();
    assert.deepEqual(
      changed.map(({ status, path: file, from }) => [
        status,
        path.relative(workspace.root, file),
        from && path.relative(workspace.root, from),
      ]),
      [
        ['renamed', 'src/cost "é".ts', 'src/price.ts'],
        ['added', 'src/fresh.ts', undefined],
        ['deleted', 'src/gone.ts', undefined],
      ],
    );
    assert.match(await repository.diff(), /rename to .*cost/);
    assert.equal(await repository.fileAt('HEAD', path.join(workspace.root, 'src/price.ts')), tenLines);
    assert.equal(await repository.fileAt('HEAD', path.join(workspace.root, 'src/fresh.ts')), undefined);
    assert.deepEqual(await treeSnapshot(workspace.root), before);
  });

  it('notices a change to the same size within the second of the commit, also beside an untracked file', async () => {
    await workspace.write('src/price.ts', tenLines.replace('line0', 'LINE0'));
    workspace.git('commit', '-q', '-a', '-m', 'louder');
    await workspace.write('src/price.ts', tenLines);
    await workspace.write('src/new.ts', 'export {};\n');
    const changed = await (await repositoryOf(workspace)).changedFiles();
    assert.deepEqual(changed.map(({ status }) => status).sort(), ['added', 'modified']);
  });

  it('notices changes that git was told to overlook, but not what a sparse checkout leaves out', async () => {
    workspace.git('update-index', '--assume-unchanged', 'src/price.ts', 'ümlaut name.ts');
    workspace.git('update-index', '--skip-worktree', 'src/gone.ts', 'ümlaut name.ts', '.gitignore');
    await workspace.write('src/price.ts', tenLines.replace('line0', 'LINE0'));
    await workspace.write('ümlaut name.ts', 'export const more = 1;\n');
    await rm(path.join(workspace.root, 'src/gone.ts'));
    const before = await treeSnapshot(workspace.root);
    const repository = await repositoryOf(workspace);
    const changed = await repository.changedFiles();
    assert.deepEqual(
      changed.map(({ status, path: file }) => [status, path.relative(workspace.root, file)]),
      [
        ['modified', 'src/price.ts'],
        ['modified', 'ümlaut name.ts'],
      ],
    );
    assert.match(await repository.diff(), /\+export const LINE0/);
    assert.deepEqual(await treeSnapshot(workspace.root), before);
  });

  it('tells the commit before its own with its branch, where there is one', async () => {
    const [first] = workspace.git('rev-parse', 'HEAD').split('\n');
    const young = await repositoryOf(workspace);
    assert.deepEqual([young.head, young.parent, young.branch], [first, undefined, 'main']);
    workspace.git('checkout', '-q', '-b', 'side');
    workspace.git('commit', '-q', '--allow-empty', '-m', 'aside');
    workspace.git('checkout', '-q', 'main');
    workspace.git('commit', '-q', '--allow-empty', '-m', 'on');
    const [second] = workspace.git('rev-parse', 'HEAD').split('\n');
    workspace.git('merge', '-q', '--no-edit', 'side');
    const merged = await repositoryOf(workspace);
    assert.deepEqual([merged.parent, merged.branch], [second, 'main']);
    workspace.git('checkout', '-q', '--detach');
    const detached = await repositoryOf(workspace);
    assert.deepEqual([detached.parent, detached.branch], [second, undefined]);
  });

  it('works before the first commit', async () => {
    await rm(path.join(workspace.root, '.git'), { recursive: true });
    workspace.git('init', '-q');
    const repository = await repositoryOf(workspace);
    assert.equal(repository.head, undefined);
    assert.equal((await repository.changedFiles()).length, 4);
  });

  it('is not the one that the environment of a hook points to', async () => {
    const other = await temporaryWorkspace({ 'other.ts': '' }, { git: true });
    process.env['GIT_DIR'] = path.join(other.root, '.git');
    try {
      assert.equal((await repositoryOf(workspace)).root, workspace.root);
    } finally {
      delete process.env['GIT_DIR'];
      await other.dispose();
    }
  });

  it('is none for a folder that it ignores, and for a folder outside of any', async () => {
    const inside = path.join(workspace.root, 'out', 'app');
    await mkdir(inside, { recursive: true });
    await writeFile(path.join(inside, 'a.ts'), '');
    assert.equal(await openRepository(inside), undefined);
    assert.equal(await openRepository(path.dirname(workspace.root)), undefined);
  });

  it('runs no program that its configuration or attributes name', async () => {
    const mark = path.join(path.dirname(workspace.root), 'marks');
    const program = path.join(path.dirname(workspace.root), 'program.sh');
    await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat 2>/dev/null\n`, { mode: 0o755 });
    workspace.git('config', 'user.email', 'a@example.com');
    await workspace.write('a.txt', 'one\n');
    await workspace.write('.gitattributes', '*.txt filter=a=b diff=shown\n*.bin filter=long\n');
    workspace.git('add', '-A');
    workspace.git('commit', '-q', '-m', 'attributes');
    for (const [name, value] of Object.entries({
      'filter.a=b.clean': program,
      'filter.a=b.smudge': program,
      'filter.a=b.required': 'true',
      'filter.long.process': program,
      'diff.shown.command': program,
      'diff.shown.textconv': program,
      'diff.external': program,
      'core.fsmonitor': program,
      'core.pager': program,
      'gpg.program': program,
      'log.showSignature': 'true',
      'alias.diff': `!${program}`,
      'credential.helper': program,
    }))
      workspace.git('config', name, value);
    await mkdir(path.join(workspace.root, '.git/hooks'), { recursive: true });
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout', 'pre-commit'])
      await writeFile(path.join(workspace.root, '.git/hooks', hook), `#!/bin/sh\n'${program}'\n`, {
        mode: 0o755,
      });
    await workspace.write('a.txt', 'two\n');
    await workspace.write('new.txt', 'new\n');
    await workspace.write('new.bin', 'new\n');
    const repository = await repositoryOf(workspace);
    const changed = (await repository.changedFiles()).map((file) => path.basename(file.path));
    assert.deepEqual(changed.filter((name) => /^(?:a|new)\./.test(name)).toSorted(), [
      'a.txt',
      'new.bin',
      'new.txt',
    ]);
    assert.match(await repository.diff('HEAD', [path.join(workspace.root, 'a.txt')]), /^\+two$/m);
    await repository.listFiles();
    await assert.rejects(readFile(mark), { code: 'ENOENT' });
  });

  it('refuses a revision that is an option', async () => {
    const repository = await repositoryOf(workspace);
    await assert.rejects(repository.changedFiles('--output=owned'), {
      name: 'HumanError',
      code: 'bad-input',
    });
  });
});
