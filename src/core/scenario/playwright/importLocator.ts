// Turns the locators of Playwright into those of a scenario: one way as it is written, several in one another as CSS.
import ts from 'typescript';
import type { WrittenLocator, WrittenStrategy } from '../writtenScenario.ts';
import { CannotCarry } from './leftOut.ts';
import {
  isRecord,
  readChain,
  readOptions,
  readValue,
  textIn,
  textOrPart,
  type Link,
  type Reading,
} from './readChain.ts';

interface ReadLocator {
  readonly locator: WrittenLocator;
  /** Why it may find something else, where it may. */
  readonly nearly?: string;
}

/** One element within the one before it. */
interface Part {
  /** As a scenario has it on its own; none where it is only there as CSS. */
  readonly own?: WrittenStrategy;
  /** For Playwright's CSS, which also knows texts. Throws `CannotCarry` where there is none. */
  readonly css: () => string;
  readonly called: string;
  readonly nearly?: string;
}

/** The calls after `page`, all of them of a locator. Throws `CannotCarry`. */
export function importLocator(links: readonly Link[], reading: Reading): ReadLocator {
  const frames: string[] = [];
  let parts: Part[] = [];
  let nth: number | undefined;
  for (const { name, args } of links) {
    if (args === undefined) throw new CannotCarry(`a scenario has no ${name}`);
    if (nth !== undefined) {
      parts = [nthOf(parts, nth)];
      nth = undefined;
    }
    const [first, second] = args;
    if (name === 'first') nth = 0;
    else if (name === 'last') nth = -1;
    else if (name === 'nth') nth = wholeNumber(first, reading);
    else if (name === 'frameLocator') {
      if (parts.length > 0) throw new CannotCarry('a frame within an element cannot be named');
      frames.push(textIn(first && readValue(first, reading)));
    } else if (name === 'contentFrame') {
      frames.push(cssOf(parts));
      parts = [];
    } else if (name === 'filter') parts = [...parts.slice(0, -1), filtered(parts.at(-1), first, reading)];
    else {
      const part = partOf(name, first, second, reading);
      parts.push(name === 'locator' && second !== undefined ? filtered(part, second, reading) : part);
    }
  }
  const [only, ...inner] = parts;
  if (only === undefined) throw new CannotCarry('there is no element in it');
  const place = nth === undefined ? {} : { nth };
  const own = inner.length === 0 ? only.own : undefined;
  const strategy: WrittenStrategy = own ?? { type: 'css', selector: cssOf(parts) };
  const nearly = own ? undefined : parts.find((part) => part.nearly !== undefined)?.nearly;
  const called = (parts.at(-1) ?? only).called + (nth === undefined ? '' : ` [${nth}]`);
  return {
    locator: {
      displayName: called,
      strategies: [strategy, ...(own ? furtherOf(own) : [])].map((one) => ({ ...one, ...place })),
      ...(frames.length > 0 && { frame: frames.length === 1 ? (frames[0] ?? '') : frames }),
    },
    ...(nearly !== undefined && { nearly }),
  };
}

/** The calls of an expression that is a locator of the page, for `filter({ has: … })`. */
function innerCss(expression: ts.Expression, reading: Reading): string {
  const chain = readChain(expression);
  if (!chain) throw new CannotCarry('its inner locator is only known when the code runs');
  const { strategies } = importLocator(chain.links, reading).locator;
  const [strategy] = strategies;
  if (strategy?.type === 'css' && strategy.nth === undefined) return strategy.selector;
  const parts = chain.links.map(({ name, args = [] }) => partOf(name, args[0], args[1], reading));
  return cssOf(parts);
}

const fieldRoles = /^(?:textbox|searchbox|combobox|listbox|checkbox|radio|spinbutton|slider|switch)$/;

/** A named field is found by its label too, should its role change. */
function furtherOf(own: WrittenStrategy): readonly WrittenStrategy[] {
  if (own.type !== 'role' || own.name === undefined || !fieldRoles.test(own.role)) return [];
  return [{ type: 'label', value: own.name, ...(own.exact !== undefined && { exact: own.exact }) }];
}

