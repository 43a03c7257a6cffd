// A typed event source; one listener that throws does not keep the others from hearing.
import type { Disposable } from './disposables.ts';

export type Listener<T> = (value: T) => void;

export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<Listener<T>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = (error) => queueMicrotask(() => Promise.reject(error))) {
    this.#onError = onError;
  }

  readonly event = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
