// Work that must not overlap, in the order it was asked for.

export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts when everything before it has ended, well or badly. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  /**
   * The same for work that can be cancelled. What is aborted while it waits is answered with `otherwise` at once, never starts,
   * and leaves its place to the next.
   */
  runUnlessAborted<T>(work: () => Promise<T>, otherwise: () => T, signal: AbortSignal): Promise<T> {
    let started = false;
    const done = this.run(async () => {
      if (signal.aborted) return otherwise();
      started = true;
      return work();
    });
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        if (!started) resolve(otherwise());
      };
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      done.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }
}
