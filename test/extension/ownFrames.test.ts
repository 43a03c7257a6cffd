// Which frames of a failure the peek shows.
import assert from 'node:assert/strict';
import { ownFrames } from '../../src/extension/testing/ownFrames.ts';

const frame = (file: string) => ({ name: 'f', file, line: 1, column: 1 });

describe('the frames of a failure', () => {
  it('are the user’s own, without the runner and Node', () => {
    const own = [frame('tests/a.test.ts'), frame('/elsewhere/shared/b.ts')];
    const runner = [
      frame('node_modules/vitest/dist/chunk.js'),
      frame('/elsewhere/node_modules/@vitest/runner/dist/index.js'),
      frame('C:\\repo\\node_modules\\x\\y.js'),
      frame('node:internal/process/task_queues'),
    ];
    assert.deepEqual(ownFrames([...own, ...runner]), own);
  });

  it('are all there is when none is the user’s', () => {
    const frames = [frame('node_modules/vitest/dist/chunk.js'), frame('node:internal/modules/esm')];
    assert.deepEqual(ownFrames(frames), frames);
  });
});
