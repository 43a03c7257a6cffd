// Which built files are older than their sources, told from real files with times of our own.
import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { BuiltCode } from '../../../src/core/diagnosis/builtCode.ts';
import { readSourceChanges } from '../../../src/core/diagnosis/sourceChanges.ts';
import { createImportGraph } from '../../../src/core/modules/importGraph.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const test = (from: string): string => `import { a } from '${from}';\nit('runs', () => a());\n`;
const source = `import { b } from './b.js';\nexport const a = () => b;\n`;
const shop = {
  '.gitignore': 'node_modules\ndist\n',
  'src/a.ts': source,
  'src/b.ts': 'export const b = 1;\n',
  'dist/a.js': source,
  'dist/b.js': 'export const b = 1;\n',
  'test/a.test.js': test('../dist/a.js'),
};
const withoutOwn = (file: 'dist/b.js'): Record<string, string> =>
  Object.fromEntries(Object.entries(shop).filter(([name]) => name !== file));
const minute = 60_000;
const start = Date.UTC(2026, 0, 1);

interface Case {
  readonly files: Readonly<Record<string, string>>;
  /** Minutes after the start at which files were written; the others were at the start. */
  readonly times: Readonly<Record<string, number>>;
  /** Files written after the commit. */
  readonly changed?: Readonly<Record<string, string>>;
  readonly git?: boolean;
  /** `test/a.test.js` when absent. */
  readonly test?: string;
  readonly reason: RegExp | undefined;
}

const cases: Readonly<Record<string, Case>> = {
  'is current when it was written last': {
    files: shop,
    times: { 'dist/a.js': 2, 'dist/b.js': 2, 'src/b.ts': 1 },
    reason: undefined,
  },
  'is old when a source behind it is newer': {
    files: shop,
    times: { 'src/b.ts': 1 },
    reason: /^dist\/b\.js is older than src\/b\.ts: build again/,
  },
  'is old as a bundle of several sources': {
    files: withoutOwn('dist/b.js'),
    times: { 'dist/a.js': 1, 'src/b.ts': 2 },
    reason: /^dist\/a\.js is older than src\/b\.ts/,
  },
  'is old in a folder of another name, with tests that are built as well': {
    files: {
      '.gitignore': 'dist*\n',
      'src/a.ts': source,
      'src/test/a.test.ts': test('../a.js'),
      'dist-node/a.js': source,
      'dist-node/test/a.test.js': test('../a.js'),
    },
    test: 'dist-node/test/a.test.js',
    times: { 'src/test/a.test.ts': 1 },
    reason: /^dist-node\/test\/a\.test\.js is older than src\/test\/a\.test\.ts: build again/,
  },
  'is old without git, too': {
    files: shop,
    git: false,
    times: { 'src/a.ts': 1 },
    reason: /^dist\/a\.js is older/,
  },
  'is current when the compiler found nothing to do': {
    files: { ...shop, 'tsconfig.tsbuildinfo': '{}' },
    times: { 'src/b.ts': 1, 'tsconfig.tsbuildinfo': 2 },
    reason: undefined,
  },
  'is current when it is committed, whatever order a clone wrote the files in': {
    files: { ...shop, '.gitignore': 'node_modules\n' },
    times: { 'src/a.ts': 1, 'src/b.ts': 1 },
    reason: undefined,
  },
  'is old when it is committed and a source changed since': {
    files: { ...shop, '.gitignore': 'node_modules\n' },
    changed: { 'src/b.ts': 'export const b = 2;\n' },
    times: { 'src/b.ts': 1 },
    reason: /^dist\/b\.js is older than src\/b\.ts/,
  },
  'is not judged by a time that a cache gave it': {
    files: shop,
    times: { 'dist/a.js': -30_000_000, 'dist/b.js': -30_000_000 },
    reason: undefined,
  },
  'is old in a package beside': {
    files: {
      '.gitignore': 'node_modules\ndist\n',
      'package.json': '{ "name": "all", "private": true, "workspaces": ["packages/*"] }',
      'packages/core/package.json': '{ "name": "core", "exports": "./dist/index.js" }',
      'packages/core/src/index.ts': source,
      'packages/core/src/b.ts': 'export const b = 1;\n',
      'packages/core/dist/index.js': source,
      'test/a.test.js': test('../packages/core/dist/index.js'),
    },
    times: { 'packages/core/src/b.ts': 1 },
    reason: /^packages\/core\/dist\/index\.js is older than packages\/core\/src\/b\.ts/,
  },
  'is old where a test starts it as a program': {
    files: { ...shop, 'test/a.test.js': `spawnSync('node', ['dist/a.js']);\n` },
    times: { 'src/a.ts': 1 },
    reason: /^dist\/a\.js is older than src\/a\.ts/,
  },
  'is not what a test of the sources runs': {
    files: { ...shop, 'test/a.test.js': test('../src/a.ts') },
    times: { 'src/a.ts': 1 },
    reason: undefined,
  },
};

describe('built code', () => {
  for (const [name, one] of Object.entries(cases))
    it(name, async () => {
      const { files, times, changed = {}, git = true, test = 'test/a.test.js', reason } = one;
      const workspace = await temporaryWorkspace(files, { git });
      try {
        const { root } = workspace;
        for (const [file, text] of Object.entries(changed)) await workspace.write(file, text);
        for (const file of Object.keys(files)) {
          const time = (start + (times[file] ?? 0) * minute) / 1000;
          await utimes(path.join(root, file), time, time);
        }
        const graph = createImportGraph({ root });
        const isTestFile = (file: string): boolean => file.startsWith('test/');
        const changes = await readSourceChanges({ root, isTestFile, graph });
        const found = await new BuiltCode(root, () => graph).notCurrent([test], changes);
        const said = found.get(test)?.reason;
        if (reason === undefined) assert.equal(said, undefined);
        else assert.match(said ?? '', reason);
      } finally {
        await workspace.dispose();
      }
    });
});
