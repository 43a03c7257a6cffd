// What the head of the panel says of coverage, layer and a cycle that was taken up: the real script in a page, in the words of the command line.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { CycleEvent, CycleReport } from '../../src/core/model/cycle.ts';
import { cycleSummary } from '../../src/core/reports/cycleSummary.ts';
import { createPaint } from '../../src/core/reports/paint.ts';
import { missingForWorkbench, startBrowser, type StartedBrowser } from '../host/vscodeServer.ts';
import { started } from '../support/cycleParts.ts';
import { endedWith, openPanelPage, reset, stateOf } from '../support/panelPage.ts';

const takenUp = { startedAt: '2026-01-02T03:04:00.000Z', iterations: 2, fixes: 3 };
const ended = endedWith({ type: 'testsFailing', iteration: 1, tests: [] }, []);
const reportWith = (more: Partial<CycleReport>): CycleReport => {
  assert.ok(ended.type === 'cycleEnded');
  return { ...ended.report, ...more };
};
/** What the command line prints at the end, line by line. */
const printed = (report: CycleReport): readonly string[] =>
  cycleSummary(report, { paint: createPaint(false), width: 200 }).split('\n');

describe('the head of the panel', function () {
  let browser: StartedBrowser;
  let page: Page;
  before(async function () {
    const missing = missingForWorkbench();
    if (missing !== undefined && process.env['CI'] !== 'true') {
      console.log(`skipped: ${missing}`);
      this.skip();
    }
    browser = await startBrowser();
    page = await browser.context.newPage();
    await openPanelPage(page);
  });
  after(() => browser?.browser.close());

  const show = async (...events: CycleEvent[]): Promise<void> => {
    const isOver = events.some(({ type }) => type === 'cycleEnded');
    const message = reset(events, stateOf(isOver ? 'ended' : 'running'));
    await page.evaluate((data) => void window.dispatchEvent(new MessageEvent('message', { data })), message);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  };
  const shown = async (line: string): Promise<string | undefined> => {
    const found = page.locator(`header ${line}`);
    return (await found.isVisible()) ? found.innerText() : undefined;
  };

  it('says nothing of coverage where nobody asked', async () => {
    await show(started, ended);
    assert.equal(await shown('.coverage'), undefined);
    assert.equal(await shown('.coverage-note'), undefined);
    assert.equal(await shown('.folder'), 'shop · preset tester');
  });

  it('tells the coverage of a layer beside its target, and marks one that is below', async () => {
    for (const lines of [57.1, 80, 100]) {
      const report = reportWith({ layer: 'L1', coverage: { lines, target: 80 } });
      await show({ ...started, layer: 'L1' }, { type: 'cycleEnded', report });
      const text = (await shown('.coverage')) ?? 'none';
      assert.match(text, /^Line coverage (57\.1|80\.0|100\.0) %, (below the )?target of L1: 80 %$/);
      assert.ok(printed(report).includes(text), text);
      assert.equal(await page.locator('header .coverage.below').count(), lines < 80 ? 1 : 0);
      assert.equal(await shown('.folder'), 'shop · preset tester · layer L1 only');
    }
  });

  it('tells why there is none, as text', async () => {
    const note = 'Not counted: <b>The run</b> that counts did not finish within its time limit.';
    const report = reportWith({ coverage: { lines: 0, note } });
    await show(started, { type: 'cycleEnded', report });
    assert.equal(await shown('.coverage'), 'Line coverage 0.0 %');
    assert.equal(await shown('.coverage-note'), note);
    assert.ok(printed(report).some((line) => line.includes(note)));
  });

  it('says which cycle it goes on with while it runs, and what came of that at its end', async () => {
    await show({ ...started, takenUp });
    assert.match(
      (await shown('.taken-up')) ?? '',
      /^Resumes the cycle of 2026-01-0[123] \d\d:\d\d, which was cut off after 2 iterations with 3 proven fixes\. These are proven again first\.$/,
    );
    const report = reportWith({ takenUp: { ...takenUp, proven: 2, dropped: [] } });
    await show({ ...started, takenUp }, { type: 'cycleEnded', report });
    assert.equal(await shown('.taken-up'), 'Resumed: 2 of 3 fixes proven again.');
    await show(started, ended);
    assert.equal(await shown('.taken-up'), undefined);
  });
});
