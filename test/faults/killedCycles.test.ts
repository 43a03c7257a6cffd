// The short form of `npm run check:faults`: a few kills at moments that are always the same.
import assert from 'node:assert/strict';
import { killCycles } from './killedCycles.ts';

describe('testmend, killed in the middle of a fix cycle', function () {
  this.timeout(600_000);

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('leaves a workspace, processes and folders that the next start makes good', async () => {
    const { amidTrials, problems } = await killCycles({ kills: 8, seed: 8 });
    assert.deepEqual(problems, []);
    assert.ok(amidTrials > 0, 'no kill came amid a trial');
  });
});
