// Steps that look at the page: assert and wait (CONTRACTS S2). Each goes on looking until it holds or its time is over.
import type { Locator as PageLocator, Page } from 'playwright-core';
import type { ConfigOf } from '../stepSchema.ts';
import { pattern } from './jsonPath.ts';
import { timeLeft, type StepContext } from './stepContext.ts';
import { StepError } from './stepError.ts';

export async function assertStep(config: ConfigOf<'assert'>, context: StepContext): Promise<void> {
  switch (config.assertion) {
    case 'visible':
      await context.find(config.locator, 'visible', 'assertion');
      return;
    case 'hidden':
      await untilGone(
        config.locator,
        'visible',
        context,
        `"${config.locator.displayName}" can still be seen.`,
      );
      return;
    case 'text':
      await compare(config, context, 'text', (target) => target.innerText({ timeout: timeLeft(context) }));
      return;
    case 'value':
      await compare(config, context, 'value', (target) => target.inputValue({ timeout: timeLeft(context) }));
      return;
    case 'attribute': {
      const { attribute } = config;
      await compare(config, context, `attribute ${attribute}`, (target) =>
        target.getAttribute(attribute, { timeout: timeLeft(context) }),
      );
      return;
    }
    case 'title':
      // A click may have opened a page that only comes now.
      await until(context, () => context.session.page.title(), config, 'The title');
      return;
    case 'url': {
      const fits = urlMatcher(config.pattern, context);
      const last = (): Promise<string> => Promise.resolve(context.session.page.url());
      if (!(await holds(context, async () => fits(await last()))))
        throw new StepError('The address is another one.', {
          expected: config.pattern,
          actual: await last(),
        });
      return;
    }
  }
}

export async function waitStep(config: ConfigOf<'wait'>, context: StepContext): Promise<void> {
  switch (config.for) {
    case 'time':
      await context.session.page.waitForTimeout(Math.min(config.ms, timeLeft(context)));
      return;
    case 'element': {
      const { locator, state } = config;
      if (state === 'visible' || state === 'attached') await context.find(locator, state);
      else
        await untilGone(
          locator,
          state === 'hidden' ? 'visible' : 'attached',
          context,
          `"${locator.displayName}" is still ${state === 'hidden' ? 'visible' : 'there'}.`,
        );
      return;
    }
    case 'navigation':
      return waitForNavigation(config.url, context);
  }
}

/** With an address: until it is reached. Without: until the page that is being loaded is there. */
async function waitForNavigation(url: string | undefined, context: StepContext): Promise<void> {
  const timeout = timeLeft(context);
  const page: Page = context.session.page;
  if (url === undefined) return page.waitForLoadState('load', { timeout });
  const fits = urlMatcher(url, context);
  await page.waitForURL((address) => fits(address.href), { timeout });
}

interface Comparison {
  readonly locator: ConfigOf<'hover'>['locator'];
  readonly matcher: 'equals' | 'contains';
  readonly value: string | number | boolean;
}

async function compare(
  config: Comparison,
  context: StepContext,
  what: string,
  read: (target: PageLocator) => Promise<string | null>,
): Promise<void> {
  const { target } = await context.find(config.locator, 'visible', 'assertion');
  await until(
    context,
    async () => (await read(target)) ?? undefined,
    config,
    `The ${what} of "${config.locator.displayName}"`,
  );
}

async function until(
  context: StepContext,
  read: () => Promise<string | undefined>,
  { matcher, value }: Pick<Comparison, 'matcher' | 'value'>,
  what: string,
): Promise<void> {
  const expected = plain(String(value));
  let actual: string | undefined;
  const isMet = await holds(context, async () => {
    actual = await read();
    if (actual === undefined) return false;
    return matcher === 'equals' ? plain(actual) === expected : plain(actual).includes(expected);
  });
  if (isMet) return;
  throw new StepError(
    actual === undefined
      ? `${what} does not exist.`
      : `${what} ${matcher === 'equals' ? 'is another one' : 'does not contain it'}.`,
    { expected: String(value), ...(actual !== undefined && { actual }) },
  );
}

async function untilGone(
  locator: ConfigOf<'hover'>['locator'],
  state: 'visible' | 'attached',
  context: StepContext,
  message: string,
): Promise<void> {
  if (!(await holds(context, async () => !(await context.sees(locator, state)))))
    throw new StepError(message);
}

/** Looks again and again until the time of the step is over. */
async function holds(context: StepContext, look: () => Promise<boolean>): Promise<boolean> {
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 200)) {
    context.signal.throwIfAborted();
    if (await look()) return true;
    if (performance.now() + pauseMs > context.deadline) return false;
    await context.session.page.waitForTimeout(pauseMs);
  }
}

/** White space counts once, as it is shown. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** `/expression/`, a glob (`*` within a part, `**` across them), or an address: whole, or relative to the base. */
function urlMatcher(text: string, context: Pick<StepContext, 'absolute'>): (url: string) => boolean {
  if (/^\/.+\/[a-z]*$/.test(text) && /[\\^$()[\]{}+|?*.]/.test(text)) {
    const expression = pattern(text);
    return (url) => expression.test(url);
  }
  const whole = text.startsWith('*') || /^[a-z]+:/i.test(text) ? text : absoluteOr(text, context);
  const source = whole
    .split(/(\*\*\/?|\*|\?(?=$))/)
    .map((part) =>
      part === '**' || part === '**/'
        ? '.*'
        : part === '*'
          ? '[^/]*'
          : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  const expression = new RegExp(`^${source}$`);
  return (url) => expression.test(url) || expression.test(url.replace(/\/$/, ''));
}

function absoluteOr(text: string, { absolute }: Pick<StepContext, 'absolute'>): string {
  // A star is no part of an address that may be normalised.
  return text.includes('*')
    ? absolute('/').replace(/\/$/, '') + (text.startsWith('/') ? text : `/${text}`)
    : absolute(text);
}
