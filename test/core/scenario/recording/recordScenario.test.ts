// A person who clicks through a small shop in a real Chromium while it is recorded: the written scenario, and a run of it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { HumanError } from '../../../../src/core/base/humanError.ts';
import { readScenario, readScenarioConfig } from '../../../../src/core/scenario/readScenario.ts';
import { recordScenario, type Recording } from '../../../../src/core/scenario/recording/recordScenario.ts';
import { scenarioText } from '../../../../src/core/scenario/writtenScenario.ts';
import { runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const pages: Readonly<Record<string, string>> = {
  '/': `<title>Log in</title><form action="/shop"><label>E-mail <input name=mail></label>
    <label>Password <input type=password id=pass></label><label><input type=checkbox name=stay> Stay</label>
    <select aria-label=Country><option value=at>Austria<option value=is>Iceland</select><button>Log in</button></form>`,
  '/shop': `<title>Shop</title><h1>Tea</h1><tea-button></tea-button><p>In the cart: <b data-testid=count>0</b></p>
    <button onclick="this.textContent = confirm('Really?') ? 'Gone' : 'Kept'">Clear</button><iframe title=Payment src=/pay></iframe>
    <script>customElements.define('tea-button', class extends HTMLElement { connectedCallback() {
      const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<button><svg width=9 height=9><rect width=9 height=9></rect></svg>Add tea</button>';
      root.querySelector('button').onclick = () => document.querySelector('b').textContent++; } });</script>`,
  '/pay': '<button onclick="top.location.href = \'/done\'">Pay</button>',
  '/done': '<title>Done</title><h1>Thank you</h1><p data-testid=order>Order  <i>17</i></p>',
};

describe('a recording', function () {
  this.timeout(120_000);
  let server: Server;
  let base = '';
  before(async function () {
    if (!existsSync(chromium)) {
      if (process.env['CI'] === 'true') throw new Error(`no Chromium at ${chromium}`);
      this.skip();
    }
    server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(pages[new URL(request.url ?? '/', 'http://x').pathname] ?? '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const record = (
    person: (page: Page) => Promise<void>,
    signal = new AbortController().signal,
  ): Promise<Recording> => {
    const config = readScenarioConfig(`baseUrl: ${base}`, 'scenario.config.yaml').value;
    const acted: Promise<void>[] = [];
    const recorded = recordScenario({
      root: process.cwd(),
      name: 'Buy tea',
      url: '/',
      config,
      browser: chromium,
      headless: true,
      signal,
      onOpened: (context) => {
        const [page] = context.pages();
        assert.ok(page);
        page.setDefaultTimeout(10_000);
        acted.push(
          person(page).catch(async (error: unknown) => {
            await context.close();
            throw error;
          }),
        );
      },
    });
    return recorded.finally(() => Promise.all(acted));
  };
  /** By keyboard: nothing else reaches into the closed shadow root. */
  const tool = async (page: Page, at: number): Promise<void> => {
    await page.keyboard.press('Alt+Shift+T');
    for (let tab = 0; tab < at; tab++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  };

  it('becomes a scenario that passes, without the password', async () => {
    const { scenario, notes } = await record(async (page) => {
      await page.getByLabel('E-mail').click();
      await page.keyboard.type('an@x.example');
      await page.getByText('Stay').click();
      await page.getByLabel('Country').focus();
      await page.keyboard.press('ArrowDown');
      await page.getByLabel('Password').click();
      await page.keyboard.type('s3cr3t-tea');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Tea' }).waitFor();
      await page.locator('tea-button svg').click();
      page.once('dialog', (dialog) => void dialog.accept());
      await page.getByRole('button', { name: 'Clear' }).click();
      await tool(page, 1);
      await page.getByTestId('count').click();
      await page.frameLocator('iframe').getByRole('button', { name: 'Pay' }).click();
      await page.getByText('Thank you').waitFor();
      await tool(page, 0);
      await page.getByText('Thank you').click();
      await tool(page, 1);
      await page.getByTestId('order').click();
      // It ends the browser, and with it the key that is still going up.
      await tool(page, 2).catch(() => undefined);
    });
    const yaml = scenarioText(scenario);
    assert.doesNotMatch(yaml, /s3cr3t/);
    assert.deepEqual(notes, []);
    const { problems } = readScenario(yaml, 'tea.scenario.yaml');
    assert.deepEqual(problems, []);
    const drawn = scenario.steps.map(({ type, config }) => {
      const { locator, ...more } = { locator: undefined, ...config };
      return [
        type,
        ...(locator ? [locator.displayName, locator.strategies[0]?.type, locator.frame] : []),
        more,
      ].filter((part) => part !== undefined);
    });
    assert.deepEqual(drawn, [
      ['navigate', { url: '/' }],
      ['fill', 'E-mail field', 'role', { value: 'an@x.example' }],
      ['fill', 'Stay checkbox', 'role', { checked: true }],
      ['select', 'Country list', 'role', { label: 'Iceland' }],
      ['fill', 'Password field', 'label', { value: '{{password}}' }],
      ['fill', 'Password field', 'label', { press: 'Enter' }],
      ['click', 'Add tea button', 'role', {}],
      ['click', 'Clear button', 'role', { dialog: { action: 'accept', message: 'Really?' } }],
      ['assert', '1', 'testId', { assertion: 'text', value: '1' }],
      ['click', 'Pay button', 'role', 'iframe[title="Payment"]', {}],
      ['assert', 'Thank you heading', 'role', { assertion: 'visible' }],
      ['assert', 'Order 17', 'testId', { assertion: 'text', value: 'Order 17' }],
    ]);
    assert.deepEqual(scenario.variables, [{ name: 'password', fromEnv: 'PASSWORD', secret: true }]);

    const workspace = await temporaryWorkspace({
      'package.json': '{}',
      'scenario.config.yaml': `baseUrl: ${base}\ntimeout: 9000\n`,
      'tea.scenario.yaml': yaml,
    });
    try {
      const { summary } = await runWorkspace(workspace.root, { env: { PASSWORD: 'other' } });
      assert.deepEqual(
        summary.tests.map(({ outcome, failure }) => [outcome, failure?.message]),
        [['passed', undefined]],
      );
    } finally {
      await workspace.dispose();
    }
  });

  it('ends when the page is closed, and keeps an address that was typed meanwhile', async () => {
    const { scenario } = await record(async (page) => {
      await page.getByLabel('E-mail').pressSequentially('x');
      await new Promise((resolve) => setTimeout(resolve, 1600));
      await page.goto(`${base}/done`);
      await page.getByText('Thank you').click();
      await page.close();
    });
    const steps = scenario.steps.map(({ type, config }) => ('url' in config ? [type, config.url] : [type]));
    assert.deepEqual(steps, [['navigate', '/'], ['fill'], ['navigate', '/done'], ['click']]);
  });

  it('is kept when it is cancelled, and refused where nothing happened', async () => {
    const controller = new AbortController();
    const { scenario } = await record(async (page) => {
      await page.getByRole('button').click();
      await page.getByRole('heading').waitFor();
      controller.abort();
    }, controller.signal);
    assert.deepEqual(
      scenario.steps.map(({ type }) => type),
      ['navigate', 'click'],
    );
    const empty = recordScenario({
      root: process.cwd(),
      name: 'Empty',
      browser: chromium,
      headless: true,
      signal: AbortSignal.abort(),
    });
    await assert.rejects(empty, /Nothing was recorded/);
    const dead = { root: process.cwd(), name: 'Dead', url: '127.0.0.1:9', browser: chromium, headless: true };
    await assert.rejects(
      recordScenario({ ...dead, browser: '/bin/false', signal: new AbortController().signal }),
      (error) => error instanceof HumanError && error.message.startsWith('The browser does not start: '),
    );
    await assert.rejects(
      recordScenario({ ...dead, signal: new AbortController().signal }),
      /http:\/\/127\.0\.0\.1:9 cannot be opened: net::ERR_/,
    );
  });
});
