// The panel alone in Chromium: what it shows does not depend on how closely the engine's messages follow each other.
import assert from 'node:assert/strict';
import { startBrowser, type StartedBrowser } from '../host/vscodeServer.ts';
import type { ToPanel } from '../../src/webview/messages.ts';
import { started } from '../support/cycleParts.ts';
import { endedWith, failingTests, openPanelPage, reset, stateOf } from '../support/panelPage.ts';

describe('the panel', () => {
  let browser: StartedBrowser;
  before(async () => (browser = await startBrowser()));
  after(() => browser.browser.close());

  it('unfolds the few failures that are left, also when it hears of the end after the report', async () => {
    const page = await browser.context.newPage();
    await openPanelPage(page);
    const send = (message: ToPanel): Promise<void> =>
      page.evaluate((posted) => window.postMessage(posted, '*'), message);
    const failing = failingTests(2);
    await send(reset([started, failing, endedWith(failing, [])], stateOf('running')));
    const unfolded = page.locator('.card.test [aria-expanded="true"]');
    await page.locator('.card.test').nth(1).waitFor();
    assert.equal(await unfolded.count(), 0);
    await send({ type: 'state', state: stateOf('ended') });
    await page.locator('header[data-phase=ended]').waitFor();
    await unfolded.nth(1).waitFor({ timeout: 10_000 });
  });
});
