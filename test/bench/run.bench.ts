// A cold `testmend run` of a vitest file with one test, beside vitest started through npx and directly.
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { medians, program } from './measure.ts';
import type { BenchRow } from './measure.ts';

const root = path.resolve(import.meta.dirname, '../..');

export async function bench(): Promise<readonly BenchRow[]> {
  const workspace = await temporaryWorkspace(
    {
      'package.json': JSON.stringify({ name: 'one', type: 'module', devDependencies: { vitest: '4' } }),
      'one.test.ts':
        "import { expect, test } from 'vitest';\n\ntest('adds', () => {\n  expect(1 + 1).toBe(2);\n});\n",
    },
    { vitest: true },
  );
  try {
    const bin = path.join(workspace.root, 'node_modules/.bin');
    await mkdir(bin);
    await symlink(path.join('..', 'vitest', 'vitest.mjs'), path.join(bin, 'vitest'));
    const median = await medians(
      {
        npx: () => program('npx', ['vitest', 'run'], workspace.root),
        testmend: () => program(process.execPath, [path.join(root, 'dist/cli.js'), 'run'], workspace.root),
        direct: () => program(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], workspace.root),
      },
      11,
    );
    const [testmend, npx, direct] = [median('testmend'), median('npx'), median('direct')];
    return [
      { name: 'testmend run, one test', value: testmend, unit: 'ms' },
      { name: 'npx vitest run', value: npx, unit: 'ms' },
      { name: 'node vitest.mjs run', value: direct, unit: 'ms' },
      { name: 'testmend run / npx vitest run', value: testmend / npx, unit: '×', limit: 0.85 },
      { name: 'testmend run / node vitest.mjs run', value: testmend / direct, unit: '×' },
    ];
  } finally {
    await workspace.dispose();
  }
}
