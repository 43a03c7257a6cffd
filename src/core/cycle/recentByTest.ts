// What was learnt of each failing test as it was lately: every fix that is kept makes others of all tests in its file.

/** So many forms of a test are remembered: an iteration makes two at most, and a rollback brings back the one before. */
const mostOfATest = 3;

/** Bounded by the number of tests, however often their texts change. */
export class RecentByTest<T> {
  /** By test id and by what makes the failure the same one; the oldest first. */
  readonly #kept = new Map<string, Map<string, T>>();

  has(id: string, key: string): boolean {
    return this.#kept.get(id)?.has(key) === true;
  }

  get(id: string, key: string): T | undefined {
    return this.#kept.get(id)?.get(key);
  }

  set(id: string, key: string, value: T): void {
    const forms = this.#kept.get(id) ?? new Map<string, T>();
    this.#kept.set(id, forms);
    forms.delete(key);
    forms.set(key, value);
    for (const oldest of forms.keys()) {
      if (forms.size <= mostOfATest) break;
      forms.delete(oldest);
    }
  }

  /** Of all tests. */
  get size(): number {
    let size = 0;
    for (const forms of this.#kept.values()) size += forms.size;
    return size;
  }
}
