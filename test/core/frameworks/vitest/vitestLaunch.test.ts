// Real runs of nested vitest projects: what belongs to the inner one is not run by the outer one as well.
import assert from 'node:assert/strict';
import { drawn, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const config = (body: string): string => `export default { test: { ${body} } };\n`;
const passing = `import { test } from 'vitest';\ntest('runs', () => {});\n`;

describe('vitestLaunches', () => {
  it('runs the files of a project below once, and keeps what the configuration excludes', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        'vitest.config.mjs': config("exclude: ['old/**']"),
        'own.test.ts': passing,
        'old/gone.test.ts': passing,
        'apps/shop (new)/[id]/package.json':
          '{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }',
        'apps/shop (new)/[id]/vitest.config.mjs': config(''),
        'apps/shop (new)/[id]/inner.test.ts': passing,
        'apps/shop (new)/beside.test.ts': passing,
      },
      { vitest: true },
    );
    try {
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual(drawn(summary.tests), [
        'passed vitest:apps/shop (new)/[id]/inner.test.ts#runs',
        'passed vitest:apps/shop (new)/beside.test.ts#runs',
        'passed vitest:own.test.ts#runs',
      ]);
    } finally {
      await workspace.dispose();
    }
  });

  it('is started with the variables, the configuration and the options of the test script', async () => {
    const script = 'TZ=Asia/Tokyo cross-env SHOP=open vitest run -c unit/vitest.mjs --globals --coverage';
    const workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({ type: 'module', scripts: { test: script } }),
        'vite.config.mjs': 'export default { test: {} };\n',
        'unit/vitest.mjs': config("include: ['unit/**/*.check.js']"),
        'unit/a.check.js': `test('zone', () => {
  expect([process.env.TZ, process.env.SHOP]).toEqual(['Asia/Tokyo', 'open']);
});\n`,
      },
      { vitest: true },
    );
    try {
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual(drawn(summary.tests), ['passed vitest:unit/a.check.js#zone']);
    } finally {
      await workspace.dispose();
    }
  });

  it('keeps what the script has Vitest fail: only tests, tests without assertions, and types', async () => {
    const flags = '--allowOnly=false --expect.requireAssertions --typecheck';
    const workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({ type: 'module', scripts: { test: `vitest run ${flags}` } }),
        'a.test.js': `import { test } from 'vitest';\ntest('asserts nothing', () => {});\n`,
        'b.test.js': `import { expect, test } from 'vitest';\ntest.only('alone', () => { expect(1).toBe(1); });\n`,
        'c.test-d.ts': `import { expectTypeOf, test } from 'vitest';\ntest('types', () => { expectTypeOf(1).toEqualTypeOf<string>(); });\n`,
        'tsconfig.json':
          '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", "skipLibCheck": true, "types": [] }, "include": ["*.ts"] }',
      },
      { vitest: true, packages: ['typescript'] },
    );
    const { summary } = await runWorkspace(workspace.root);
    await workspace.dispose();
    const [first, second, ofTypes] = summary.tests;
    assert.deepEqual(drawn([first, second].filter((one) => one !== undefined)), [
      'failed vitest:a.test.js#asserts nothing',
      'failed vitest:b.test.js#alone',
    ]);
    assert.equal(ofTypes?.file, 'c.test-d.ts');
    assert.notEqual(ofTypes.outcome, 'passed');
  });

  it('reports from outside of the folders that Vite may read', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        // What Vite 6.4 itself does for vitest 3: nothing outside of the project exists for it.
        'vitest.config.mjs': `export default {
  plugins: [
    {
      name: 'strict',
      enforce: 'pre',
      load(id) {
        if (id.startsWith('/') && !id.startsWith(import.meta.dirname) && !id.includes('/node_modules/'))
          throw new Error('Does the file exist? ' + id);
      },
    },
  ],
  test: {},
};\n`,
        'own.test.ts': passing,
      },
      { vitest: true },
    );
    try {
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual(drawn(summary.tests), ['passed vitest:own.test.ts#runs']);
    } finally {
      await workspace.dispose();
    }
  });
});
