// Work in the order it was asked for.
import assert from 'node:assert/strict';
import { Queue } from '../../../src/core/engine/queue.ts';

describe('a queue', () => {
  it('goes on after work that failed', async () => {
    const queue = new Queue();
    const failed = queue.run(() => Promise.reject(new Error('no')));
    const next = queue.run(() => Promise.resolve('next'));
    await assert.rejects(failed, /no/);
    assert.equal(await next, 'next');
  });

  it('answers what is aborted while it waits at once, and never starts it', async () => {
    const queue = new Queue();
    const told: string[] = [];
    let finish = (): void => undefined;
    const first = queue.run(() => new Promise<void>((resolve) => (finish = resolve)));
    const abort = new AbortController();
    const work = (name: string) => async (): Promise<string> => {
      told.push(name);
      return name;
    };
    const second = queue.runUnlessAborted(work('second'), () => 'never started', abort.signal);
    const third = queue.runUnlessAborted(work('third'), () => 'never started', new AbortController().signal);
    abort.abort();
    assert.equal(await second, 'never started');
    finish();
    await first;
    assert.equal(await third, 'third');
    assert.deepEqual(told, ['third']);
  });

  it('leaves work that has started to end by itself when it is aborted', async () => {
    const abort = new AbortController();
    const done = new Queue().runUnlessAborted(
      async () => {
        abort.abort();
        return 'its own end';
      },
      () => 'never started',
      abort.signal,
    );
    assert.equal(await done, 'its own end');
  });
});
