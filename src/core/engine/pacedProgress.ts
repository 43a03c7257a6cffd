// Tells the latest of many progress texts, not each: an answer that streams in has hundreds.

export class PacedProgress {
  readonly #tell: (text: string) => void;
  readonly #everyMs: number;
  #latest: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `everyMs`: the least time between two texts. */
  constructor(tell: (text: string) => void, everyMs: number) {
    this.#tell = tell;
    this.#everyMs = everyMs;
  }

  /** The first text at once, the latest of those that follow when the time is over. */
  push(text: string): void {
    if (this.#timer !== undefined) {
      this.#latest = text;
      return;
    }
    this.#tell(text);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const latest = this.#latest;
      this.#latest = undefined;
      if (latest !== undefined) this.push(latest);
    }, this.#everyMs);
  }

  /** Forgets what was not told: something else is going on. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#latest = undefined;
  }
}
