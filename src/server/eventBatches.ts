// Gathers events into batches, so that a fast run does not flood the editor with messages.

/** No event waits longer than this, ms; no batch is larger than `maxBatch`. */
const maxAgeMs = 40;
const maxBatch = 1_000;
/** Printed text counts too: a message stays below this many characters. */
const maxText = 256 * 1024;

export class EventBatches<T> {
  readonly #send: (events: readonly T[]) => void;
  readonly #sizeOf: (event: T) => number;
  #events: T[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `sizeOf`: characters of text that an event carries. */
  constructor(send: (events: readonly T[]) => void, sizeOf: (event: T) => number = () => 0) {
    this.#send = send;
    this.#sizeOf = sizeOf;
  }

  push(event: T): void {
    this.#events.push(event);
    this.#size += this.#sizeOf(event);
    if (this.#events.length >= maxBatch || this.#size >= maxText) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), maxAgeMs);
  }

  /** Sends what is there; the owner calls it once more at the end. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#size = 0;
    this.#send(events);
  }
}
