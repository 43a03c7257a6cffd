// Work that must not overlap, in the order it was asked for.

export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts when everything before it has ended, well or badly. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
