// Tells whether a page has come to rest: loaded, nothing under way, and no change of the document for a while.
import type { JSHandle, Page } from 'playwright-core';
import type { Session } from './session.ts';

/** Without a change for so long the document counts as at rest, ms. */
const calm = 500;
/** A page that never rests (a clock, an animation by script) counts as settled after so long, ms. */
const longest = 5000;

interface Watch {
  last: number;
  observer: MutationObserver;
}

/** Watches one page from the first question on; a navigation starts it anew. */
export class SettleWatch {
  readonly #session: Session;
  #page: Page | undefined;
  #handle: JSHandle<Watch> | undefined;
  #since = performance.now();

  constructor(session: Session) {
    this.#session = session;
  }

  async isSettled(): Promise<boolean> {
    const { page } = this.#session;
    try {
      if (this.#page !== page || this.#handle === undefined) {
        this.#page = page;
        this.#since = performance.now();
        this.#handle = await page.evaluateHandle(watchDocument);
        return false;
      }
      if (!this.#session.isQuiet) return performance.now() - this.#since > longest * 2;
      const { idle, loaded } = await this.#handle.evaluate((watch) => ({
        idle: performance.now() - watch.last,
        loaded: document.readyState === 'complete',
      }));
      return (loaded && idle >= calm) || performance.now() - this.#since > longest;
    } catch {
      // The document was left.
      this.#handle = undefined;
      return false;
    }
  }

  async dispose(): Promise<void> {
    await this.#handle?.evaluate((watch) => watch.observer.disconnect()).catch(() => undefined);
    await this.#handle?.dispose().catch(() => undefined);
  }
}

/** Runs in the page. */
function watchDocument(): Watch {
  const watch: Watch = {
    last: performance.now(),
    observer: new MutationObserver(() => {
      watch.last = performance.now();
    }),
  };
  watch.observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  return watch;
}
