// Which frameworks a workspace uses, where, and what is wrong with them.
import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { detectProjects, type Detection } from '../../../src/core/frameworks/detect.ts';
import { toRelativePosix } from '../../../src/core/base/paths.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const needsVitest = '{ "devDependencies": { "vitest": "^4" } }';
const runsVitest = '{ "scripts": { "test": "vitest run" } }';
const test = "import { it } from 'vitest'; it('a', () => {});";
const installed = {
  'node_modules/vitest/package.json': '{ "version": "4.1.12", "bin": { "vitest": "./vitest.mjs" } }',
  'node_modules/vitest/vitest.mjs': '',
};

describe('detecting frameworks', () => {
  let workspace: TemporaryWorkspace | undefined;
  afterEach(async () => {
    await workspace?.dispose();
    workspace = undefined;
  });

  async function detect(
    files: Record<string, string>,
    options = {},
  ): Promise<Detection & { drawn: string[] }> {
    await workspace?.dispose();
    workspace = await temporaryWorkspace(files);
    const { root } = workspace;
    const detection = await detectProjects(root, options);
    const drawn = detection.projects.map(
      (project) =>
        `${project.framework} ${toRelativePosix(root, project.root) || '.'} ${project.version ?? '-'}`,
    );
    return { ...detection, drawn };
  }

  it('knows vitest by dependency, test script, its own configuration, or a vite configuration with tests', async () => {
    for (const files of [
      { 'package.json': needsVitest },
      { 'package.json': '{ "dependencies": { "vitest": "*" } }' },
      { 'package.json': runsVitest },
      { 'package.json': '{ "scripts": { "test:unit": "FOO=1 vitest" } }' },
      { 'package.json': '{}', 'vitest.config.mts': 'export default {}' },
      { 'vitest.workspace.json': '[]' },
      { 'vite.config.js': 'export default { test: {} }' },
    ]) {
      assert.deepEqual(
        (await detect({ ...files, ...installed })).drawn,
        ['vitest . 4.1.12'],
        JSON.stringify(files),
      );
    }
    assert.deepEqual(
      (await detect({ 'package.json': '{}', 'vite.config.js': 'export default {}' })).drawn,
      [],
    );
  });

  it('finds the installed version and entry upwards, without running anything', async () => {
    const { projects, root } = {
      ...(await detect({
        'packages/a/package.json': needsVitest,
        'packages/a/a.test.ts': test,
        ...installed,
      })),
      root: workspace?.root ?? '',
    };
    assert.equal(projects[0]?.entry, path.join(root, 'node_modules/vitest/vitest.mjs'));
    assert.equal(projects[0]?.problem, undefined);
  });

  it('says with a remedy what is named but not installed, or too old', async () => {
    const missing = await detect({ 'package.json': needsVitest, 'pnpm-lock.yaml': '' });
    assert.deepEqual(missing.drawn, ['vitest . -']);
    assert.equal(missing.problems[0]?.message, 'Vitest is named in package.json but not installed.');
    assert.equal(missing.problems[0]?.remedy, 'Run `pnpm install`.');
    const old = await detect({
      'package.json': needsVitest,
      ...installed,
      'node_modules/vitest/package.json': '{ "version": "0.27.3", "bin": { "vitest": "./vitest.mjs" } }',
    });
    assert.equal(old.problems[0]?.message, 'Vitest 0.27.3 is too old: version 0.28 or newer is needed.');
    assert.equal(old.projects[0]?.entry, undefined);
  });

  it('names file and line of a broken package.json, and everything else still works', async () => {
    const { drawn, problems } = await detect({
      'package.json': '{\n  "name": "x",\n  "scripts": { "test": "vitest", }\n}\n',
      'packages/a/package.json': needsVitest,
      'packages/list/package.json': '[]',
      'tests/greet.tests.mjs': '',
      ...installed,
    });
    assert.deepEqual(drawn, ['skill . -', 'vitest packages/a 4.1.12']);
    assert.deepEqual(
      problems.map(({ message }) => message),
      [
        'package.json is broken at line 3: expected a property name in double quotes.',
        'packages/list/package.json does not contain a JSON object.',
      ],
    );
  });

  it('finds skill tests where there is no package.json at all', async () => {
    assert.deepEqual((await detect({ 'skills/greet/tests/greet.tests.mjs': '' })).drawn, ['skill . -']);
    assert.deepEqual((await detect({ 'README.md': '' })).drawn, []);
  });

  it('takes independent packages for projects of their own, and a root that only provides vitest for none', async () => {
    const { drawn, projects } = await detect({
      'package.json': needsVitest,
      'packages/a/package.json': runsVitest,
      'packages/a/a.test.ts': test,
      'packages/b/vitest.config.ts': 'export default {}',
      'packages/b/b.test.ts': test,
      ...installed,
    });
    assert.deepEqual(drawn, ['vitest packages/a 4.1.12', 'vitest packages/b 4.1.12']);
    assert.equal(projects[0]?.innerRoots, undefined);
  });

  it('leaves packages to the root that runs them', async () => {
    const merelyDepends = { 'packages/a/package.json': needsVitest, 'packages/a/a.test.ts': test };
    const configured = { 'packages/b/vitest.config.ts': 'export default {}', 'packages/b/b.test.ts': test };
    const alone = await detect({ 'package.json': runsVitest, ...merelyDepends, ...configured, ...installed });
    assert.deepEqual(alone.drawn, ['vitest . 4.1.12', 'vitest packages/b 4.1.12']);
    assert.deepEqual(alone.projects[0]?.innerRoots, [alone.projects[1]?.root]);
    const listing = await detect({
      'vitest.config.ts': "export default { test: { projects: ['packages/*'] } }",
      ...merelyDepends,
      ...configured,
      ...installed,
    });
    assert.deepEqual(listing.drawn, ['vitest . 4.1.12']);
  });

  it('keeps what is merely installed beside tests of another language', async () => {
    const { drawn } = await detect({
      'package.json': needsVitest,
      'a.test.ts': test,
      'pytest.ini': '[pytest]\n',
      'tests/test_a.py': 'def test_a():\n    assert True\n',
      ...installed,
    });
    assert.deepEqual(
      drawn.map((line) => line.replace(/ [\d.]+$/, '')),
      ['vitest .', 'pytest .'],
    );
  });

  it('keeps a package with an installation of its own, whatever the root lists', async () => {
    const own = Object.fromEntries(
      Object.entries(installed).map(([file, text]) => [`examples/x/${file}`, text]),
    );
    const { drawn } = await detect({
      'vitest.config.ts': "export default { test: { projects: ['packages/*'] } }",
      'examples/x/package.json': needsVitest,
      ...installed,
      ...own,
    });
    assert.deepEqual(drawn, ['vitest . 4.1.12', 'vitest examples/x 4.1.12']);
  });

  it('takes projects in fixtures for data of tests', async () => {
    const { drawn, notes } = await detect({
      'package.json': runsVitest,
      'test/fixtures/shop/package.json': runsVitest,
      'test/fixtures/broken/package.json': '{',
      ...installed,
    });
    assert.deepEqual(drawn, ['vitest . 4.1.12']);
    assert.deepEqual(notes, ['Left out a sample project in fixtures (test/fixtures/shop).']);
  });

  it('leaves aside what cannot run and is no package of the workspace, where something above it runs', async () => {
    const asides = async (files: Record<string, string>): Promise<readonly string[]> => {
      const { projects } = await detect({ ...files, ...installed });
      const { root } = workspace ?? { root: '' };
      return projects.filter(({ aside }) => aside).map((project) => toRelativePosix(root, project.root));
    };
    const others = {
      'app/package.json': '{ "scripts": { "test": "react-scripts test" } }',
      'examples/a/package.json': '{ "scripts": { "test": "jest" } }',
      'packages/b/package.json': '{ "scripts": { "test": "jest" } }',
    };
    const root = (more: object): string => JSON.stringify({ scripts: { test: 'vitest run' }, ...more });
    assert.deepEqual(await asides({ 'package.json': root({}), ...others }), [
      'app',
      'examples/a',
      'packages/b',
    ]);
    assert.deepEqual(
      await asides({ 'package.json': root({ workspaces: ['./packages/*', '!x'] }), ...others }),
      ['app', 'examples/a'],
    );
    assert.deepEqual(
      await asides({ 'package.json': root({ workspaces: { packages: ['*/*'] } }), ...others }),
      ['app'],
    );
    const pnpm = { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - "examples/*"\n' };
    assert.deepEqual(await asides({ ...pnpm, ...others }), ['app']);
    assert.deepEqual(await asides(others), ['app', 'examples/a']);
    assert.deepEqual(await asides({ 'package.json': '{ "scripts": { "test": "react-scripts test" } }' }), []);
  });

  it('detects only the frameworks asked for and refuses those it does not know', async () => {
    const files = { 'package.json': runsVitest, 'tests/a.tests.mjs': '', ...installed };
    assert.deepEqual((await detect(files, { frameworks: ['skill'] })).drawn, ['skill . -']);
    await assert.rejects(detect(files, { frameworks: ['karma'] }), { code: 'usage' });
  });

  it('ends in a workspace whose links form loops', async () => {
    workspace = await temporaryWorkspace({ 'a/package.json': runsVitest });
    await mkdir(path.join(workspace.root, 'a/b'));
    await symlink('../..', path.join(workspace.root, 'a/b/root'));
    assert.equal((await detectProjects(workspace.root)).projects.length, 1);
  });
});
