// Affected tests (CONTRACTS T2) on real repositories: by name and by imports, against HEAD~1.
import assert from 'node:assert/strict';
import { affectedTests } from '../../../src/core/run/affectedTests.ts';
import { testsNamedAfter } from '../../../src/core/run/namedTests.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('affected tests', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace?.dispose());

  it('maps a changed file to tests by its name', () => {
    const tests = [
      'tests/cart.test.ts',
      'src/__tests__/cart.test.tsx',
      'src/cart.spec.mts',
      'tests/shop/cart.test.js',

      'packages/b/cart.test.ts',
      'tests/cartItem.test.ts',
      'tests/cart.tests.mjs',
      'tests/test_cart.py',
      'cart_test.go',
    ];
    assert.deepEqual(
      [...testsNamedAfter(['src/cart.ts'], tests)].sort(),
      [
        'packages/b/cart.test.ts',
        'src/__tests__/cart.test.tsx',
        'src/cart.spec.mts',
        'tests/cart.test.ts',

        'tests/cart.tests.mjs',
        'tests/shop/cart.test.js',
      ].sort(),
    );
    assert.deepEqual(
      [...testsNamedAfter(['packages/a/src/cart.ts'], tests)].includes('packages/b/cart.test.ts'),
      false,
    );
    assert.deepEqual([...testsNamedAfter(['app/cart.py'], tests)], ['tests/test_cart.py']);
    assert.deepEqual([...testsNamedAfter(['cart.go'], tests)], ['cart_test.go']);
  });

  it('takes the working tree against the commit before HEAD, and the import graph', async () => {
    workspace = await temporaryWorkspace(
      {
        'src/tax.ts': 'export const tax = 1;\n',
        'src/cart.ts': `import './tax';\n`,
        'src/gone.ts': 'export const gone = 1;\n',
        'tests/basket.test.ts': `import '../src/cart';\n`,
        'tests/tax.test.ts': '',
        'tests/gone-user.test.ts': `import '../src/gone';\n`,
        'tests/other.test.ts': '',
        'tests/own.test.ts': '',
      },
      { git: true },
    );
    const testFiles = [
      'tests/basket.test.ts',
      'tests/tax.test.ts',
      'tests/gone-user.test.ts',
      'tests/other.test.ts',
      'tests/own.test.ts',
    ];
    assert.deepEqual(await affectedTests({ root: workspace.root, testFiles }), { files: [], changed: [] });
    await workspace.write('src/tax.ts', 'export const tax = 2;\n');
    workspace.git('commit', '-q', '-am', 'tax');
    assert.deepEqual((await affectedTests({ root: workspace.root, testFiles })).files, [
      'tests/basket.test.ts',
      'tests/tax.test.ts',
    ]);
    workspace.git('rm', '-q', 'src/gone.ts');
    await workspace.write('tests/own.test.ts', '// changed\n');
    assert.deepEqual((await affectedTests({ root: workspace.root, testFiles })).files, [
      'tests/basket.test.ts',
      'tests/tax.test.ts',
      'tests/gone-user.test.ts',
      'tests/own.test.ts',
    ]);
  });

  it('says that nothing is known outside of a repository', async () => {
    workspace = await temporaryWorkspace({ 'a.test.ts': '' });
    const affected = await affectedTests({ root: workspace.root, testFiles: ['a.test.ts'] });
    assert.deepEqual(affected.files, []);
    assert.match(affected.unavailable ?? '', /not in a git repository/);
  });
});
