// The reports of 10,000 tests, 100 of them red: time to make what the history keeps, and the page, its size, and until every part of it stands in a real Chromium.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { summarize } from '../../src/core/model/summarize.ts';
import { jsonReport } from '../../src/core/reports/jsonReporter.ts';
import { reportPage } from '../../src/core/reports/reportPage.ts';
import { runReport } from '../../src/core/reports/runReport.ts';
import { failure, result } from '../core/reports/results.ts';
import { chromiumPath, launchBrowser } from '../host/vscodeServer.ts';
import { median, type BenchRow } from './measure.ts';

const rounds = 5;
const tests = Array.from({ length: 10_000 }, (_, at) =>
  result({
    title: `adds ${at}`,
    file: `test/part${at % 500}.test.ts`,
    ...(at % 100 === 7 && { failure: failure({ message: `expected ${at} to be ${at + 1}` }) }),
  }),
);

const summary = summarize(tests, { durationMs: 60_000, notes: [], ended: 'complete' });

export async function bench(): Promise<readonly BenchRow[]> {
  return [...history(), ...(existsSync(chromiumPath) ? await page() : [])];
}

function history(): readonly BenchRow[] {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    jsonReport(summary);
    return performance.now() - start;
  });
  return [{ name: 'made for the history', value: median(times), unit: 'ms' }];
}

async function page(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-report-'));
  const browser = await launchBrowser();
  try {
    const made: number[] = [];
    const opened: number[] = [];
    let size = 0;
    const file = path.join(folder, 'report.html');
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      const text = await pageOf();
      made.push(performance.now() - start);
      size = text.length;
      await writeFile(file, text);
      const page = await browser.newPage();
      const before = performance.now();
      await page.goto(pathToFileURL(file).href);
      await page.locator('.colophon').waitFor();
      opened.push(performance.now() - before);
      await page.close();
    }
    return [
      { name: 'made, without the run', value: median(made), unit: 'ms' },
      { name: 'its size', value: size / 1e6, unit: 'MB' },
      { name: 'opened in a new page', value: median(opened), unit: 'ms', limit: 1_000 },
    ];
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const pageOf = (): Promise<string> =>
  reportPage(
    runReport({
      root: path.join(path.sep, 'shop'),
      summary,
      endedAt: new Date().toISOString(),
      flaky: new Set(),
      history: [],
      coverage: [],
      told: new Set(),
    }),
  );
