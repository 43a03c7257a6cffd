// The import graph on real folders: how specifiers resolve, what a file reaches, what only tests reach.
import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { createImportGraph } from '../../../src/core/modules/importGraph.ts';
import { packagePatterns } from '../../../src/core/modules/pathPatterns.ts';
import { scanSpecifiers } from '../../../src/core/modules/importScan.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('scanning specifiers', () => {
  it('finds every way to name a module and none in comments or strings', () => {
    const text = `
      import a, { b as c } from './a';
      import type { T } from "./t";
      import './side.css';
      export * from './s'; export { x } from './x';
      const r = require('./r'); const spread = { ...require('./spread') }; const d = await import(/* hint */ './d'); const e = import(\`./e\`);
      type Q = import('./q').Q;
      vi.mock('./m', () => ({}));
      const y = await vi.importActual<typeof import('./ia')>('./ib');
      new URL('./worker.ts', import.meta.url);
      // import z from './comment'
      /* import z from './block' */
      const s = "import w from './inString'";
      const re = /[\`'"]\\/*/; import './afterRegex';
      const half = total / 2; import './afterDivision'; const more = half / 2;
      const t = \`\${cond ? \`x\` : 'y'} from \`; import './afterTemplate';
    `;
    assert.deepEqual(scanSpecifiers(text).modules, [
      './a',
      './t',
      './side.css',
      './s',
      './x',
      './r',
      './spread',
      './d',
      './e',
      './q',
      './m',
      './ia',
      './ib',
      './worker.ts',
      './afterRegex',
      './afterDivision',
      './afterTemplate',
    ]);
  });

  it('reads what an escaped specifier says, not how it is spelt', () => {
    const text = String.raw`import './\u0061.js'; import "./\x62\u{63}\
.js"; require('./x\ny.js'); import './it\'s.js'; import './\u{ffffffff}.js';`;
    assert.deepEqual(scanSpecifiers(text).modules, [
      './a.js',
      './bc.js',
      './x\ny.js',
      "./it's.js",
      './\\u{ffffffff}.js',
    ]);
  });

  it('joins the parts of a path that a call is given, and no others', () => {
    const text = `
      const bin = path.join(__dirname, '..', 'bin', 'cli.js');
      const main = path.resolve(ROOT, "src" , 'main.mjs'); const one = path.join(ROOT, 'tool.js');
      const words = ['a', 'b']; f('x y', 'z.js'); const both = 'lib' + 'c.js';
    `;
    assert.deepEqual(scanSpecifiers(text).paths, ['../bin/cli.js', 'bin/cli.js', 'src/main.mjs']);
  });

  it('names a package by its entries only for others: by itself it has none without exports', () => {
    const text = '{ "name": "x", "main": "a.js" }';
    assert.deepEqual(packagePatterns('/p/package.json', text), []);
    const exported = packagePatterns('/p/package.json', '{ "name": "x", "exports": "./a.js" }');
    assert.deepEqual(
      exported.map(({ prefix, target }) => [prefix, target]),
      [['x', '/p/a.js']],
    );
  });

  it('lets createRequire under any name load anything', () => {
    assert.deepEqual(scanSpecifiers(`const load = createRequire(place); load('./e');`).open, ['']);
    assert.deepEqual(scanSpecifiers('const require = createRequire(import.meta.url);').open, []);
    assert.deepEqual(scanSpecifiers("import { createRequire } from 'node:module';").open, []);
    for (const text of [
      "require('module').createRequire(__filename)('./e');",
      "createRequire(path.join(here, 'x.js'))('./e');",
      "import { createRequire as cr } from 'node:module';\ncr(import.meta.url)('./e');",
      "const { createRequire: make } = require('module');",
      "const r = require;\nr('./e');",
    ])
      assert.deepEqual(scanSpecifiers(text).open, [''], text);
    assert.deepEqual(scanSpecifiers("module.require('./e');").modules, ['./e']);
  });

  it('takes linear time on a file of one megabyte', () => {
    const line = `import { value } from './value'; const text = \`a \${value} b\`; // note\n`;
    const text = line.repeat(14_000);
    assert.deepEqual(scanSpecifiers(text).modules, ['./value']);
  });
});

