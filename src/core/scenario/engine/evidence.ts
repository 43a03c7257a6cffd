// What a step leaves for people to look at: screenshots with secrets masked, and the document as it was.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { redactSecrets } from '../../base/redactSecrets.ts';

interface ScreenshotOptions {
  /** Absolute; made where it is missing. */
  readonly folder: string;
  readonly name: string;
  readonly fullPage?: boolean;
  /** What is covered, beside fields for passwords and cards. */
  readonly masks: readonly Locator[];
  readonly target?: Locator;
  readonly timeoutMs: number;
}

/** Fields for passwords and cards are always covered. */
const alwaysMasked = 'input[type=password], [autocomplete=cc-number], [autocomplete=cc-csc], [data-secret]';

/** Absolute path of the picture. */
export async function takeScreenshot(page: Page, options: ScreenshotOptions): Promise<string> {
  const file = path.join(options.folder, `${fileName(options.name)}.png`);
  await mkdir(options.folder, { recursive: true });
  const settings = {
    path: file,
    timeout: options.timeoutMs,
    mask: [page.locator(alwaysMasked), ...options.masks],
    animations: 'disabled' as const,
  };
  if (options.target) await options.target.screenshot(settings);
  else await page.screenshot({ ...settings, fullPage: options.fullPage ?? false });
  return file;
}

/** The document as HTML, without the values of secret fields. Absolute path. */
export async function takeSnapshot(
  page: Page,
  {
    folder,
    name,
    hide,
  }: { readonly folder: string; readonly name: string; readonly hide: (text: string) => string },
): Promise<string> {
  const file = path.join(folder, `${fileName(name)}.html`);
  const html = await page.content();
  await mkdir(folder, { recursive: true });
  await writeFile(file, redactSecrets(hide(html)), { mode: 0o600 });
  return file;
}

/** A name that every file system takes. */
export function fileName(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
  return plain.slice(0, 80) || 'step';
}
