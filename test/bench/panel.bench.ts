// The fix-cycle panel with 1,000 failing tests and 300 fixes in a real Chromium: time to draw, longest frame, memory.
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { CycleEvent } from '../../src/core/model/cycle.ts';
import type { ToPanel } from '../../src/webview/messages.ts';
import { chromiumPath, startBrowser } from '../host/vscodeServer.ts';
import { median, type BenchRow } from './measure.ts';
import { endedWith, failingTests, fixes, openPanelPage, reset, stateOf } from '../support/panelPage.ts';
import { started } from '../support/cycleParts.ts';

const rounds = 5;
const failing = failingTests(1_000);
const proven = fixes(300);

export async function bench(): Promise<readonly BenchRow[]> {
  if (!existsSync(chromiumPath)) return [];
  const { browser, context } = await startBrowser();
  try {
    const measured: Measured[] = [];
    for (let round = 0; round <= rounds; round++) {
      const page = await context.newPage();
      measured.push(await measure(page));
      await page.close();
    }
    return rowsOf(measured.slice(1));
  } finally {
    await browser.close();
  }
}

/** The first round warmed the browser up. Of each step the calmest round counts: what is above it is the machine's, not ours. */
function rowsOf(measured: readonly Measured[]): BenchRow[] {
  const steps = [
    ['failing', '1,000 failing tests', 1],
    ['live', '300 fixes in 30 messages, each', 30],
    ['end', 'the report at the end of the cycle', 1],
    ['decision', 'one decision', 1],
    ['again', 'the whole panel again after it was hidden', 1],
  ] as const;
  const least = (pick: (one: Measured) => number): number => Math.min(...measured.map(pick));
  return [
    ...steps.flatMap(([step, name, messages]): BenchRow[] => [
      { name, value: least((one) => one[step].ms / messages), unit: 'ms', note: 'until every card is there' },
      {
        name: '  longest time without a frame',
        value: least((one) => one[step].blocked),
        unit: 'ms',
        limit: 50,
      },
      { name: '  processor time of the page', value: least((one) => one[step].cpuMs / messages), unit: 'ms' },
    ]),
    {
      name: 'JavaScript heap of the panel',
      value: median(measured.map((one) => one.heapMb)),
      unit: 'MB',
      limit: 60,
    },
  ];
}

interface Step {
  readonly ms: number;
  /** Longest time in which the page could neither draw nor answer, ms. */
  readonly blocked: number;
  /** Of the page's main thread, whatever else the machine does. */
  readonly cpuMs: number;
}

interface Measured {
  readonly failing: Step;
  readonly live: Step;
  readonly end: Step;
  readonly decision: Step;
  readonly again: Step;
  readonly heapMb: number;
}

async function measure(page: Page): Promise<Measured> {
  await openPanelPage(page);
  const end = endedWith(failing, proven);
  const live = Array.from({ length: 30 }, (_, batch): ToPanel => {
    const events = proven
      .slice(batch * 10, batch * 10 + 10)
      .map((fix): CycleEvent => ({ type: 'fixJudged', iteration: 1, fix }));
    return { type: 'events', events };
  });
  await send(page, [reset([started], stateOf('running'))], 0);
  const shown = await send(page, [{ type: 'events', events: [failing] }], 1_000);
  const judged = await send(page, live, 1_000);
  const reported = await send(
    page,
    [
      { type: 'events', events: [end] },
      { type: 'state', state: stateOf('ended') },
    ],
    1_000,
  );
  const decision = await send(page, [{ type: 'state', state: stateOf('ended', { fix4: 'applied' }) }], 1_000);
  const heapMb = await heapOf(page);
  await openPanelPage(page);
  const again = await send(page, [reset([started, end], stateOf('ended', { fix4: 'applied' }))], 1_000);
  return { failing: shown, live: judged, end: reported, decision, again, heapMb };
}

/** Sends messages one after another, a frame apart, until there are so many cards and nothing changes any more. */
async function send(page: Page, messages: readonly ToPanel[], cards: number): Promise<Step> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    const seconds = metrics
      .filter(({ name }) => /^(Script|Layout|RecalcStyle)Duration$/.test(name))
      .reduce((sum, { value }) => sum + value, 0);
    return seconds * 1_000;
  };
  const before = await cpu();
  const seen = await watch(page, messages, cards);
  const cpuMs = (await cpu()) - before;
  await session.detach();
  return { ...seen, cpuMs };
}

function watch(page: Page, messages: readonly ToPanel[], cards: number): Promise<Omit<Step, 'cpuMs'>> {
  return page.evaluate(
    async ({ messages, cards }) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const isThere = (): boolean => document.querySelectorAll('.card').length >= cards;
      let changed = performance.now();
      const observer = new MutationObserver(() => (changed = performance.now()));
      observer.observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      // A timer that is due at once comes late by as long as the page is busy.
      let blocked = 0;
      let last = performance.now();
      const channel = new MessageChannel();
      let isOver = false;
      channel.port1.addEventListener('message', () => {
        const now = performance.now();
        blocked = Math.max(blocked, now - last);
        last = now;
        if (!isOver) channel.port2.postMessage('');
      });
      channel.port1.start();
      await frame();
      last = performance.now();
      channel.port2.postMessage('');
      const begun = performance.now();
      for (const message of messages) {
        window.postMessage(message, '*');
        await frame();
      }
      do await frame();
      while (!isThere() || performance.now() - changed < 150);
      isOver = true;
      observer.disconnect();
      return { ms: changed - begun, blocked };
    },
    { messages: [...messages], cards },
  );
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 / 1024;
}
