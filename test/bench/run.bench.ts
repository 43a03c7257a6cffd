// A cold run of one file with one test, from the command line and from a running engine, beside the same runner started bare.
import path from 'node:path';
import { requests } from '../../src/server/messages.ts';
import { startEngine } from '../support/engineProcess.ts';
import { medians, program } from './measure.ts';
import type { BenchRow } from './measure.ts';
import { configured, runners, workspaceOf, type Runner } from './runners.ts';

const root = path.resolve(import.meta.dirname, '../..');
const rounds = 9;

/** The command line may add 150 ms to the bare start and a running engine 30 ms; of npx they may take 0.85 and 0.7. */
export async function bench(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const runner of [...runners, ...configured]) rows.push(...(await compare(runner)));
  return rows;
}

async function compare(runner: Runner): Promise<readonly BenchRow[]> {
  const { framework, direct, npx, label = framework } = runner;
  const workspace = await workspaceOf(runner, 1, 1);
  const engine = await startEngine('ipc', {
    initializationOptions: {
      roots: [{ root: workspace.root }],
      trusted: true,
      storageFolder: path.join(path.dirname(workspace.root), 'storage'),
      hasOwnUi: true,
    },
  });
  try {
    await engine.request(requests.listFiles, {});
    const [bare, ...args] = direct;
    let runs = 0;
    const median = await medians(
      {
        direct: () => program(bare, args, workspace.root),
        cli: () => program(process.execPath, [path.join(root, 'dist/cli.js'), 'run'], workspace.root),
        engine: async () => {
          const end = await engine.request(requests.run, { runId: String(++runs), root: workspace.root });
          if (end.passed !== 1) throw new Error(`${framework}: ${JSON.stringify(end)}`);
        },
        npx: async () => (npx ? program('npx', npx, workspace.root) : undefined),
      },
      rounds,
    );
    const row = (name: string, value: number, limit?: number, note?: string): BenchRow => ({
      name: `${label}, ${name}`,
      value,
      unit: 'ms',
      ...(limit === undefined ? {} : { limit }),
      ...(note === undefined ? {} : { note }),
    });
    const ratio = (name: string, value: number, limit: number): BenchRow => ({
      name: `${label}, ${name}`,
      value: value / median('npx'),
      unit: '×',
      limit,
    });
    const beyond = (name: 'cli' | 'engine'): string => {
      const more = median(name) - median('direct');
      return `${more < 0 ? '−' : '+'} ${Math.abs(more).toFixed(0)} ms, ${(median(name) / median('direct')).toFixed(2)} ×`;
    };
    return [
      row('bare', median('direct')),
      row('testmend run', median('cli'), median('direct') + 150, beyond('cli')),
      row('from a running engine', median('engine'), median('direct') + 30, beyond('engine')),
      ...(npx
        ? [
            row(`npx ${npx.join(' ')}`, median('npx')),
            ratio('testmend run / npx', median('cli'), 0.85),
            ratio('from a running engine / npx', median('engine'), 0.7),
          ]
        : []),
    ];
  } finally {
    await engine.end();
    await workspace.dispose();
  }
}
