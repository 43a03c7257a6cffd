// Fix cycles in repositories as people have them at work: cut off, detached, half merged, half rebased, or none at all.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readSourceChanges } from '../../../src/core/diagnosis/sourceChanges.ts';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import { createImportGraph } from '../../../src/core/modules/importGraph.ts';
import { openInPlaceSandbox } from '../../../src/core/sandbox/inPlaceSandbox.ts';
import { openCopySandbox } from '../../../src/core/sandbox/copySandbox.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const testOf = (from: string, name: string, title: string, assertion: string): string =>
  `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../src/${from}.js';

test('${title}', () => {
  ${assertion}
});
`;
const greet = (word: string): string => `export const greet = (name) => \`${word}, \${name}\`;\n`;
const greetTest = testOf('greet', 'greet', 'greets', `assert.equal(greet('Ada'), 'Hi, Ada');`);
const shop = {
  'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }',
  'notes.md': 'ours\n',
  'src/greet.js': greet('Hi'),
  'src/price.js': 'export const net = (cents) => cents / 1.2;\n',
  'test/greet.test.js': greetTest,
  'test/price.test.js': testOf('price', 'net', 'takes the tax off', 'assert.equal(net(120), 100);'),
};

/** Another text (an expectation) and another name (mechanical). */
async function change({ write }: Pick<TemporaryWorkspace, 'write'>): Promise<void> {
  await write('src/greet.js', greet('Hello'));
  await write('src/price.js', 'export const withoutTax = (cents) => cents / 1.2;\n');
}

/** A clone of the last commit only, with the same way to write. */
function shallowClone({ root }: TemporaryWorkspace): Pick<TemporaryWorkspace, 'root' | 'write'> {
  const clone = path.join(path.dirname(root), 'clone');
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone]);
  return {
    root: clone,
    write: async (file, text) => {
      await mkdir(path.dirname(path.join(clone, file)), { recursive: true });
      await writeFile(path.join(clone, file), text);
    },
  };
}

const mended = [
  `+  assert.equal(greet('Ada'), 'Hello, Ada');`,
  `+  assert.equal(withoutTax(120), 100);`,
  `+import { withoutTax } from '../src/price.js';`,
];

