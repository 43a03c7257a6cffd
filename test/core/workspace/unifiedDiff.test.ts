// Holds that patches are written as git takes them and read as git writes them.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { resolvePatch, unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const reader =
  (files: Readonly<Record<string, string>>) =>
  (file: string): Promise<string | undefined> =>
    Promise.resolve(files[file]);

describe('a unified diff', () => {
  it('is taken by git apply, for changed, new, emptied, deleted and oddly named files, in every line ending', async () => {
    const before: Record<string, string> = {
      'a.ts': 'one\ntwo\nthree\n',
      'crlf.ts': '\uFEFFone\r\ntwo\r\n',
      'no end.ts': 'one\ntwo',
      'old.ts': 'bye\n',
      'dir/é "quoted".ts': 'x\n',
    };
    const after: Record<string, string | undefined> = {
      'a.ts': 'one\n2\nthree\nfour',
      'crlf.ts': '\uFEFFone\r\n2\r\n',
      'no end.ts': 'one\ntwo\n',
      'old.ts': undefined,
      'dir/é "quoted".ts': '-- x\n++ y\n',
      'new.ts': 'hello\n',
    };
    const workspace = await temporaryWorkspace(before, { git: true });
    try {
      const patch = Object.entries(after)
        .map(([file, text]) => unifiedDiff(file, before[file], text))
        .join('');
      await writeFile(path.join(workspace.root, '../it.patch'), patch);
      workspace.git('apply', '../it.patch');
      for (const [file, text] of Object.entries(after)) {
        if (text === undefined) await assert.rejects(workspace.read(file));
        else assert.equal(await workspace.read(file), text, file);
      }
      // And back: what git prints for the same change gives the same texts.
      workspace.git('add', '-A');
      const printed = workspace.git('diff', '--cached', 'HEAD');
      const read = await resolvePatch(printed, reader(before));
      assert.deepEqual(Object.fromEntries(read.map((file) => [file.file, file.after])), after);
    } finally {
      await workspace.dispose();
    }
  });

  it('of nothing is empty', () => {
    assert.equal(unifiedDiff('a.ts', 'same', 'same'), '');
  });
});

describe('a patch', () => {
  it('tells renames with and without changed lines, and ignores what a mail has around it', async () => {
    const patch = [
      'From 0123 Mon Sep 17 00:00:00 2001',
      'Subject: [PATCH] move',
      '---',
      ' a.ts | 0',
      '',
      'diff --git a/a.ts b/b.ts',
      'similarity index 100%',
      'rename from a.ts',
      'rename to b.ts',
      'diff --git a/c.ts b/d.ts',
      'similarity index 50%',
      'rename from c.ts',
      'rename to d.ts',
      '--- a/c.ts',
      '+++ b/d.ts',
      '@@ -1,2 +1,2 @@',
      ' keep',
      '-- minus',
      '+- plus',
      '-- ',
      '2.39.5',
      '',
    ].join('\n');
    assert.deepEqual(await resolvePatch(patch, reader({ 'a.ts': 'A\n', 'c.ts': 'keep\n- minus\n' })), [
      { file: 'b.ts', from: 'a.ts', before: 'A\n', after: 'A\n' },
      { file: 'd.ts', from: 'c.ts', before: 'keep\n- minus\n', after: 'keep\n- plus\n' },
    ]);
  });

  it('without prefixes, as diff -u prints it, is read too', async () => {
    const patch = '--- x/a.ts\t2024-01-01 00:00:00\n+++ x/a.ts\t2024-01-02\n@@ -1 +1 @@\n-1\n+2\n';
    assert.deepEqual(await resolvePatch(patch, reader({ 'x/a.ts': '1\n' })), [
      { file: 'x/a.ts', before: '1\n', after: '2\n' },
    ]);
  });

  for (const name of [
    '../out.ts',
    'a/../../out.ts',
    '/etc/passwd',
    'C:/x.ts',
    '.git/config',
    'a\\..\\b.ts',
    './a.ts',
  ]) {
    it(`that names ${name} is refused`, async () => {
      const patch = `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-1\n+2\n`;
      const bare = `--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-1\n+2\n`;
      for (const text of [patch, bare])
        await assert.rejects(
          resolvePatch(text, () => Promise.resolve('1\n')),
          { name: 'HumanError', code: 'bad-input' },
        );
    });
  }

  it('with other line ends than the file is refused, as git apply refuses it, with both kinds of line ends', async () => {
    const [lf, crlf] = ['one\ntwo\n', 'one\r\ntwo\r\n'];
    const patchOf = (text: string): string => unifiedDiff('a.ts', text, text.replace('two', '2'));
    for (const [file, patch, told] of [
      [lf, patchOf(crlf), 'its lines end in LF, those of the patch in CRLF'],
      [crlf, patchOf(lf), 'its lines end in CRLF, those of the patch in LF'],
    ] as const) {
      const workspace = await temporaryWorkspace({ 'a.ts': file }, { git: true });
      try {
        await writeFile(path.join(workspace.root, '../it.patch'), patch);
        assert.throws(() => workspace.git('apply', '--check', '../it.patch'), /patch does not apply/);
        await assert.rejects(resolvePatch(patch, reader({ 'a.ts': file })), {
          code: 'stale',
          message: `The patch does not fit a.ts: ${told}.`,
        });
      } finally {
        await workspace.dispose();
      }
    }
    assert.equal((await resolvePatch(patchOf(crlf), reader({ 'a.ts': crlf })))[0]?.after, 'one\r\n2\r\n');
    assert.equal((await resolvePatch(patchOf(lf), reader({ 'a.ts': lf })))[0]?.after, 'one\n2\n');
  });

  it('that does not fit is stale, and names the file', async () => {
    const patch = unifiedDiff('a.ts', 'one\n', 'two\n');
    await assert.rejects(resolvePatch(patch, reader({ 'a.ts': 'other\n' })), {
      code: 'stale',
      message: /a\.ts/,
    });
    await assert.rejects(resolvePatch(patch, reader({})), { code: 'stale' });
  });

  it('that is none, is binary, makes a link or lies about its lines is refused', async () => {
    const bad = [
      '',
      'hello',
      'diff --git a/a.png b/a.png\nindex 1..2 100644\nGIT binary patch\nliteral 1\n',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n',
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1 @@\n-1\n+2\n',
    ];
    for (const text of bad)
      await assert.rejects(resolvePatch(text, reader({ 'a.ts': '1\n' })), { code: 'bad-input' });
  });
});
