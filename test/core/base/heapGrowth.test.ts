// How the heap grows is told to V8 by flags: this version of Node must know them, or it complains to whoever reads stderr.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const module = path.resolve(import.meta.dirname, '../../../src/core/base/heapGrowth.ts');

describe('how the heap grows', () => {
  it('is set without a complaint', () => {
    const asked = 'growYoungHeap(); boundOldHeap(); console.log("set");';
    const script = `import { boundOldHeap, growYoungHeap } from ${JSON.stringify(pathToFileURL(module).href)}; ${asked}`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      { encoding: 'utf8', cwd: path.dirname(module) },
    );
    assert.deepEqual([stdout.trim(), stderr], ['set', '']);
  });
});
