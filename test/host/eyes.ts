// Lets specs inside the extension host see and click what its user does: they leave questions as files, the page answers them.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import type { Workbench } from '../ui/workbench.ts';

const questionSchema = z.object({
  what: z.enum(['tree', 'spoken', 'results', 'messages', 'panels', 'picks', 'dialogs', 'expand', 'click']),
  argument: z.string().default(''),
});

/**
 * Answers the questions in the folder, one after another, until it is stopped. `dialogs`: how many there would have been so far, each of
 * which was confirmed at once.
 */
export function openEyes(
  folder: string,
  workbench: Workbench,
  dialogs: () => number,
): { stop(): Promise<void> } {
  mkdirSync(folder, { recursive: true });
  const closing = new AbortController();
  const look = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const names = readdirSync(folder).filter((name) => name.endsWith('.question'));
      for (const name of names) await answer(path.join(folder, name), workbench, dialogs);
      if (names.length === 0) await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const looking = look();
  return {
    stop: () => {
      closing.abort();
      return looking;
    },
  };
}

async function answer(file: string, workbench: Workbench, dialogs: () => number): Promise<void> {
  const { what, argument } = questionSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const saying = what === 'dialogs' ? Promise.resolve(dialogs()) : say(what, argument, workbench);
  const said = await saying.catch((error: unknown) => ({ error: String(error) }));
  rmSync(file);
  const answerFile = file.replace(/\.question$/, '.answer');
  writeFileSync(`${answerFile}.new`, JSON.stringify(said ?? null));
  if (existsSync(path.dirname(answerFile))) renameSync(`${answerFile}.new`, answerFile);
}

type What = Exclude<z.infer<typeof questionSchema>['what'], 'dialogs'>;

async function say(what: What, argument: string, workbench: Workbench): Promise<unknown> {
  const { page } = workbench;
  switch (what) {
    case 'tree':
      return drawTree(page);
    case 'spoken':
      return page
        .locator('.test-explorer .monaco-list-row')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    case 'results':
      return page.locator('.test-output-peek-tree .monaco-list-row').allInnerTexts();
    case 'messages':
      return page.locator('.notification-list-item').evaluateAll((items) =>
        items.map((item) => ({
          text: item.querySelector('.notification-list-item-message')?.textContent ?? '',
          buttons: [...item.querySelectorAll('.notification-list-item-buttons-container .monaco-button')].map(
            (button) => button.textContent ?? '',
          ),
        })),
      );
    case 'panels':
      return Promise.all(
        page.frames().map((frame) => frame.evaluate(() => document.body?.innerText ?? '').catch(() => '')),
      );
    case 'picks':
      return page.locator('.quick-input-widget .monaco-list-row').allInnerTexts();
    case 'expand':
      // Away from the rows: a hover over one row would take the click for the next.
      await page.mouse.move(900, 450);
      return workbench.expand(argument);
    case 'click':
      return page
        .locator('.notification-list-item .monaco-button, .workspace-trust-editor .monaco-button')
        .filter({ hasText: argument })
        .first()
        .click();
  }
}

/** What a row of the Testing view shows, and how it is told here; the first that is there counts. */
const states = [
  ['[class*="testing-failed"]', '✖'],
  ['[class*="testing-error"]', '!'],
  ['[class*="testing-passed"]', '✔'],
  ['[class*="testing-skipped"]', '↷'],
  ['[class*="testing-queued"], [class*="codicon-loading"]', '…'],
] as const;

/** Rows of the Testing view as they are shown: state, title, and whether the state is from before a change. */
function drawTree(page: Page): Promise<string[]> {
  // No function has a name in here: the compiler would add calls of a helper that the page does not have.
  return page.locator('.test-explorer .monaco-list-row').evaluateAll(
    (rows, known) =>
      rows
        .map((row) => ({
          top: row.getBoundingClientRect().top,
          text: [
            known.find(([selector]) => row.querySelector(selector) !== null)?.[1] ?? '·',
            ' ',
            (row.querySelector('.label')?.firstChild?.textContent ?? '').trim(),
            // The words for screen readers are only made anew when a row is drawn anew.
            row.querySelector('.retired') !== null || /outdated/.test(row.getAttribute('aria-label') ?? '')
              ? ' (outdated)'
              : '',
          ].join(''),
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    states,
  );
}
