// Walking a folder tree: what is found, what is left out, and what does not stop it.
import assert from 'node:assert/strict';
import fs, { writeFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { filesBelow, mostIgnored, walkTree } from '../../../src/core/workspace/walk.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('walking a folder tree', () => {
  let workspace: TemporaryWorkspace;
  /** Where filled folders are kept, by their places there: those that wait, and those that the test at hand has. */
  let stock: TemporaryWorkspace | undefined;
  const spare: string[] = [];
  const lent: { readonly filled: string; readonly target: string }[] = [];
  const folders = mostIgnored / 100 + 20;
  afterEach(async () => {
    for (const { filled, target } of lent.splice(0)) {
      await rename(target, filled);
      spare.push(filled);
    }
    await workspace.dispose();
  });
  after(() => stock?.dispose());

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

  it('leaves out what git ignores when that is a lot, without reading it all, and lists what is little', async () => {
    workspace = await temporaryWorkspace({
      '.git/info/exclude': '/private\n',
      '.gitignore': '# what is made\r\ndata/\nout\n*.log\n/only-here/\n!kept/out\n',
      'a.ts': '',
      'out/a.test.js': '',
      'kept/out/b.ts': '',
      'packages/p/.gitignore': 'generated/\n',
      'node_modules/d/index.js': '',
    });
    const many = ['data', 'private', 'packages/p/generated', 'only-here', 'packages/p/only-here'];
    for (const folder of many) await fill(folder);
    const counted = counting();
    const { files, leftOut } = await walkTree(workspace.root).finally(counted.stop);
    const within = (folder: string): number => files.filter((file) => file.startsWith(`${folder}/`)).length;
    assert.deepEqual(leftOut.map(({ folder }) => folder).toSorted(), [
      'data',
      'only-here',
      'packages/p/generated',
      'private',
    ]);
    assert.deepEqual(many.map(within), [0, 0, 0, 0, folders * 100]);
    assert.ok(files.includes('out/a.test.js') && files.includes('kept/out/b.ts') && files.includes('a.ts'));
    const entries = counted.entries();
    assert.ok(entries <= 4 * (mostIgnored + folders), `${entries} entries were listed below ignored folders`);
    assert.ok(!counted.opened().some((folder) => folder.includes('node_modules')));
  });

  it('knows the rules above its root, and takes an ignored root for what the user wants', async () => {
    workspace = await temporaryWorkspace({
      '.gitignore': 'data/\nignored/\n',
      '.git/HEAD': '',
      'app/a.ts': '',
      'ignored/b.ts': '',
    });
    await fill('app/data');
    await fill('ignored/data');
    assert.deepEqual((await walkTree(path.join(workspace.root, 'app'))).files, ['a.ts']);
    assert.equal((await walkTree(path.join(workspace.root, 'ignored'))).leftOut.length, 0);
  });

  it('says that tests may be missing only where names of tests were seen', async () => {
    workspace = await temporaryWorkspace({ '.gitignore': 'a\nb\n', '.git/HEAD': '' });
    for (const folder of ['a', 'b']) await fill(folder);
    await workspace.write('a/0/sum.test.js', '');
    const { leftOut } = await walkTree(workspace.root);
    await rm(path.join(workspace.root, 'a/0/sum.test.js'));
    const told = leftOut.find(({ folder }) => folder === 'b');
    assert.deepEqual([leftOut.length, told?.hasTests], [2, false]);
  });

  it('lists everything where there is no repository', async () => {
    workspace = await temporaryWorkspace({ '.gitignore': 'data\n' });
    await fill('data');
    const { files, leftOut } = await walkTree(workspace.root);
    assert.deepEqual([files.length, leftOut], [folders * 100 + 1, []]);
  });

  /** Puts a folder of more files there than an ignored one may have; those of former tests serve again. */
  async function fill(folder: string): Promise<void> {
    const target = path.join(workspace.root, folder);
    await mkdir(path.dirname(target), { recursive: true });
    const filled = spare.pop() ?? (await makeFilled());
    await rename(filled, target);
    lent.push({ filled, target });
  }

  async function makeFilled(): Promise<string> {
    stock ??= await temporaryWorkspace({});
    const made = path.join(stock.root, String(lent.length + spare.length));
    for (let index = 0; index < folders; index++) {
      const own = path.join(made, String(index));
      await mkdir(own, { recursive: true });
      for (let name = 0; name < 100; name++) writeFileSync(path.join(own, `${name}.js`), '');
    }
    return made;
  }
});

/** Counts what is listed from now on: entries that are read one by one, and folders that are read whole. */
function counting(): {
  readonly entries: () => number;
  readonly opened: () => readonly string[];
  readonly stop: () => void;
} {
  const { readdirSync, opendirSync } = fs;
  const opened: string[] = [];
  let entries = 0;
  fs.readdirSync = new Proxy(readdirSync, {
    apply(target, self, args: Parameters<typeof readdirSync>) {
      opened.push(String(args[0]));
      return Reflect.apply(target, self, args);
    },
  });
  fs.opendirSync = (folder, options) => {
    const listing = opendirSync(folder, options);
    const read = listing.readSync.bind(listing);
    listing.readSync = () => {
      entries++;
      return read();
    };
    return listing;
  };
  syncBuiltinESMExports();
  return {
    entries: () => entries,
    opened: () => opened,
    stop: () => {
      Object.assign(fs, { readdirSync, opendirSync });
      syncBuiltinESMExports();
    },
  };
}
