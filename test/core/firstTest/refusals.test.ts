// What has no first test, said with the file and what to do; and where one belongs by the tests that exist.
import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { likelySource } from '../../../src/core/firstTest/likelySource.ts';
import { makeFirstTest } from '../../../src/core/firstTest/makeFirstTest.ts';
import { learnedPlaces, usualPlaces } from '../../../src/core/firstTest/testPlaces.ts';
import type { Workspace } from '../../../src/core/model/settings.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('no first test is made', () => {
  let shop: TemporaryWorkspace;
  before(async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "main": "dist/index.js" }',
      'src/index.ts': "export * from './price.ts';\n",
      'src/price.ts': 'export const total = (items: number[]) => items.length;\n',
      'src/types.ts': 'export type Item = { cost: number };\nexport interface Shop {}\n',
      'src/shop.d.ts': 'export const a: number;\n',
      'src/broken.ts': 'export const a = 1;\nexport const b = (;\n',
      'bin/shop.js':
        '#!/usr/bin/env node\nconst { total } = require("../src/price");\nmain();\nfunction main() {}\nexports.main = main;\n',
      'src/start.js': 'console.log("hello");\n',
      'src/quiet.js': 'const a = 1;\n',
      'shop.py': 'import sys\n\nif __name__ == "__main__":\n    sys.exit()\n',
      'tool.py': 'import sys\n\nprint(sys.argv)\n',
      'torn.py': 'def a(:\n',
      'notes.md': '# Notes\n',
      'alone.go': 'package shop\n\nfunc Total() {}\n',
    });
  });
  after(() => shop.dispose());

  const refusals: readonly (readonly [string, RegExp, RegExp])[] = [
    ['src/gone.ts', /^There is no file src\/gone\.ts\.$/, /Name a source file/],
    ['src', /^src is not a file\.$/, /Name a source file/],
    ['../away.js', /^\.\.\/away\.js is outside the workspace\.$/, /Name a source file below/],
    ['notes.md', /^No first test can be written for notes\.md\.$/, /JavaScript, TypeScript, Python or Go/],
    ['src/shop.d.ts', /^No first test can be written/, /source file of your own/],
    ['src/types.ts', /^src\/types\.ts exports nothing that a test could reach\.$/, /Types alone/],
    ['src/quiet.js', /^src\/quiet\.js exports nothing/, /Export what should be tested/],
    ['src/broken.ts', /^src\/broken\.ts is broken at line 2: Expression expected\.$/, /Repair it first/],
    [
      'src/start.js',
      /^src\/start\.js is a program: .*\(line 1: console\.log\("hello"\);\)\.$/,
      /separate file/,
    ],
    ['bin/shop.js', /^bin\/shop\.js is a program: .*\(line 3: main\(\);\)\.$/, /separate file/],
    ['shop.py', /^shop\.py exports nothing/, /name another file/],
    ['tool.py', /^tool\.py is a program: .*\(line 3: print\(sys\.argv\)\)\.$/, /separate file/],
    ['torn.py', /^torn\.py is broken at line 1\.$/, /Repair it first/],
    ['alone.go', /^No framework runs tests for alone\.go/, /go mod init/],
  ];
  for (const [file, message, remedy] of refusals) {
    it(`for ${file}`, async () => {
      await assert.rejects(makeFirstTest(workspaceAt(shop.root), file), (error: unknown) => {
        assert.match(String(error).replace('HumanError: ', ''), message);
        assert.match(JSON.stringify(error), remedy);
        return true;
      });
    });
  }

  it('for a framework that is not there', async () => {
    const workspace = { ...workspaceAt(shop.root), frameworks: ['vitest'] };
    const message = 'None of vitest runs tests for src/price.ts in this workspace.';
    await assert.rejects(makeFirstTest(workspace, 'src/price.ts'), { message });
  });

  it('where its folder leads out of the workspace, or a link is in its place', async () => {
    const outside = path.join(path.dirname(shop.root), 'outside');
    await mkdir(outside);
    await symlink(outside, path.join(shop.root, 'tests'));
    await shop.write('pack/__init__.py', '');
    await shop.write('pack/stock.py', 'def stock(): pass\n');
    const leading = 'tests/test_stock.py is outside the workspace: a folder above it is a link.';
    await assert.rejects(makeFirstTest(workspaceAt(shop.root), 'pack/stock.py'), { message: leading });
    await shop.write('linked/near.js', 'exports.a = 1;');
    await symlink(path.join(outside, 'nowhere.js'), path.join(shop.root, 'linked/near.test.js'));
    const message = 'linked/near.test.js already exists.';
    await assert.rejects(makeFirstTest(workspaceAt(shop.root), 'linked/near.js'), { message });
  });

  it('but one is offered for what the entry of the package passes on', async () => {
    assert.equal(await likelySource(workspaceAt(shop.root)), 'src/price.ts');
  });
});

describe('the place of a first test', () => {
  const first = (source: string, tests: readonly string[], others: readonly string[]): string | undefined =>
    learnedPlaces({ source, tests, files: [source, ...tests, ...others].sort() })[0];

  const learned: readonly (readonly [
    string,
    string,
    readonly string[],
    readonly string[],
    string | undefined,
  ])[] = [
    ['beside the source', 'src/a.ts', ['src/b.spec.ts'], ['src/b.ts'], 'src/a.spec.ts'],
    ['in __tests__ below it', 'src/x/a.ts', ['src/y/__tests__/b.ts'], ['src/y/b.ts'], 'src/x/__tests__/a.ts'],
    ['in a mirror of the sources', 'src/x/a.ts', ['test/y/b.test.ts'], ['src/y/b.ts'], 'test/x/a.test.ts'],
    ['in one flat folder', 'lib/a.js', ['test/b.js', 'test/all.js'], ['lib/b.js'], 'test/a.js'],
    [
      'in the package of the source',
      'packages/one/src/a.ts',
      ['packages/one/test/b.test.ts', 'packages/two/src/c.spec.ts', 'packages/two/src/d.spec.ts'],
      ['packages/one/src/b.ts', 'packages/two/src/c.ts', 'packages/two/src/d.ts'],
      'packages/one/test/a.test.ts',
    ],
    [
      'as pytest files are called there',
      'shop/a.py',
      ['tests/unit/b_test.py'],
      ['shop/b.py'],
      'tests/unit/a_test.py',
    ],
    ['nowhere in particular without tests', 'src/a.ts', [], ['src/b.ts'], undefined],
    ['not in the tests of another package', 'one/a.ts', ['two/test/all.ts'], ['two/b.ts'], undefined],
  ];
  for (const [title, source, tests, others, expected] of learned)
    it(`is ${title}`, () => assert.equal(first(source, tests, others), expected));

  it('is in a folder for tests that is there, else beside the source', () => {
    const files = ['src/a.ts', 'test/helper.ts'];
    assert.equal(usualPlaces({ source: 'src/a.ts', tests: [], files }, '')[0], 'test/a.test.ts');
    assert.equal(usualPlaces({ source: 'src/a.mts', tests: [], files: [] }, '')[0], 'src/a.test.ts');
    const inPackage = ['shop/__init__.py', 'shop/a.py'];
    assert.equal(usualPlaces({ source: 'shop/a.py', tests: [], files: inPackage }, '')[0], 'tests/test_a.py');
  });
});

function workspaceAt(root: string): Workspace {
  return {
    root,
    limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 },
    frameworks: [],
    cacheFolder: path.join(os.tmpdir(), 'testmend-test-cache'),
  };
}
