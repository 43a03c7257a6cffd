// Cancelling a run at moments drawn by lot: how long until no process of it is left.
import { processesIn } from '../support/processesIn.ts';
import { runWorkspace } from '../support/runWorkspace.ts';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import type { BenchRow } from './measure.ts';

const cancels = 40;
/** The run is in every state by then: starting, collecting, testing. */
const latestMs = 2500;

export async function bench(): Promise<readonly BenchRow[]> {
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{ "type": "module", "devDependencies": { "vitest": "4" } }',
      'waits.test.ts': testFile('await new Promise(() => {});'),
      'computes.test.ts': testFile('for (;;);'),
      // Ends neither with its parent nor when it is asked to.
      'starts.test.ts': testFile(
        "spawn(process.execPath, ['-e', \"process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)\"], { detached: true, stdio: 'ignore' });\n  await new Promise(() => {});",
      ),
      'tests/waits.tests.mjs':
        'export default () => new Promise((resolve) => setTimeout(resolve, 60_000));\n',
    },
    { vitest: true },
  );
  const times: number[] = [];
  const draw = lots(1);
  try {
    for (let index = 0; index < cancels; index++)
      times.push(await cancelled(workspace.root, draw() * latestMs));
  } finally {
    await workspace.dispose();
  }
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.ceil(times.length * part) - 1] ?? Number.NaN;
  return [
    { name: 'cancel until no process is left, median', value: at(0.5), unit: 'ms', note: `of ${cancels}` },
    { name: 'cancel until no process is left, 95th percentile', value: at(0.95), unit: 'ms', limit: 500 },
    { name: 'cancel until no process is left, worst', value: at(1), unit: 'ms' },
  ];
}

/** ms from the cancellation to the end of the last process that works in the folder. */
async function cancelled(root: string, afterMs: number): Promise<number> {
  const controller = new AbortController();
  const run = runWorkspace(root, { signal: controller.signal, limits: { maxParallel: 2 } });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const started = performance.now();
  controller.abort();
  while (processesIn([root]).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  const ended = performance.now() - started;
  const { summary } = await run;
  if (summary.ended !== 'cancelled') throw new Error(`the run ended by itself: ${summary.ended}`);
  const left = processesIn([root]);
  if (left.length > 0) throw new Error(`left after the run: ${left.join('; ')}`);
  return ended;
}

const testFile = (body: string): string =>
  `import { spawn } from 'node:child_process';\nimport { it } from 'vitest';\n\nit('goes on', async () => {\n  void spawn;\n  ${body}\n}, 60_000);\n`;

/** Numbers from 0 to 1 that are the same in every measurement. */
function lots(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
