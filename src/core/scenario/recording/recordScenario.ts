// Opens a browser, and makes a scenario of what a person does in it until it is closed or stopped.
import { randomUUID } from 'node:crypto';
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import { errorMessage, HumanError } from '../../base/humanError.ts';
import { findBrowser, findPlaywright, loadPlaywright, playwrightRemedy } from '../browser/findBrowser.ts';
import type { ScenarioConfig } from '../scenarioSchema.ts';
import { scenarioId, type WrittenScenario } from '../writtenScenario.ts';
import { FramePaths } from './framePath.ts';
import { pageEventSchema } from './pageEvent.ts';
import { recorderScript } from './recordPage.ts';
import { StepList } from './stepList.ts';

export interface RecordOptions {
  /** Absolute: where Playwright is looked for beside our own. */
  readonly root: string;
  readonly name: string;
  /** The first page; absent: the baseUrl of the configuration, else an empty page. */
  readonly url?: string | undefined;
  readonly config?: ScenarioConfig | undefined;
  /** chromium, chrome, msedge or a program; the first of the machine when absent. */
  readonly browser?: string | undefined;
  readonly headless?: boolean;
  /** Ends the recording; what was recorded is kept. */
  readonly signal: AbortSignal;
  /** When the first page is open: for whoever acts in the place of a person. */
  readonly onOpened?: (context: BrowserContext) => void;
}

export interface Recording {
  readonly scenario: WrittenScenario;
  /** What a person should look at. */
  readonly notes: readonly string[];
}

/** A browser that hangs is left to the end of the process, ms. */
const closeLimit = 5000;

/** Throws `not-installed` without a browser, and `bad-input` where nothing was recorded. Leaves no browser behind. */
export async function recordScenario(options: RecordOptions): Promise<Recording> {
  const { signal, config, url = config?.baseUrl } = options;
  const playwright = findPlaywright(options.root);
  if (!playwright)
    throw new HumanError('not-installed', 'Playwright was not found.', { remedy: playwrightRemedy });
  const { chromium } = loadPlaywright(playwright.entry);
  const { executable } = findBrowser(options.browser ?? config?.browser, () => chromium.executablePath());
  const browser = await chromium
    .launch({
      headless: options.headless ?? false,
      handleSIGINT: false,
      handleSIGTERM: false,
      args: ['--no-first-run', '--disable-sync'],
      ...(executable !== undefined && { executablePath: executable }),
    })
    .catch((error: unknown) => {
      throw notStarted(error);
    });
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  signal.addEventListener('abort', end, { once: true });
  browser.on('disconnected', end);
  const recorder = new Recorder(options, end);
  try {
    const viewport = config?.viewport ?? { width: 1280, height: 720 };
    const context = await browser.newContext({ viewport, acceptDownloads: true });
    await recorder.follow(context);
    const page = await context.newPage();
    if (url !== undefined) await open(page, absolute(url, config));
    options.onOpened?.(context);
    if (!signal.aborted) await ended;
    await recorder.settled();
  } finally {
    signal.removeEventListener('abort', end);
    const closed = browser.close().catch(() => undefined);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, closeLimit).unref())]);
  }
  return recorder.recording();
}

function notStarted(error: unknown): HumanError {
  const lines = errorMessage(error).split('\n');
  // Chromium itself says it in the midst of its log.
  const isBlind = lines.some((line) =>
    /Missing X server|headed browser without having a XServer|cannot open display/i.test(line),
  );
  const reason = isBlind ? 'there is no display' : (lines[0] ?? '').replace(/^browserType\.launch: /, '');
  return new HumanError(
    'not-installed',
    `The browser does not start: ${reason}`.replace(/[^.]$/, '$&.'),
    {
      remedy: isBlind
        ? 'Record where you can see the browser: on a desktop, or with an X server.'
        : 'Start it by hand once, or name another one in TESTMEND_SCENARIO_BROWSER.',
    },
    { cause: error },
  );
}

async function open(page: Page, url: string): Promise<void> {
  try {
    await page.goto(url, { waitUntil: 'commit' });
  } catch (error) {
    const [reason = ''] = errorMessage(error).split('\n');
    throw new HumanError(
      'bad-input',
      `${url} cannot be opened: ${reason.replace(/^page\.goto: /, '')}`,
      { value: url, remedy: 'Start the server of the page first, or name another address.' },
      { cause: error },
    );
  }
}

function absolute(url: string, config: ScenarioConfig | undefined): string {
  if (URL.canParse(url)) return url;
  if (config?.baseUrl !== undefined && URL.canParse(url, config.baseUrl))
    return new URL(url, config.baseUrl).href;
  // As people type addresses.
  if (URL.canParse(`http://${url}`)) return `http://${url}`;
  throw new HumanError('usage', `${url} is no address.`, {
    value: url,
    remedy: 'Name one like https://shop.example.',
  });
}

/** By the address bar or a program: no link, form or script of the page does that. */
const isTyped = /^(?:typed|address_bar|auto_bookmark|generated|keyword)$/;
/** A page may do so, too. */
const maybeOwn = /^(?:start_page|auto_toplevel|reload)$/;
/** What happens so soon after an action comes of it, ms. */
const afterAction = 1500;

class Recorder {
  readonly #options: RecordOptions;
  readonly #steps: StepList;
  readonly #end: () => void;
  readonly #frames = new FramePaths();
  readonly #pages: Page[] = [];
  /** Events are added one after the other: some have to ask where their frame lies. */
  #work: Promise<void> = Promise.resolve();
  #lastAction = -Infinity;

