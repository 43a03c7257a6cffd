// Writes values, texts with variables, and locators of a scenario as TypeScript for Playwright.
import { orderedStrategies, strategyText } from '../locatorSchema.ts';
import type { Step } from '../stepSchema.ts';
import { CannotCarry } from './leftOut.ts';

export type Locator = Extract<Step, { type: 'click' }>['config']['locator'];

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g;
const taken: ReadonlySet<string> = new Set(
  'test,expect,page,saved,read,variables,async,await,break,case,class,const,default,delete,do,else,enum,export,false,for,function,if,import,in,let,new,null,return,static,super,switch,this,throw,true,try,typeof,var,void,while,with,yield'.split(
    ',',
  ),
);

/** The names of the exported test, and what its texts ask for. */
export class ExportCode {
  /** Of the scenario: they become constants. */
  readonly #variables: ReadonlySet<string>;
  /** What steps save: it becomes members of `saved`. */
  readonly #saved: ReadonlySet<string>;
  /** Named in texts, and neither of both. */
  readonly unknown = new Set<string>();

  constructor(variables: Iterable<string>, saved: Iterable<string>) {
    this.#variables = new Set(variables);
    this.#saved = new Set(saved);
  }

  /** The constant of a variable: `user-name` → `userName`. */
  constantOf(name: string): string {
    const plain = name.replace(/-+(\w?)/g, (_, letter: string) => letter.toUpperCase());
    return taken.has(plain) ? `${plain}Value` : plain;
  }

  /** `saved.login` or the constant, with the members of the path. */
  #place(path: string): string {
    const [root = '', ...members] = path.replace(/\[(\d+)\]/g, '.$1').split('.');
    if (!this.#variables.has(root) && !this.#saved.has(root)) this.unknown.add(root);
    const start = this.#saved.has(root) ? `saved${member(root)}` : this.constantOf(root);
    return start + members.map(member).join('');
  }

  /** A string of JavaScript; a text with variables becomes a template. */
  text(value: string): string {
    const parts = value.split(placeholder);
    if (parts.length === 1) return quote(value);
    const inner = parts.map((part, at) =>
      at % 2 === 1 ? `\${${this.#place(part)}}` : part.replace(/[\\`]|\$\{/g, '\\$&').replaceAll('\r', '\\r'),
    );
    const [, only] = parts;
    return parts.length === 3 && parts[0] === '' && parts[2] === '' && this.#variables.has(only ?? '')
      ? this.#place(only ?? '')
      : `\`${inner.join('')}\``;
  }

  /** Any data, with variables in all of its texts. */
  value(data: unknown): string {
    if (typeof data === 'string') return this.text(data);
    if (Array.isArray(data)) return `[${data.map((one) => this.value(one)).join(', ')}]`;
    if (typeof data !== 'object' || data === null) return String(data);
    const entries = Object.entries(data).map(([key, value]) => `${keyOf(key)}: ${this.value(value)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }

  /** `{ timeout: 500 }` of what is there; nothing where there is nothing. */
  options(given: Readonly<Record<string, unknown>>): string {
    const present = Object.entries(given).filter(([, value]) => value !== undefined);
    return present.length === 0 ? '' : this.value(Object.fromEntries(present));
  }

  /** The first way to find the element; the others are told by `othersOf`. */
  locator(locator: Locator): string {
    const [strategy] = orderedStrategies(locator);
    const frames = typeof locator.frame === 'string' ? [locator.frame] : (locator.frame ?? []);
    const scope = ['page', ...frames.map((frame) => `frameLocator(${this.text(frame)})`)].join('.');
    if (strategy === undefined) throw new CannotCarry('its locator has no strategy');
    const { nth } = strategy;
    const place = nth === undefined ? '' : nth === -1 ? '.last()' : nth === 0 ? '.first()' : `.nth(${nth})`;
    const exact = 'exact' in strategy && strategy.exact ? { exact: true } : {};
    const found = ((): string => {
      switch (strategy.type) {
        case 'testId':
          return `getByTestId(${this.text(strategy.value)})`;
        case 'role': {
          const options = this.options({ name: strategy.name, ...exact });
          return `getByRole(${this.text(strategy.role)}${options === '' ? '' : `, ${options}`})`;
        }
        case 'text':
        case 'label': {
          const options = this.options(exact);
          const method = strategy.type === 'text' ? 'getByText' : 'getByLabel';
          return `${method}(${this.text(strategy.value)}${options === '' ? '' : `, ${options}`})`;
        }
        case 'css':
          return `locator(${this.text(strategy.selector)})`;
        case 'xpath':
          return `locator(${this.text(`xpath=${strategy.expression}`)})`;
      }
    })();
    return `${scope}.${found}${place}`;
  }
}

/** What a test without healing does not try; undefined where the first strategy is the only one. */
export function othersOf(locator: Locator): string | undefined {
  const [, ...others] = orderedStrategies(locator);
  return others.length === 0 ? undefined : others.map(strategyText).join(', or ');
}

export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${inner.replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);
const keyOf = (key: string): string => (isName(key) ? key : quote(key));
function member(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return isName(key) ? `.${key}` : `[${quote(key)}]`;
}

/** A regular expression for a glob, as a literal: `*` stays within a part of the address, `**` does not. */
export function globExpression(glob: string): string {
  const inner = glob
    .replace(/[.+^$()[\]\\/?|]/g, '\\$&')
    .replace(
      /\*\*|\*|[{},]/g,
      (sign) =>
        ({ '**': '.*', '*': '[^/]*', '{': '(?:', '}': ')', ',': glob.includes('{') ? '|' : ',' })[sign] ??
        sign,
    );
  return `/^${inner}$/`;
}

/** A literal that finds the text as a part. */
export function partExpression(text: string): string {
  if (text.includes('{{')) throw new CannotCarry('Playwright compares a part of it only with a fixed text');
  const inner = text
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `/${inner}/`;
}
