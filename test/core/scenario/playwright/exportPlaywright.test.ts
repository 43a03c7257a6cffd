// Scenarios as Playwright tests: what they say, what is listed, the way back, and one of them run by Playwright itself.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import {
  exportPlaywright,
  type ExportedTest,
} from '../../../../src/core/scenario/playwright/exportPlaywright.ts';
import { importPlaywright } from '../../../../src/core/scenario/playwright/importPlaywright.ts';
import { leftOutText } from '../../../../src/core/scenario/playwright/leftOut.ts';
import { readScenario, readScenarioConfig } from '../../../../src/core/scenario/readScenario.ts';
import type { Scenario } from '../../../../src/core/scenario/scenarioSchema.ts';
import { scenarioText } from '../../../../src/core/scenario/writtenScenario.ts';
import { runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

function read(yaml: string): ReturnType<typeof readScenario> & { readonly value: Scenario } {
  const { value, problems, ...more } = readScenario(yaml, 'shop.scenario.yaml');
  assert.deepEqual(problems, []);
  assert.ok(value);
  return { ...more, problems, value };
}
function exported(yaml: string, config?: string): ExportedTest {
  const { value, rangeOf } = read(yaml);
  const settings =
    config === undefined ? undefined : readScenarioConfig(config, 'scenario.config.yaml').value;
  return exportPlaywright(value, { file: 'shop.scenario.yaml', rangeOf, config: settings });
}
const withSteps = (steps: string): string => `id: shop\nname: Shop\nsteps:\n${steps}`;

const everything = `id: shop-buys-a-shirt
name: Shop › buys "a" shirt
tags: [smoke, shop]
variables:
  - { name: shop_password, fromEnv: SHOP_PASSWORD, secret: true }
setup:
  - { type: navigate, config: { url: /login, waitUntil: domcontentloaded }, timeout: 9000 }
steps:
  - type: fill
    description: Types the password
    config: { locator: { displayName: Password field, strategies: [{ type: label, value: Password, exact: true }] }, value: 'x {{shop_password}}' }
  - { type: fill, config: { locator: { displayName: q, strategies: [{ type: css, selector: q }] }, press: Enter } }
  - { type: fill, config: { locator: { displayName: q, strategies: [{ type: css, selector: q }] }, value: 'a', clear: false } }
  - { type: fill, config: { locator: { displayName: q, strategies: [{ type: css, selector: q }] }, checked: false } }
  - { type: click, config: { locator: { displayName: "Buy 'it' button", strategies: [{ type: role, role: button, name: "Buy 'it'" }], frame: '#f' }, dialog: { action: accept, message: Sure, text: 'yes' } } }
  - { type: click, config: { locator: { displayName: 'buy [-1]', strategies: [{ type: testId, value: buy, nth: -1 }] }, clickCount: 2, modifiers: [Shift] } }
  - { type: select, config: { locator: { displayName: Red, strategies: [{ type: text, value: Red }] }, label: [a, b] } }
  - { type: hover, config: { locator: { displayName: //a, strategies: [{ type: xpath, expression: //a }] } } }
  - { type: assert, config: { assertion: text, locator: { displayName: p, strategies: [{ type: css, selector: p }] }, matcher: contains, value: 'a\`\${b}' }, continueOnError: true }
  - { type: assert, config: { assertion: hidden, locator: { displayName: p, strategies: [{ type: css, selector: p }] } } }
  - { type: assert, config: { assertion: url, pattern: '/cart\\/\\d+/i' } }
  - { type: assert, config: { assertion: title, matcher: contains, value: 'Shop (2)' } }
  - { type: wait, config: { for: time, ms: 5 } }
  - { type: wait, config: { for: navigation, url: '**/done' } }
teardown:
  - { type: navigate, config: { url: /out } }
`;

describe('a scenario that becomes a Playwright test', function () {
  this.timeout(120_000);

  it('reads like one that a person wrote', () => {
    const { text, leftOut } = exported(
      withSteps(`  - { type: navigate, config: { url: / } }
  - type: click
    description: Takes the shirt
    config: { locator: { displayName: Buy, strategies: [{ type: testId, value: buy }, { type: role, role: button, name: Buy }] } }
`),
      'baseUrl: http://localhost:3000',
    );
    assert.deepEqual(leftOut, []);
    assert.equal(
      text,
      `import { test, expect } from '@playwright/test';

// Exported from shop.scenario.yaml.

test.use({ baseURL: 'http://localhost:3000' });

test('Shop', async ({ page }) => {
  await page.goto('/');
  // Takes the shirt
  // Or found by role=button "Buy"
  await page.getByTestId('buy').click();
});
`,
    );
  });

  it('becomes the same scenario again', () => {
    const { value } = read(everything);
    const { text, leftOut } = exported(everything);
    assert.deepEqual(leftOut, []);
    const [back] = importPlaywright(text, 'shop.spec.ts');
    assert.ok(back);
    assert.deepEqual(back.leftOut, []);
    assert.deepEqual(read(scenarioText(back.scenario)).value, value, text);
  });

  it('lists what Playwright has nothing for, with its line, on top and in its place', () => {
    const { text, leftOut } = exported(`id: shop
name: Shop
priority: high
storageState: { use: admin }
steps:
  - { type: component, config: { component: login } }
  - { type: click, continueOnError: true, config: { locator: { displayName: a, strategies: [{ type: css, selector: '{{where}}' }] } } }
  - { type: script, config: { script: 'return "{{x}}"' } }
`);
    const listed = [
      'line 1: {{where}} (nearly the same: its value is not in the file: the test takes it from the environment as WHERE)',
      'line 3: priority: high (Playwright has none)',
      'line 4: storageState (write it into the projects of the Playwright configuration)',
      'line 6: step-1: component login (components stay with the scenarios: write their steps into it first)',
      'line 7: step-2: click (nearly the same: the test ends where this step fails)',
      'line 8: step-3: script (a script cannot hold variables; hand them over as args)',
    ];
    assert.deepEqual(leftOut.map(leftOutText), listed);
    for (const line of listed) assert.ok(text.includes(`//   ${line}\n`), line);
    assert.match(text, /\n {2}\/\/ Not carried over: step-1: component login \(/);
  });

  it('passes when Playwright runs it in a browser, and fails where the page is wrong', async function () {
    if (!existsSync(chromium)) {
      if (process.env['CI'] === 'true') throw new Error(`no Chromium at ${chromium}`);
      return this.skip();
    }
    const page = (total: string): string =>
      `data:text/html,<title>Shop</title><label>Name <input></label><label><input type=checkbox>Gift</label><select aria-label=Size><option>S<option>M</select><button data-testid=buy onclick="if(confirm('Sure'))document.querySelector('output').textContent='${total} for '+document.querySelector('input').value">Buy</button><output></output><iframe srcdoc="<p>Terms</p>"></iframe>`;
    const yaml = (total: string): string => `id: shop
name: Shop ${total}
variables: [{ name: who, defaultValue: Ann }]
steps:
  - { type: navigate, config: { url: ${JSON.stringify(page(total))} } }
  - { type: script, config: { script: 'document.title += args.more; return { n: 7 };', args: { more: '!' }, saveResultAs: found } }
  - { type: assert, config: { assertion: title, value: Shop! } }
  - { type: fill, config: { locator: { displayName: Name, strategies: [{ type: label, value: Name }] }, value: '{{who}} {{found.n}}' } }
  - { type: fill, config: { locator: { displayName: Gift, strategies: [{ type: role, role: checkbox, name: Gift }] }, checked: true } }
  - { type: select, config: { locator: { displayName: Size, strategies: [{ type: label, value: Size }] }, label: M } }
  - { type: assert, config: { assertion: value, locator: { displayName: Size, strategies: [{ type: css, selector: select }] }, value: M } }
  - { type: click, config: { locator: { displayName: Buy, strategies: [{ type: testId, value: buy }] }, dialog: { action: accept, message: Sure } } }
  - { type: assert, config: { assertion: text, locator: { displayName: total, strategies: [{ type: role, role: status }] }, value: '20 for Ann 7' } }
  - { type: assert, config: { assertion: visible, locator: { displayName: Terms, strategies: [{ type: text, value: Terms }], frame: iframe } } }
  - { type: assert, config: { assertion: url, pattern: 'data:**' } }
`;
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{}',
        'playwright.config.ts': `export default { expect: { timeout: 1000 }, use: { launchOptions: { executablePath: '${chromium}', args: ['--no-sandbox'] } } };\n`,
        'right.spec.ts': exported(yaml('20')).text,
        'wrong.spec.ts': exported(yaml('30')).text,
      },
      { packages: ['@playwright'] },
    );
    try {
      const { summary } = await runWorkspace(workspace.root);
      const outcomes = summary.tests.map(({ title, outcome, failure }) => [title, outcome, failure?.actual]);
      assert.deepEqual(
        outcomes,
        [
          ['Shop 20', 'passed', undefined],
          ['Shop 30', 'failed', '"30 for Ann 7"'],
        ],
        JSON.stringify(summary.tests),
      );
    } finally {
      await workspace.dispose();
    }
  });
});
