// The files that a command is to write: checked before anything runs, and told truly at the end. Real processes on small workspaces.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { lstat, readdir, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { renamedShop, skillFile, skillText } from '../support/renamedShop.ts';
import { spoiling } from '../support/spoiledFolder.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { errorDocument, fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

describe('the files that a command is to write', function () {
  this.timeout(200_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());
  const fix = (...args: string[]): Promise<CliResult> => testmend(['fix', ...args], { cwd: workspace.root });
  const status = (): string => workspace.git('status', '--porcelain', '--untracked-files=all').trim();

  it('are refused before anything runs where they cannot be written', async () => {
    workspace = await renamedShop(['price']);
    await mkdir(path.join(workspace.root, 'docs'));
    const refusals: readonly (readonly [args: readonly string[], file: string, message: RegExp])[] = [
      [['--patch', '/dev/null/p'], '/dev/null/p', /^The patch cannot be written to \/dev\/null\/p: /],
      [['--hand-over', 'docs'], 'docs', /^The hand-over cannot be written to docs: it is a folder\.$/],
      [['--patch', 'new/'], 'new/', /it is a folder\.$/],
      [['--events', 'ndjson=docs'], 'docs', /^The events .* it is a folder\.$/],
      [
        ['--reporter', 'junit=package.json/x.xml'],
        'package.json/x.xml',
        /^The report cannot be written to package\.json\/x\.xml: /,
      ],
      [['--patch', skillFile('price')], skillFile('price'), /it is a file of the project\.$/],
      [['--reporter', 'json=package.json'], 'package.json', /it is a file of the project\.$/],
      [['--patch', 'both', '--hand-over', 'both/left.md'], 'both', /it is a folder\.$/],
    ];
    for (const [args, file, message] of refusals) {
      const result = await fix('--apply', '--json', ...args);
      const { error } = documentOf(errorDocument, result);
      assert.match(error.message, message);
      assert.deepEqual([result.code, error.file, error.value], [2, file, file]);
      assert.match(error.remedy, new RegExp(`with ${args[0]} `));
      assert.doesNotMatch(result.stderr, /iteration/i);
    }
    assert.equal(status(), 'M price.mjs');
    assert.equal(await workspace.read(skillFile('price')), skillText('price'));
    for (const command of ['run', 'fix']) {
      const refused = await testmend([command, '--reporter', 'json=docs'], { cwd: workspace.root });
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /The report cannot be written to docs: it is a folder\./);
      assert.equal(refused.stdout, '');
    }
  });

  it('get their folders, and former ones are written again though git tracks them', async () => {
    workspace = await renamedShop(['price']);
    await workspace.write('fixes.patch', 'former\n');
    workspace.git('add', 'fixes.patch');
    const outputs = ['--patch=fixes.patch', '--hand-over=a/left.md', '--events=ndjson=b/e.ndjson'];
    const { code, stdout } = await fix('--dry-run', ...outputs, '--reporter=junit=c/d/fix.xml');
    assert.equal(code, 1);
    assert.match(stdout, /\n1 proven fix is in fixes\.patch\.\n/);
    assert.match(await workspace.read('fixes.patch'), /withoutTax/);
    for (const file of ['a/left.md', 'b/e.ndjson', 'c/d/fix.xml'])
      assert.ok(existsSync(path.join(workspace.root, file)), file);
    const run = await testmend(['run', '--reporter', 'terminal=e/run.txt'], { cwd: workspace.root });
    assert.equal(run.code, 1);
    assert.match(await workspace.read('e/run.txt'), /1 errored/);
  });

  it('stay links and devices where they are some, and a report that a full disk takes is told', async function () {
    if (!existsSync('/dev/full')) this.skip();
    workspace = await renamedShop(['price']);
    const out = path.join(workspace.root, 'out');
    await mkdir(out);
    await symlink('real.xml', path.join(out, 'link.xml'));
    await symlink('/dev/full', path.join(out, 'full.json'));
    const asked = ['run', '--json', '--reporter', 'junit=out/link.xml', '--reporter', 'json=out/full.json'];
    const { code, stdout } = await testmend(asked, { cwd: workspace.root });
    assert.equal(code, 1);
    assert.match(JSON.parse(stdout).notes.join('\n'), /Reporter json failed: ENOSPC/);
    assert.ok((await lstat(path.join(out, 'link.xml'))).isSymbolicLink());
    assert.match(await workspace.read('out/real.xml'), /<testsuite/);
    assert.deepEqual((await readdir(out)).sort(), ['full.json', 'link.xml', 'real.xml']);
  });

  it('are written over where there is no git that could tell whose they are', async () => {
    workspace = await renamedShop(['price']);
    await workspace.write('left.txt', 'mine\n');
    const bin = path.join(workspace.root, '../bin');
    await mkdir(bin);
    await symlink(process.execPath, path.join(bin, 'node'));
    const args = ['run', '--reporter', 'terminal=left.txt'];
    const { code, stderr } = await testmend(args, { cwd: workspace.root, env: { PATH: bin } });
    assert.equal(code, 1, stderr);
    assert.match(await workspace.read('left.txt'), /1 errored/);
  });

  it('leave the report and each other in peace where one cannot be written at the end', async () => {
    workspace = await renamedShop(['price']);
    const outputs = ['--patch=out/p.patch', '--hand-over=left.md', '--reporter=junit=fix.xml'];
    const result = await testmend(['fix', '--apply', '--json', '--events=ndjson=events.ndjson', ...outputs], {
      cwd: workspace.root,
      interruptWhen: spoiling(path.join(workspace.root, 'out'), path.join(workspace.root, 'events.ndjson')),
    });
    const document = documentOf(fixDocument.extend(errorDocument.shape), result);
    assert.equal(result.code, 2);
    assert.match(
      document.error.message,
      /^The patch cannot be written to out\/p\.patch: .* 1 fix was applied\.$/,
    );
    assert.deepEqual([document.error.code, document.error.file], ['read-only', 'out/p.patch']);
    assert.equal(document.fixes.length, 1);
    assert.match(await workspace.read('left.md'), /^# /);
    assert.match(await workspace.read('fix.xml'), /failures="0"/);
    assert.match(await workspace.read(skillFile('price')), /withoutTax/);
  });

  it('tell people what is in a patch, and what is not', async () => {
    const test = (name: string, call: string, expected: string): string =>
      `import assert from 'node:assert/strict';\nimport { ${name} } from '../words.mjs';\n\nexport default () => {\n  assert.equal(${call}, '${expected}');\n  return { passed: 1, failed: 0, errors: [] };\n};\n`;
    const words = (order: string, hello: string, more = ''): string =>
      `export const order = () => '${order}';\nexport const hello = (name) => \`${hello}, \${name}\`;\n${more}`;
    workspace = await temporaryWorkspace(
      {
        'package.json': '{}',
        'words.mjs': words('red green', 'Hi'),
        'tests/order.tests.mjs': test('order', 'order()', 'red green'),
        'tests/hello.tests.mjs': test('hello', "hello('Ada')", 'Hi, Ada'),
      },
      { git: true },
    );
    await workspace.write('words.mjs', words('green red', 'Hello'));
    const both = await fix('--dry-run', '--patch', 'p.patch');
    assert.match(
      both.stdout,
      /\n1 proven fix is in p\.patch \(1 changed expectation that nobody has accepted yet\)\.\n1 proposal that only you can choose is not\.\n/,
    );
    await workspace.write('words.mjs', words('green red', 'Hi'));
    const none = await fix('--dry-run', '--patch', 'p.patch');
    assert.match(
      none.stdout,
      /\nNo proven fix can be written as a patch: p\.patch is empty\.\n1 proposal that only you can choose is not\.\n/,
    );
    assert.equal(await workspace.read('p.patch'), '');
  });
});
