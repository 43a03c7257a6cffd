// Writes one step of a scenario as statements of a Playwright test.
import type { Step } from '../stepSchema.ts';
import {
  globExpression,
  othersOf,
  partExpression,
  quote,
  type ExportCode,
  type Locator,
} from './exportCode.ts';
import { CannotCarry } from './leftOut.ts';

type Of<Type extends Step['type']> = Extract<Step, { readonly type: Type }>;

interface ExportedStep {
  /** Without indentation. */
  readonly lines: readonly string[];
  /** Why it is not quite the same. */
  readonly nearly?: string;
}

/** Throws `CannotCarry` where Playwright has nothing for it. */
export function exportStep(step: Step, code: ExportCode): ExportedStep {
  const statements = statementsOf(step, code);
  const locator = locatorOf(step);
  const others = locator && othersOf(locator);
  const isAssert = step.type === 'assert' || step.type === 'api-assert';
  const nearly =
    step.continueOnError && !isAssert
      ? 'the test ends where this step fails'
      : step.type === 'fill' && step.config.files !== undefined
        ? 'Playwright looks for the files from the folder in which it is started'
        : undefined;
  const said = step.description.trim().replace(/\s+/g, ' ');
  return {
    lines: [
      ...(said === '' ? [] : [`// ${said}`]),
      ...(others === undefined ? [] : [`// Or found by ${others.replace(/\s+/g, ' ')}`]),
      ...(step.continueOnError && isAssert
        ? statements.map((line) => line.replace(/\bexpect\(/, 'expect.soft('))
        : statements),
    ],
    ...(nearly !== undefined && { nearly }),
  };
}

function locatorOf({ config }: Step): Locator | undefined {
  return 'locator' in config ? config.locator : undefined;
}

function statementsOf(step: Step, code: ExportCode): readonly string[] {
  const { timeout } = step;
  switch (step.type) {
    case 'navigate': {
      const { url, waitUntil } = step.config;
      const options = code.options({ waitUntil: waitUntil === 'load' ? undefined : waitUntil, timeout });
      return [`await page.goto(${list(code.text(url), options)});`];
    }
    case 'click':
      return clicked(step, code);
    case 'fill':
      return filled(step, code);
    case 'select': {
      const { locator, value, label, index } = step.config;
      const texts = [value ?? []].flat().map(String);
      const options = [
        ...texts.map((one) => code.text(one)),
        ...[label ?? []].flat().map((one) => code.value({ label: one })),
        ...(index === undefined ? [] : [code.value({ index })]),
      ];
      const given = options.length === 1 ? (options[0] ?? '') : `[${options.join(', ')}]`;
      return [`await ${code.locator(locator)}.selectOption(${list(given, code.options({ timeout }))});`];
    }
    case 'assert':
      return [asserted(step, code)];
    case 'wait':
      return [waited(step, code)];
    case 'hover':
      return [`await ${code.locator(step.config.locator)}.hover(${code.options({ timeout })});`];
    case 'screenshot': {
      const { name = step.id, fullPage, locator } = step.config;
      const options = code.options({ path: `${name}.png`, fullPage: fullPage || undefined, timeout });
      return [`await ${locator ? code.locator(locator) : 'page'}.screenshot(${options});`];
    }
    case 'script': {
      const { script, args, saveResultAs } = step.config;
      if (script.includes('{{'))
        throw new CannotCarry('a script cannot hold variables; hand them over as args');
      const given = Object.keys(args).length === 0 ? '' : `, ${code.value(args)}`;
      const call = [
        `await page.evaluate(async (${given === '' ? '' : 'args'}) => {`,
        ...script.trimEnd().split('\n'),
        `}${given});`,
      ];
      return saveResultAs === undefined
        ? call
        : [`saved.${saveResultAs} = ${call[0] ?? ''}`, ...call.slice(1)];
    }
    case 'api-request': {
      const { method, url, headers, body, saveResponseAs, cookies } = step.config;
      if (cookies === 'none') throw new CannotCarry('the requests of a page always have its cookies');
      const options = code.options({
        method: method === 'GET' ? undefined : method,
        headers: Object.keys(headers).length === 0 ? undefined : texts(headers),
        data: body,
        failOnStatusCode: undefined,
        timeout,
      });
      const response = `await read(await page.request.fetch(${list(code.text(url), options)}))`;
      const named = saveResponseAs === undefined ? '' : `saved.${saveResponseAs} = `;
      return [`saved.response = ${named}${response};`];
    }
    case 'api-assert':
      return [apiAsserted(step)].map(
        ({ subject, matcher, value }) => `expect(${subject}).${matcher}(${value(code)});`,
      );
    case 'component':
      throw new CannotCarry('components stay with the scenarios: write their steps into it first');
  }
}

function clicked({ config, timeout }: Of<'click'>, code: ExportCode): readonly string[] {
  const { locator, button, clickCount, modifiers, dialog, download } = config;
  const options = code.options({
    button: button === 'left' ? undefined : button,
    clickCount: clickCount <= 2 ? undefined : clickCount,
    modifiers: modifiers.length === 0 ? undefined : modifiers,
    timeout,
  });
  const answer =
    dialog && `dialog.${dialog.action}(${dialog.text === undefined ? '' : code.text(dialog.text)})`;
  const heard =
    dialog?.message === undefined
      ? `(dialog) => ${answer ?? ''}`
      : `(dialog) => { expect(dialog.message()).toContain(${code.text(dialog.message)}); return ${answer ?? ''}; }`;
  return [
    ...(dialog ? [`page.once('dialog', ${heard});`] : []),
    ...(download ? ['{', `const download = page.waitForEvent('download');`] : []),
    `await ${code.locator(locator)}.${clickCount === 2 ? 'dblclick' : 'click'}(${options});`,
    ...(download?.fileName === undefined
      ? []
      : [`expect((await download).suggestedFilename()).toBe(${code.text(download.fileName)});`]),
    ...(download?.saveAs === undefined
      ? []
      : [`await (await download).saveAs(${code.text(download.saveAs)});`]),
    ...(download ? ['await download;', '}'] : []),
  ];
}

function filled({ config, timeout }: Of<'fill'>, code: ExportCode): readonly string[] {
  const { locator, value, clear, files, checked, press } = config;
  const target = code.locator(locator);
  const options = code.options({ timeout });
  const lines: string[] = [];
  if (files !== undefined) lines.push(`await ${target}.setInputFiles(${list(code.value(files), options)});`);
  if (value !== undefined)
    lines.push(
      `await ${target}.${clear ? 'fill' : 'pressSequentially'}(${list(code.text(String(value)), options)});`,
    );
  if (checked !== undefined) lines.push(`await ${target}.${checked ? 'check' : 'uncheck'}(${options});`);
  for (const key of [press ?? []].flat())
    lines.push(`await ${target}.press(${list(code.text(key), options)});`);
  return lines;
}

function asserted({ config, timeout }: Of<'assert'>, code: ExportCode): string {
  const options = code.options({ timeout });
  const on = (subject: string, matcher: string, ...values: readonly string[]): string =>
    `await expect(${subject}).${matcher}(${list(...values, options)});`;
  switch (config.assertion) {
    case 'visible':
      return on(code.locator(config.locator), 'toBeVisible');
    case 'hidden':
      return on(code.locator(config.locator), 'toBeHidden');
    case 'text': {
      const matcher = config.matcher === 'equals' ? 'toHaveText' : 'toContainText';
      return on(code.locator(config.locator), matcher, code.text(String(config.value)));
    }
    case 'value':
      return on(
        code.locator(config.locator),
        'toHaveValue',
        compared(config.matcher, String(config.value), code),
      );
    case 'attribute': {
      const value = compared(config.matcher, String(config.value), code);
      return on(code.locator(config.locator), 'toHaveAttribute', code.text(config.attribute), value);
    }
    case 'url':
      return on('page', 'toHaveURL', address(config.pattern, code, true));
    case 'title':
      return on('page', 'toHaveTitle', compared(config.matcher, String(config.value), code));
  }
}

const compared = (matcher: 'equals' | 'contains', value: string, code: ExportCode): string =>
  matcher === 'equals' ? code.text(value) : partExpression(value);

/** An expression between slashes, else the address; `expect` knows no globs. */
function address(pattern: string, code: ExportCode, expands: boolean): string {
  if (/^\/.+\/[a-z]*$/s.test(pattern)) {
    if (pattern.includes('{{')) throw new CannotCarry('Playwright has no variables in a regular expression');
    return pattern;
  }
  if (!expands || !pattern.includes('*')) return code.text(pattern);
  if (pattern.includes('{{')) throw new CannotCarry('Playwright has no variables in a glob');
  return globExpression(pattern);
}

function waited({ config, timeout }: Of<'wait'>, code: ExportCode): string {
  switch (config.for) {
    case 'time':
      return `await page.waitForTimeout(${config.ms});`;
    case 'element': {
      const state = config.state === 'visible' ? undefined : config.state;
      return `await ${code.locator(config.locator)}.waitFor(${code.options({ state, timeout })});`;
    }
    case 'navigation':
      return config.url === undefined
        ? `await page.waitForLoadState();`
        : `await page.waitForURL(${list(address(config.url, code, false), code.options({ timeout }))});`;
  }
}

interface ApiCheck {
  readonly subject: string;
  readonly matcher: string;
  readonly value: (code: ExportCode) => string;
}

function apiAsserted({ config }: Of<'api-assert'>): ApiCheck {
  const response = `saved.${config.response ?? 'response'}`;
  const expected = 'value' in config ? config.value : undefined;
  const asText = typeof expected === 'object' ? JSON.stringify(expected) : String(expected);
  const value = (code: ExportCode): string => code.value(expected);
  const expression = (): string => `new RegExp(${quote(asText)})`;
  const subject =
    config.assertion === 'status'
      ? `${response}.status`
      : config.assertion === 'header'
        ? `${response}.headers[${quote(config.header.toLowerCase())}]`
        : `${response}.body${members(config.path ?? '')}`;
  switch (config.matcher) {
    case 'exists':
      return { subject, matcher: 'toBeDefined', value: () => '' };
    case 'matches':
      return { subject: `String(${subject})`, matcher: 'toMatch', value: expression };
    case 'contains':
      return { subject, matcher: 'toContain', value };
    case 'type':
      return { subject: `read.typeOf(${subject})`, matcher: 'toBe', value };
    case 'equals':
      return config.assertion === 'body'
        ? { subject, matcher: 'toEqual', value }
        : { subject: `String(${subject})`, matcher: 'toBe', value: (code) => code.text(asText) };
  }
}

/** Members of a plain JSON path: `items[0].price`. */
function members(path: string): string {
  const plain = path.replace(/^\$\.?/, '');
  if (
    plain !== '' &&
    !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\[\d+\])*$|^\[\d+\](?:\.[A-Za-z_$][\w$]*|\[\d+\])*$/.test(plain)
  )
    throw new CannotCarry(`Playwright cannot follow the path ${path}`);
  return plain === '' || plain.startsWith('[') ? plain : `.${plain}`;
}

const texts = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
const list = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');
