// One scenario's browser context: its pages, dialogs, downloads, and everything that ends a step early; always closed.
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Dialog,
  Frame,
  Page,
  Request,
} from 'playwright-core';
import { refusal, refusalOnNetwork, type AddressRules } from './allowedUrl.ts';

interface SessionOptions {
  readonly browser: Browser;
  readonly rules: AddressRules;
  readonly context: BrowserContextOptions;
  /** For each action without a limit of its own, ms. */
  readonly timeoutMs: number;
}

interface ExpectedDialog {
  readonly action: 'accept' | 'dismiss';
  readonly text?: string;
  readonly message?: string;
}

/** A request that has been under way for longer is a stream, and says nothing about whether the page is ready, ms. */
const streamAfter = 8000;
/** A browser that does not close its context in time is hung: the end of its process takes it along, ms. */
const closeLimit = 5000;

export class Session {
  readonly context: BrowserContext;
  /** Sentences for the user. */
  readonly notes: string[] = [];
  readonly #rules: AddressRules;
  readonly #pages: Page[] = [];
  readonly #pending = new Map<Request, number>();
  readonly #failures = new Set<(error: Error) => void>();
  #trouble: Error | undefined;
  #expected: ExpectedDialog | undefined;
  #dialogMessage: string | undefined;

  private constructor(context: BrowserContext, rules: AddressRules) {
    this.context = context;
    this.#rules = rules;
  }

  static async open({ browser, rules, context: options, timeoutMs }: SessionOptions): Promise<Session> {
    const context = await browser.newContext(options);
    try {
      context.setDefaultTimeout(timeoutMs);
      const session = new Session(context, rules);
      context.on('page', (page) => session.#follow(page));
      context.on('request', (request) => session.#onRequest(request));
      context.on('requestfinished', (request) => session.#pending.delete(request));
      context.on('requestfailed', (request) => session.#pending.delete(request));
      context.on('dialog', (dialog) => void session.#answer(dialog));
      if (rules.untrusted || rules.allowedOrigins !== undefined) await session.#guard();
      await context.newPage();
      return session;
    } catch (error) {
      await context.close().catch(() => undefined);
      throw error;
    }
  }

  /** The page that was opened last and is still open. */
  get page(): Page {
    const page = this.#pages.at(-1);
    if (page === undefined) throw this.#trouble ?? new Error('The page was closed.');
    return page;
  }

  /** Does the work unless the page crashes, leaves the allowed origins, or the time (ms) is over. Its own late error is nobody's. */
  async guarded<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
    let fail: (error: Error) => void = () => undefined;
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<never>((_, reject) => {
      fail = reject;
      timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms.`)), limitMs);
    });
    this.#failures.add(fail);
    work.catch(() => undefined);
    try {
      if (this.#trouble) throw this.#trouble;
      const result = await Promise.race([work, ended]);
      if (this.#trouble) throw this.#trouble;
      return result;
    } catch (error) {
      // A crash or a refused address is the reason for whatever else failed at that moment.
      throw this.#trouble ?? error;
    } finally {
      clearTimeout(timer);
      this.#failures.delete(fail);
      const trouble = this.#trouble;
      if (trouble?.name === 'Refused') this.#trouble = undefined;
    }
  }

  /** The next dialog gets this answer; every other one is dismissed. */
  expectDialog(expected: ExpectedDialog | undefined): void {
    this.#expected = expected;
    this.#dialogMessage = undefined;
  }

  /** What the last dialog said since `expectDialog`; undefined where none came. */
  get dialogMessage(): string | undefined {
    return this.#dialogMessage;
  }

  /** Is nothing being loaded? Streams do not count. */
  get isQuiet(): boolean {
    const now = performance.now();
    return [...this.#pending.values()].every((since) => now - since > streamAfter);
  }

  async close(): Promise<void> {
    const closed = this.context.close({ reason: 'the scenario is over' }).catch(() => undefined);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, closeLimit).unref())]);
  }

  /** A sentence why the address is refused; for requests that do not come from a page. */
  refusal(address: string): Promise<string | undefined> {
    return refusalOnNetwork(address, this.#rules);
  }

  get isRestricted(): boolean {
    return this.#rules.untrusted || this.#rules.allowedOrigins !== undefined;
  }

  #follow(page: Page): void {
    if (this.#pages.length > 0) this.notes.push('A new page was opened: the next steps go on in it.');
    this.#pages.push(page);
    page.on('crash', () => this.#fail(new Error('The page crashed.')));
    page.on('close', () => this.#pages.splice(this.#pages.indexOf(page), 1));
    page.on('framenavigated', (frame) => this.#check(frame));
  }

  #onRequest(request: Request): void {
    this.#pending.set(request, performance.now());
    if (!request.isNavigationRequest()) return;
    const refused = refusal(request.url(), this.#rules);
    // Also where a redirect leads outside: those do not pass the guard.
    if (refused !== undefined && isMain(request)) this.#refuse(refused);
  }

  #check(frame: Frame): void {
    if (frame.parentFrame() !== null || frame.url() === '') return;
    if (frame.url().startsWith('chrome-error:')) return;
    const refused = refusal(frame.url(), this.#rules);
    if (refused !== undefined) {
      this.#refuse(refused);
      void frame.goto('about:blank').catch(() => undefined);
    }
  }

  /** Refused before it is sent: navigations outside the allowed origins, and in untrusted use everything private. */
  async #guard(): Promise<void> {
    await this.context.route('**/*', async (route) => {
      const request = route.request();
      const isNavigation = request.isNavigationRequest() && isMain(request);
      const rules = isNavigation ? this.#rules : { untrusted: this.#rules.untrusted };
      const refused = await refusalOnNetwork(request.url(), rules);
      if (refused === undefined) return route.continue();
      if (isNavigation) this.#refuse(refused);
      return route.abort('blockedbyclient');
    });
  }

  async #answer(dialog: Dialog): Promise<void> {
    const expected = this.#expected;
    this.#expected = undefined;
    this.#dialogMessage = dialog.message();
    try {
      if (expected?.action === 'accept') await dialog.accept(expected.text);
      else {
        if (!expected)
          this.notes.push(`A dialog was dismissed: "${dialog.message().slice(0, 200)}". A click can answer it with the field dialog.`); // prettier-ignore
        await dialog.dismiss();
      }
    } catch {
      // The page was closed meanwhile.
    }
  }

  #refuse(reason: string): void {
    const error = new Error(reason);
    error.name = 'Refused';
    this.#fail(error);
  }

  #fail(error: Error): void {
    this.#trouble = error;
    for (const fail of this.#failures) fail(error);
  }
}

function isMain(request: Request): boolean {
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // Of a page that is only being opened.
    return true;
  }
}
