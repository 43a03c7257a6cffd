// Calls that go on: a server ends when they have, so that nothing of them is left.

export class RunningCalls {
  readonly #calls = new Set<Promise<unknown>>();

  readonly add = (call: Promise<unknown>): void => {
    this.#calls.add(call);
    const forget = (): void => void this.#calls.delete(call);
    call.then(forget, forget);
  };

  async ended(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }
}

/** Resolves when the signal says that it is over. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
