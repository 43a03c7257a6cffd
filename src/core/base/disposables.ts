// Lifetimes: things that end, and a store that ends many of them in reverse order.

export interface Disposable {
  dispose(): void;
}

/** Ends everything added to it, last added first; adding to an ended store ends the thing at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  dispose(): void {
    this.#disposed = true;
    for (const item of [...this.#items].reverse()) item.dispose();
    this.#items.clear();
  }
}
