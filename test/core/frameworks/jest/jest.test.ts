// Where jest is used, why it may not be, how it is started, and how it lives beside other frameworks.
import assert from 'node:assert/strict';
import path from 'node:path';
import { detectProjects, type Detection } from '../../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../../src/core/frameworks/registry.ts';
import type { Launch, Selection } from '../../../../src/core/frameworks/framework.ts';
import { toRelativePosix } from '../../../../src/core/base/paths.ts';
import { drawn, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const installed = (version: string): Record<string, string> => ({
  'node_modules/jest/package.json': `{ "version": "${version}", "bin": "./bin/jest.js" }`,
  'node_modules/jest/bin/jest.js': '',
});
const test = `it('a', () => {});\n`;

describe('jest', () => {
  let workspace: TemporaryWorkspace | undefined;
  afterEach(async () => {
    await workspace?.dispose();
    workspace = undefined;
  });

  async function detect(files: Record<string, string>): Promise<Detection & { drawn: string[] }> {
    await workspace?.dispose();
    workspace = await temporaryWorkspace(files);
    const { root } = workspace;
    const detection = await detectProjects(root);
    const names = detection.projects.map(
      ({ framework, root: folder, sign, configFile }) =>
        `${framework} ${toRelativePosix(root, folder) || '.'} ${sign} ${configFile === undefined ? '-' : toRelativePosix(root, configFile)}`,
    );
    return { ...detection, drawn: names };
  }

  it('is known by dependency, test script, configuration file, or a key of the package.json', async () => {
    const cases: readonly (readonly [Record<string, string>, string])[] = [
      [{ 'package.json': '{ "devDependencies": { "jest": "^29" } }' }, 'jest . dependency -'],
      [{ 'package.json': '{ "scripts": { "test": "TZ=UTC jest --ci" } }' }, 'jest . script -'],
      [
        {
          'package.json':
            '{ "scripts": { "test:unit": "node --experimental-vm-modules node_modules/jest/bin/jest.js" } }',
        },
        'jest . script -',
      ],
      [
        { 'package.json': '{ "scripts": { "test": "jest -c test/unit.js" } }', 'test/unit.js': '' },
        'jest . script test/unit.js',
      ],
      [{ 'package.json': '{ "jest": {} }' }, 'jest . config package.json'],
      [{ 'package.json': '{}', 'jest.config.ts': '' }, 'jest . config jest.config.ts'],
      [{ 'jest.config.json': '{}' }, 'jest . config jest.config.json'],
    ];
    for (const [files, wanted] of cases)
      assert.deepEqual((await detect({ ...files, ...installed('29.7.0') })).drawn, [wanted]);
    const unrelated = { 'package.json': '{ "scripts": { "test": "jest-runner-x", "lint": "jest" } }' };
    // Nobody knows what it starts.
    assert.deepEqual((await detect({ ...unrelated, ...installed('29.7.0') })).drawn, [
      'script . undefined -',
    ]);
  });

  it('says what keeps it from running, and how to go on', async () => {
    const missing = await detect({
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      'yarn.lock': '',
    });
    assert.deepEqual(
      missing.problems.map(({ message, remedy }) => [message, remedy]),
      [['Jest is named in package.json but not installed.', 'Run `yarn install`.']],
    );
    const old = await detect({
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      ...installed('25.5.4'),
    });
    assert.match(old.problems[0]?.message ?? '', /^Jest 25\.5\.4 is too old: version 26 or newer/);
    const wrapped = await detect({
      'package.json':
        '{ "scripts": { "test": "react-scripts test --watchAll=false" }, "jest": { "resetMocks": false } }',
      ...installed('29.7.0'),
    });
    assert.match(
      wrapped.problems[0]?.message ?? '',
      /starts its tests with react-scripts, which configures jest itself/,
    );
    assert.equal(wrapped.projects[0]?.entry, undefined);
  });

  it('leaves to others what is theirs, in a workspace of several frameworks', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "private": true, "devDependencies": { "jest": "*", "vitest": "*" } }',
        'packages/v/package.json': '{ "scripts": { "test": "vitest run" } }',
        'packages/v/v.test.js': `import { it } from 'vitest';\nit('v', () => {});\n`,
        'packages/j/package.json': '{ "scripts": { "test": "jest" } }',
        'packages/j/j.test.js': test,
        'packages/named/package.json': '{ "scripts": { "test": "jest" }, "jest": { "displayName": "n" } }',
        'packages/named/n.test.js': test,
        'packages/both/package.json': '{ "scripts": { "test": "jest && vitest run" } }',
        'packages/both/jest.config.js': `module.exports = { roots: ['<rootDir>/old'] };\n`,
        'packages/both/vitest.config.mjs': `export default { test: { include: ['new/*.test.js'] } };\n`,
        'packages/both/old/o.test.js': test,
        'packages/both/new/n.test.js': `import { it } from 'vitest';\nit('n', () => {});\n`,
      },
      { packages: ['jest', 'vitest', 'vite'] },
    );
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'passed vitest:packages/both/new/n.test.js#n',
      'passed jest:packages/both/old/o.test.js#a',
      'passed jest:packages/j/j.test.js#a',
      'passed jest/n:packages/named/n.test.js#a',
      'passed vitest:packages/v/v.test.js#v',
    ]);
    const files = [path.join(workspace.root, 'packages/j/j.test.js')];
    const one = await runWorkspace(workspace.root, { selection: { files } });
    assert.deepEqual(drawn(one.summary.tests), ['passed jest:packages/j/j.test.js#a']);
  });

  it('runs the packages of a configuration with projects from above, others by themselves, and each file once', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "private": true, "devDependencies": { "jest": "*" } }',
        'jest.config.js': `module.exports = { projects: ['<rootDir>/packages/*', { displayName: 'root', testMatch: ['<rootDir>/**/*.test.js'], testPathIgnorePatterns: ['packages'] }] };\n`,
        'r.test.js': test,
        'packages/a/package.json': '{ "scripts": { "test": "jest" } }',
        'packages/a/a.test.js': test,
        'apart/package.json': '{ "scripts": { "test": "jest" } }',
        'apart/b.test.js': test,
      },
      { packages: ['jest'] },
    );
    const { projects } = await detectProjects(workspace.root);
    assert.deepEqual(
      projects.map(({ root }) => path.basename(root)),
      [path.basename(workspace.root), 'apart'],
    );
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'passed jest:apart/b.test.js#a',
      'passed jest:packages/a/a.test.js#a',
      'passed jest/root:r.test.js#a',
    ]);
  });

  it('is started as the script and the configuration ask for', async () => {
    const launch = async (files: Record<string, string>, selection: Selection = {}): Promise<Launch> => {
      await workspace?.dispose();
      workspace = await temporaryWorkspace(files, { packages: ['jest'] });
      const { root } = workspace;
      const [project] = (await detectProjects(root)).projects;
      assert.ok(project);
      const limits = { timeoutMs: 1000, skillTimeoutMs: 1000, maxParallel: 1 };
      const launches = await frameworkOf(project).launches(project, selection, {
        root,
        limits,
        frameworks: [],
        cacheFolder: root,
      });
      assert.ok(launches[0]);
      return launches[0];
    };
    const args = async (...given: Parameters<typeof launch>): Promise<readonly string[]> =>
      (await launch(...given)).args;
    const plain = await args({ 'package.json': '{ "devDependencies": { "jest": "*" } }' });
    assert.ok(plain.includes('--maxWorkers=1') && plain.some((arg) => arg.startsWith('--testRunner=')));
    assert.ok(!plain.includes('--experimental-vm-modules'));
    const serial = await args({ 'package.json': '{ "scripts": { "test": "jest -i" } }' });
    assert.ok(serial.includes('--runInBand') && !serial.some((arg) => arg.startsWith('--maxWorkers')));
    const script = `TZ=UTC cross-env LANG=en TESTMEND_TOKEN=x A=$B node --inspect --expose-gc node_modules/.bin/jest --env=jsdom --testTimeout 9 --globalTeardown ./end.js --errorOnDeprecated --coverage`;
    const set = await launch({
      'package.json': JSON.stringify({ scripts: { test: 'npm run unit', unit: script } }),
    });
    assert.deepEqual(
      Object.entries(set.env).filter(([name]) => !name.startsWith('TESTMEND_JEST_')),
      [
        ['TZ', 'UTC'],
        ['LANG', 'en'],
      ],
    );
    assert.equal(set.args[0], '--expose-gc');
    const kept = ['--env=jsdom', '--testTimeout=9', '--globalTeardown=./end.js', '--errorOnDeprecated'];
    assert.ok(kept.every((option) => set.args.includes(option)));
    assert.ok(!set.args.includes('--inspect') && !set.args.includes('--coverage'));
    const own = await args({ 'package.json': '{ "jest": { "maxWorkers": 3 } }' });
    assert.ok(!own.some((arg) => arg.startsWith('--maxWorkers')));
    const jasmine = await args({ 'package.json': '{ "jest": { "testRunner": "jest-jasmine2" } }' });
    assert.ok(!jasmine.some((arg) => arg.startsWith('--testRunner=')));
    for (const files of [
      { 'package.json': '{ "scripts": { "test": "NODE_OPTIONS=--experimental-vm-modules jest" } }' },
      { 'package.json': '{ "type": "module", "devDependencies": { "jest": "*" } }' },
      { 'package.json': '{ "jest": { "extensionsToTreatAsEsm": [".ts"] } }' },
    ])
      assert.equal((await args(files))[0], '--experimental-vm-modules');
    const compiled = { 'package.json': '{ "type": "module", "scripts": { "test": "jest" } }' };
    assert.ok(!(await args(compiled)).includes('--experimental-vm-modules'));
    await assert.rejects(args({ 'package.json': '{ "jest": {} }' }, { nativeFilter: '(' }), {
      code: 'bad-input',
    });
  });
});