describe('the import graph', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  const importsOf = async (files: Record<string, string>, file: string): Promise<readonly string[]> => {
    workspace = await temporaryWorkspace(files);
    return createImportGraph({ root: workspace.root }).importsOf(file);
  };

  it('resolves extensions, index files, .js written for .ts, JSON and files TypeScript does not know', async () => {
    const imports = await importsOf(
      {
        'a.test.ts': `import './one'; import './two.js'; import './folder'; import './data.json'; import './View.vue'; import './three.tsx';`,
        'one.ts': '',
        'two.ts': '',
        'folder/index.ts': '',
        'data.json': '{}',
        'View.vue': '',
        'three.tsx': '',
      },
      'a.test.ts',
    );
    assert.deepEqual(imports, ['one.ts', 'two.ts', 'folder/index.ts', 'data.json', 'View.vue', 'three.tsx']);
  });

  it('follows Go from a test to its package, and through the packages of the module', async () => {
    const workspace = await temporaryWorkspace({
      'go.mod': 'module example.com/shop\n',
      'cart.go': 'package shop\n\nimport "example.com/shop/price"\n\nvar Net = price.Net\n',
      'cart_test.go': 'package shop\n\nimport "testing"\n',
      'price/price.go': 'package price\n\nvar Net = 1\n',
      'price/price_test.go': 'package price\n',
      'other/other.go': 'package other\n',
    });
    const reached = await createImportGraph({ root: workspace.root }).reaches('cart_test.go');
    assert.deepEqual([...reached].sort(), ['cart.go', 'cart_test.go', 'price/price.go']);
    await workspace.dispose();
  });

  it('follows Python through src layouts and conftest.py', async () => {
    workspace = await temporaryWorkspace({
      'pyproject.toml': '[project]\nname = "shop"\n',
      'src/shop/__init__.py': '',
      'src/shop/cart.py': 'from .price import net\n',
      'src/shop/price.py': 'def net(): ...\n',
      'src/shop/other.py': '',
      'tests/conftest.py': 'import shop.other\n',
      'tests/test_cart.py': 'from shop.cart import total\n',
    });
    const reached = await createImportGraph({ root: workspace.root }).reaches('tests/test_cart.py');
    assert.deepEqual([...reached].sort(), [
      'src/shop/__init__.py',
      'src/shop/cart.py',
      'src/shop/other.py',
      'src/shop/price.py',
      'tests/conftest.py',
      'tests/test_cart.py',
    ]);
  });

  it('follows tsconfig paths, also through a solution-style tsconfig', async () => {
    const imports = await importsOf(
      {
        'tsconfig.json': `{ "files": [], /* app */ "references": [{ "path": "./tsconfig.app.json" }] }`,
        'tsconfig.app.json': `{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "money": ["./src/money/main.ts"] } } }`,
        'test/a.test.ts': `import '@/cart'; import 'money';`,
        'src/cart.ts': '',
        'src/money/main.ts': '',
      },
      'test/a.test.ts',
    );
    assert.deepEqual(imports, ['src/cart.ts', 'src/money/main.ts']);
  });

  for (const [form, alias] of [
    ['an object with path.resolve', `{ '~': path.resolve(__dirname, 'src') }`],
    ['an object with a file URL', `{ '~': fileURLToPath(new URL('./src', import.meta.url)) }`],
    ['an array with a pattern', `[{ find: /^~/, replacement: import.meta.dirname + '/src' }]`],
    ['a constant', `aliases`],
  ] as const) {
    it(`reads vite's alias from ${form}`, async () => {
      const imports = await importsOf(
        {
          'vitest.config.ts': `const root = __dirname; const aliases = { '~': \`\${root}/src\` };\nexport default defineConfig({ resolve: { alias: ${alias} } });`,
          'a.test.ts': `import '~/cart';`,
          'src/cart.ts': '',
        },
        'a.test.ts',
      );
      assert.deepEqual(imports, ['src/cart.ts']);
    });
  }

  it("resolves a package's own imports and its own name", async () => {
    const imports = await importsOf(
      {
        'package.json': `{ "name": "shop", "imports": { "#lib/*": "./src/lib/*.ts" }, "exports": { ".": "./src/index.ts" } }`,
        'a.test.ts': `import '#lib/tax'; import 'shop';`,
        'src/lib/tax.ts': '',
        'src/index.ts': '',
      },
      'a.test.ts',
    );
    assert.deepEqual(imports, ['src/lib/tax.ts', 'src/index.ts']);
  });

  it('leads to the code of a package whose types are kept apart', async () => {
    const imports = await importsOf(
      {
        'package.json': `{ "name": "shop", "main": "./index.js", "types": "typings/index.d.ts", "exports": { ".": { "types": "./typings/index.d.ts", "default": "./index.js" } } }`,
        'tests/a.test.js': `const shop = require('../'); const again = require('shop');`,
        'index.js': '',
        'typings/index.d.ts': 'export {};',
      },
      'tests/a.test.js',
    );
    assert.deepEqual([...new Set(imports)], ['index.js']);
  });

  it('follows a linked workspace package to its sources, also while it is not built', async () => {
    workspace = await temporaryWorkspace({
      'packages/pricing/package.json': `{ "name": "@shop/pricing", "main": "dist/index.js" }`,
      'packages/pricing/src/index.ts': `export * from './tax';`,
      'packages/pricing/src/tax.ts': '',
      'packages/cart/test/a.test.ts': `import '@shop/pricing'; import 'vitest'; import 'node:fs';`,
    });
    const scope = path.join(workspace.root, 'node_modules/@shop');
    await mkdir(scope, { recursive: true });
    await symlink('../../packages/pricing', path.join(scope, 'pricing'));
    const graph = createImportGraph({ root: workspace.root });
    assert.deepEqual(await graph.importsOf('packages/cart/test/a.test.ts'), [
      'packages/pricing/src/index.ts',
    ]);
    assert.ok((await graph.reaches('packages/cart/test/a.test.ts')).has('packages/pricing/src/tax.ts'));
  });

  it('survives cycles and finds the tests that reach a change', async () => {
    workspace = await temporaryWorkspace({
      'a.ts': `import './b';`,
      'b.ts': `import './a'; import './c';`,
      'c.ts': '',
      'd.ts': '',
      'a.test.ts': `import './a';`,
      'd.test.ts': `vi.mock('./d');`,
      'cli.test.ts': `execa('node', [path.join(root, 'bin/cli.mjs')]);`,
      'bin/cli.mjs': `import '../c.ts';`,
    });
    const graph = createImportGraph({ root: workspace.root });
    const tests = ['a.test.ts', 'd.test.ts', 'cli.test.ts'];
    assert.deepEqual(await graph.testsReaching(['c.ts'], tests), ['a.test.ts', 'cli.test.ts']);
    assert.deepEqual(await graph.testsReaching(['d.ts'], tests), ['d.test.ts']);
    assert.deepEqual([...(await graph.reaches('a.ts'))].sort(), ['a.ts', 'b.ts', 'c.ts']);
  });

  it('tells helpers of tests from sources that nothing but a test imports yet', async () => {
    workspace = await temporaryWorkspace({
      'test/a.test.ts': `import './support/render'; import '../src/lonely'; import './shared';`,
      'test/support/render.ts': `import './theme';`,
      'test/support/theme.ts': '',
      'test/shared.ts': '',
      'src/lonely.ts': '',
      'src/main.ts': `import '../test/shared';`,
    });
    const files = [
      'test/a.test.ts',
      'test/support/render.ts',
      'test/support/theme.ts',
      'test/shared.ts',
      'src/lonely.ts',
      'src/main.ts',
    ];
    const helpers = await createImportGraph({ root: workspace.root }).onlyFromTests(files, (file) =>
      file.endsWith('.test.ts'),
    );
    assert.deepEqual([...helpers].sort(), ['test/support/render.ts', 'test/support/theme.ts']);
  });
});
