// How the panel looks in each theme of VS Code: drawn to the end, and what is hard to read in it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';
import { z } from 'zod';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import type { Workbench } from './workbench.ts';

/** Themes by their setting, with the class that the workbench wears in them. */
export const themes: ReadonlyMap<string, string> = new Map([
  ['Default Dark Modern', 'vs-dark'],
  ['Default Light Modern', 'vs'],
  ['Default High Contrast', 'hc-black'],
  ['Default High Contrast Light', 'hc-light'],
]);

export async function wear(
  theme: string,
  { write }: Pick<TemporaryWorkspace, 'write'>,
  { page }: Workbench,
): Promise<void> {
  await write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme }));
  await page.locator(`.monaco-workbench.${themes.get(theme)}`).waitFor();
}

/** Cards that come into sight are painted in the second frame from then. */
export const painted = (panel: Frame): Promise<void> =>
  panel.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

/** What a screen reader or a weak eye stumbles over. */
export async function hardToRead(panel: Frame): Promise<readonly string[]> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await panel.evaluate(axe);
  const found = await panel.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) =>
      [impact, id, ...nodes.slice(0, 5).map(({ html, any }) => html.slice(0, 160) + ' ' + (any[0]?.message ?? ''))].join('\\n  ')))`,
  );
  return z
    .array(z.string())
    .parse(found)
    .filter((each) => /^(serious|critical)/.test(each));
}
