// Walking a folder tree: what is found, what is left out, and what does not stop it.
import assert from 'node:assert/strict';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow, walk, walkTree } from '../../../src/core/workspace/walk.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('walking a folder tree', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  it('lists files of every name but none of node_modules and version control', async () => {
    workspace = await temporaryWorkspace({
      'a.ts': '',
      '.hidden/b.ts': '',
      'with space/$(x)#%20é.ts': '',
      'node_modules/c/index.js': '',
      'packages/p/node_modules/d.js': '',
      '.git/config': '',
    });
    const { files } = await walkTree(workspace.root);
    assert.deepEqual(files, ['.hidden/b.ts', 'a.ts', 'with space/$(x)#%20é.ts']);
  });

  it('ends in spite of links that form loops, and takes links to files', async () => {
    workspace = await temporaryWorkspace({ 'a/b/c.ts': '', 'broken/x.ts': '' });
    await symlink('..', path.join(workspace.root, 'a/b/up'));
    await symlink(path.join(workspace.root, 'a/b/c.ts'), path.join(workspace.root, 'link.ts'));
    await symlink('nowhere', path.join(workspace.root, 'broken/dangling.ts'));
    const { files } = await walkTree(workspace.root);
    assert.deepEqual(files, ['a/b/c.ts', 'broken/x.ts', 'link.ts']);
  });

  it('names folders that cannot be read and goes on', async function () {
    if (process.getuid?.() === 0) this.skip();
    workspace = await temporaryWorkspace({ 'a.ts': '', 'locked/b.ts': '' });
    const locked = path.join(workspace.root, 'locked');
    await chmod(locked, 0o000);
    try {
      const { files, unreadable } = await walkTree(workspace.root);
      assert.deepEqual([files, unreadable], [['a.ts'], ['locked']]);
    } finally {
      await chmod(locked, 0o755);
    }
  });

  it('takes a root that does not exist for an empty one', async () => {
    workspace = await temporaryWorkspace({});
    const { files, unreadable } = await walkTree(path.join(workspace.root, 'missing'));
    assert.deepEqual([files, unreadable], [[], ['']]);
  });

  it('filters by patterns and gives absolute paths', async () => {
    workspace = await temporaryWorkspace({ 'a.test.ts': '', 'b.ts': '', 'old/c.test.ts': '' });
    const found = await walk(workspace.root, { patterns: ['**/*.test.ts'], ignore: ['old/**'] });
    assert.deepEqual(found, [path.join(workspace.root, 'a.test.ts')]);
  });

  it('gives the part of the tree below a folder', async () => {
    workspace = await temporaryWorkspace({ 'a/x.ts': '', 'a-b/y.ts': '', 'a.ts': '', 'a/b/z.ts': '' });
    await mkdir(path.join(workspace.root, 'empty'));
    const tree = await walkTree(workspace.root);
    assert.deepEqual(filesBelow(tree, path.join(workspace.root, 'a')), ['b/z.ts', 'x.ts']);
    assert.deepEqual(filesBelow(tree, path.join(workspace.root, 'empty')), []);
    assert.equal(filesBelow(tree, path.dirname(workspace.root)), undefined);
  });

  it('stops when it is cancelled', async () => {
    workspace = await temporaryWorkspace({ 'a.ts': '' });
    await assert.rejects(walkTree(workspace.root, AbortSignal.abort()), { code: 'cancelled' });
  });
});
