// The test runners that runs are measured against: how each is started bare, and what a fast test looks like for it.
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { programOnPath } from '../../src/core/process/programOnPath.ts';
import { pythonWith } from '../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

export interface Runner {
  readonly framework: string;
  /** How it is named in the table, where one framework is there twice. */
  readonly label?: string;
  /** Packages of this repository to link into the workspace; their bins, by name, as well. */
  readonly packages?: readonly string[];
  readonly bins?: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
  readonly fileName: (index: number) => string;
  /** A file of `count` tests. */
  readonly testFile: (index: number, count: number) => string;
  /** The bare start: program and arguments, in the workspace. */
  readonly direct: readonly [string, ...string[]];
  /** The start that people type, where it is another one. */
  readonly npx?: readonly string[];
}

const node = process.execPath;

const describeFile =
  (head: string) =>
  (index: number, count: number): string => {
    const tests = Array.from(
      { length: count },
      (_test, at) => `  it('adds ${at}', () => {\n    expect(${index} + ${at}).toBe(${index + at});\n  });\n`,
    );
    return `${head}\ndescribe('part ${index}', () => {\n${tests.join('')}});\n`;
  };

const python = pythonWith();

const pythonFile = (index: number, count: number): string =>
  Array.from(
    { length: count },
    (_test, at) => `def test_adds_${at}():\n    assert ${index} + ${at} == ${index + at}\n`,
  ).join('\n\n');

const go = programOnPath([process.platform === 'win32' ? 'go.exe' : 'go']);

const goFile = (index: number, count: number): string =>
  [
    `package part${index % 20}\n\nimport "testing"\n`,
    ...Array.from(
      { length: count },
      (_test, at) =>
        `func TestPart${index}Adds${at}(t *testing.T) {\n\tif ${index}+${at} != ${index + at} {\n\t\tt.Fatal("no")\n\t}\n}\n`,
    ),
  ].join('\n');

export const runners: readonly Runner[] = [
  {
    framework: 'vitest',
    packages: ['vitest', 'vite'],
    bins: { vitest: '../vitest/vitest.mjs' },
    settings: { 'package.json': '{ "type": "module", "devDependencies": { "vitest": "4" } }' },
    fileName: (index) => `test/part${index}.test.ts`,
    testFile: describeFile("import { describe, expect, it } from 'vitest';\n"),
    direct: [node, 'node_modules/vitest/vitest.mjs', 'run'],
    npx: ['vitest', 'run'],
  },
  {
    framework: 'jest',
    packages: ['jest'],
    bins: { jest: '../jest/bin/jest.js' },
    settings: { 'package.json': '{ "devDependencies": { "jest": "29" } }' },
    fileName: (index) => `test/part${index}.test.js`,
    testFile: describeFile(''),
    direct: [node, 'node_modules/jest/bin/jest.js'],
    npx: ['jest'],
  },
  {
    framework: 'mocha',
    packages: ['mocha'],
    bins: { mocha: '../mocha/bin/mocha.js' },
    settings: { 'package.json': '{ "devDependencies": { "mocha": "12" } }' },
    fileName: (index) => `test/part${index}.test.js`,
    testFile: describeFile(
      "const assert = require('node:assert');\nconst expect = (value) => ({ toBe: (other) => assert.equal(value, other) });\n",
    ),
    direct: [node, 'node_modules/mocha/bin/mocha.js'],
    npx: ['mocha'],
  },
  {
    framework: 'ava',
    packages: ['ava'],
    settings: { 'package.json': '{ "type": "module", "devDependencies": { "ava": "6" } }' },
    fileName: (index) => `test/part${index}.js`,
    testFile: (index, count) => {
      const tests = Array.from(
        { length: count },
        (_test, at) => `test('adds ${at}', (t) => t.is(${index} + ${at}, ${index + at}));\n`,
      );
      return `import test from 'ava';\n${tests.join('')}`;
    },
    direct: [node, 'node_modules/ava/entrypoints/cli.mjs'],
  },
  {
    framework: 'nodeTest',
    settings: { 'package.json': '{ "scripts": { "test": "node --test" } }' },
    fileName: (index) => `test/part${index}.test.js`,
    testFile: describeFile(
      "const { describe, it } = require('node:test');\nconst assert = require('node:assert');\nconst expect = (value) => ({ toBe: (other) => assert.equal(value, other) });\n",
    ),
    direct: [node, '--test'],
  },
  ...(go === undefined
    ? []
    : [
        {
          framework: 'goTest',
          settings: { 'go.mod': 'module example.com/bench\n\ngo 1.20\n' },
          // Twenty packages, as a program of that size has them.
          fileName: (index: number) => `part${index % 20}/part${index}_test.go`,
          testFile: goFile,
          direct: [go, 'test', '-count=1', './...'] as const,
        },
      ]),
  ...(python === undefined
    ? []
    : [
        {
          framework: 'pytest',
          settings: { 'pytest.ini': '[pytest]\n' },
          fileName: (index: number) => `tests/test_part${index}.py`,
          testFile: pythonFile,
          direct: [python, '-m', 'pytest'] as const,
        },
      ]),
];

/** With a configuration file, as most projects have one: it must be read before it is known which files are tests. */
export const configured: readonly Runner[] = runners.flatMap((runner) => {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    vitest: {
      'vitest.config.ts':
        "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { include: ['test/**/*.test.ts'] } });\n",
    },
    jest: { 'jest.config.js': "module.exports = { testMatch: ['<rootDir>/test/**/*.test.js'] };\n" },
  };
  const files = texts[runner.framework];
  return files
    ? [
        {
          ...runner,
          label: `${runner.framework} with a config file`,
          settings: { ...runner.settings, ...files },
        },
      ]
    : [];
});

/** A workspace of the runner with so many files of so many tests. */
export async function workspaceOf(
  { packages = [], bins = {}, settings, fileName, testFile }: Runner,
  files: number,
  testsPerFile: number,
): Promise<TemporaryWorkspace> {
  const tests = Array.from(
    { length: files },
    (_file, index) => [fileName(index), testFile(index, testsPerFile)] as const,
  );
  const workspace = await temporaryWorkspace({ ...settings, ...Object.fromEntries(tests) }, { packages });
  const bin = path.join(workspace.root, 'node_modules/.bin');
  if (Object.keys(bins).length > 0) await mkdir(bin, { recursive: true });
  for (const [name, target] of Object.entries(bins)) await symlink(target, path.join(bin, name));
  return workspace;
}
