// From the edit of a skill file to its result, in the process that waits for it and in one that starts for it.
import path from 'node:path';
import { editorNotifications, requests } from '../../src/server/messages.ts';
import { startEngine } from '../support/engineProcess.ts';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { median, type BenchRow } from './measure.ts';

const rounds = 20;
/** People do not edit faster, ms; on a busy machine the process that waits needs a part of it to start. */
const pauseMs = 1_500;

/** What the engine takes from the request to the answer, without the time that the test says it took: at most 40 ms. */
export async function bench(): Promise<readonly BenchRow[]> {
  const workspace = await temporaryWorkspace({ 'tests/shop.tests.mjs': skillTest(1) });
  const configuration = {
    roots: [{ root: workspace.root }],
    trusted: true,
    storageFolder: path.join(path.dirname(workspace.root), 'storage'),
    hasOwnUi: true,
  };
  const engine = await startEngine('ipc', { initializationOptions: configuration });
  try {
    await engine.request(requests.listFiles, {});
    let passed = 1;
    const edit = async (): Promise<number> => {
      await workspace.write('tests/shop.tests.mjs', skillTest(++passed));
      engine.runEvents.length = 0;
      const started = performance.now();
      const targets = [{ fileId: 'skill:tests/shop.tests.mjs' }];
      await engine.request(requests.run, { runId: String(passed), root: workspace.root, targets });
      const took = performance.now() - started;
      const told = engine.runEvents.flatMap((event) => (event.type === 'testEnded' ? [event.result] : []));
      if (told[0]?.counts?.passed !== passed) throw new Error(`not the last edit: ${JSON.stringify(told)}`);
      return took - told[0].durationMs;
    };
    const times: { readonly warm: number[]; readonly cold: number[] } = { warm: [], cold: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const way of ['warm', 'cold'] as const) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        // New settings end the process that waits.
        if (way === 'cold')
          await engine.connection.sendNotification(editorNotifications.configure.method, configuration);
        const took = await edit();
        if (round > 0) times[way].push(took);
      }
    }
    return [
      { name: 'edit of a skill file, beyond its own time', value: median(times.warm), unit: 'ms', limit: 40 },
      { name: 'the same without a process that waits', value: median(times.cold), unit: 'ms' },
    ];
  } finally {
    await engine.end();
    await workspace.dispose();
  }
}

const skillTest = (passed: number): string => `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export default () => {
  assert.match(readFileSync(new URL(import.meta.url), 'utf8'), /passed/);
  return { passed: ${passed}, failed: 0, errors: [] };
};
`;
