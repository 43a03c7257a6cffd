// Holds that accepted edits arrive in the workspace all or none, byte-exactly, and never outside of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashText } from '../../../src/core/base/hash.ts';
import { fileEdit, type FileEdit } from '../../../src/core/model/edit.ts';
import { applyToWorkspace } from '../../../src/core/sandbox/applyEdits.ts';
import { recoverJournal, type JournalEntry } from '../../../src/core/sandbox/editJournal.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../../support/treeSnapshot.ts';

const replace = (file: string, text: string, old: string, now: string): FileEdit =>
  fileEdit(file, text, [{ start: text.indexOf(old), end: text.indexOf(old) + old.length, newText: now }]);

describe('applying edits to a workspace', () => {
  let workspace: TemporaryWorkspace;
  let cache: string;
  beforeEach(async () => {
    workspace = await temporaryWorkspace({ 'a.test.ts': 'expect(1)\n', 'b.test.ts': '\uFEFFexpect(2)\r\n' });
    cache = path.join(workspace.root, '../cache');
  });
  afterEach(() => workspace.dispose());

  it('keeps byte order mark, line endings and mode, joins edits of one text, and leaves nothing behind', async () => {
    await chmod(path.join(workspace.root, 'b.test.ts'), 0o755);
    const b = '\uFEFFexpect(2)\r\n';
    await applyToWorkspace(
      workspace.root,
      [
        replace('b.test.ts', b, '2', '22'),
        replace('a.test.ts', 'expect(1)\n', '1', '11'),
        replace('b.test.ts', b, 'expect', 'assert'),
      ],
      cache,
    );
    assert.equal(await workspace.read('b.test.ts'), '\uFEFFassert(22)\r\n');
    assert.equal(await workspace.read('a.test.ts'), 'expect(11)\n');
    assert.equal((await stat(path.join(workspace.root, 'b.test.ts'))).mode & 0o777, 0o755);
    assert.deepEqual((await readdir(workspace.root)).sort(), ['a.test.ts', 'b.test.ts']);
    assert.deepEqual(await readdir(path.join(cache, 'journal')), []);
  });

  it('changes nothing when one of the files changed after the proposal', async () => {
    const edits = [
      replace('a.test.ts', 'expect(1)\n', '1', '11'),
      replace('b.test.ts', '\uFEFFexpect(2)\r\n', '2', '22'),
    ];
    await workspace.write('b.test.ts', 'typed meanwhile\n');
    const before = await treeSnapshot(workspace.root);
    await assert.rejects(applyToWorkspace(workspace.root, edits, cache), {
      code: 'stale',
      message: /b\.test\.ts changed/,
    });
    assert.deepEqual(await treeSnapshot(workspace.root), before);
  });

  it('keeps a hard link one: its other name has the new text, too', async () => {
    const other = path.join(workspace.root, '..', 'other.ts');
    await link(path.join(workspace.root, 'a.test.ts'), other);
    const edits = [replace('a.test.ts', 'expect(1)\n', 'expect(1)', 'expect(12)')];
    await applyToWorkspace(workspace.root, edits, cache);
    assert.equal(await readFile(other, 'utf8'), 'expect(12)\n');
    assert.deepEqual((await readdir(workspace.root)).sort(), ['a.test.ts', 'b.test.ts']);
    const back = [replace('a.test.ts', 'expect(12)\n', '12', '1')];
    await assert.rejects(
      applyToWorkspace(workspace.root, [...back, replace('b.test.ts', 'other', 'o', 'p')], cache),
    );
    await applyToWorkspace(workspace.root, back, cache);
    assert.equal(await readFile(other, 'utf8'), 'expect(1)\n');
  });

  it('knows the half of a text that was being written over a hard link, and takes it back', async () => {
    const file = path.join(workspace.root, 'a.test.ts');
    await link(file, path.join(workspace.root, '..', 'other.ts'));
    const temporary = path.join(workspace.root, '.a.testmend');
    const entry = { file, temporary, before: 'expect(1)\n', mode: 0o644, isLinked: true } as const;
    for (const [after, half] of [
      ['expect(1234)\n', 'expect(123'],
      ['except(1)\n', 'excect(1)\n'],
      ['e(1)\n', 'e(1)\nt(1)\n'],
    ] as const) {
      await writeFile(temporary, after);
      await writeFile(file, half);
      await leaveJournal(cache, workspace.root, { ...entry, after: hashText(after) });
      assert.deepEqual((await recoverJournal(cache, workspace.root)).restored, [file]);
      assert.equal(await readFile(path.join(workspace.root, '..', 'other.ts'), 'utf8'), 'expect(1)\n');
    }
  });

  it('names the read-only file and changes nothing', async () => {
    await chmod(path.join(workspace.root, 'b.test.ts'), 0o444);
    const before = await treeSnapshot(workspace.root);
    await assert.rejects(
      applyToWorkspace(
        workspace.root,
        [
          replace('a.test.ts', 'expect(1)\n', '1', '11'),
          replace('b.test.ts', '\uFEFFexpect(2)\r\n', '2', '22'),
        ],
        cache,
      ),
      { code: 'read-only', message: 'b.test.ts is read-only.' },
    );
    assert.deepEqual(await treeSnapshot(workspace.root), before);
  });

  it('refuses a path that leaves the root, by dots or through a link, and text that is not UTF-8', async () => {
    const outside = path.join(workspace.root, '../outside');
    await mkdir(outside);
    await writeFile(path.join(outside, 'x.ts'), 'x\n');
    await symlink(outside, path.join(workspace.root, 'linked'));
    await writeFile(path.join(workspace.root, 'latin.ts'), Buffer.from([0x27, 0xe9, 0x27]));
    for (const file of ['../outside/x.ts', 'linked/x.ts', 'latin.ts']) {
      await assert.rejects(applyToWorkspace(workspace.root, [replace(file, 'x\n', 'x', 'y')], cache), {
        code: 'bad-input',
      });
    }
  });

  it('follows a link that stays inside and keeps it a link', async () => {
    await symlink('a.test.ts', path.join(workspace.root, 'alias.test.ts'));
    await applyToWorkspace(workspace.root, [replace('alias.test.ts', 'expect(1)\n', '1', '5')], cache);
    assert.equal(await workspace.read('a.test.ts'), 'expect(5)\n');
    assert.equal((await treeSnapshot(workspace.root))['alias.test.ts']?.endsWith('-> a.test.ts'), true);
  });

  it('is taken back at the next start when the process was killed between two files', async () => {
    const before = await treeSnapshot(workspace.root);
    await killBetweenRenames(workspace.root, cache);
    assert.equal(await workspace.read('a.test.ts'), 'expect(11)\n', 'the kill came after the first rename');
    const { restored, kept } = await recoverJournal(cache, workspace.root);
    assert.deepEqual(restored, [path.join(workspace.root, 'a.test.ts')]);
    assert.deepEqual(kept, []);
    const contents = (tree: Readonly<Record<string, string>>): unknown =>
      Object.entries(tree).map(([file, state]) => [file, state.replace(/ [\d.]+ /, ' ')]);
    assert.deepEqual(contents(await treeSnapshot(workspace.root)), contents(before));
    assert.deepEqual(await recoverJournal(cache, workspace.root), { restored: [], kept: [] });
  });

  it('does not take back what somebody edited after the kill', async () => {
    await killBetweenRenames(workspace.root, cache);
    await workspace.write('a.test.ts', 'my own work\n');
    const { restored, kept } = await recoverJournal(cache, workspace.root);
    assert.deepEqual([restored, kept], [[], [path.join(workspace.root, 'a.test.ts')]]);
    assert.equal(await workspace.read('a.test.ts'), 'my own work\n');
  });
});

