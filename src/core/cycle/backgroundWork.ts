// Work for the time in which test processes run anyway: done in pieces while one lives, and at no other time.
import { setImmediate } from 'node:timers/promises';
import type { StartProcess } from '../run/runLaunch.ts';

export class BackgroundWork {
  #work: Iterator<unknown> | undefined;
  #processes = 0;
  #isWorking = false;

  /** Starts processes as it is told to, and lets the work go on while they run. */
  around(start: StartProcess): StartProcess {
    return async (request, launch) => {
      this.#processes++;
      try {
        const running = start(request, launch);
        void this.#goOn();
        return await running;
      } finally {
        this.#processes--;
      }
    };
  }

  /** Until `waitedFor` ends; what is left of the work then is not done. A piece is what it does up to one `yield`. */
  async beside<T>(work: Iterator<unknown>, waitedFor: () => Promise<T>): Promise<T> {
    this.#work = work;
    void this.#goOn();
    try {
      return await waitedFor();
    } finally {
      this.#work = undefined;
    }
  }

  async #goOn(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (;;) {
      // What the process told comes first.
      await setImmediate();
      if (this.#processes === 0 || this.#work === undefined) break;
      if (isDone(this.#work)) this.#work = undefined;
    }
    this.#isWorking = false;
  }
}

/** Does one piece. Whoever needs the outcome does the work again and meets the same trouble. */
function isDone(work: Iterator<unknown>): boolean {
  try {
    return work.next().done === true;
  } catch {
    return true;
  }
}
