// Steps that act on the page: navigate, click, fill, select, hover, screenshot, script (CONTRACTS S2).
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Download, Page } from 'playwright-core';
import { isInside } from '../../base/paths.ts';
import type { ConfigOf } from '../stepSchema.ts';
import { takeScreenshot } from './evidence.ts';
import { timeLeft, type StepContext } from './stepContext.ts';
import { StepError } from './stepError.ts';

export async function navigate(
  { url, waitUntil }: ConfigOf<'navigate'>,
  context: StepContext,
): Promise<void> {
  const address = context.absolute(url);
  const refused = await context.session.refusal(address);
  if (refused !== undefined) throw new StepError(refused);
  await context.session.page.goto(address, { waitUntil, timeout: timeLeft(context) });
}

export async function click(config: ConfigOf<'click'>, context: StepContext): Promise<void> {
  const { locator, button, clickCount, modifiers, dialog, download } = config;
  const { session } = context;
  const { target } = await context.find(locator, 'visible');
  session.expectDialog(dialog);
  const arriving = download && waitForDownload(session.page, timeLeft(context));
  await target.click({ button, clickCount, modifiers, timeout: timeLeft(context) });
  if (arriving) await keepDownload(await arriving, download, context);
  if (dialog === undefined) return;
  while (session.dialogMessage === undefined && performance.now() < context.deadline)
    await session.page.waitForTimeout(25);
  const said = session.dialogMessage;
  if (said === undefined) throw new StepError('No dialog was opened.');
  if (dialog.message !== undefined && !said.includes(dialog.message))
    throw new StepError('The dialog says something else.', { expected: dialog.message, actual: said });
}

/** Its rejection is looked at by whoever waits for it. */
function waitForDownload(page: Page, timeout: number): Promise<Download> {
  const arriving = page.waitForEvent('download', { timeout });
  arriving.catch(() => undefined);
  return arriving;
}

async function keepDownload(
  download: Download,
  { saveAs, fileName }: NonNullable<ConfigOf<'click'>['download']>,
  { evidence, set }: StepContext,
): Promise<void> {
  const failure = await download.failure();
  if (failure !== null) throw new StepError(`The download failed: ${failure}`);
  const suggested = download.suggestedFilename();
  if (fileName !== undefined && fileName !== suggested)
    throw new StepError('The download has another name.', { expected: fileName, actual: suggested });
  const folder = path.join(evidence, 'downloads');
  const file = path.join(folder, saveAs ?? path.basename(suggested));
  if (!isInside(folder, file))
    throw new StepError(`The name "${saveAs}" leads out of the folder of downloads.`);
  await mkdir(path.dirname(file), { recursive: true });
  await download.saveAs(file);
  set('download', { file, name: suggested, url: download.url() });
}

export async function fill(
  { locator, value, clear, files, checked, press = [] }: ConfigOf<'fill'>,
  context: StepContext,
): Promise<void> {
  if (files !== undefined) return upload(typeof files === 'string' ? [files] : files, locator, context);
  const keys = typeof press === 'string' ? [press] : press;
  if (value === undefined && checked === undefined && keys.length === 0)
    throw new StepError('The step has no value, no files, no state and no keys.');
  const { target } = await context.find(locator, 'visible');
  if (value !== undefined) {
    if (context.isSecret(String(value))) context.mask(target);
    const timeout = timeLeft(context);
    if (clear) await target.fill(String(value), { timeout });
    else await target.pressSequentially(String(value), { timeout });
  }
  if (checked !== undefined) await target.setChecked(checked, { timeout: timeLeft(context) });
  for (const key of keys) await target.press(key, { timeout: timeLeft(context) });
}

async function upload(
  names: readonly string[],
  locator: ConfigOf<'fill'>['locator'],
  context: StepContext,
): Promise<void> {
  const files = names.map((name) => path.resolve(context.folder, name));
  for (const [at, file] of files.entries())
    if (!existsSync(file)) throw new StepError(`The file to upload does not exist: ${names[at]}.`);
  const { target } = await context.find(locator, 'attached');
  await target.setInputFiles(files, { timeout: timeLeft(context) });
}

export async function select(config: ConfigOf<'select'>, context: StepContext): Promise<void> {
  const { locator, value, label, index } = config;
  const options = [
    ...listOf(value).map((one) => ({ value: String(one) })),
    ...listOf(label).map((one) => ({ label: one })),
    ...(index === undefined ? [] : [{ index }]),
  ];
  if (options.length === 0) throw new StepError('The step names no option: value, label or index.');
  const { target } = await context.find(locator, 'visible');
  await target.selectOption(options, { timeout: timeLeft(context) });
}

export async function hover({ locator }: ConfigOf<'hover'>, context: StepContext): Promise<void> {
  const { target } = await context.find(locator, 'visible');
  await target.hover({ timeout: timeLeft(context) });
}

/** Gives the file. */
export async function screenshot(config: ConfigOf<'screenshot'>, context: StepContext): Promise<string> {
  const { name = context.stepId, fullPage, locator } = config;
  const target = locator && (await context.find(locator, 'visible')).target;
  return takeScreenshot(context.session.page, {
    folder: context.evidence,
    name,
    fullPage,
    masks: context.masks(),
    ...(target && { target }),
    timeoutMs: timeLeft(context),
  });
}

/** Runs in the page only: what it names is the page's, and Node is out of its reach. */
export async function script(
  { script: text, args, saveResultAs }: ConfigOf<'script'>,
  context: StepContext,
): Promise<void> {
  const body = `(async (args) => {${text}\n})(${JSON.stringify(args)})`;
  const result: unknown = await context.session.page.evaluate(body);
  if (saveResultAs !== undefined) context.set(saveResultAs, result);
}

function listOf<T extends string | number | boolean>(value: T | T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
