// What is seen of a page in a real browser.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import {
  visibleElements,
  elementAtPath,
  oneElementScript,
} from '../../../../src/core/scenario/healing/collectElements.ts';
import {
  fingerprintSchema,
  type ElementFingerprint,
} from '../../../../src/core/scenario/healing/fingerprint.ts';
import { rankCandidates } from '../../../../src/core/scenario/healing/rankCandidates.ts';
import { manyOrders } from '../../../support/manyOrders.ts';

const program = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

describe('the elements of a page', function () {
  this.timeout(60_000);
  let browser: Browser;
  let page: Page;
  const all = (): Promise<readonly ElementFingerprint[]> => visibleElements(page);

  before(async function () {
    if (!existsSync(program)) return this.skip();
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  });
  after(() => browser?.close());

  it('are described as a person and a screen reader know them', async () => {
    await page.setContent(`<main><h2>Your  data</h2><form>
      <label for=mail>E-mail</label><input id=mail name=email class="wide big" placeholder="a@b.c" data-testid=mail-field>
      <button class=go>Save <b>now</b></button><a href="/help">Help</a></form></main>`);
    const [mail] = (await all()).filter(({ id }) => id === 'mail');
    assert.deepEqual(
      { ...mail, position: undefined, size: undefined },
      {
        tag: 'input',
        id: 'mail',
        name: 'email',
        type: 'text',
        role: 'textbox',
        accessibleName: 'E-mail',
        classes: ['wide', 'big'],
        attributes: { placeholder: 'a@b.c', 'data-testid': 'mail-field' },
        neighbours: ['E-mail', 'Save now', 'Help'],
        heading: 'Your data',
        path: 'html[1]/body[1]/main[1]/form[1]/input[1]',
        position: undefined,
        size: undefined,
      },
    );
    const button = (await all()).find(({ tag }) => tag === 'button');
    assert.deepEqual([button?.role, button?.type, button?.accessibleName], ['button', 'submit', 'Save now']);
    assert.deepEqual(fingerprintSchema.parse(button), button);
    assert.deepEqual(
      fingerprintSchema.parse(await page.locator('button').evaluate(oneElementScript)),
      button,
    );
  });

  it('are the visible ones, with those of open shadow roots and file inputs', async () => {
    await page.setContent(`<p>seen</p><p hidden>not</p><p style="visibility:hidden">not</p><input type=file hidden>
      <div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<button>in the shadow</button>'</script>`);
    const found = await all();
    assert.deepEqual(
      found.map(({ tag }) => tag),
      ['p', 'input', 'div', 'button'],
    );
    const path = found[3]?.path ?? '';
    assert.equal(path, 'html[1]/body[1]/div[1]/#shadow/button[1]');
    const handle = await page.evaluateHandle(elementAtPath, path);
    assert.equal(await handle.evaluate((one) => one?.textContent), 'in the shadow');
    assert.equal(await page.evaluate(elementAtPath, `${path}/b[1]`), null);
  });

  it('are found among thousands that are alike', async () => {
    await page.setContent(manyOrders(1_000));
    const old = await page.locator('button').nth(700).evaluate(oneElementScript);
    assert.ok(old);
    const found = await all();
    assert.ok(found.length > 5_000);
    assert.equal(found[rankCandidates(old, found)[0]?.index ?? 0]?.text, 'Ship order 700');
  });
});
