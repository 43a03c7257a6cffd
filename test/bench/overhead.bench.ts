// A run of 200 files with 5,000 fast tests, beside the bare command line of the same framework.
import path from 'node:path';
import { median, program } from './measure.ts';
import type { BenchRow } from './measure.ts';
import { runners, workspaceOf, type Runner } from './runners.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = 200;
const testsPerFile = 25;
const rounds = 3;

/** At most 1.05 times the bare command and 150 ms. */
export async function bench(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const one of runners) rows.push(...(await compare(one)));
  return rows;
}

async function compare(runner: Runner): Promise<readonly BenchRow[]> {
  const { framework, direct } = runner;
  const workspace = await workspaceOf(runner, files, testsPerFile);
  const [command, ...args] = direct;
  try {
    const cli = path.join(root, 'dist/cli.js');
    const variants = {
      bare: () => program(command, args, workspace.root),
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
    const note = `${(testmend / bare).toFixed(2)} × ${framework} alone`;
    return [
      { name: `${framework} alone`, value: bare, unit: 'ms' },
      { name, value: testmend, unit: 'ms', limit: bare * 1.05 + 150, note },
    ];
  } finally {
    await workspace.dispose();
  }
}
