// Drives the real workbench in Chromium the way a person does: palette, Quick Open, Testing view, light bulb, panel.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import {
  installVsix,
  launchBrowser,
  openContext,
  startVscodeServer,
  workbenchUrl,
  writeUserSettings,
  type ServerOptions,
  type StartedBrowser,
  type VscodeServer,
} from '../host/vscodeServer.ts';
import { childrenOf, type LivingProcess } from '../support/processesIn.ts';

const docImages = path.resolve(import.meta.dirname, '../../docs/images');

export interface WorkbenchOptions extends Pick<ServerOptions, 'settings'> {
  readonly workspace: string;
  /** Of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder for screenshots. */
  readonly screenshots: string;
  /** An extension beside ours, from its source. */
  readonly extensionDevelopmentPath?: string;
}

export class Workbench {
  readonly started: StartedBrowser;
  #page: Page;
  /** Data of the server: logs, the extension, and what that keeps. */
  readonly folder: string;
  readonly #screenshots: string;
  readonly #close: () => Promise<void>;

  constructor(
    page: Page,
    started: StartedBrowser,
    folders: { readonly data: string; readonly screenshots: string },
    close: () => Promise<void>,
  ) {
    this.#page = page;
    this.started = started;
    this.folder = folders.data;
    this.#screenshots = folders.screenshots;
    this.#close = close;
  }

  get page(): Page {
    return this.#page;
  }

  /** Runs a command by its title through the command palette. */
  async command(title: string): Promise<void> {
    await this.#pick(`>${title}`, 'F1', title);
  }

  /** Opens a workspace file through Quick Open. */
  async openFile(name: string): Promise<void> {
    await this.#pick(name, 'ControlOrMeta+P', name);
    await this.page.locator(`.tab.active[aria-label^="${name}"]`).first().waitFor();
  }