describe('a fix cycle in a repository', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  const open = async (git = true): Promise<void> => {
    workspace = await temporaryWorkspace(shop, { git });
  };
  /** The cycle, after which git has to say the same as before. */
  const mend = async (place: Pick<TemporaryWorkspace, 'root'> = workspace): Promise<CycleReport> => {
    const state = (): string =>
      execFileSync('sh', ['-c', 'git status; git ls-files --stage; git diff; ls .git; cat .git/*HEAD'], {
        cwd: place.root,
        encoding: 'utf8',
      });
    const before = state();
    const report = await mendWorkspace({ ...workspace, ...place }, { assume: 'source-is-right' });
    assert.equal(state(), before);
    return report;
  };
  const added = ({ patch }: CycleReport): readonly string[] =>
    patch
      .split('\n')
      .filter((line) => /^\+(?!\+\+ )/.test(line))
      .sort();
  const left = ({ remaining }: CycleReport): readonly string[] =>
    remaining.map(({ title, fault, reason }) => `${title}: ${fault}: ${reason}`);
  /** Ours stays at HEAD; theirs has the change. The merge or rebase stops where both touch the same line. */
  const diverge = async (ours: Readonly<Record<string, string>>, theirs = {}): Promise<void> => {
    await open();
    workspace.git('checkout', '-q', '-b', 'theirs');
    await change(workspace);
    for (const [file, text] of Object.entries(theirs)) await workspace.write(file, String(text));
    workspace.git('commit', '-q', '-a', '-m', 'theirs');
    workspace.git('checkout', '-q', 'main');
    for (const [file, text] of Object.entries(ours)) await workspace.write(file, text);
    workspace.git('commit', '-q', '-a', '-m', 'ours');
  };
  const stops = (...command: string[]): void => assert.throws(() => workspace.git(...command));

  it('leaves links that lead out of it alone, in a copy and in place, and mends the rest', async () => {
    await open();
    const outside = path.join(path.dirname(workspace.root), 'outside');
    await mkdir(outside);
    const theirs = testOf('greet', 'greet', 'is of another place', 'assert.equal(1, 2);');
    await writeFile(path.join(outside, 'their.test.js'), theirs.replace(/^import .*greet.js.*$/m, ''));
    execFileSync('mkfifo', [path.join(outside, 'pipe')]);
    for (const [target, name] of [
      [path.join(outside, 'their.test.js'), 'test/their.test.js'],
      [outside, 'folder'],
      [path.join(outside, 'pipe'), 'pipe.log'],
      [process.execPath, '.venv/bin/python'],
      [path.join(outside, 'none'), 'dangling'],
      ['loop', 'loop'],
    ] as const) {
      await mkdir(path.dirname(path.join(workspace.root, name)), { recursive: true });
      await symlink(target, path.join(workspace.root, name));
    }
    await change(workspace);
    const reason =
      'test/their.test.js is a link that leads outside the workspace: Testmend edits files inside only.';
    const inPlace = await openInPlaceSandbox({ root: workspace.root });
    for (const sandbox of [inPlace, undefined]) {
      const asked = { assume: 'source-is-right', ...(sandbox && { sandbox }) } as const;
      const report = await mendWorkspace(workspace, asked).finally(() => sandbox?.dispose());
      assert.deepEqual(added(report), mended);
      assert.deepEqual(left(report), [`is of another place: unknown: ${reason}`]);
    }
    assert.equal(
      (await readFile(path.join(outside, 'their.test.js'), 'utf8')).includes('assert.equal(1, 2)'),
      true,
    );
  });

  it('whose HEAD is detached, with staged changes and changes on top of them', async () => {
    await open();
    workspace.git('checkout', '-q', '--detach');
    await workspace.write('src/greet.js', greet('Hey'));
    workspace.git('add', '-A');
    await change(workspace);
    const report = await mend();
    assert.deepEqual([added(report), left(report)], [mended, []]);
  });

  it('that is a shallow clone, with changes since its commit', async () => {
    await open();
    workspace.git('commit', '-q', '--allow-empty', '-m', 'second');
    const clone = shallowClone(workspace);
    await change(clone);
    const report = await mend(clone);
    assert.deepEqual([added(report), left(report)], [mended, []]);
  });

  it('that is a shallow clone of the very commit that broke the tests: it says what is missing', async () => {
    await open();
    await change(workspace);
    workspace.git('commit', '-q', '-a', '-m', 'second');
    const report = await mend(shallowClone(workspace));
    assert.deepEqual(added(report), mended.slice(0, 1));
    assert.match(report.fixes[0]?.evidence.join('\n') ?? '', /Unconfirmed: .*clone is shallow/);
    assert.match(
      left(report).join('\n'),
      /^test\/price\.test\.js: unknown: The changes are not known \(the clone is shallow.*git fetch --deepen=1/,
    );
  });

  it('that is none: it asks about expectations and follows no names', async () => {
    await open(false);
    await change(workspace);
    const report = await mendWorkspace(workspace);
    assert.deepEqual(
      report.fixes.map(({ title, trust, state }) => [title, trust, state]),
      [["expect 'Hello, Ada' (was 'Hi, Ada')", 'oracle', 'unreviewed']],
    );
    assert.match(report.fixes[0]?.evidence.join('\n') ?? '', /Unconfirmed/);
    assert.match(left(report).join('\n'), /not in a git repository/);
  });

  it('in the middle of a merge that stopped at a source: the test is not blamed, the rest is mended', async () => {
    await diverge({ 'src/greet.js': greet('Hey') });
    stops('merge', 'theirs');
    const report = await mend();
    assert.deepEqual(added(report), mended.slice(1));
    assert.deepEqual(left(report), [
      'test/greet.test.js: source: src/greet.js:1 has the marks of a conflict: resolve it first.',
    ]);
  });

  it('in the middle of a merge that stopped at a test', async () => {
    await diverge(
      { 'test/greet.test.js': greetTest.replace('Hi', 'Hey') },
      { 'test/greet.test.js': greetTest.replace('Hi', 'Hello') },
    );
    stops('merge', 'theirs');
    const report = await mend();
    assert.deepEqual(added(report), mended.slice(1));
    assert.deepEqual(left(report), [
      'test/greet.test.js: test: test/greet.test.js:6 has the marks of a conflict: resolve it first.',
    ]);
  });

  it('in the middle of a merge whose marks are in what the code reads: they become no expectation', async () => {
    const words = (word: string): string =>
      `export const words = \`\n${word}\n\`;\nexport const greet = () => words;\n`;
    await diverge({ 'src/greet.js': words('Hey') }, { 'src/greet.js': words('Hello') });
    stops('merge', 'theirs');
    const report = await mend();
    assert.deepEqual(added(report), mended.slice(1));
    assert.deepEqual(left(report), [
      'greets: source: src/greet.js:2 has the marks of a conflict: resolve it first.',
    ]);
  });

  it('in the middle of a merge that stopped elsewhere, or is resolved', async () => {
    await diverge({ 'notes.md': 'more of ours\n' }, { 'notes.md': 'theirs\n' });
    stops('merge', 'theirs');
    const stopped = await mend();
    assert.deepEqual([added(stopped), left(stopped)], [mended, []]);
    await workspace.write('notes.md', 'both\n');
    workspace.git('add', '-A');
    const resolved = await mend();
    assert.deepEqual([added(resolved), left(resolved)], [mended, []]);
  });

  it('in the middle of a rebase', async () => {
    await diverge({ 'src/greet.js': greet('Hi').replace('name', 'who').replace('name', 'who') });
    workspace.git('checkout', '-q', 'theirs');
    stops('rebase', 'main');
    const stopped = await mend();
    assert.deepEqual(added(stopped), mended.slice(1));
    assert.match(left(stopped).join('\n'), /^test\/greet\.test\.js: source: .* marks of a conflict/);
    await change(workspace);
    workspace.git('add', '-A');
    const resolved = await mend();
    assert.deepEqual([added(resolved), left(resolved)], [mended, []]);
  });

  it('that leaves folders out: they are not taken for deleted', async () => {
    workspace = await temporaryWorkspace(
      { ...shop, 'other/far.js': 'export const far = 1;\n' },
      { git: true },
    );
    workspace.git('sparse-checkout', 'set', 'src', 'test');
    await change(workspace);
    const sandbox = await openCopySandbox({
      root: workspace.root,
      folder: path.join(path.dirname(workspace.root), 'copies'),
    });
    try {
      const { root } = sandbox;
      const graph = createImportGraph({ root });
      const { files } = await readSourceChanges({ root, isTestFile: () => false, graph });
      assert.deepEqual(files.map(({ file }) => file).sort(), ['src/greet.js', 'src/price.js']);
    } finally {
      await sandbox.dispose();
    }
  });

  it('says of a source that does not parse that it is the source, also where the runner does not say which file', async () => {
    await open();
    await workspace.write('src/greet.js', `${greet('Hi')}export const more = ;\n`);
    const report = await mend();
    assert.match(left(report).join('\n'), /^test\/greet\.test\.js: source: src\/greet\.js:2 does not parse/);
  });
});
