// A sandbox of 1,000 files opened, kept in step, and what a verification costs beyond vitest's own run of the file.
import path from 'node:path';
import { openVerification } from '../../src/core/verification/openVerification.ts';
import { openCopySandbox } from '../../src/core/sandbox/copySandbox.ts';
import { fixOf, replacing, requestFor, verifyFix } from '../core/verification/request.ts';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { medians, program } from './measure.ts';
import type { BenchRow } from './measure.ts';

const entry = path.resolve(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

export async function bench(): Promise<readonly BenchRow[]> {
  const sources = Array.from({ length: 996 }, (_, index) => [
    `src/part${index % 50}/module${index}.ts`,
    `export const value${index} = ${index};\n`.repeat(40),
  ]);
  const workspace = await temporaryWorkspace(
    {
      ...Object.fromEntries(sources),
      'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
      'src/greet.ts': "export const greet = () => 'Hello';\n",
      'greet.test.ts':
        "import { expect, test } from 'vitest';\nimport { greet } from './src/welcome.ts';\n\ntest('greets', () => {\n  expect(greet()).toBe('Hello');\n});\n",
    },
    { git: true, vitest: true },
  );
  try {
    const request = await requestFor(workspace);
    const { sandboxFolder: folder } = request;
    const verification = await openVerification(request);
    const { sandbox } = verification;
    const fix = fixOf(
      [await replacing(workspace, 'greet.test.ts', 'welcome', 'greet')],
      ['vitest:greet.test.ts'],
      { trust: 'mechanical' },
    );
    const scope = { scope: 'file', files: ['greet.test.ts'] } as const;
    // What vitest itself needs for the same file with the fix in place.
    const fixed = await openCopySandbox({ root: workspace.root, folder });
    await fixed.applyEdits(fix.edits);
    const median = await medians(
      {
        open: async () => (await openCopySandbox({ root: workspace.root, folder })).dispose(),
        sync: () => sandbox.sync(),
        strays: () => sandbox.restoreStrays(),
        vitest: () => program(process.execPath, [entry, 'run', 'greet.test.ts'], fixed.root),
        verify: async () => {
          await sandbox.sync();
          const { verdict, reason } = await verifyFix(fix, verification, scope);
          if (verdict !== 'verified') throw new Error(`${verdict}: ${reason}`);
        },
      },
      11,
    );
    await fixed.dispose();
    await verification.dispose();
    const beyond = median('verify') - median('vitest');
    return [
      { name: 'open and remove a sandbox of 1,000 files', value: median('open'), unit: 'ms' },
      { name: 'bring a warm sandbox in step', value: median('sync'), unit: 'ms' },
      { name: 'look for files that a run wrote', value: median('strays'), unit: 'ms' },
      { name: 'vitest run of the file', value: median('vitest'), unit: 'ms' },
      { name: 'verify a mechanical fix, sandbox warm', value: median('verify'), unit: 'ms' },
      { name: 'verification beyond vitest', value: beyond, unit: 'ms', limit: 150 },
    ];
  } finally {
    await workspace.dispose();
  }
}
