// Reading and ranking a page of 5,000 nodes, and taking one fingerprint of it: what a healing and each step that found its element wait for.
import { chromium } from 'playwright-core';
import { oneElementScript, visibleElements } from '../../src/core/scenario/healing/collectElements.ts';
import { rankCandidates } from '../../src/core/scenario/healing/rankCandidates.ts';
import { chromiumPath } from '../host/vscodeServer.ts';
import { manyOrders } from '../support/manyOrders.ts';
import { median, type BenchRow } from './measure.ts';

const rounds = 15;

export async function bench(): Promise<readonly BenchRow[]> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.setContent(manyOrders(1_000));
    const old = await page.locator('button').nth(700).evaluate(oneElementScript);
    if (old === undefined) throw new Error('the page has no fingerprint of its button');
    const [read, ranked, one]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round <= rounds; round++) {
      const started = performance.now();
      const found = await visibleElements(page);
      const seen = performance.now();
      rankCandidates(old, found);
      const ended = performance.now();
      await page.locator('button').nth(700).evaluate(oneElementScript);
      // The first turn warms up.
      if (round === 0) continue;
      read.push(ended - started);
      ranked.push(ended - seen);
      one.push(performance.now() - ended);
    }
    return [
      { name: 'read and rank 5,000 nodes', value: median(read), unit: 'ms', limit: 300 },
      { name: 'of that, ranking', value: median(ranked), unit: 'ms' },
      { name: 'one fingerprint of that page', value: median(one), unit: 'ms', limit: 60 },
    ];
  } finally {
    await browser.close();
  }
}
