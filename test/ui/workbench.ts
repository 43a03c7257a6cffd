// Drives the real workbench in Chromium the way a person does: palette, Quick Open, Testing view, light bulb, panel.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import {
  installVsix,
  startBrowser,
  startVscodeServer,
  workbenchUrl,
  type ServerOptions,
  type StartedBrowser,
} from '../host/vscodeServer.ts';

const docImages = path.resolve(import.meta.dirname, '../../docs/images');

export interface WorkbenchOptions extends Omit<ServerOptions, 'folder'> {
  readonly workspace: string;
  /** The packaged extension; tested as users get it. */
  readonly vsix: string;
  /** Folder for screenshots. */
  readonly screenshots: string;
}

export class Workbench {
  readonly started: StartedBrowser;
  #page: Page;
  readonly #screenshots: string;
  readonly #close: () => Promise<void>;

  constructor(page: Page, started: StartedBrowser, screenshots: string, close: () => Promise<void>) {
    this.#page = page;
    this.started = started;
    this.#screenshots = screenshots;
    this.#close = close;
  }

  get page(): Page {
    return this.#page;
  }

  /** Runs a command by its title through the command palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor({ state: 'visible' });
    await input.fill('>' + title);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Opens a workspace file through Quick Open. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+P');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor({ state: 'visible' });
    await input.fill(name);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator(`.tab.active[aria-label^="${name}"]`).first().waitFor();
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
      await this.page.waitForTimeout(100);
    }
    throw new Error(`no webview holds ${selector}`);
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

  /** The window is gone without a farewell, and a new one is opened on the same workspace. */
  async die(): Promise<void> {
    const url = this.#page.url();
    await this.#page.close();
    this.#page = await this.started.context.newPage();
    this.#page.setDefaultTimeout(90_000);
    await this.#page.goto(url);
    await loaded(this.#page);
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  mkdirSync(options.screenshots, { recursive: true });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'testmend-ui-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  installVsix(options.vsix, folder);
  const server = await startVscodeServer({ ...options, folder });
  const started = await startBrowser();
  const page = await started.context.newPage();
  page.setDefaultTimeout(90_000);
  const close = async (): Promise<void> => {
    await started.browser.close();
    await server.stop();
    remove();
  };
  try {
    await page.goto(workbenchUrl(server, { workspace: options.workspace }));
    await loaded(page);
  } catch (error) {
    await close();
    throw error;
  }
  return new Workbench(page, started, options.screenshots, close);
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
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
