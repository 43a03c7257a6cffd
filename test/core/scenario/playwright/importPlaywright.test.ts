// Playwright tests as scenarios: what codegen writes is carried over, everything else is listed with its line.
import assert from 'node:assert/strict';
import { importPlaywright } from '../../../../src/core/scenario/playwright/importPlaywright.ts';
import { leftOutText } from '../../../../src/core/scenario/playwright/leftOut.ts';
import { readScenario } from '../../../../src/core/scenario/readScenario.ts';
import { scenarioText, type WrittenScenario } from '../../../../src/core/scenario/writtenScenario.ts';

const head = "import { test, expect } from '@playwright/test';\n\n";
const inTest = (...lines: readonly string[]): string =>
  `${head}test('test', async ({ page }) => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;

/** The scenario of the only test, read again from its YAML, with what is not in it. */
function imported(text: string): { scenario: WrittenScenario; yaml: string; leftOut: readonly string[] } {
  const [one, ...others] = importPlaywright(text, 'shop.spec.ts');
  assert.ok(one);
  assert.deepEqual(others, []);
  const yaml = scenarioText(one.scenario);
  assert.deepEqual(readScenario(yaml, 'shop.scenario.yaml').problems, [], yaml);
  return { scenario: one.scenario, yaml, leftOut: one.leftOut.map(leftOutText) };
}
const configOf = (line: string): unknown => {
  const { scenario, leftOut } = imported(inTest(line));
  assert.deepEqual(leftOut, []);
  return scenario.steps[0]?.config;
};
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const locatorOf = (locator: string): unknown =>
  memberOf(memberOf(configOf(`await page.${locator}.hover();`), 'locator'), 'strategies');

describe('a Playwright test that becomes a scenario', () => {
  it('is YAML that a person would write', () => {
    const text = inTest(
      "await page.goto('http://localhost:3000/');",
      "await page.getByRole('link', { name: 'Shirts' }).click();",
      "await page.getByLabel('E-mail').fill('ann@example.com');",
      "await page.getByLabel('E-mail').press('Enter');",
      "await expect(page.getByTestId('total')).toContainText('€ 20');",
    );
    assert.equal(
      imported(text).yaml,
      `id: test
name: test
steps:
  - type: navigate
    config:
      url: http://localhost:3000/

  - type: click
    config:
      locator:
        displayName: Shirts link
        strategies:
          - { type: role, role: link, name: Shirts }

  - type: fill
    config:
      locator:
        displayName: E-mail field
        strategies:
          - { type: label, value: E-mail }
      value: ann@example.com

  - type: fill
    config:
      locator:
        displayName: E-mail field
        strategies:
          - { type: label, value: E-mail }
      press: Enter

  - type: assert
    config:
      assertion: text
      locator:
        displayName: total
        strategies:
          - { type: testId, value: total }
      matcher: contains
      value: € 20
