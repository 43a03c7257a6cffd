// Keeps what a test prints in bounded memory: its beginning and its end, with a note where the middle was cut out.

/** Bytes of output that all tests of a run may keep together. */
export interface OutputBudget {
  left: number;
}

/** When the run's budget is used up, each test still keeps this much. */
const smallest = 2048;

export class OutputBuffer {
  readonly #limit: number;
  readonly #budget: OutputBudget;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #total = 0;

  /** `limit` in bytes; half of it for the beginning, half for the end. */
  constructor(budget: OutputBudget, limit: number = 1024 * 1024) {
    this.#budget = budget;
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#total === 0;
  }

  /** True when something was left out. */
  get isCut(): boolean {
    return this.#total > this.#headBytes + this.#tailBytes;
  }

  /** Keeps the text as far as it fits; returns what of it belongs to the beginning, to be shown while the test runs. */
  append(text: string): string {
    const bytes = Buffer.from(text);
    const room = this.#tailBytes > 0 || this.isCut ? 0 : Math.max(this.#allowed() / 2 - this.#headBytes, 0);
    this.#total += bytes.length;
    const head = bytes.subarray(0, characterStart(bytes, room));
    if (head.length > 0) {
      this.#head.push(head);
      this.#headBytes += head.length;
      this.#budget.left -= head.length;
    }
    const rest = bytes.subarray(head.length);
    if (rest.length > 0) this.#appendTail(rest);
    return head.length === bytes.length ? text : head.toString();
  }

  /** The end that `append` did not return, with the note in front; empty when nothing was held back. */
  heldBack(): string {
    const cut = this.#total - this.#headBytes - this.#tailBytes;
    const note = cut > 0 ? `\n… ${cut} bytes of output left out …\n` : '';
    return note + Buffer.concat(this.#tail).toString();
  }

  text(): string {
    return Buffer.concat(this.#head).toString() + this.heldBack();
  }

  #allowed(): number {
    return this.#budget.left > 0 ? this.#limit : Math.min(this.#limit, smallest);
  }

  #appendTail(bytes: Buffer): void {
    const limit = this.#allowed() / 2;
    // Copied: a part of a larger buffer would keep all of it alive.
    const added = Buffer.from(bytes.subarray(characterStart(bytes, bytes.length - limit)));
    this.#tail.push(added);
    this.#tailBytes += added.length;
    this.#budget.left -= added.length;
    let first = this.#tail[0];
    while (first !== undefined && this.#tailBytes > limit && this.#tail.length > 1) {
      const excess = this.#tailBytes - limit;
      const kept = first.subarray(characterStart(first, Math.min(excess, first.length)));
      const dropped = first.length - kept.length;
      this.#tailBytes -= dropped;
      this.#budget.left += dropped;
      if (kept.length > 0) {
        this.#tail[0] = kept;
        break;
      }
      this.#tail.shift();
      first = this.#tail[0];
    }
    // Many small pieces cost more than their bytes.
    if (this.#tail.length > 4096) this.#tail = [Buffer.concat(this.#tail)];
  }
}

/** The first place at or after `index` where a UTF-8 character begins. */
function characterStart(bytes: Buffer, index: number): number {
  let at = Math.max(index, 0);
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return Math.min(at, bytes.length);
}
