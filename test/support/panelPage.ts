// The panel's real script and style sheet in a page of their own, with a cycle of any size, for measurements.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { CycleEvent, CycleFix } from '../../src/core/model/cycle.ts';
import { emptyPanelState, type PanelState, type ToPanel } from '../../src/webview/messages.ts';
import { ended } from './cycleParts.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Loads the panel; it has asked for its content when this resolves. */
export async function openPanelPage(page: Page): Promise<void> {
  const [script, style] = await Promise.all(
    ['media/panel.js', 'media/panel.css'].map((file) => readFile(path.join(root, file), 'utf8')),
  );
  await page.setContent('<body class="vscode-dark"><main aria-label="Fix cycle"></main></body>');
  await page.addStyleTag({ content: style ?? '' });
  // What the TypeScript loader calls in functions that it compiled; the page has no such thing.
  await page.evaluate('globalThis.__name = (value) => value');
  await page.evaluate(() => {
    let kept: unknown;
    Object.assign(globalThis, {
      acquireVsCodeApi: () => ({
        postMessage: () => undefined,
        getState: () => kept,
        setState: (state: unknown) => (kept = structuredClone(state)),
      }),
    });
  });
  await page.addScriptTag({ content: script ?? '' });
}

export const stateOf = (phase: PanelState['phase'], decisions: PanelState['decisions'] = {}): PanelState => ({
  ...emptyPanelState,
  phase,
  folder: 'shop',
  decisions,
});

export const reset = (events: CycleEvent[], state: PanelState): ToPanel => ({
  type: 'reset',
  root: '/shop',
  cycleId: 'measured',
  state,
  events,
});

/** Each fails in a way of its own: nothing can be gathered into one card. */
export function failingTests(count: number): CycleEvent {
  const tests = Array.from({ length: count }, (_, index) => ({
    id: `vitest:tests/part${index % 40}.test.ts#part ${index % 40} › does step ${index}`,
    file: `tests/part${index % 40}.test.ts`,
    line: 10 + index,
    title: `does step ${index} of the long way that a title of a test often goes`,
    severity: 'medium' as const,
    fault: 'unknown' as const,
    reason: `No cause was found for step ${index}.`,
    message: `expected ${index} to be ${index + 1}\n\n- ${index + 1}\n+ ${index}`,
  }));
  return { type: 'testsFailing', iteration: 1, tests };
}

export function fixes(count: number): CycleFix[] {
  return Array.from({ length: count }, (_, index) => {
    const file = `tests/part${index % 40}.test.ts`;
    const isMechanical = index % 3 === 0;
    return {
      id: `fix${index}`,
      title: isMechanical
        ? `import from './step${index}.js' (was './old${index}.js')`
        : `expect ${index} (was ${index + 1})`,
      grade: 'surgical',
      trust: isMechanical ? 'mechanical' : 'oracle',
      edits: [{ file, before: 'hash', changes: [{ start: 1, end: 2, newText: 'x' }] }],
      failures: [`vitest:${file}#part ${index % 40} › does step ${index}`],
      provider: 'literal',
      confidence: 0.9,
      evidence: [`The call gave ${index} in three runs.`, 'The source changed in the same commit.'],
      ...(isMechanical ? {} : { expectation: { old: `${index + 1}`, new: `${index}` } }),
      sourceChange: {
        location: { file: 'src/step.ts', line: 3, column: 1 },
        excerpt: `@@ -1,3 +1,3 @@\n export const step = {\n-  at: ${index + 1},\n+  at: ${index},\n };`,
      },
      verdict: { verdict: 'verified', runs: isMechanical ? 1 : 3, scope: 'file', violations: [] },
      diff: `--- a/${file}\n+++ b/${file}\n@@ -9,7 +9,7 @@\n it('does step', () => {\n-  expect(step()).toBe(${index + 1});\n+  expect(step()).toBe(${index});\n });\n`,
      state: isMechanical ? 'accepted' : 'unreviewed',
    };
  });
}

export function endedWith(failing: CycleEvent, proven: readonly CycleFix[]): CycleEvent {
  const tests = failing.type === 'testsFailing' ? failing.tests : [];
  const mended = new Set(proven.flatMap((fix) => fix.failures));
  const remaining = tests.filter(({ id }) => !mended.has(id)).map(({ line: _line, ...test }) => test);
  const counts = { total: 2_000, passed: 2_000 - remaining.length, failed: remaining.length };
  return ended({
    passRate: 60,
    passRateReviewed: 50,
    ...counts,
    fixes: [...proven],
    remaining,
    durationMs: 1_000,
  });
}
