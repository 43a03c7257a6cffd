// Work beside test processes: only while one runs, and no more than is waited for.
import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { BackgroundWork } from '../../../src/core/cycle/backgroundWork.ts';
import type { StartProcess } from '../../../src/core/run/runLaunch.ts';

type Ended = Awaited<ReturnType<StartProcess>>;
const ended: Ended = { exitCode: 0, signalCode: null, ended: 'exited', durationMs: 0 };

/** Processes that end when they are told to. */
function processes(): { readonly start: StartProcess; end(): void; fail(): void } {
  let settle: { readonly end: (result: Ended) => void; readonly fail: (error: Error) => void } | undefined;
  return {
    start: () => new Promise((end, fail) => (settle = { end, fail })),
    end: () => settle?.end(ended),
    fail: () => settle?.fail(new Error('no such program')),
  };
}

/** What `runProcess` is given says nothing to those who only wait. */
const request: Parameters<StartProcess> = JSON.parse('[{},{}]');

describe('work beside test processes', () => {
  for (const how of ['end', 'fail'] as const)
    it(`is done while one runs and not when none does, also when it ${how}s`, async () => {
      const done: number[] = [];
      function* work(): Generator<void> {
        for (let piece = 0; ; piece++) {
          done.push(piece);
          yield;
        }
      }
      const meanwhile = new BackgroundWork();
      const own = processes();
      const start = meanwhile.around(own.start);
      await meanwhile.beside(work(), async () => {
        await setTimeout(10);
        assert.equal(done.length, 0);
        const running = start(...request);
        while (done.length < 3) await setImmediate();
        own[how]();
        await running.catch(() => undefined);
        await setImmediate();
        const before = done.length;
        await setTimeout(10);
        assert.equal(done.length, before);
      });
      const running = start(...request);
      const before = done.length;
      await setTimeout(10);
      own.end();
      await running;
      assert.equal(done.length, before);
    });

  it('that meets trouble is given up, and what is waited for goes on', async () => {
    const meanwhile = new BackgroundWork();
    const own = processes();
    // oxlint-disable-next-line require-yield
    function* trouble(): Generator<void> {
      own.end();
      throw new Error('not readable');
    }
    const result = await meanwhile.beside(trouble(), () => meanwhile.around(own.start)(...request));
    assert.deepEqual(result, ended);
  });
});
