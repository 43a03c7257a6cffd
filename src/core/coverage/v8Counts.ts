// How often each character of a script ran, from the nested ranges that V8 reports, added up over processes.

/** As V8 reports a function: its own range first, then the blocks in it whose count differs. */
export interface V8Function {
  readonly ranges: readonly {
    readonly startOffset: number;
    readonly endOffset: number;
    readonly count: number;
  }[];
}

export class V8Counts {
  /** Where the count changes, ascending, and the count from there on; it is 0 before the first. */
  #starts: readonly number[] = [];
  #counts: readonly number[] = [];
  /** Calls of a function by the offset behind its end. */
  readonly #calls = new Map<number, number>();

  /** Adds what one process says of the script. */
  add(functions: readonly V8Function[]): void {
    for (const { ranges } of functions) {
      const [own] = ranges;
      if (own) this.#calls.set(own.endOffset, (this.#calls.get(own.endOffset) ?? 0) + own.count);
    }
    const added = flatten(functions);
    const starts: number[] = [];
    const counts: number[] = [];
    for (let a = 0, b = 0; a < this.#starts.length || b < added.starts.length;) {
      const at = Math.min(this.#starts[a] ?? Infinity, added.starts[b] ?? Infinity);
      if (this.#starts[a] === at) a++;
      if (added.starts[b] === at) b++;
      const count = (this.#counts[a - 1] ?? 0) + (added.counts[b - 1] ?? 0);
      if (counts.at(-1) === count) continue;
      starts.push(at);
      counts.push(count);
    }
    this.#starts = starts;
    this.#counts = counts;
  }

  /** How often the character at the offset ran. */
  at(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#counts[low - 1] ?? 0;
  }

  /** How often the function that ends before this offset was called; undefined when V8 knows none. */
  callsOfFunctionEndingAt(offset: number): number | undefined {
    return this.#calls.get(offset);
  }
}

/** The innermost range wins. */
function flatten(functions: readonly V8Function[]): { readonly starts: number[]; readonly counts: number[] } {
  const ranges = functions.flatMap(({ ranges: own }) => own);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const starts: number[] = [];
  const counts: number[] = [];
  const change = (at: number, count: number): void => {
    if (starts.at(-1) === at) {
      starts.pop();
      counts.pop();
    }
    if ((counts.at(-1) ?? 0) === count) return;
    starts.push(at);
    counts.push(count);
  };
  const open: { readonly end: number; readonly count: number }[] = [];
  const closeUntil = (offset: number): void => {
    for (let last = open.at(-1); last && last.end <= offset; last = open.at(-1)) {
      open.pop();
      change(last.end, open.at(-1)?.count ?? 0);
    }
  };
  for (const { startOffset, endOffset, count } of ranges) {
    closeUntil(startOffset);
    open.push({ end: Math.min(endOffset, open.at(-1)?.end ?? endOffset), count });
    change(startOffset, count);
  }
  closeUntil(Infinity);
  return { starts, counts };
}