function partOf(
  name: string,
  first: ts.Expression | undefined,
  second: ts.Expression | undefined,
  reading: Reading,
): Part {
  if (first === undefined) throw new CannotCarry(`a scenario has no ${name}`);
  if (name === 'getByRole') return byRole(textIn(readValue(first, reading)), second, reading);
  const value = readValue(first, reading);
  if (name === 'locator') return bySelector(textIn(value));
  if (name === 'getByTestId') {
    const id = textIn(value);
    return {
      own: { type: 'testId', value: id },
      css: () => `[data-testid=${quoted(id)}]`,
      called: spoken(id),
    };
  }
  const { text } = textOrPart(value);
  const options = readOptions(second, ['exact'], reading);
  const exact = options['exact'] === true && !(value instanceof RegExp);
  if (name === 'getByText')
    return {
      own: { type: 'text', value: text, ...(exact && { exact }) },
      css: () => `:text${exact ? '-is' : ''}(${quoted(text)})`,
      called: text,
    };
  if (name === 'getByLabel')
    return {
      own: { type: 'label', value: text, ...(exact && { exact }) },
      css: () => {
        throw new CannotCarry('a label within another element cannot be named');
      },
      called: `${text} field`,
    };
  const attribute = { getByPlaceholder: 'placeholder', getByAltText: 'alt', getByTitle: 'title' }[name];
  if (attribute === undefined) throw new CannotCarry(`a scenario has no ${name}`);
  const selector = exact ? `[${attribute}=${quoted(text)}]` : `[${attribute}*=${quoted(text)} i]`;
  const called = attribute === 'placeholder' ? `${text} field` : text;
  return { own: { type: 'css', selector }, css: () => selector, called };
}

function byRole(role: string, given: ts.Expression | undefined, reading: Reading): Part {
  const options = readOptions(given, ['name', 'exact'], reading);
  const { name } = options;
  const text = name === undefined ? undefined : textOrPart(name).text;
  const exact = options['exact'] === true && !(name instanceof RegExp);
  const css = (): string => {
    const base = `:is(${[...(nativeOf[role] ?? []), `[role=${quoted(role)}]`].join(', ')})`;
    if (text === undefined) return base;
    return exact ? `${base}:text-is(${quoted(text)})` : `${base}:has-text(${quoted(text)})`;
  };
  const called = `${text === undefined ? '' : `${text} `}${spokenRoles[role] ?? role}`;
  return {
    own: { type: 'role', role, ...(text !== undefined && { name: text }), ...(exact && { exact }) },
    css,
    called,
    nearly: `the role ${role} is found by tags${text === undefined ? '' : ' and text'} within another element or filter`,
  };
}

/** Tags that have the role without saying so; what is not here has to say it. */
const nativeOf: Readonly<Record<string, readonly string[]>> = {
  button: ['button', 'summary', 'input:is([type="button"], [type="submit"], [type="reset"], [type="image"])'],
  link: ['a[href]', 'area[href]'],
  listitem: ['li'],
  list: ['ul', 'ol', 'menu'],
  row: ['tr'],
  cell: ['td'],
  columnheader: ['th'],
  rowheader: ['th[scope="row"]'],
  table: ['table'],
  rowgroup: ['tbody', 'thead', 'tfoot'],
  heading: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  article: ['article'],
  navigation: ['nav'],
  main: ['main'],
  banner: ['header'],
  contentinfo: ['footer'],
  complementary: ['aside'],
  form: ['form'],
  region: ['section'],
  dialog: ['dialog'],
  group: ['fieldset', 'details'],
  img: ['img', 'svg'],
  paragraph: ['p'],
  checkbox: ['input[type="checkbox"]'],
  radio: ['input[type="radio"]'],
  combobox: ['select:not([multiple])'],
  listbox: ['select[multiple]'],
  option: ['option'],
  spinbutton: ['input[type="number"]'],
  slider: ['input[type="range"]'],
  searchbox: ['input[type="search"]'],
  textbox: ['textarea', 'input:is(:not([type]), [type="text"], [type="email"], [type="tel"], [type="url"])'],
};
const spokenRoles: Readonly<Record<string, string>> = {
  textbox: 'field',
  searchbox: 'search field',
  combobox: 'list',
  listbox: 'list',
  spinbutton: 'number field',
  listitem: 'item',
  radio: 'choice',
  img: 'image',
};