  /**
   * Types into the quick input and takes the first row that says `label`; what takes the focus meanwhile closes the input, so again. A
   * click that is answered late may have been heard: what it chose asks in the same place then.
   */
  async #pick(text: string, key: string, label: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget');
    const input = widget.locator('input').first();
    const row = widget.locator('.monaco-list-row', { hasText: label }).first();
    await this.page.keyboard.press(key);
    await until(`"${label}" is offered`, async () => {
      let isTyped = false;
      try {
        await input.fill(text, { timeout: 5000 });
        isTyped = true;
        await row.click({ timeout: 5000 });
        return true;
      } catch {
        if (await widget.isHidden()) await this.page.keyboard.press(key);
        else if (isTyped) return (await input.inputValue({ timeout: 1000 }).catch(() => text)) !== text;
        return false;
      }
    });
  }

  /** Opens a file of the explorer by an item of its row's menu, which takes no click in its first moments. */
  async chooseInExplorer(file: string, label: string): Promise<void> {
    await this.command('Explorer: Focus on Folders View');
    const row = this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: file });
    const item = this.page.locator('.monaco-menu .action-item', { hasText: label });
    await until(`"${label}" is chosen`, async () => {
      try {
        if (await item.isHidden()) await row.click({ button: 'right', timeout: 5000 });
        await item.click({ timeout: 5000 });
        await item.waitFor({ state: 'hidden', timeout: 1000 });
        return true;
      } catch {
        return false;
      }
    });
  }

  async openTestingView(): Promise<void> {
    await this.page
      .locator('.activitybar')
      .getByRole('tab', { name: /Testing/ })
      .click();
    await this.page.locator('.test-explorer .monaco-list').first().waitFor();
  }

  /** A row of the Testing view by its label; VS Code appends the description, which is a folder, and the duration to it. */
  testRow(label: string): Locator {
    const text = new RegExp(
      `^${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(tests?|[\\w-]+(/[\\w-]+)+)?(: )?([\\d.,]+m?s)?$`,
    );
    const rows = this.page.locator('.test-explorer .monaco-list-row');
    return rows.filter({ has: this.page.locator('.label', { hasText: text }) }).first();
  }

  /** Opens a row of the Testing view with the keyboard, as its twistie would. */
  async expand(label: string): Promise<void> {
    const row = this.testRow(label);
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) !== 'true') {
      await row.click();
      await this.page.keyboard.press('ArrowRight');
    }
  }

  /** The labels of the Testing view as they are shown, top to bottom, with their state: "✖ adds one". */
  async drawTree(): Promise<string[]> {
    return this.page.locator('.test-explorer .monaco-list-row').evaluateAll((rows) =>
      rows
        .map((row) => ({
          top: row.getBoundingClientRect().top,
          text:
            '  '.repeat(Number(row.getAttribute('aria-level') ?? 1) - 1) +
            (row.querySelector('[class*="testing-failed"], [class*="testing-error"]')
              ? '✖ '
              : row.querySelector('[class*="testing-passed"]')
                ? '✔ '
                : row.querySelector('[class*="testing-skipped"]')
                  ? '↷ '
                  : '· ') +
            (row.querySelector('.label')?.firstChild?.textContent ?? '').trim(),
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
  }

  /** The document inside the webview that holds `selector`. */
  async webview(selector: string, timeoutMs = 60_000): Promise<Frame> {
    const end = Date.now() + timeoutMs;
    while (Date.now() < end) {
      for (const frame of this.page.frames()) {
        if ((await frame.$(selector).catch(() => null)) !== null) return frame;
      }
      await this.page.waitForTimeout(200);
    }
    throw new Error(`no webview holds ${selector}`);
  }

  /**
   * A message of VS Code, once it is there. A workbench under a test driver shows no toasts; its notification centre holds them, and
   * closes by itself while nothing is in it.
   */
  async notification(text: string, timeoutMs?: number): Promise<Locator> {
    const centre = this.page.locator('.notifications-center');
    const item = centre.locator('.notification-list-item', { hasText: text }).first();
    const isShown = async (): Promise<boolean> => {
      if (await centre.isHidden()) await this.command('Notifications: Show Notifications');
      return item.isVisible();
    };
    await until(`VS Code says: ${text}`, isShown, timeoutMs);
    return item;
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: path.join(this.#screenshots, `${name}.png`) });
  }

  /** Makes a picture of the documentation anew when TESTMEND_DOC_IMAGES is 1. */
  async picture(name: string): Promise<void> {
    if (process.env['TESTMEND_DOC_IMAGES'] !== '1') return;
    await this.page.screenshot({ path: path.join(docImages, `${name}.png`) });
  }

  async reload(): Promise<void> {
    const gone = this.page.waitForEvent('load');
    await this.command('Developer: Reload Window');
    await gone;
    await loaded(this.page);
  }

  /** The window is gone without a farewell, and a new one is opened on the same workspace after what happens `meanwhile`. */
  async die(meanwhile = (): void => undefined): Promise<void> {
    const url = this.#page.url();
    await this.#page.close();
    meanwhile();
    this.#page = await this.started.context.newPage();
    this.#page.setDefaultTimeout(90_000);
    await this.#page.goto(url);
    await loaded(this.#page);
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

/** A server with the packaged extension, as users get it, and a browser. */
export interface WorkbenchHost {
  readonly server: VscodeServer;
  readonly browser: Browser;
  stop(): Promise<void>;
}

export async function startWorkbenchHost(vsix: string, dataFolder?: string): Promise<WorkbenchHost> {
  const folder = dataFolder ?? mkdtempSync(path.join(os.tmpdir(), 'testmend-ui-'));
  installVsix(vsix, folder);
  const server = await startVscodeServer({ folder });
  const browser = await launchBrowser();
  const stop = async (): Promise<void> => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return { server, browser, stop };
}

/** One window at a time: the settings are those of the server. */
export async function openWorkbench(host: WorkbenchHost, options: WorkbenchOptions): Promise<Workbench> {
  const { server } = host;
  mkdirSync(options.screenshots, { recursive: true });
  writeUserSettings(server.folder, options.settings);
  const started = await openContext(host.browser);
  const page = await started.context.newPage();
  page.setDefaultTimeout(90_000);
  const close = async (): Promise<void> => {
    await started.context.close();
    await endExtensionHosts(server);
  };
  try {
    const { workspace, extensionDevelopmentPath } = options;
    const beside = extensionDevelopmentPath === undefined ? {} : { extensionDevelopmentPath };
    const payload = [['extensionEnvironment', JSON.stringify(options.env ?? {})]] as const;
    await page.goto(workbenchUrl(server, { workspace, payload, ...beside }));
    await loaded(page);
  } catch (error) {
    await close();
    throw error;
  }
  return new Workbench(page, started, { data: server.folder, screenshots: options.screenshots }, close);
}

/** The server would keep them for hours, for a window that might come back. */
async function endExtensionHosts({ pid }: VscodeServer): Promise<void> {
  const living = (): readonly LivingProcess[] =>
    childrenOf(pid).filter(({ command }) => command.includes('--type=extensionHost'));
  for (const host of living()) process.kill(host.pid);
  await until('the extension host has ended', () => Promise.resolve(living().length === 0));
}

async function loaded(page: Page): Promise<void> {
  await page.locator('.monaco-workbench').waitFor();
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /Testing/ })
    .waitFor({ timeout: 150_000 });
}

/** Asks again and again, until it is so. */
export async function until(what: string, ask: () => Promise<boolean>, timeoutMs = 150_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await ask())) {
    if (Date.now() >= end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
