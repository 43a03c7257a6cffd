// Long work on the extension host in slices, so that typing never waits for it (DESIGN: 10–15 ms by the clock).

const sliceMs = 10;

/** Calls `work` for each item, letting the host breathe whenever 10 ms are used up. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let started = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - started > sliceMs) {
      await new Promise((resolve) => setImmediate(resolve));
      started = performance.now();
    }
  }
}
