// What changed since the last commit, read from real git repositories.
import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { readSourceChanges, type SourceChanges } from '../../../src/core/diagnosis/sourceChanges.ts';
import { hunksReaching } from '../../../src/core/diagnosis/sourceHunks.ts';
import { createImportGraph } from '../../../src/core/modules/importGraph.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const body = (name: string): string =>
  `export function ${name}(cents: number): string {\n  const euros = cents / 100;\n  return euros.toFixed(2) + ' EUR';\n}\n`;

describe('source changes', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  const read = (root = workspace.root): Promise<SourceChanges> =>
    readSourceChanges({
      root,
      isTestFile: (file) => file.includes('.test.'),
      graph: createImportGraph({ root }),
    });

  it('lists modified, added, deleted and renamed sources apart from test files, and which a test reaches', async () => {
    workspace = await temporaryWorkspace(
      {
        'src/format.ts': body('formatPrice'),
        'src/cart.ts': `import { formatPrice } from './format';\nexport const cart = formatPrice;\n`,
        'src/gone.ts': 'export const gone = 1;\n',
        'src/other.ts': 'export const other = 1;\n',
        'test/cart.test.ts': `import '../src/cart';\nimport '../src/gone';\n`,
        'test/other.test.ts': `import '../src/other';\n`,
      },
      { git: true },
    );
    workspace.git('rm', '-q', 'src/gone.ts');
    await workspace.write('src/text/format.ts', body('formatPrice'));
    workspace.git('rm', '-q', '--cached', 'src/format.ts');
    await rm(path.join(workspace.root, 'src/format.ts'));
    await workspace.write(
      'src/cart.ts',
      `import { formatPrice } from './text/format';\nexport const cart = formatPrice;\n`,
    );
    await workspace.write('src/fresh.ts', 'export const fresh = "new";\n');
    await workspace.write('test/other.test.ts', `import '../src/other';\n// more\n`);
    const changes = await read();
    assert.equal(changes.unavailable, undefined);
    assert.deepEqual(
      [...changes.files].sort((a, b) => a.file.localeCompare(b.file)),
      [
        { file: 'src/cart.ts', status: 'modified' },
        { file: 'src/fresh.ts', status: 'added' },
        { file: 'src/gone.ts', status: 'deleted' },
        { file: 'src/text/format.ts', status: 'renamed', from: 'src/format.ts' },
      ],
    );
    assert.deepEqual(changes.testFiles, [{ file: 'test/other.test.ts', status: 'modified' }]);
    assert.deepEqual((await changes.reaching('test/cart.test.ts')).map((change) => change.file).sort(), [
      'src/cart.ts',
      'src/gone.ts',
      'src/text/format.ts',
    ]);
    assert.deepEqual(await changes.reaching('test/other.test.ts'), []);
    assert.equal(await changes.baseText('src/format.ts'), body('formatPrice'));
    assert.equal(await changes.baseText('src/fresh.ts'), undefined);
  });

  it('takes links, wherever they lead, and nested repositories for no sources, changed, added or gone', async () => {
    workspace = await temporaryWorkspace(
      { 'src/a.ts': body('a'), 'src/b.ts': body('b'), 'nested/c.ts': body('c') },
      { git: true },
    );
    const { root } = workspace;
    const git = (...args: readonly string[]): string => workspace.git(...args);
    const link = (target: string, name: string): Promise<void> => symlink(target, path.join(root, name));
    await link('src', 'code');
    await link('src/a.ts', 'gone');
    git('add', '-A');
    git('commit', '-qm', 'links');
    await Promise.all(['code', 'gone', 'src/b.ts'].map((name) => rm(path.join(root, name))));
    for (const [target, name] of [
      ['nested', 'code'],
      ['a.ts', 'src/b.ts'],
      ['/etc/hosts', 'hosts'],
      ['/etc', 'folder'],
      ['/nowhere', 'dangling.log'],
      ['loop', 'loop'],
    ] as const)
      await link(target, name);
    git('init', '-q', 'nested');
    git('-C', 'nested', 'add', '-A');
    git('-C', 'nested', 'commit', '-qm', 'start');
    git('rm', '-q', '--cached', '-r', 'nested');
    git('add', 'nested');
    await workspace.write('src/a.ts', body('renamed'));
    assert.deepEqual(
      (await read()).files.filter(({ file }) => file !== 'nested/c.ts'),
      [{ file: 'src/a.ts', status: 'modified' }],
    );
  });

  it('looks one commit further back for who has just committed', async () => {
    workspace = await temporaryWorkspace({ 'src/format.ts': body('formatPrice') }, { git: true });
    assert.equal(await (await read()).sincePreviousCommit?.(), undefined);
    workspace.git('mv', 'src/format.ts', 'src/text.ts');
    workspace.git('commit', '-q', '-m', 'move');
    const changes = await read();
    assert.deepEqual(changes.files, []);
    const before = await changes.sincePreviousCommit?.();
    assert.deepEqual(before?.files, [{ file: 'src/text.ts', status: 'renamed', from: 'src/format.ts' }]);
    assert.equal(await before?.baseText('src/format.ts'), body('formatPrice'));
    assert.equal(
      await changes.sincePreviousCommit?.(),
      before,
      'git is asked once, not for each failing test',
    );
  });

  it('compares a changed source once for all tests that it reaches, and anew when its text is another', async () => {
    workspace = await temporaryWorkspace(
      {
        'src/format.ts': body('formatPrice'),
        'test/one.test.ts': "import '../src/format';\n",
        'test/two.test.ts': "import '../src/format';\n",
      },
      { git: true },
    );
    await workspace.write('src/format.ts', body('format'));
    const changes = await read();
    const readText = (file: string): Promise<string> => workspace.read(file);
    const [one] = await hunksReaching('test/one.test.ts', changes, readText);
    const [two] = await hunksReaching('test/two.test.ts', changes, readText);
    assert.ok(one?.added.includes('format'));
    assert.equal(two, one);
    await workspace.write('src/format.ts', body('show'));
    const [later] = await hunksReaching('test/one.test.ts', changes, readText);
    assert.ok(later?.added.includes('show'));
  });

  it('takes no report that a tool left for a change, so that one in a checkout of CI hides nothing', async () => {
    workspace = await temporaryWorkspace({ 'src/format.ts': body('formatPrice') }, { git: true });
    for (const [file, text] of Object.entries({
      'results/tests.xml': '<?xml version="1.0"?>\n<testsuites tests="0">\n</testsuites>\n',
      'results/fixes.patch': '',
      'results/fix.json': '{"status":"passed","passRate":100}',
      'left.md': '# A failing test that Testmend did not mend\n',
      'lcov.info': 'TN:\nSF:src/format.ts\n',
    }))
      await workspace.write(file, text);
    assert.deepEqual((await read()).files, []);
    const data = {
      'data/feed.xml': '<rss></rss>\n',
      'data/shop.json': '{"status":"open"}',
      'src/page.md': '# Page\n',
    };
    for (const [file, text] of Object.entries(data)) await workspace.write(file, text);
    assert.deepEqual((await read()).files.map(({ file }) => file).sort(), Object.keys(data).sort());
    workspace.git('add', '-A');
    workspace.git('commit', '-qm', 'kept on purpose');
    await workspace.write('results/tests.xml', '<testsuites></testsuites>\n');
    assert.deepEqual((await read()).files, [{ file: 'results/tests.xml', status: 'modified' }]);
  });

  it('takes notes, recordings and files of a session for no change, unless code changed beside them', async () => {
    workspace = await temporaryWorkspace({ 'src/total.ts': body('total') }, { git: true });
    const changed = async (): Promise<readonly string[]> => (await read()).files.map(({ file }) => file);
    const beside = [
      'notes.txt',
      'fix.ndjson',
      '.workflow/.team/S1/.msg/meta.json',
      'docs/how.md',
      'CHANGES.md',
    ];
    for (const file of beside) await workspace.write(file, '{}\n');
    workspace.git('add', 'CHANGES.md');
    assert.deepEqual(await changed(), []);
    for (const file of [
      'tests/fixtures/one.json',
      'data/rates.json',
      'src/de.json',
      '.env.local',
      'tsconfig.app.json',
      'jest.config.json',
      'tool.py',
    ]) {
      await workspace.write(file, '{}\n');
      assert.ok((await changed()).includes(file), file);
      await rm(path.join(workspace.root, file));
    }
    await workspace.write('src/total.ts', 'export const total = () => 2;\n');
    assert.deepEqual([...(await changed())].sort(), [...beside, 'src/total.ts'].sort());
  });

  it('reads anew what has changed since, and begins from the start after a commit', async () => {
    workspace = await temporaryWorkspace(
      { 'src/a.ts': body('a'), 'test/a.test.ts': `import '../src/a';\n` },
      { git: true },
    );
    await workspace.write('src/a.ts', body('b'));
    const first = await read();
    await workspace.write('test/a.test.ts', `import '../src/a';\n// more\n`);
    await workspace.write('src/fresh.ts', 'export {};\n');
    const graph = createImportGraph({ root: workspace.root });
    const again = await first.readAgain?.(graph);
    const anew = await read();
    assert.deepEqual(again?.files, anew.files);
    assert.deepEqual(again?.testFiles, [{ file: 'test/a.test.ts', status: 'modified' }]);
    assert.equal(await again?.baseText('src/a.ts'), body('a'));
    workspace.git('commit', '-q', '-am', 'more');
    assert.equal(await again?.readAgain?.(graph), undefined);
  });

  it('works in a folder below the top of the repository', async () => {
    workspace = await temporaryWorkspace(
      {
        'packages/a/src/x.ts': 'export const x = 1;\n',
        'packages/a/x.test.ts': `import './src/x';\n`,
        'packages/b/y.ts': '',
      },
      { git: true },
    );
    await workspace.write('packages/a/src/x.ts', 'export const x = 2;\n');
    await workspace.write('packages/b/y.ts', 'export const y = 2;\n');
    const changes = await read(path.join(workspace.root, 'packages/a'));
    assert.deepEqual(changes.files, [{ file: 'src/x.ts', status: 'modified' }]);
    assert.equal(await changes.baseText('src/x.ts'), 'export const x = 1;\n');
    assert.equal((await changes.reaching('x.test.ts')).length, 1);
  });

  it('says why nothing is known without git or without a commit', async () => {
    workspace = await temporaryWorkspace({ 'a.ts': '' });
    assert.match((await read()).unavailable ?? '', /not in a git repository/);
    workspace.git('init', '-q');
    assert.match((await read()).unavailable ?? '', /no commit/);
  });
});
