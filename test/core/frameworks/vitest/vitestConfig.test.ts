// Reading vitest configurations without running them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { defaultPatterns, readVitestConfig } from '../../../../src/core/frameworks/vitest/vitestConfig.ts';
import { resolveVitest } from '../../../../src/core/frameworks/vitest/vitestProjects.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

describe('reading vitest configurations', () => {
  let workspace: TemporaryWorkspace | undefined;
  afterEach(async () => {
    await workspace?.dispose();
    workspace = undefined;
  });

  async function read(
    text: string,
    more: Record<string, string> = {},
    major = 4,
  ): ReturnType<typeof readVitestConfig> {
    await workspace?.dispose();
    workspace = await temporaryWorkspace({ 'vitest.config.ts': text, ...more });
    return readVitestConfig(path.join(workspace.root, 'vitest.config.ts'), major);
  }

  it('reads objects, functions, constants and spreads of the defaults', async () => {
    const settings = await read(`
      import path from 'node:path';
      import { configDefaults, defineConfig } from 'vitest/config';
      const folder = 'spec';
      const shared = { include: [\`\${folder}/**/*.ts\`, 'more/' + 'x.ts'] } as const;
      export default defineConfig(async ({ mode }) => {
        const name = 'unit';
        return {
          plugins: [react()],
          test: { ...shared, name, exclude: [...configDefaults.exclude, 'old/**'], dir: path.join('a', 'b') },
        };
      });`);
    assert.deepEqual(settings, {
      name: 'unit',
      dir: path.join('a', 'b'),
      include: ['spec/**/*.ts', 'more/x.ts'],
      exclude: [...defaultPatterns(4).exclude, 'old/**'],
      computed: [],
    });
  });

  it('reads what other files of the workspace contribute', async () => {
    const settings = await read(
      `import { mergeConfig } from 'vitest/config';
      import base, { more } from './shared/base.js';
      import { name } from './package.json';
      export default mergeConfig(base, { test: { name, include: more } });`,
      {
        'shared/base.ts': `export const more = ['b/**'];
          const config = { test: { include: ['a/**'], includeSource: ['src/**'] } };
          export default config;`,
        'package.json': '{ "name": "shop" }',
      },
    );
    assert.deepEqual(settings, {
      name: 'shop',
      include: ['a/**', 'b/**'],
      includeSource: ['src/**'],
      computed: [],
    });
  });

  it('reads module.exports and defineConfig of other packages', async () => {
    const settings = await read(
      `const { defineVitestConfig } = require('x'); module.exports = { test: { include: 'only/**' } };`,
    );
    assert.deepEqual(settings, { include: ['only/**'], computed: [] });
  });

  it('says what is computed and keeps what is known', async () => {
    const settings = await read(`
      import { defineConfig } from 'vitest/config';
      export default defineConfig({ test: { include: globs(), exclude: ['a', ...more()], name: process.env.NAME } });`);
    assert.deepEqual(settings, { exclude: ['a'], computed: ['name', 'include', 'exclude'] });
    assert.deepEqual(await read('export default create();'), { computed: ['config'] });
    assert.deepEqual(
      (
        await read(
          `export default defineConfig(({ mode }) => { if (mode) return { test: { include: ['x'] } }; return {}; })`,
        )
      ).computed,
      ['config'],
    );
  });

  it('survives configurations that are broken or refer to themselves', async () => {
    assert.deepEqual(
      (await read('export default defineConfig({ test: { include: [')).computed.length > 0,
      true,
    );
    assert.deepEqual(await read(`import self from './vitest.config'; export default self;`), {
      computed: ['config'],
    });
    assert.deepEqual(await readVitestConfig('/nowhere/vitest.config.ts', 4), { computed: ['config'] });
  });

  async function projectsOf(files: Record<string, string>, version: string): Promise<string[]> {
    await workspace?.dispose();
    workspace = await temporaryWorkspace(files);
    const { root } = workspace;
    const configFile = 'vitest.config.ts' in files ? { configFile: path.join(root, 'vitest.config.ts') } : {};
    const { projects, notes } = await resolveVitest({ framework: 'vitest', root, version, ...configFile });
    const lines = projects.map(({ name, dir, settings }) =>
      [name, path.relative(root, dir) || '.', ...(settings.include ?? [])].join(' '),
    );
    return [...lines, ...notes];
  }

  const monorepo = {
    'packages/a/package.json': '{ "name": "@shop/a" }',
    'packages/a/src/x.ts': '',
    'packages/b/vitest.config.ts': `export default { test: { name: 'bee', dir: 'spec' } }`,
    'packages/c/x.ts': '',
    'packages/README.md': '',
    'e2e/vitest.config.e2e.ts': 'export default { }',
  };

  it('resolves projects: inline, folders, files and globs, with the names vitest gives them', async () => {
    const config = `export default { test: { include: ['root/**'], projects: [
      { extends: true, test: { name: { label: 'inline' }, include: ['own/**'] } },
      { test: { root: 'e2e' } },
      'packages/*', '!packages/c',
    ] } }`;
    assert.deepEqual(await projectsOf({ ...monorepo, 'vitest.config.ts': config }, '4.0.0'), [
      'inline . root/** own/**',
      '1 e2e',
      '@shop/a packages/a',
      `bee ${path.join('packages', 'b', 'spec')}`,
    ]);
    // Since version 5 inline projects inherit without being asked.
    assert.equal(
      (await projectsOf({ ...monorepo, 'vitest.config.ts': config }, '5.1.1'))[1],
      '1 e2e root/**',
    );
  });

  it('reads workspace files up to version 3 only', async () => {
    const files = { ...monorepo, 'vitest.workspace.json': '["packages/c", "./packages/b/vitest.config.ts"]' };
    assert.deepEqual(await projectsOf(files, '3.2.4'), [
      'c packages/c',
      `bee ${path.join('packages', 'b', 'spec')}`,
    ]);
    assert.deepEqual(await projectsOf(files, '4.0.0'), [' .']);
  });

  it('makes a project of each browser', async () => {
    const config = `export default { test: { name: 'ui', browser: { enabled: true, provider: playwright(),
      instances: [{ browser: 'chromium' }, { browser: 'firefox', name: 'fox' }] } } }`;
    assert.deepEqual(await projectsOf({ 'vitest.config.ts': config }, '4.0.0'), ['ui (chromium) .', 'fox .']);
  });

  it('notes what it cannot resolve', async () => {
    const config = `export default { test: { projects: [...computed()] } }`;
    assert.deepEqual(await projectsOf({ 'vitest.config.ts': config }, '4.0.0'), [
      ' .',
      'vitest.config.ts: projects is computed; showing what can be read until a run corrects it.',
    ]);
  });
});
