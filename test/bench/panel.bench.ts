// The fix-cycle panel with 1,000 failing tests and 300 fixes in a real Chromium: time to draw, longest frame, memory.
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { CycleEvent } from '../../src/core/model/cycle.ts';
import type { ToPanel } from '../../src/webview/messages.ts';
import { chromiumPath, startBrowser } from '../host/vscodeServer.ts';
import { median, type BenchRow } from './measure.ts';
import { endedWith, failingTests, fixes, openPanelPage, reset, started, stateOf } from './panelPage.ts';

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
    // The first round warms the browser up.
    const value = (pick: (one: Measured) => number): number => median(measured.slice(1).map(pick));
    return [
      {
        name: '1,000 failing tests, all cards there',
        value: value((one) => one.failing.ms),
        unit: 'ms',
        limit: 1_000,
      },
      {
        name: '  longest time without a frame',
        value: value((one) => one.failing.blocked),
        unit: 'ms',
        limit: 50,
      },
      { name: '300 fixes in 30 messages, all cards there', value: value((one) => one.live.ms), unit: 'ms' },
      {
        name: '  longest time without a frame',
        value: value((one) => one.live.blocked),
        unit: 'ms',
        limit: 50,
      },
      { name: 'the report of the ended cycle', value: value((one) => one.end.ms), unit: 'ms' },
      {
        name: '  longest time without a frame',
        value: value((one) => one.end.blocked),
        unit: 'ms',
        limit: 50,
      },
      { name: 'one decision', value: value((one) => one.decision.ms), unit: 'ms' },
      {
        name: '  longest time without a frame',
        value: value((one) => one.decision.blocked),
        unit: 'ms',
        limit: 50,
      },
      { name: 'the whole panel again after it was hidden', value: value((one) => one.again.ms), unit: 'ms' },
      { name: '  longest time without a frame', value: value((one) => one.again.blocked), unit: 'ms' },
      { name: 'JavaScript heap of the panel', value: value((one) => one.heapMb), unit: 'MB', limit: 60 },
    ];
  } finally {
    await browser.close();
  }
}

interface Step {
  readonly ms: number;
  /** Longest time in which the page could neither draw nor answer, ms. */
  readonly blocked: number;
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
function send(page: Page, messages: readonly ToPanel[], cards: number): Promise<Step> {
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
