// What a change reaches, on real folders: JavaScript and TypeScript, Python, Go, and more tests where it is unsure.
import assert from 'node:assert/strict';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { affectedBy } from '../../../src/core/run/affectedBy.ts';
import { graphRoots } from '../../../src/core/run/graphRoots.ts';
import { DependencyGraph } from '../../../src/core/modules/dependencyGraph.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const isTest = (file: string): boolean =>
  /(?:\.test\.[mc]?[jt]sx?|_test\.go|\/test_\w+\.py|^test_\w+\.py|\.tests\.mjs)$/.test(file);

describe('what a change affects', () => {
  let workspace: TemporaryWorkspace;
  let tests: string[];
  let graph: DependencyGraph;
  afterEach(() => workspace.dispose());

  const given = async (files: Record<string, string>): Promise<void> => {
    workspace = await temporaryWorkspace(files);
    tests = Object.keys(files).filter(isTest).sort();
    graph = new DependencyGraph(workspace.root);
  };
  const affected = async (...changed: string[]): Promise<readonly string[]> =>
    (await ask(...changed)).files.map((file) => file.replace(/^.*\//, ''));
  const ask = async (...changed: string[]) => {
    const { root } = workspace;
    await graph.update(graphRoots(root, tests));
    return affectedBy({ root, graph, testFiles: tests, changed });
  };

  describe('in JavaScript and TypeScript', () => {
    it('follows paths that a tsconfig extends and references, package imports, exports and workspaces', async () => {
      await given({
        'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
        'tsconfig.base.json':
          '{ "compilerOptions": { "baseUrl": ".", "paths": { "@money/*": ["packages/money/src/*"] } } }',
        'packages/shop/tsconfig.json': '{ "extends": "../../tsconfig.base.json" }',
        'packages/shop/package.json':
          '{ "name": "@s/shop", "imports": { "#util/*": "./src/util/*.js" }, "dependencies": { "@s/text": "*" } }',
        'packages/shop/src/util/round.js': '',
        'packages/shop/test/a.test.ts': `import '@money/tax';`,
        'packages/shop/test/b.test.ts': `import '#util/round';`,
        'packages/shop/test/c.test.ts': `import { up } from '@s/text/case';`,
        'packages/shop/test/d.test.ts': `import '@s/text';`,
        'packages/money/src/tax.ts': '',
        'packages/text/package.json':
          '{ "name": "@s/text", "exports": { ".": "./dist/index.js", "./case": { "import": "./src/case.ts" } } }',
        'packages/text/src/index.ts': `export * from './words';`,
        'packages/text/src/words.ts': '',
        'packages/text/src/case.ts': '',
      });
      await mkdir(path.join(workspace.root, 'node_modules/@s'), { recursive: true });
      await symlink('../../packages/text', path.join(workspace.root, 'node_modules/@s/text'));
      assert.deepEqual(await affected('packages/money/src/tax.ts'), ['a.test.ts']);
      assert.deepEqual(await affected('packages/shop/src/util/round.js'), ['b.test.ts']);
      assert.deepEqual(await affected('packages/text/src/case.ts'), ['c.test.ts']);
      // Its built entry does not exist: the source behind it counts.
      assert.deepEqual(await affected('packages/text/src/words.ts'), ['d.test.ts']);
    });

    it('takes every test that reaches a name which only a run knows, as far as the name tells', async () => {
      await given({
        'src/plugins.ts': 'export const load = (name) => import(`./plugins/${name}.ts`);',
        'src/plugins/mail.ts': '',
        'src/any.js': 'module.exports = (file) => require(file);',
        'src/glob.ts': `export const pages = import.meta.glob('./pages/*.ts');`,
        'src/pages/home.ts': '',
        'src/lonely.ts': '',
        'plugin.test.ts': `import './src/plugins';`,
        'any.test.ts': `import './src/any';`,
        'glob.test.ts': `import './src/glob';`,
        'other.test.ts': `import './src/lonely';`,
      });
      assert.deepEqual(await affected('src/plugins/mail.ts'), ['any.test.ts', 'plugin.test.ts']);
      assert.deepEqual(await affected('src/pages/home.ts'), ['any.test.ts', 'glob.test.ts']);
      assert.deepEqual(await affected('src/lonely.ts'), ['any.test.ts', 'other.test.ts']);
      assert.deepEqual(await affected('other.test.ts'), ['other.test.ts']);
    });

    it('follows set-up files of the configuration, mocks, snapshots, and tests that start a program', async () => {
      await given({
        'package.json': '{ "scripts": { "test": "vitest run" }, "main": "src/main.ts" }',
        'vitest.config.ts': `export default { test: { setupFiles: ['./test/setup'] } };`,
        'test/setup.ts': `import './clock';`,
        'test/clock.ts': '',
        'src/main.ts': '',
        'src/mail.ts': '',
        'src/__mocks__/mail.ts': '',
        'bin/cli.mjs': `import '../src/mail.ts';`,
        'cli.test.ts': `execa('node', ['./bin/cli.mjs']);`,
        'main.test.ts': `import './src/main';`,
        'mail.test.ts': `vi.mock('./src/mail');`,
        'snap.test.ts': '',
        '__snapshots__/snap.test.ts.snap': '',
      });
      assert.deepEqual(await affected('test/clock.ts'), tests);
      assert.deepEqual(await affected('src/main.ts'), ['main.test.ts']);
      assert.deepEqual(await affected('src/mail.ts'), ['cli.test.ts', 'mail.test.ts']);
      assert.deepEqual(await affected('src/__mocks__/mail.ts'), ['cli.test.ts', 'mail.test.ts']);
      assert.deepEqual(await affected('__snapshots__/snap.test.ts.snap'), ['snap.test.ts']);
    });

    it('finds who named a file that is gone', async () => {
      await given({
        'src/old.ts': '',
        'src/folder/index.ts': '',
        'src/user.ts': `import './old';`,
        'a.test.ts': `import './src/user';`,
        'b.test.ts': `import './src/folder';`,
        'c.test.ts': '',
      });
      await ask();
      await rm(path.join(workspace.root, 'src/old.ts'));
      await rm(path.join(workspace.root, 'src/folder'), { recursive: true });
      assert.deepEqual(await affected('src/old.ts'), ['a.test.ts']);
      assert.deepEqual(await affected('src/folder/index.ts'), ['b.test.ts']);
      graph = new DependencyGraph(workspace.root);
      assert.deepEqual(await affected('src/old.ts'), ['a.test.ts']);
      assert.deepEqual(await affected('src/folder/index.ts'), ['b.test.ts']);
    });
  });

  describe('in Python', () => {
    it('follows absolute, relative and late imports in a src layout, packages and namespace packages', async () => {
      await given({
        'pyproject.toml': '[project]\nname = "shop"\n',
        'src/shop/__init__.py': '',
        'src/shop/tax.py': 'from .rates import rate\n',
        'src/shop/rates.py': '',
        'src/shop/cart.py': 'import shop.tax as tax  # import shop.report\n',
        'src/shop/report.py': '"""\nimport shop.cart\n"""\n',
        'src/ns/part/tool.py': '',
        'src/shop/plugins/late.py': '',
        'tests/test_cart.py': 'from shop import (\n    cart,\n)\n',
        'tests/test_report.py': 'import os, shop.report\n',
        'tests/test_tool.py': 'from ns.part import tool\n',
        'tests/test_late.py': `import importlib\nimportlib.import_module('shop.plugins.late')\n`,
        'tests/test_patch.py': `with patch("shop.rates.rate"):\n    pass\n`,
      });
      assert.deepEqual(await affected('src/shop/rates.py'), ['test_cart.py', 'test_patch.py']);
      assert.deepEqual(await affected('src/shop/report.py'), ['test_report.py']);
      assert.deepEqual(await affected('src/ns/part/tool.py'), ['test_tool.py']);
      assert.deepEqual(await affected('src/shop/plugins/late.py'), ['test_late.py']);
      assert.deepEqual(await affected('src/shop/__init__.py'), [
        'test_cart.py',
        'test_late.py',
        'test_patch.py',
        'test_report.py',
      ]);
    });

    it('lets a conftest.py affect all tests below, with what it imports', async () => {
      await given({
        'pytest.ini': '[pytest]\npythonpath = lib\n',
        'lib/db.py': '',
        'tests/unit/test_a.py': '',
        'tests/db/conftest.py': 'import db\n',
        'tests/db/test_b.py': '',
        'tests/db/deep/test_c.py': '',
        'tests/open/test_d.py': 'name = "x"\nimportlib.import_module(name)\n',
        'tools.py': '',
      });
      assert.deepEqual(await affected('tests/db/conftest.py'), ['test_c.py', 'test_b.py']);
      assert.deepEqual(await affected('lib/db.py'), ['test_c.py', 'test_b.py', 'test_d.py']);
      assert.deepEqual(await affected('tools.py'), ['test_d.py']);
      assert.deepEqual(
        await affected('pytest.ini'),
        tests.map((file) => path.basename(file)),
      );
    });
  });

  describe('by programs that a test starts', () => {
    const node = (start: string): string =>
      `const cp = require('child_process'), path = require('path'); cp.${start};`;
    const py = (start: string): string => `import subprocess, sys\nsubprocess.${start}\n`;

    it('follows a script that is named for certain, and takes every change where it is not', async () => {
      await given({
        'package.json': '{ "name": "x", "bin": { "x": "src/cli.js" } }',
        'src/cli.js': `require('./v');`,
        'src/v.js': '',
        'src/other.js': '',
        'bin/raw': '',
        'dist/built.js': '',
        'text.test.js': node(`execSync('node src/cli.js --json')`),
        'ending.test.js': node(`spawnSync('node src/cli', { shell: true })`),
        'template.test.js': node('execSync(`node ${path.join(__dirname, "src/cli.js")}`)'),
        'git.test.js': node(`execSync('git init')`),
        'bin.test.js': node(`execFileSync('node', [require('./package.json').bin.x])`),
        'dot.test.js': node(`execFileSync('node', ['.'])`),
        'folder.test.js': node(`execFileSync('node', ['src'])`),
        'npx.test.js': node(`execSync('npx --no x')`),
        'raw.test.js': node(`spawn(path.join(__dirname, 'bin/raw'))`),
        'built.test.js': node(`fork(path.join(__dirname, 'dist/built.js'))`),
        'helper.js': node('spawnSync(process.execPath, args)'),
        'helped.test.js': `require('./helper');`,
        'plain.test.js': `require('./src/other');`,
      });
      const any = ['bin', 'built', 'dot', 'folder', 'helped', 'npx', 'raw'].map((name) => `${name}.test.js`);
      assert.deepEqual(
        await affected('src/v.js'),
        [...any, 'ending', 'template', 'text'].map((one) => one.replace(/^\w+$/, '$&.test.js')).sort(),
      );
      assert.deepEqual(await affected('src/other.js'), [...any, 'plain.test.js'].sort());
      assert.deepEqual(await affected('plain.test.js'), ['plain.test.js']);
      assert.deepEqual((await ask('src/other.js')).notes, [
        'bin.test.js and 6 more may start or load any file: 7 test files that depend on that run.',
      ]);
      assert.deepEqual(await affected('README.md'), []);
    });

    it('follows modules and scripts that Python starts, and takes every change where it is unsure', async () => {
      await given({
        'pk/__init__.py': '',
        'pk/cli.py': 'from pk.v import X\n',
        'pk/__main__.py': 'from pk import v\n',
        'pk/v.py': '',
        'src/o.py': '',
        'test_m.py': py(`check_output([sys.executable, '-m', 'pk.cli'])`),
        'test_main.py': py(`run([sys.executable, '-m', 'pk'], check=True)`),
        'test_script.py': py(`run(['python3', 'pk/cli.py'])`),
        'test_git.py': py(`run(['git', 'init'], stdout=subprocess.PIPE)`),
        'test_shell.py': py(`check_output('python3 -m pk.cli', shell=True)`),
        'test_code.py': py(`check_output([sys.executable, '-c', code])`),
        'test_import.py': py(`check_output([sys.executable, '-sS', '-c', 'from pk import v'])`),
        'test_place.py': py(`run(['python3', 'pk/cli.py'], cwd=folder)`),
        'test_name.py': py(`run([sys.executable, script])`),
        'test_alias.py': 'from subprocess import run\nrun(cmd)\n',
        'test_path.py': `import runpy, pathlib\nrunpy.run_path(str(pathlib.Path(__file__).parent / 'pk' / 'v.py'))\n`,
        'test_walk.py': `import pk, pkgutil\nfor m in pkgutil.iter_modules(pk.__path__):\n  importlib.import_module('pk.'+m.name)\n`,
        'test_plus.py': `import_module('pk.' + name)\n`,
        'test_word.py': `REGISTRY = ['pk.v']\n`,
        'test_z.py': 'import src.o\n',
      });
      const any = ['alias', 'code', 'name', 'path', 'place', 'plus', 'shell', 'walk'];
      const names = (...more: string[]): string[] => [...any, ...more].sort().map((one) => `test_${one}.py`);
      assert.deepEqual(await affected('pk/v.py'), names('import', 'm', 'main', 'script', 'word'));
      assert.deepEqual(await affected('src/o.py'), names('z'));
    });
  });

  it('loads the plugins that a configuration of pytest names before every test', async () => {
    await given({
      'pytest.ini': '[pytest]\naddopts = -q -p plug -p no:cacheprovider\n',
      'lib/pyproject.toml':
        '[project.entry-points.pytest11]\nlib = "lib_plugin:main"\n[tool.x]\na = "other"\n',
      'plug.py': 'import below\n',
      'below.py': '',
      'other.py': '',
      'lib/lib_plugin.py': '',
      'test_a.py': '',
      'lib/test_b.py': '',
    });
    assert.deepEqual(await affected('below.py'), ['test_b.py', 'test_a.py']);
    assert.deepEqual(await affected('lib/lib_plugin.py'), ['test_b.py']);
    assert.deepEqual(await affected('other.py'), []);
  });

  it('follows what every condition of `exports` and `imports` and every entry of a package leads to', async () => {
    await given({
      'package.json': '{ "name": "root" }',
      'own/package.json':
        '{ "name": "own", "exports": { "node": { "require": "./lib/v.cjs" }, "default": "./lib/v.mjs" }, "imports": { "#v": { "browser": "./b.js", "node": "./n.js" } } }',
      'own/lib/v.cjs': '',
      'own/lib/v.mjs': '',
      'own/b.js': '',
      'own/n.js': '',
      'own/a.test.js': `require('own');`,
      'own/b.test.js': `import '#v';`,
      'two/package.json': '{ "name": "two", "main": "lib/main.cjs", "module": "lib/main.mjs" }',
      'two/lib/main.cjs': '',
      'two/lib/main.mjs': '',
      'c.test.js': `require('two');`,
      'd.test.js': `require('own');`,
    });
    await mkdir(path.join(workspace.root, 'node_modules'), { recursive: true });
    for (const name of ['own', 'two'])
      await symlink(`../${name}`, path.join(workspace.root, 'node_modules', name));
    for (const file of ['own/lib/v.cjs', 'own/lib/v.mjs'])
      assert.deepEqual(await affected(file), ['d.test.js', 'a.test.js'], file);
    for (const file of ['own/b.js', 'own/n.js']) assert.deepEqual(await affected(file), ['b.test.js'], file);
    for (const file of ['two/lib/main.cjs', 'two/lib/main.mjs'])
      assert.deepEqual(await affected(file), ['c.test.js'], file);
  });

  it('lets a mock of an installed package stand in every test', async () => {
    await given({
      'package.json': '{ "scripts": { "test": "jest" } }',
      '__mocks__/money.js': `require('../lib/z');`,
      '__mocks__/@s/text.js': `require('../../lib/y');`,
      'src/__mocks__/own.js': `require('../../lib/x');`,
      'src/own.js': '',
      'lib/x.js': '',
      'lib/y.js': '',
      'lib/z.js': '',
      'a.test.js': `require('money');`,
      'b.test.js': '',
    });
    for (const file of ['lib/z.js', 'lib/y.js', '__mocks__/money.js'])
      assert.deepEqual(await affected(file), ['a.test.js', 'b.test.js'], file);
    assert.deepEqual(await affected('lib/x.js'), []);
  });

  it('follows Go packages: tests of the package, and of those that import it', async () => {
    await given({
      'go.mod': 'module example.com/shop\n\nreplace example.com/tax => ./vendored/tax\n',
      'money/money.go': 'package money\n',
      'money/round.go': 'package money\n',
      'money/money_test.go': 'package money\n',
      'cart/cart.go':
        'package cart\n\nimport (\n\tm "example.com/shop/money"\n\t// "example.com/shop/mail"\n)\n',
      'cart/cart_test.go': 'package cart_test\n\nimport "example.com/shop/cart"\n',
      'cart/more_test.go': 'package cart\n',
      'cart/testdata/items.csv': '',
      'mail/mail.go': 'package mail\n\nimport "example.com/tax"\n',
      'mail/mail_test.go': 'package mail\n',
      'vendored/tax/go.mod': 'module example.com/tax\n',
      'vendored/tax/tax.go': 'package tax\n',
    });
    assert.deepEqual(await affected('money/round.go'), ['cart_test.go', 'more_test.go', 'money_test.go']);
    assert.deepEqual(await affected('cart/cart.go'), ['cart_test.go', 'more_test.go']);
    assert.deepEqual(await affected('vendored/tax/tax.go'), ['mail_test.go']);
    assert.deepEqual(await affected('cart/testdata/items.csv'), ['cart_test.go', 'more_test.go']);
    await workspace.write('money/new.go', 'package money\n');
    assert.deepEqual(await affected('money/new.go'), ['cart_test.go', 'more_test.go', 'money_test.go']);
    assert.deepEqual(
      await affected('go.mod'),
      tests.map((file) => path.basename(file)),
    );
  });

  describe('when it is unsure', () => {
    beforeEach(() =>
      given({
        'package.json': '{ "workspaces": ["packages/*"] }',
        'packages/a/package.json': '{ "name": "a" }',
        'packages/a/src/index.ts': `readFileSync(join(here, 'prices.json'));`,
        'packages/a/data/prices.json': '',
        'packages/a/data/unknown.bin': '',
        'packages/a/a.test.ts': `import './src/index';`,
        'packages/a/other.test.ts': '',
        'packages/b/package.json': '{ "name": "b" }',
        'packages/b/b.test.ts': `import '../a/src/index';`,
        'packages/b/plain.test.ts': '',
        'py/test_p.py': '',
      }),
    );

    it('runs all tests below a changed configuration, lock file or .env, and those that use what lies there', async () => {
      assert.deepEqual(await affected('packages/a/package.json'), [
        'a.test.ts',
        'other.test.ts',
        'b.test.ts',
      ]);
      assert.deepEqual(await affected('packages/b/tsconfig.json'), ['b.test.ts', 'plain.test.ts']);
      const js = ['a.test.ts', 'other.test.ts', 'b.test.ts', 'plain.test.ts'];
      assert.deepEqual(await affected('package-lock.json'), js);
      assert.deepEqual(await affected('.env.test'), [...js, 'test_p.py']);
      assert.deepEqual(await affected('requirements.txt'), ['test_p.py']);
      assert.deepEqual((await ask('packages/b/.env')).notes, [
        'packages/b/.env changed: all tests in packages/b run.',
      ]);
    });

    it('runs the tests of who names a data file, else all of its package', async () => {
      assert.deepEqual(await affected('packages/a/data/prices.json'), ['a.test.ts', 'b.test.ts']);
      assert.deepEqual(await affected('packages/a/data/unknown.bin'), [
        'a.test.ts',
        'other.test.ts',
        'b.test.ts',
      ]);
    });

    it('runs nothing for what no test reads', async () => {
      assert.deepEqual(
        await affected('README.md', '.github/workflows/ci.yml', 'eslint.config.js', 'LICENSE'),
        [],
      );
    });
  });
});