`,
    );
  });

  it('finds its elements the same way', () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ["getByTestId('buy')", [{ type: 'testId', value: 'buy' }]],
      [
        "getByRole('button', { name: 'Buy', exact: true })",
        [{ type: 'role', role: 'button', name: 'Buy', exact: true }],
      ],
      ["getByRole('button', { name: /buy/i })", [{ type: 'role', role: 'button', name: 'buy' }]],
      [
        "getByRole('textbox', { name: 'City' })",
        [
          { type: 'role', role: 'textbox', name: 'City' },
          { type: 'label', value: 'City' },
        ],
      ],
      ["getByText('Sold out').nth(2)", [{ type: 'text', value: 'Sold out', nth: 2 }]],
      [
        'getByPlaceholder(\'Search "all"\')',
        [{ type: 'css', selector: '[placeholder*="Search \\"all\\"" i]' }],
      ],
      ["locator('#cart > li').first()", [{ type: 'css', selector: '#cart > li', nth: 0 }]],
      ["locator('//table[1]').last()", [{ type: 'xpath', expression: '//table[1]', nth: -1 }]],
      ["getByTestId('cart').locator('.price')", [{ type: 'css', selector: '[data-testid="cart"] .price' }]],
      [
        "locator('li').filter({ hasText: 'Shirt' }).getByText('Buy', { exact: true })",
        [{ type: 'css', selector: 'li:has-text("Shirt") :text-is("Buy")' }],
      ],
      [
        "locator('li', { hasText: 'Shirt' }).nth(1).locator('a')",
        [{ type: 'css', selector: ':nth-match(li:has-text("Shirt"), 2) a' }],
      ],
    ];
    for (const [locator, strategies] of cases) assert.deepEqual(locatorOf(locator), strategies, locator);
  });

  it('looks into frames, also those that codegen finds by their content', () => {
    for (const frame of ["frameLocator('#pay')", "locator('#pay').contentFrame()"]) {
      const { scenario } = imported(inTest(`await page.${frame}.getByText('Pay').click();`));
      assert.equal(memberOf(memberOf(scenario.steps[0]?.config, 'locator'), 'frame'), '#pay');
    }
  });

  it('does and asserts the same', () => {
    const on = { locator: { displayName: 'a', strategies: [{ type: 'css', selector: 'a' }] } };
    const cases: readonly (readonly [string, unknown])[] = [
      ["locator('a').dblclick()", { ...on, clickCount: 2 }],
      [
        "locator('a').click({ button: 'right', modifiers: ['Shift'] })",
        { ...on, button: 'right', modifiers: ['Shift'] },
      ],
      ["click('a')", on],
      ["locator('a').pressSequentially('x')", { ...on, value: 'x', clear: false }],
      ["locator('a').check()", { ...on, checked: true }],
      ["locator('a').selectOption(['1', '2'])", { ...on, value: ['1', '2'] }],
      ["locator('a').selectOption({ label: 'Red' })", { ...on, label: 'Red' }],
      ["locator('a').setInputFiles('photo.png')", { ...on, files: 'photo.png' }],
      ["waitForURL('**/cart')", { for: 'navigation', url: '**/cart' }],
      ["locator('a').waitFor({ state: 'hidden' })", { for: 'element', ...on, state: 'hidden' }],
    ];
    for (const [line, config] of cases) assert.deepEqual(configOf(`await page.${line};`), config, line);
    const expectations: readonly (readonly [string, unknown])[] = [
      ["expect(page.locator('a')).toBeVisible()", { assertion: 'visible', ...on }],
      ["expect(page.locator('a')).not.toBeVisible()", { assertion: 'hidden', ...on }],
      ["expect(page.locator('a')).not.toBeHidden()", { assertion: 'visible', ...on }],
      ["expect(page.locator('a')).toHaveText('Hi')", { assertion: 'text', ...on, value: 'Hi' }],
      ["expect(page.locator('a')).toHaveValue('1')", { assertion: 'value', ...on, value: '1' }],
      [
        "expect(page.locator('a')).toHaveAttribute('rel', 'next')",
        { assertion: 'attribute', ...on, attribute: 'rel', value: 'next' },
      ],
      ['expect(page).toHaveURL(/cart\\/\\d+/)', { assertion: 'url', pattern: '/cart\\/\\d+/' }],
      ["expect(page).toHaveTitle('Shop')", { assertion: 'title', value: 'Shop' }],
    ];
    for (const [line, config] of expectations) assert.deepEqual(configOf(`await ${line};`), config, line);
  });

  it('answers the dialog, waits for the download and follows the new page', () => {
    const { scenario, leftOut } = imported(
      inTest(
        "page.once('dialog', dialog => {",
        '  console.log(`Dialog message: ${dialog.message()}`);',
        "  dialog.accept('yes').catch(() => {});",
        '});',
        "await page.locator('#drop').click();",
        "const downloadPromise = page.waitForEvent('download');",
        "await page.locator('#csv').click();",
        'const download = await downloadPromise;',
        "const page1Promise = page.waitForEvent('popup');",
        "await page.locator('#terms').click();",
        'const page1 = await page1Promise;',
        "await page1.locator('#accept').click();",
        "await page.locator('#back').click();",
      ),
    );
    assert.deepEqual(memberOf(scenario.steps[0]?.config, 'dialog'), {
      action: 'accept',
      text: 'yes',
    });
    assert.deepEqual(memberOf(scenario.steps[1]?.config, 'download'), {});
    assert.equal(scenario.steps.length, 4);
    assert.deepEqual(leftOut, [
      "line 16: await page.locator('#back').click(); (the steps of a scenario stay in the newest page)",
    ]);
  });

  it('has the hooks around it, its constants, and variables for the environment', () => {
    const { scenario, leftOut } = imported(`${head}const base = 'http://localhost';
