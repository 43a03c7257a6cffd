// A process that waited too long to be of use: giving it up must not end us, who have the same task to do without it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { runProcess } from '../../../src/core/process/runProcess.ts';

const source = path.resolve(import.meta.dirname, '../../../src/core/process/spareProcess.ts');

describe('a process that was started before it was needed', () => {
  it('is given up when it does not answer, and who asked goes on', async function () {
    if (process.platform === 'win32') this.skip();
    const asks = `
      import { SpareProcess } from ${JSON.stringify(source)};
      const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], cwd: '.', env: {} };
      console.log(await new SpareProcess(silent).run({}, silent));`;
    const told: string[] = [];
    const result = await runProcess({
      command: process.execPath,
      args: ['--import=tsx', '--input-type=module', '-e', asks],
      cwd: path.resolve(import.meta.dirname, '../../..'),
      timeoutMs: 60_000,
      onOutput: (_stream, text) => told.push(text.trim()),
    });
    assert.deepEqual([told.join('\n'), result.exitCode], ['gone', 0]);
  }).timeout(60_000);
});
