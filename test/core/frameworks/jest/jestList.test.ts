// The test files that we list for jest against `jest --listTests`, over layouts that people use.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../../src/core/frameworks/registry.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const jestPackages = ['jest', 'babel-jest', 'ts-jest', 'typescript'];
const dependsOnJest = '{ "private": true, "devDependencies": { "jest": "*" } }';
const nothing = (...files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [file, '']));

const usual = nothing(
  'src/a.js',
  'src/a.test.js',
  'src/b.spec.tsx',
  'src/c.test.mjs',
  'src/d.test.cts',
  'src/test.js',
  'src/__tests__/e.js',
  'src/__tests__/deep/f.ts',
  'src/__tests__/data.json',
  'src/g-test.js',
  'src/h.test.jsx.snap',
  '.hidden/i.test.js',
  'dist/j.test.js',
  'e2e/k.e2e.js',
  'lib/[id]/l (1) {x}.test.js',
  'packages/a/m.test.js',
  'packages/b/n.test.js',
  'packages/b/test/o.spec.js',
);

/** Name, the files beside the usual ones. */
const layouts: readonly (readonly [string, Record<string, string>])[] = [
  ['nothing configured', {}],
  [
    'globs with negation',
    { 'jest.config.js': `module.exports = { testMatch: ['**/*.test.js', '!**/packages/b/**'] };` },
  ],
  [
    'globs of the root folder',
    {
      'jest.config.cjs': `module.exports = { testMatch: ['<rootDir>/src/**/*.spec.tsx', '<rootDir>/packages/**/?(*.)+(test).js'] };`,
    },
  ],
  [
    'only negated globs',
    { 'jest.config.json': `{ "testMatch": ["!**/*.test.js", "!**/*.json", "!**/jest.config.*"] }` },
  ],
  [
    'a regular expression',
    { 'jest.config.js': `module.exports = { testRegex: '(/__tests__/.*|(\\\\.|/)(test|spec))\\\\.jsx?$' };` },
  ],
  [
    'several regular expressions',
    { 'jest.config.js': `module.exports = { testRegex: ['e2e\\\\.js$', '/src/.*-test\\\\.js$'] };` },
  ],
  [
    'ignored paths',
    {
      'jest.config.js': `module.exports = { testPathIgnorePatterns: ['<rootDir>/dist/', '/node_modules/', 'packages/b'] };`,
    },
  ],
  [
    'ignored modules',
    { 'jest.config.js': `module.exports = { modulePathIgnorePatterns: ['<rootDir>/dist', 'deep'] };` },
  ],
  ['roots', { 'jest.config.js': `module.exports = { roots: ['<rootDir>/src', './packages/a'] };` }],
  [
    'another root folder',
    {
      'jest.config.js': `const path = require('path'); module.exports = { rootDir: path.join(__dirname, 'packages') };`,
    },
  ],
  ['extensions', { 'jest.config.js': `module.exports = { moduleFileExtensions: ['js', 'json', 'node'] };` }],
  [
    'the package.json',
    {
      'package.json': `{ "private": true, "devDependencies": { "jest": "*" }, "jest": { "roots": ["src"] } }`,
    },
  ],
  [
    'a configuration above another',
    {
      'jest.base.js': `module.exports = { testPathIgnorePatterns: ['dist'], roots: ['<rootDir>/src', '<rootDir>/dist'] };`,
      'jest.config.js': `const base = require('./jest.base');\nmodule.exports = { ...base, moduleFileExtensions: ['js', 'tsx', 'ts', 'json'] };`,
    },
  ],
  [
    'an ES module',
    { 'jest.config.mjs': `const config = { testMatch: ['**/*.spec.*'] };\nexport default config;` },
  ],
  ['a function', { 'jest.config.js': `module.exports = async () => ({ roots: ['<rootDir>/src'] });` }],
  [
    'a preset of the workspace',
    {
      'preset/jest-preset.js': `module.exports = { testMatch: ['**/*.e2e.js'], modulePathIgnorePatterns: ['src'] };`,
      'jest.config.js': `module.exports = { preset: '<rootDir>/preset', modulePathIgnorePatterns: ['packages'] };`,
    },
  ],
  [
    'a preset beside the configuration',
    {
      'preset.js': `module.exports = { roots: ['<rootDir>/src'] };`,
      'jest.config.js': `module.exports = { preset: './preset.js' };`,
    },
  ],
  ['ts-jest', { 'jest.config.js': `module.exports = { preset: 'ts-jest', testEnvironment: 'node' };` }],
  [
    'projects in place',
    {
      'jest.config.js': `module.exports = { projects: [
      { displayName: 'one', testMatch: ['<rootDir>/src/**/*.test.js'] },
      { displayName: { name: 'two', color: 'blue' }, rootDir: 'packages/b' },
    ] };`,
    },
  ],
  [
    'projects as folders',
    {
      'jest.config.js': `module.exports = { projects: ['<rootDir>/packages/*'] };`,
      'packages/a/package.json': '{ "jest": { "displayName": "a" } }',
      'packages/b/package.json': '{}',
      'packages/b/jest.config.js': `module.exports = { displayName: 'b', testMatch: ['**/*.spec.js'] };`,
    },
  ],
  [
    'projects as files',
    {
      'jest.config.js': `module.exports = { projects: ['packages/*/jest.unit.js', './packages/b/own.config.js'] };`,
      'packages/a/jest.unit.js': `module.exports = { displayName: 'a', testMatch: ['**/m.*'] };`,
      'packages/b/own.config.js': `module.exports = { displayName: 'b', rootDir: '..' };`,
    },
  ],
];

describe('listing the test files of jest', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  const listed = async (): Promise<readonly string[]> => {
    const { projects, problems } = await detectProjects(workspace.root);
    assert.deepEqual(problems, []);
    const notes: string[] = [];
    const files: string[] = [];
    for (const project of projects.filter(({ framework }) => framework === 'jest'))
      for (const { file } of await frameworkOf(project).listTestFiles(project, undefined, {
        note: (text) => notes.push(text),
      }))
        files.push(path.relative(workspace.root, file));
    assert.deepEqual(notes, []);
    return [...new Set(files)].toSorted();
  };

  for (const [name, extra] of layouts) {
    it(`is that of jest itself: ${name}`, async () => {
      workspace = await temporaryWorkspace(
        { 'package.json': dependsOnJest, ...usual, ...extra },
        { packages: jestPackages },
      );
      assert.deepEqual(await listed(), await listedByJest(workspace.root));
    });
  }

  it('takes the configuration that the test script names, leaves out links, and files of other extensions', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "jest --config=config/unit.js --runInBand" } }',
        'config/unit.js': `module.exports = { rootDir: '../src' };`,
        ...usual,
      },
      { packages: jestPackages },
    );
    await mkdir(path.join(workspace.root, 'src/links'));
    await symlink('../a.test.js', path.join(workspace.root, 'src/links/z.test.js'));
    const ours = await listed();
    assert.deepEqual(ours, await listedByJest(workspace.root, '--config=config/unit.js'));
    assert.ok(ours.length > 3);
  });
});

async function listedByJest(root: string, ...args: readonly string[]): Promise<readonly string[]> {
  const entry = path.join(root, 'node_modules/jest/bin/jest.js');
  const options = ['--listTests', '--json', '--watchman=false', '--passWithNoTests', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, [entry, ...options], { cwd: root });
  const files: unknown = JSON.parse(stdout);
  assert.ok(Array.isArray(files));
  return [...new Set(files.map((file) => path.relative(root, String(file))))].toSorted();
}
