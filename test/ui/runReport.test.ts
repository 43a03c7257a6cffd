// The HTML report of a run in a real Chromium: nothing loads, hostile texts stay texts, keyboard and search lead to every test.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { summarize } from '../../src/core/model/summarize.ts';
import type { TestResult } from '../../src/core/model/testResult.ts';
import { reportPage } from '../../src/core/reports/reportPage.ts';
import { runReport } from '../../src/core/reports/runReport.ts';
import type { HistoryRun } from '../../src/core/reports/testHistory.ts';
import { failure, result } from '../core/reports/results.ts';
import { launchBrowser } from '../host/vscodeServer.ts';

const hostile = '</script><script>document.title="taken"</script><img src=x onerror=alert(1)>';

describe('the HTML report in a browser', function () {
  let browser: Browser;
  let folder: string;
  before(async () => {
    browser = await launchBrowser();
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-report-'));
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(tests: readonly TestResult[], scheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const summary = summarize(tests, { durationMs: 5_000, notes: ['Run `npm ci`.'], ended: 'complete' });
    const run = (minute: number, passed: number): HistoryRun => ({
      runId: `run-${minute}`,
      endedAt: `2026-11-26T01:${minute}:00.000Z`,
      ended: 'complete',
      summary: { total: 2, passed, failed: 2 - passed, skipped: 0 },
      duration: minute,
      tests: [],
    });
    const file = path.join(folder, `${scheme}-${tests.length}.html`);
    const page = await reportPage(
      runReport({
        root: '/srv/shop',
        summary,
        endedAt: '2026-11-26T02:00:00.000Z',
        flaky: new Set(),
        history: [run(10, 2), run(20, 1)],
        coverage: [{ folder: 'src', lines: { covered: 3, total: 4 } }],
        told: new Set(),
      }),
    );
    await writeFile(file, page);
    const opened = await browser.newPage({ colorScheme: scheme });
    const said: string[] = [];
    opened.on('console', (message) => said.push(message.text()));
    opened.on('pageerror', (error) => said.push(String(error)));
    opened.on('request', (request) => {
      if (request.url() !== pathToFileURL(file).href) said.push(`asks for ${request.url()}`);
    });
    await opened.goto(pathToFileURL(file).href);
    await opened.locator('.all-tests').waitFor();
    assert.deepEqual(said, [], 'nothing is loaded, refused or wrong');
    return opened;
  }

  for (const scheme of ['light', 'dark'] as const)
    it(`shows what failed, the runs before and the coverage, and no text becomes markup (${scheme})`, async () => {
      const red = result({
        title: hostile,
        failure: failure({ message: hostile, expected: '1', actual: '2' }),
      });
      const page = await open([red, result({ title: 'passes' })], scheme);
      assert.equal(await page.title(), 'shop: test report');
      assert.equal(await page.locator('h1 .text').innerText(), '1 of 2 tests fails');
      assert.equal(await page.locator('main img').count(), 0);
      assert.match(await page.locator('.failed .card .fold').innerText(), /<\/script><script>/);
      assert.equal(await page.locator('.diff .removed').innerText(), '- expected 1\n');
      assert.equal(await page.locator('.chart canvas').count(), 2);
      assert.match(
        (await page.locator('.chart').first().getAttribute('aria-label')) ?? '',
        /in %: 100, 50, 50$/,
      );
      assert.match(await page.locator('.coverage tbody').innerText(), /src\s+75\.0 %/);
      assert.equal(await page.locator('.notes code').innerText(), 'npm ci');
      const [ground, text] = await page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        return [backgroundColor, color];
      });
      assert.deepEqual(
        [ground, text],
        scheme === 'dark'
          ? ['rgb(15, 20, 25)', 'rgb(230, 237, 243)']
          : ['rgb(255, 255, 255)', 'rgb(31, 35, 40)'],
      );
      await page.close();
    });

  it('leads from a failure to its row, and by the keyboard to the search, among ten thousand tests', async () => {
    const tests = Array.from({ length: 10_000 }, (_, at) =>
      result({
        title: `adds ${at}`,
        file: `test/part${at % 100}.test.ts`,
        ...(at === 4242 && { failure: failure() }),
      }),
    );
    const page = await open(tests);
    await page.locator('.failed .badges .link').click();
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /adds 4242/);
    await page.locator('.failed .fold').focus();
    await page.keyboard.press('/');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('part7. adds 9907');
    await page.locator('.all-tests .hint', { hasText: '1 test in 1 file' }).waitFor();
    assert.match(await page.locator('.file-of-tests li').innerText(), /cart › adds 9907/);
    await page.locator('.all-tests .kind', { hasText: 'Failed' }).click();
    await page.locator('.all-tests .hint', { hasText: '0 tests in 0 files' }).waitFor();
    await page.close();
  });
});