  constructor(options: RecordOptions, end: () => void) {
    this.#options = options;
    this.#steps = new StepList(options.config?.testIdAttribute ?? 'data-testid');
    this.#end = end;
  }

  async follow(context: BrowserContext): Promise<void> {
    const [binding, control] = [randomName(), randomName()];
    await context.exposeBinding(binding, ({ page, frame }, text: unknown) =>
      this.#hear(String(text), { page, frame, control }),
    );
    await context.addInitScript({ content: recorderScript(binding, control) });
    context.on('page', (page) => this.#open(page));
    // With somebody who listens the dialog stays open for the person.
    context.on('dialog', () => undefined);
  }

  settled(): Promise<void> {
    return this.#work;
  }

  recording(): Recording {
    const { steps, variables, notes } = this.#steps;
    const [first, ...more] = steps;
    if (first === undefined)
      throw new HumanError('bad-input', 'Nothing was recorded.', {
        remedy: 'Open a page and click in it before you close the browser.',
      });
    const { name } = this.#options;
    return {
      scenario: {
        id: scenarioId(name),
        name,
        ...(variables.length > 0 && { variables }),
        steps: [first, ...more],
      },
      notes: [...new Set(notes)],
    };
  }

  #open(page: Page): void {
    if (this.#pages.length > 0)
      this.#steps.notes.push('A new page was opened: a scenario goes on in the newest page that is open.');
    this.#pages.push(page);
    page.on('close', () => {
      this.#pages.splice(this.#pages.indexOf(page), 1);
      if (this.#pages.length === 0) this.#end();
    });
    page.on('download', () => this.#steps.caused({ download: {} }));
    const session = page.context().newCDPSession(page);
    session.catch(() => undefined);
    void this.#followDialogs(session);
    let at = -1;
    page.on('framenavigated', (frame) => {
      if (frame.parentFrame() !== null) void this.#frames.pathOf(frame).catch(() => undefined);
      else {
        // Asked at once: when its turn comes the page may be elsewhere.
        const url = frame.url();
        const isCaused = performance.now() - this.#lastAction < afterAction;
        this.#queue(async () => {
          if (this.#isFirst(url)) this.#steps.navigate(this.#written(url));
          at = await this.#navigated({ page, url, isCaused }, session, at);
        });
      }
    });
  }

  #isFirst(url: string): boolean {
    return this.#steps.steps.length === 0 && isWeb(url);
  }

  /** Gives the place in the history of the page. */
  async #navigated(
    { page, url, isCaused }: { readonly page: Page; readonly url: string; readonly isCaused: boolean },
    session: Promise<CDPSession>,
    before: number,
  ): Promise<number> {
    const { currentIndex, entries } = await (await session).send('Page.getNavigationHistory');
    const entry = entries[currentIndex];
    const transition = entry?.transitionType ?? '';
    const isOwn =
      isTyped.test(transition) || (!isCaused && (currentIndex < before || maybeOwn.test(transition)));
    if (entry?.url === url && isWeb(url) && isOwn && page === this.#pages.at(-1))
      this.#steps.navigate(this.#written(url));
    return currentIndex;
  }

  /** Relative to the base where it lies below it; without a name and a password. */
  #written(address: string): string {
    const url = new URL(address);
    url.username = '';
    url.password = '';
    const base = this.#options.config?.baseUrl;
    const origin = base !== undefined && URL.canParse(base) ? new URL(base) : undefined;
    return origin?.pathname === '/' && origin.origin === url.origin
      ? url.pathname + url.search + url.hash
      : url.href;
  }

  #hear(
    text: string,
    { page, frame, control }: { readonly page: Page; readonly frame: Frame; readonly control: string },
  ): void {
    const event = pageEventSchema.safeParse(parsed(text)).data;
    if (event === undefined) return;
    if (event.kind === 'stop') return this.#end();
    if (event.kind === 'mode') {
      for (const other of page.frames())
        if (other !== frame)
          void other
            .evaluate(
              ([name, mode]) => {
                const set: unknown = Reflect.get(window, name);
                if (typeof set === 'function') Reflect.apply(set, undefined, [mode]);
              },
              [control, event.mode] as const,
            )
            .catch(() => undefined);
      return;
    }
    this.#lastAction = performance.now();
    if (page !== this.#pages.at(-1))
      this.#steps.notes.push(
        'Something was done in an older page: a scenario stays in the newest one that is open.',
      );
    this.#queue(async () => this.#steps.add(event, await this.#frames.pathOf(frame)));
  }

  async #followDialogs(opened: Promise<CDPSession>): Promise<void> {
    try {
      const session = await opened;
      await session.send('Page.enable');
      let message = '';
      session.on('Page.javascriptDialogOpening', (dialog) => (message = dialog.message));
      session.on('Page.javascriptDialogClosed', ({ result, userInput }) =>
        this.#queue(() => {
          const answer = userInput === '' ? {} : { text: userInput };
          const said = message === '' ? {} : { message: message.slice(0, 200) };
          this.#steps.caused({ dialog: { action: result ? 'accept' : 'dismiss', ...answer, ...said } });
          return Promise.resolve();
        }),
      );
    } catch {
      // The page was closed meanwhile.
    }
  }

  #queue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(() => undefined);
  }
}

const isWeb = (url: string): boolean => /^(?:https?|file|data):/.test(url);
const randomName = (): string => `_${randomUUID().replaceAll('-', '')}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