/** As a process leaves it that is killed while it writes. */
async function leaveJournal(cache: string, root: string, entry: JournalEntry): Promise<void> {
  await mkdir(path.join(cache, 'journal'), { recursive: true });
  const journal = { root, owner: { pid: 2 ** 22 - 1, startTime: '1' }, entries: [entry] };
  await writeFile(path.join(cache, 'journal/a.json'), JSON.stringify(journal));
}

/** Runs the real code in a process that dies at its second rename of a workspace file. */
async function killBetweenRenames(root: string, cache: string): Promise<void> {
  const source = (file: string): string =>
    JSON.stringify(pathToFileURL(path.resolve(import.meta.dirname, '../../../src/core', file)).href);
  const script = path.join(root, '../apply.mts');
  const edits: FileEdit[] = [
    replace('a.test.ts', 'expect(1)\n', '1', '11'),
    replace('b.test.ts', '\uFEFFexpect(2)\r\n', '2', '22'),
  ];
  await writeFile(
    script,
    `import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
const rename = fs.rename;
fs.rename = async (from, to) => {
  if (String(to).endsWith('b.test.ts')) process.kill(process.pid, 'SIGKILL');
  return rename(from, to);
};
syncBuiltinESMExports();
const { applyToWorkspace } = await import(${source('sandbox/applyEdits.ts')});
await applyToWorkspace(${JSON.stringify(root)}, ${JSON.stringify(edits)}, ${JSON.stringify(cache)});
`,
  );
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    stdio: 'inherit',
  });
  await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL');
  await rm(script);
}
