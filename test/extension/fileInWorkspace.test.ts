// Which files a recording may open.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileInWorkspace } from '../../src/extension/webview/fileInWorkspace.ts';
import { plainMessage } from '../../src/extension/plainMessage.ts';

describe('a file that a recording names', () => {
  let folder: string;
  let shop: string;
  let mill: string;

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-places-')));
    [shop, mill] = [path.join(folder, 'shop'), path.join(folder, 'mill')];
    for (const made of [path.join(shop, 'packages/a/src'), mill, path.join(folder, 'shop-secrets')])
      await mkdir(made, { recursive: true });
    for (const made of ['shop/packages/a/src/a.ts', 'shop/both.ts', 'mill/both.ts', 'mill/mill.ts'])
      await writeFile(path.join(folder, made), '');
    await writeFile(path.join(folder, 'shop-secrets/key'), '');
    await symlink(path.join(folder, 'shop-secrets'), path.join(shop, 'link'));
    await symlink(path.join(shop, 'both.ts'), path.join(folder, 'way-in'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const found = (root: string, file: string): string | undefined => {
    const place = fileInWorkspace([shop, mill], root, file);
    return place === undefined ? undefined : path.relative(folder, place);
  };

  it('is that of the folder that was recorded, also below a root', () => {
    assert.equal(found(mill, 'both.ts'), 'mill/both.ts');
    assert.equal(found(path.join(shop, 'packages/a'), 'src/a.ts'), 'shop/packages/a/src/a.ts');
    assert.equal(found(mill, path.join(shop, 'both.ts')), 'shop/both.ts');
  });

  it('is looked for in every root when it was recorded elsewhere', () => {
    assert.equal(found('/builds/shop', 'mill.ts'), 'mill/mill.ts');
    assert.equal(found('/builds/shop', 'packages/a/src/a.ts'), 'shop/packages/a/src/a.ts');
    assert.equal(found('', 'both.ts'), 'shop/both.ts');
    assert.equal(found('/builds/shop', 'gone.ts'), undefined);
  });

  it('is never outside of the workspace: by no path, no root, no link', () => {
    for (const [root, file] of [
      [shop, '../shop-secrets/key'],
      [shop, 'packages/../../shop-secrets/key'],
      [shop, path.join(folder, 'shop-secrets/key')],
      [shop, 'link/key'],
      [shop, '../way-in'],
      [folder, 'shop-secrets/key'],
      ['/', path.join(folder, 'shop-secrets/key').slice(1)],
      [`${shop}/../shop-secrets`, 'key'],
      [path.join(shop, 'link'), 'key'],
      [shop, '/etc/passwd'],
      [shop, 'packages'],
      [shop, 'key\u0000'],
      [shop, ''],
      [shop, 'command:workbench.action.quit'],
    ] as const)
      assert.equal(found(root, file), undefined, `${root} ${file}`);
  });

  it('is named in a message without becoming a link', () => {
    const text = '[a](command:workbench.action.quit) and [b](https://example.org) are not there';
    assert.doesNotMatch(plainMessage(text), /\[[^\]]+\]\(/);
    assert.match(plainMessage(text), /command:workbench\.action\.quit/);
  });
});
