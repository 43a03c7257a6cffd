// Turns a strategy of a scenario into a locator of Playwright (CONTRACTS S3). Never the first of several.
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Locator as ScenarioLocator, Strategy } from '../locatorSchema.ts';

/** Where the strategies look: the page, or the frame that the locator names. */
export function scopeOf(page: Page, { frame = [] }: Pick<ScenarioLocator, 'frame'>): Page | FrameLocator {
  const selectors = typeof frame === 'string' ? [frame] : frame;
  return selectors.reduce<Page | FrameLocator>((scope, selector) => scope.frameLocator(selector), page);
}

/** Every match; `nth` is applied by the caller, who counts them first. CSS, text and roles also look into open shadow roots. */
export function matchesOf(scope: Page | FrameLocator, strategy: Strategy, testIdAttribute: string): Locator {
  switch (strategy.type) {
    case 'testId':
      return scope.locator(`css=[${testIdAttribute}=${quoted(strategy.value)}]`);
    case 'role':
      return scope.getByRole(role(strategy.role), {
        ...(strategy.name !== undefined && { name: strategy.name }),
        ...(strategy.exact !== undefined && { exact: strategy.exact }),
      });
    case 'text':
      return scope.getByText(strategy.value, { exact: strategy.exact ?? false });
    case 'label':
      return scope.getByLabel(strategy.value, { exact: strategy.exact ?? false });
    case 'css':
      return scope.locator(`css=${strategy.selector}`);
    case 'xpath':
      return scope.locator(`xpath=${strategy.expression}`);
  }
}

/** Playwright looks for any role; its type names those of ARIA. */
function role(name: string): Parameters<Page['getByRole']>[0] {
  return name as Parameters<Page['getByRole']>[0]; // oxlint-disable-line typescript/no-unsafe-type-assertion
}

/** A string of CSS. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ')}"`;
}