function bySelector(selector: string): Part {
  const [, engine, rest = ''] = /^\s*([a-z-]+)=(.*)$/s.exec(selector) ?? [];
  if (selector.includes('>>')) throw new CannotCarry('a scenario has no selectors joined by >>');
  if (engine === 'xpath' || /^\s*(?:\/\/|\.\.)/.test(selector)) {
    const expression = engine === 'xpath' ? rest : selector;
    return {
      own: { type: 'xpath', expression },
      css: () => {
        throw new CannotCarry('an XPath within another element cannot be named');
      },
      called: expression,
    };
  }
  if (engine === 'text' && !/^["'/]/.test(rest))
    return { own: { type: 'text', value: rest }, css: () => `:text(${quoted(rest)})`, called: rest };
  if (engine === 'id' || engine === 'data-testid') {
    const css = `[${engine}=${quoted(rest)}]`;
    return { own: { type: 'css', selector: css }, css: () => css, called: spoken(rest) };
  }
  if (engine !== undefined && engine !== 'css')
    throw new CannotCarry(`a scenario has no selectors that begin with ${engine}=`);
  const css = engine === 'css' ? rest : selector;
  return { own: { type: 'css', selector: css }, css: () => css, called: css };
}

function filtered(part: Part | undefined, given: ts.Expression | undefined, reading: Reading): Part {
  if (part === undefined || given === undefined) throw new CannotCarry('there is nothing to filter');
  const texts = filterTexts(given, reading);
  return {
    css: () => part.css() + texts.join(''),
    called: part.called,
    ...(part.nearly !== undefined && { nearly: part.nearly }),
  };
}

function filterTexts(given: ts.Expression, reading: Reading): readonly string[] {
  if (!ts.isObjectLiteralExpression(given))
    throw new CannotCarry('its filter is only known when the code runs');
  return given.properties.map((property) => {
    const key = property.name?.getText() ?? '';
    const initializer = ts.isPropertyAssignment(property) ? property.initializer : undefined;
    if (initializer === undefined) throw new CannotCarry('its filter is only known when the code runs');
    if (key === 'has') return `:has(${innerCss(initializer, reading)})`;
    if (key === 'hasNot') return `:not(:has(${innerCss(initializer, reading)}))`;
    const value = readValue(initializer, reading);
    if (key === 'visible' && value === true) return ':visible';
    if (key === 'hasText') return `:has-text(${quoted(filterText(value))})`;
    if (key === 'hasNotText') return `:not(:has-text(${quoted(filterText(value))}))`;
    throw new CannotCarry(`a scenario has no filter ${key}`);
  });
}

/** Codegen writes `/^Shirt$/` for the whole text of an element: CSS has only parts. */
function filterText(value: Parameters<typeof textOrPart>[0]): string {
  if (isRecord(value)) throw new CannotCarry('its filter is no text');
  return textOrPart(value).text;
}

function nthOf(parts: readonly Part[], nth: number): Part {
  if (nth < 0) throw new CannotCarry('the last of several cannot hold another element');
  const nearly = parts.find((part) => part.nearly !== undefined)?.nearly;
  return {
    css: () => `:nth-match(${cssOf(parts)}, ${nth + 1})`,
    called: parts.at(-1)?.called ?? '',
    ...(nearly !== undefined && { nearly }),
  };
}

function cssOf(parts: readonly Part[]): string {
  if (parts.length === 0) throw new CannotCarry('there is no element in it');
  if (parts.length > 1 && parts.some((part) => isList(part.css())))
    throw new CannotCarry('a list of selectors cannot hold another element');
  return parts.map((part) => part.css()).join(' ');
}

/** A comma that stands in no quotes and no parentheses. */
function isList(css: string): boolean {
  let plain = css.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs, '');
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replace(/\([^()]*\)/g, '');
  }
  return plain.includes(',');
}

function wholeNumber(expression: ts.Expression | undefined, reading: Reading): number {
  const value = expression && readValue(expression, reading);
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new CannotCarry('its place is only known when the code runs');
}

/** `add-to-cart` → `add to cart`. */
function spoken(id: string): string {
  const words = id
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.]+/g, ' ')
    .trim();
  return words === '' ? id : words;
}

/** A string of CSS. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ')}"`;
}
