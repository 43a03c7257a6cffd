// The specs of the extension host as one file of the queue; `npm run test:host` runs them alone, with options.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { missingForWorkbench } from './vscodeServer.ts';

describe('the extension host', () => {
  it('passes its specs', async function () {
    this.timeout(1_800_000);
    const missing = missingForWorkbench();
    if (missing !== undefined && process.env['CI'] !== 'true') {
      console.log(`skipped: ${missing}`);
      this.skip();
    }
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/host/main.ts'], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    // The one who counts the tests of the queue counts these too.
    console.log(
      said.match(/^(?:\d+ passed, \d+ failed|Not run here: .*)$/gm)?.join('\n') ?? 'nothing was counted',
    );
    assert.equal(code, 0, said.slice(Math.max(0, said.indexOf('FAILED '))));
  });
});
