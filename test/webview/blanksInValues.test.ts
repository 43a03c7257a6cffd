// Blanks inside values in the panel: each is seen, in titles, evidence and reasons; the real script and style sheet in a page.
import assert from 'node:assert/strict';
import type { CycleFix } from '../../src/core/model/cycle.ts';
import { missingForWorkbench, startBrowser, type StartedBrowser } from '../host/vscodeServer.ts';
import { started } from '../support/cycleParts.ts';
import { endedWith, fixes, openPanelPage, reset, stateOf } from '../support/panelPage.ts';

describe('blanks inside values in the panel', function () {
  let browser: StartedBrowser;
  before(async function () {
    const missing = missingForWorkbench();
    if (missing !== undefined && process.env['CI'] !== 'true') {
      console.log(`skipped: ${missing}`);
      this.skip();
    }
    browser = await startBrowser();
  });
  after(() => browser?.browser.close());

  it('are seen in titles, evidence and reasons', async () => {
    const page = await browser.context.newPage();
    await openPanelPage(page);
    const told = "expect 'a   b' (was 'a  b')";
    const proven = fixes(2).map((fix): CycleFix => ({
      ...fix,
      title: told,
      evidence: [`It was ${told}.`],
      stops: [{ kind: 'value', reason: `Look at ${told}.` }],
    }));
    const message = reset(
      [started, endedWith({ type: 'testsFailing', iteration: 1, tests: [] }, proven)],
      stateOf('ended'),
    );
    await page.evaluate((data) => void window.dispatchEvent(new MessageEvent('message', { data })), message);
    for (const fold of await page.locator('.fold[aria-expanded="false"]').all()) await fold.click();
    const seen = async (where: string): Promise<string[]> => page.locator(where).allInnerTexts();
    assert.ok((await seen('.card.fix .fold .text')).includes(told));
    assert.ok((await seen('.card.fix .reason')).includes(`Look at ${told}.`));
    assert.ok((await seen('.card.fix .evidence li')).includes(`It was ${told}.`));
  });
});
