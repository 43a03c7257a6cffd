// A run of 200 files with 5,000 fast tests, beside the bare command line of the same framework.
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { median, program } from './measure.ts';
import type { BenchRow } from './measure.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = 200;
const testsPerFile = 25;
const rounds = 3;

interface Case {
  readonly framework: string;
  /** Packages of this repository to link into the workspace. */
  readonly packages: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly fileName: (index: number) => string;
  readonly head: string;
  /** The bare command, after `node`, in the workspace. */
  readonly command: readonly string[];
}

const cases: readonly Case[] = [
  {
    framework: 'vitest',
    packages: ['vitest', 'vite'],
    settings: { 'package.json': '{ "type": "module", "devDependencies": { "vitest": "4" } }' },
    fileName: (index) => `test/part${index}.test.ts`,
    head: "import { describe, expect, it } from 'vitest';\n",
    command: ['node_modules/vitest/vitest.mjs', 'run'],
  },
  {
    framework: 'jest',
    packages: ['jest'],
    settings: { 'package.json': '{ "devDependencies": { "jest": "29" } }' },
    fileName: (index) => `test/part${index}.test.js`,
    head: '',
    command: ['node_modules/jest/bin/jest.js'],
  },
  {
    framework: 'mocha',
    packages: ['mocha'],
    settings: { 'package.json': '{ "devDependencies": { "mocha": "12" } }' },
    fileName: (index) => `test/part${index}.test.js`,
    head: "const assert = require('node:assert');\nconst expect = (value) => ({ toBe: (other) => assert.equal(value, other) });\n",
    command: ['node_modules/mocha/bin/mocha.js'],
  },
];

/** At most 1.05 times the bare command and 150 ms. */
export async function bench(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const one of cases) rows.push(...(await compare(one)));
  return rows;
}

async function compare({
  framework,
  packages,
  settings,
  fileName,
  head,
  command,
}: Case): Promise<readonly BenchRow[]> {
  const tests = Array.from(
    { length: files },
    (_file, index) => [fileName(index), testFile(head, index)] as const,
  );
  const workspace = await temporaryWorkspace({ ...settings, ...Object.fromEntries(tests) });
  try {
    for (const name of packages) {
      const place = path.join(workspace.root, 'node_modules', name);
      await mkdir(path.dirname(place), { recursive: true });
      await symlink(path.join(root, 'node_modules', name), place);
    }
    const cli = path.join(root, 'dist/cli.js');
    const variants = {
      bare: () => program(process.execPath, command, workspace.root),
      testmend: () => program(process.execPath, [cli, 'run'], workspace.root),
    };
    const pairs: { readonly bare: number; readonly testmend: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      // Who comes first changes: the second finds warmer caches.
      const order = round % 2 === 0 ? (['bare', 'testmend'] as const) : (['testmend', 'bare'] as const);
      const times = { bare: 0, testmend: 0 };
      for (const name of order) {
        const started = performance.now();
        await variants[name]();
        times[name] = performance.now() - started;
      }
      if (round > 0) pairs.push(times);
    }
    const bare = median(pairs.map((pair) => pair.bare));
    const testmend = median(pairs.map((pair) => pair.testmend));
    const name = `testmend run, ${framework}, ${files} files, ${files * testsPerFile} tests`;
    const note = `${((testmend - bare) / bare) * 100 >= 0 ? '+' : ''}${(((testmend - bare) / bare) * 100).toFixed(1)} %`;
    return [
      { name: `${framework} alone`, value: bare, unit: 'ms' },
      { name, value: testmend, unit: 'ms', limit: bare * 1.05 + 150, note },
    ];
  } finally {
    await workspace.dispose();
  }
}

function testFile(head: string, index: number): string {
  const tests = Array.from(
    { length: testsPerFile },
    (_test, at) => `  it('adds ${at}', () => {\n    expect(${index} + ${at}).toBe(${index + at});\n  });\n`,
  );
  return `${head}\ndescribe('part ${index}', () => {\n${tests.join('')}});\n`;
}
