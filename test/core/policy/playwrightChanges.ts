// Changes the gate forbids and lets through in the words of Playwright Test.
import { file, type Case } from './changes.ts';

const shop = (body: string, around = "test('greets', async ({ page }) => {", before = ''): string =>
  `import { test, expect } from '@playwright/test';
${before}
test.describe('the shop', () => {
  ${around}
    ${body}
  });
});
`;
const hi = "await expect(page.locator('h1')).toHaveText('Hi, Ada');";
const around = (name: string, declared: string): Case => file(name, shop(hi), shop(hi, declared));
const within = (name: string, body: string): Case => file(name, shop(hi), shop(body));
const beside = (name: string, before: string): Case => file(name, shop(hi), shop(hi, undefined, before));

export const forbiddenInPlaywright: Readonly<Record<string, readonly Case[]>> = {
  'skip-or-only': [
    around('test.fixme', "test.fixme('greets', async ({ page }) => {"),
    around('test.skip', "test.skip('greets', async ({ page }) => {"),
    around('test.only', "test.only('greets', async ({ page }) => {"),
    around('test.fail', "test.fail('greets', async ({ page }) => {"),
    around('test.fail.only', "test.fail.only('greets', async ({ page }) => {"),
    within('test.fail() in a test', `test.fail(); ${hi}`),
    within('test.fail under a condition', `test.fail(true, 'known'); ${hi}`),
    within('test.fixme() in a test', `test.fixme(); ${hi}`),
    within('test.skip under a condition', `test.skip(true, 'later'); ${hi}`),
    within('info.skip', `test.info().skip(); ${hi}`),
    within('info.fail', `test.info().fail(); ${hi}`),
    beside('test.skip of a file', "test.skip(({ browserName }) => browserName === 'chromium', 'later');"),
    file('test.describe.fixme', shop(hi), shop(hi).replace("test.describe('", "test.describe.fixme('")),
    file(
      'test.describe.serial.only',
      shop(hi),
      shop(hi).replace("test.describe('", "test.describe.serial.only('"),
    ),
  ],
  retry: [beside('retries', 'test.describe.configure({ retries: 3 });')],
};

/** A longer limit is no weaker test where the test had none of its own; these are judged by a person. */
export const allowedInPlaywright: readonly Case[] = [
  file('another locator', shop(hi), shop(hi.replace("'h1'", "'h2'"))),
];
