// Turns one action or expectation of Playwright into steps of a scenario.
import type ts from 'typescript';
import type { WrittenStep } from '../writtenScenario.ts';
import { importLocator } from './importLocator.ts';
import { CannotCarry } from './leftOut.ts';
import {
  isRecord,
  readOptions,
  readValue,
  textIn,
  textOrPart,
  type Chain,
  type Link,
  type Reading,
  type Value,
} from './readChain.ts';

interface ReadStep {
  readonly step: WrittenStep;
  readonly nearly?: string;
}

type Body = WrittenStep extends infer One
  ? One extends WrittenStep
    ? Pick<One, 'type' | 'config'>
    : never
  : never;

/** `page` and `locator` calls. Throws `CannotCarry`. */
export function importAction({ links }: Chain, reading: Reading): ReadStep {
  const action = links.at(-1);
  if (action?.args === undefined) throw new CannotCarry('there is no step for it');
  if (links.length === 1) return pageAction(action.name, action.args, reading);
  return elementAction(links.slice(0, -1), action.name, action.args, reading);
}

function pageAction(name: string, args: readonly ts.Expression[], reading: Reading): ReadStep {
  const [first, second] = args;
  const value = (): Value => {
    if (first === undefined) throw new CannotCarry('there is no step for it');
    return readValue(first, reading);
  };
  switch (name) {
    case 'goto': {
      const options = readOptions(second, ['waitUntil', 'timeout'], reading);
      const waitUntil = oneOf(options['waitUntil'], ['load', 'domcontentloaded', 'networkidle', 'commit']);
      return made(
        { type: 'navigate', config: { url: textIn(value()), ...(waitUntil && { waitUntil }) } },
        options['timeout'],
      );
    }
    case 'waitForTimeout': {
      const ms = value();
      if (typeof ms !== 'number') break;
      return made({ type: 'wait', config: { for: 'time', ms } });
    }
    case 'waitForURL': {
      const { timeout } = readOptions(second, ['timeout'], reading);
      return made({ type: 'wait', config: { for: 'navigation', url: addressOf(value()) } }, timeout);
    }
    case 'waitForLoadState':
      if (first !== undefined && value() !== 'load') break;
      return made({ type: 'wait', config: { for: 'navigation' } });
    case 'screenshot': {
      const options = readOptions(first, ['path', 'fullPage'], reading);
      const file = typeof options['path'] === 'string' ? options['path'] : undefined;
      return made({
        type: 'screenshot',
        config: { ...named(file), ...(options['fullPage'] === true && { fullPage: true }) },
      });
    }
  }
  // `page.click('#buy')` is the same as `page.locator('#buy').click()`.
  if (actions.has(name) && first !== undefined)
    return elementAction([{ name: 'locator', args: [first] }], name, args.slice(1), reading);
  if (name === 'waitForSelector' && first !== undefined)
    return elementAction([{ name: 'locator', args: [first] }], 'waitFor', args.slice(1), reading);
  throw new CannotCarry('there is no step for it');
}

const actions: ReadonlySet<string> = new Set(
  'click,dblclick,fill,type,press,check,uncheck,setChecked,selectOption,setInputFiles,hover'.split(','),
);

