// `testmend --help` from spawn to exit, beside a Node process that does nothing.
import path from 'node:path';
import { medians, program } from './measure.ts';
import type { BenchRow } from './measure.ts';

const root = path.resolve(import.meta.dirname, '../..');

export async function bench(): Promise<readonly BenchRow[]> {
  const median = await medians(
    {
      help: () => program(process.execPath, [path.join(root, 'dist/cli.js'), '--help'], root),
      empty: () => program(process.execPath, ['-e', '0'], root),
    },
    15,
  );
  return [
    { name: 'testmend --help', value: median('help'), unit: 'ms', limit: 200 },
    { name: 'node -e 0', value: median('empty'), unit: 'ms' },
  ];
}