test.describe('Shop', () => {
  test.beforeEach(async ({ page }) => { await page.goto(base + '/login'); });
  test.afterEach(async ({ page }) => { await page.goto(\`\${base}/out\`); });
  test('logs in', { tag: '@smoke' }, async ({ page }) => {
    // Types the password
    await page.getByLabel('Password').fill(process.env.SHOP_PASSWORD!);
  });
});
`);
    assert.deepEqual(leftOut, []);
    assert.equal(scenario.name, 'Shop › logs in');
    assert.deepEqual(scenario.tags, ['smoke']);
    assert.deepEqual(scenario.variables, [{ name: 'shop_password', fromEnv: 'SHOP_PASSWORD', secret: true }]);
    assert.equal(memberOf(scenario.steps[0]?.config, 'value'), '{{shop_password}}');
    assert.equal(scenario.steps[0]?.description, 'Types the password');
    assert.deepEqual(scenario.setup, [{ type: 'navigate', config: { url: 'http://localhost/login' } }]);
    assert.deepEqual(scenario.teardown, [{ type: 'navigate', config: { url: 'http://localhost/out' } }]);
  });

  it('may be a script without a runner', () => {
    const { scenario, leftOut } = imported(`const { chromium } = require('playwright');
(async () => {
  const browser = await chromium.launch({ headless: false });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto('http://localhost/');
  await context.close();
  await browser.close();
})();
`);
    assert.deepEqual(leftOut, []);
    assert.deepEqual(scenario.steps, [{ type: 'navigate', config: { url: 'http://localhost/' } }]);
  });

  it('lists all that a scenario has nothing for', () => {
    const { leftOut, scenario } = imported(`${head}test.use({ viewport: { width: 1, height: 1 } });
test.beforeAll(async () => { seed(); });
test('test', async ({ page }) => {
  await page.goto('/');
  await page.reload();
  await page.getByText('x').click({ position: { x: 1, y: 1 } });
  await page.getByText(/a.*b/).click();
  await page.getByText(title).click();
  await expect(page.locator('a')).toHaveCount(2);
  if (process.env.CI) await page.getByText('x').click();
  await server.close();
  await page.getByText('{{x}}').click();
  await page.getByRole('listitem').filter({ hasText: 'Shirt' }).click();
});
`);
    assert.deepEqual(leftOut, [
      'line 3: test.use({ viewport: { width: 1, height: 1 } }); (settings of the browser belong into scenario.config.yaml)',
      'line 4: test.beforeAll(async () => { seed(); }); (a scenario has no hooks for a whole file)',
      'line 7: await page.reload(); (there is no step for it)',
      "line 8: await page.getByText('x').click({ position: { x: 1, y: 1 } }); (a scenario has no option position there)",
      'line 9: await page.getByText(/a.*b/).click(); (a scenario has no regular expressions there)',
      'line 10: await page.getByText(title).click(); (its value is only known when the code runs)',
      "line 11: await expect(page.locator('a')).toHaveCount(2); (there is no step for it)",
      "line 12: if (process.env.CI) await page.getByText('x').click(); (a scenario has no branches, loops and functions)",
      'line 13: await server.close(); (there is no step for it)',
      "line 14: await page.getByText('{{x}}').click(); (in a scenario {{ begins a variable)",
      "line 15: page.getByRole('listitem').filter({ hasText: 'Shirt' }).click() (nearly the same: the role listitem is found by tags within another element or filter)",
    ]);
    assert.equal(scenario.steps.length, 2);
  });

  it('is refused where the file is broken or holds no steps', () => {
    assert.throws(
      () => importPlaywright(`${head}test('x', async ({ page }) => {`, 'a.spec.ts'),
      /a\.spec\.ts:3 cannot be read/,
    );
    assert.throws(() => importPlaywright("console.log('x');", 'a.ts'), /holds no Playwright test/);
  });
});