function elementAction(
  of: readonly Link[],
  name: string,
  args: readonly ts.Expression[],
  reading: Reading,
): ReadStep {
  const { locator, nearly } = importLocator(of, reading);
  const [first, second] = args;
  const value = (): Value => {
    if (first === undefined) throw new CannotCarry('it has no value');
    return readValue(first, reading);
  };
  const timed = (body: Body, options: ts.Expression | undefined): ReadStep => ({
    ...made(body, readOptions(options, ['timeout', 'force', 'noWaitAfter'], reading)['timeout']),
    ...(nearly !== undefined && { nearly }),
  });
  switch (name) {
    case 'click':
    case 'dblclick': {
      const known = ['button', 'clickCount', 'modifiers', 'timeout'];
      const options = readOptions(first, known, reading);
      const button = oneOf(options['button'], ['left', 'right', 'middle']);
      const count = name === 'dblclick' ? 2 : options['clickCount'];
      const keys = options['modifiers'];
      const modifiers = Array.isArray(keys)
        ? keys.flatMap((key) => oneOf(key, ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']) ?? [])
        : [];
      const config = {
        locator,
        ...(button && button !== 'left' && { button }),
        ...(typeof count === 'number' && count !== 1 && { clickCount: count }),
        ...(modifiers.length > 0 && { modifiers }),
      };
      return {
        ...made({ type: 'click', config }, options['timeout']),
        ...(nearly !== undefined && { nearly }),
      };
    }
    case 'fill':
      return timed({ type: 'fill', config: { locator, value: textIn(value()) } }, second);
    case 'clear':
      return timed({ type: 'fill', config: { locator, value: '' } }, first);
    case 'type':
    case 'pressSequentially': {
      const options = readOptions(second, ['delay', 'timeout'], reading);
      const step = made(
        { type: 'fill', config: { locator, value: textIn(value()), clear: false } },
        options['timeout'],
      );
      const slower = options['delay'] === undefined ? nearly : 'keys are typed without a delay';
      return { ...step, ...(slower !== undefined && { nearly: slower }) };
    }
    case 'press':
      return timed({ type: 'fill', config: { locator, press: textIn(value()) } }, second);
    case 'check':
    case 'uncheck':
      return timed({ type: 'fill', config: { locator, checked: name === 'check' } }, first);
    case 'setChecked':
      return timed({ type: 'fill', config: { locator, checked: value() === true } }, second);
    case 'selectOption':
      return timed({ type: 'select', config: { locator, ...chosen(value()) } }, second);
    case 'setInputFiles': {
      const files = value();
      const all = (Array.isArray(files) ? files : [files]).map(textIn);
      return timed(
        { type: 'fill', config: { locator, files: all.length === 1 ? (all[0] ?? '') : all } },
        second,
      );
    }
    case 'hover':
      return timed({ type: 'hover', config: { locator } }, first);
    case 'screenshot': {
      const { path: file } = readOptions(first, ['path'], reading);
      return timed(
        { type: 'screenshot', config: { ...named(typeof file === 'string' ? file : undefined), locator } },
        undefined,
      );
    }
    case 'waitFor': {
      const options = readOptions(first, ['state', 'timeout'], reading);
      const state = oneOf(options['state'], ['visible', 'hidden', 'attached', 'detached']);
      return {
        ...made(
          {
            type: 'wait',
            config: { for: 'element', locator, ...(state && state !== 'visible' && { state }) },
          },
          options['timeout'],
        ),
        ...(nearly !== undefined && { nearly }),
      };
    }
    default:
      throw new CannotCarry('there is no step for it');
  }
}

/** `expect(page).toHaveURL(…)`; `subject` is what stands in the parentheses, with its links after `page`. */
export function importExpectation(
  subject: readonly Link[],
  matchers: readonly Link[],
  reading: Reading,
): ReadStep {
  const isNot = matchers[0]?.name === 'not';
  const matcher = matchers[isNot ? 1 : 0];
  if (matcher?.args === undefined || matchers.length !== (isNot ? 2 : 1))
    throw new CannotCarry('there is no step for it');
  const { name, args } = matcher;
  const [first, second] = args;
  const value = (): Value => {
    if (first === undefined) throw new CannotCarry('there is nothing to compare with');
    return readValue(first, reading);
  };
  const timeoutOf = (options: ts.Expression | undefined): Value | undefined =>
    readOptions(options, ['timeout'], reading)['timeout'];
  if (subject.length === 0) {
    if (isNot) throw new CannotCarry('there is no step for it');
    if (name === 'toHaveURL')
      return made(
        { type: 'assert', config: { assertion: 'url', pattern: addressOf(value()) } },
        timeoutOf(second),
      );
    if (name !== 'toHaveTitle') throw new CannotCarry('there is no step for it');
    const { text, part } = textOrPart(value());
    const matches = part ? ({ matcher: 'contains' } as const) : {};
    return made(
      { type: 'assert', config: { assertion: 'title', ...matches, value: text } },
      timeoutOf(second),
    );
  }
  const { locator, nearly } = importLocator(subject, reading);
  const asserted = (
    config: Extract<Body, { type: 'assert' }>['config'],
    options?: ts.Expression,
  ): ReadStep => ({
    ...made({ type: 'assert', config }, timeoutOf(options)),
    ...(nearly !== undefined && { nearly }),
  });
  if (name === 'toBeVisible' || name === 'toBeHidden')
    return asserted({ assertion: isNot === (name === 'toBeHidden') ? 'visible' : 'hidden', locator }, first);
  if (isNot) throw new CannotCarry('there is no step for it');
  const contains = { matcher: 'contains' } as const;
  if (name === 'toBeEmpty') {
    const [strategy] = locator.strategies;
    const isField =
      strategy?.type === 'label' || (strategy?.type === 'role' && strategy.role.endsWith('box'));
    return asserted({ assertion: isField ? 'value' : 'text', locator, value: '' }, first);
  }
  if (name === 'toHaveAttribute') {
    if (second === undefined) throw new CannotCarry('there is nothing to compare with');
    const { text, part } = textOrPart(readValue(second, reading));
    return asserted(
      { assertion: 'attribute', locator, attribute: textIn(value()), ...(part && contains), value: text },
      args[2],
    );
  }
  if (name !== 'toHaveText' && name !== 'toContainText' && name !== 'toHaveValue')
    throw new CannotCarry('there is no step for it');
  const { text, part } = textOrPart(value());
  const isPart = part || name === 'toContainText';
  return asserted(
    { assertion: name === 'toHaveValue' ? 'value' : 'text', locator, ...(isPart && contains), value: text },
    second,
  );
}

function made(body: Body, timeout?: Value): ReadStep {
  return { step: { ...body, ...(typeof timeout === 'number' && { timeout }) } };
}

function oneOf<const T extends string>(value: Value | undefined, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

function chosen(value: Value): { value?: string | string[]; label?: string | string[]; index?: number } {
  const all = Array.isArray(value) ? value : [value];
  if (all.every((one) => typeof one === 'string')) return { value: oneOrAll(all) };
  const labels = all.flatMap((one) =>
    isRecord(one) && typeof one['label'] === 'string' ? one['label'] : [],
  );
  if (labels.length === all.length) return { label: oneOrAll(labels) };
  const values = all.flatMap((one) =>
    isRecord(one) && typeof one['value'] === 'string' ? one['value'] : [],
  );
  if (values.length === all.length) return { value: oneOrAll(values) };
  const [only, ...more] = all;
  if (isRecord(only) && typeof only['index'] === 'number' && more.length === 0)
    return { index: only['index'] };
  throw new CannotCarry('its options cannot be named');
}

const oneOrAll = (all: string[]): string | string[] => (all.length === 1 ? (all[0] ?? '') : all);

/** Regular expressions stand between slashes; a relative address that looks like one is a glob. */
function addressOf(value: Value): string {
  if (value instanceof RegExp) return `/${value.source}/${value.flags}`;
  const text = textIn(value);
  return /^\/.+\/[a-z]*$/.test(text) ? `**${text}` : text;
}

function named(file: string | undefined): { name?: string } {
  const name = file?.replace(/^.*[\\/]/, '').replace(/\.(?:png|jpe?g|webp)$/, '');
  return name === undefined || name === '' ? {} : { name };
}
