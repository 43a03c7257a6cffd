// Reads the statements of a test or a hook, one after the other: each becomes steps, or is listed with the reason.
import ts from 'typescript';
import { lineOf, textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { WrittenScenario, WrittenStep } from '../writtenScenario.ts';
import { importAction, importExpectation } from './importStep.ts';
import { CannotCarry, sourceLine, type LeftOut } from './leftOut.ts';
import {
  readChain,
  readValue,
  textIn,
  type Chain,
  type Link,
  type Reading,
  type Value,
} from './readChain.ts';

export type Part = 'setup' | 'steps' | 'teardown';
export type Variable = NonNullable<WrittenScenario['variables']>[number];
/** What the file says above its tests. */
interface Known {
  readonly constants: ReadonlyMap<string, Value>;
  /** By name: those of the environment. */
  readonly variables: ReadonlyMap<string, Variable>;
}
type ClickConfig = Extract<WrittenStep, { type: 'click' }>['config'];

/** One test with its hooks: constants, variables and pages are known from one to the next. */
export class TestBody {
  /** Of what was read last; whoever takes them empties it. */
  readonly steps: WrittenStep[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #tree: SourceTree;
  readonly #scope: Map<string, Value>;
  readonly #variables: Map<string, Variable>;
  /** The names of the pages, in the order in which they were opened. */
  #pages: string[] = ['page'];
  /** `downloadPromise` → what the next click causes. */
  readonly #awaited = new Map<string, 'download' | 'popup'>();
  /** Names of browsers and contexts: closing them is no step. */
  readonly #closed = new Set(['browser', 'context']);
  #onNextClick: Partial<Pick<ClickConfig, 'dialog' | 'download'>> = {};

  constructor(tree: SourceTree, { constants, variables }: Known) {
    this.#tree = tree;
    this.#scope = new Map(constants);
    this.#variables = new Map(variables);
  }

  /** Those that the steps name. */
  variablesOf(steps: unknown): readonly Variable[] {
    const text = JSON.stringify(steps);
    return [...this.#variables.values()].filter(({ name }) => text.includes(`{{${name}}}`));
  }

  read(body: ts.ConciseBody, parameters: readonly ts.ParameterDeclaration[]): void {
    this.#pages = [pageOf(parameters)];
    if (ts.isBlock(body)) this.#readAll(body.statements);
    else this.#carry(body, () => this.#expression(body));
    const [cause] = Object.keys(this.#onNextClick);
    if (cause !== undefined)
      this.leftOut.push({ ...this.#place(body), reason: `no click follows that causes the ${cause}` });
    this.#onNextClick = {};
  }

  #readAll(statements: readonly ts.Statement[]): void {
    for (const statement of statements) this.#carry(statement, () => this.#statement(statement));
  }

  #carry(node: ts.Node, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof CannotCarry)) throw error;
      this.leftOut.push({ ...this.#place(node), reason: error.message });
    }
  }

  #place(node: ts.Node): Pick<LeftOut, 'line' | 'text'> {
    return { line: lineOf(this.#tree, node), text: sourceLine(textOf(this.#tree, node)) };
  }

  #statement(statement: ts.Statement): void {
    if (ts.isEmptyStatement(statement)) return;
    if (ts.isBlock(statement)) return this.#readAll(statement.statements);
    if (ts.isExpressionStatement(statement)) return this.#expression(statement.expression);
    if (ts.isVariableStatement(statement)) {
      for (const one of statement.declarationList.declarations)
        this.#declare(one, statement.declarationList.flags);
      return;
    }
    throw new CannotCarry('a scenario has no branches, loops and functions');
  }

  #declare({ name, initializer }: ts.VariableDeclaration, flags: ts.NodeFlags): void {
    if (!ts.isIdentifier(name) || initializer === undefined)
      throw new CannotCarry('only constants are carried over');
    const value = awaited(initializer);
    if (ts.isIdentifier(value) && this.#awaited.has(value.text)) {
      if (this.#awaited.get(value.text) === 'popup') this.#pages.push(name.text);
      return;
    }
    const chain = readChain(value);
    const call = chain?.links.at(-1);
    if (chain && call?.name === 'waitForEvent' && this.#pages.includes(chain.root)) {
      const event = call.args?.[0] && readValue(call.args[0], this.#reading);
      if (event !== 'download' && event !== 'popup') throw new CannotCarry('there is no step for it');
      this.#awaited.set(name.text, event);
      if (event === 'download') this.#onNextClick = { ...this.#onNextClick, download: {} };
      return;
    }
    // `const browser = await chromium.launch()` and what follows of it: a scenario has a browser and a page.
    if (chain && ['launch', 'newContext', 'newPage'].includes(call?.name ?? '')) {
      if (call?.name === 'newPage') this.#pages = [name.text];
      else this.#closed.add(name.text);
      if (call?.args?.[0] !== undefined && !/^\{\s*headless: \w+,?\s*\}$/.test(call.args[0].getText()))
        throw new CannotCarry('settings of the browser belong into scenario.config.yaml');
      return;
    }
    if ((flags & ts.NodeFlags.Const) === 0) throw new CannotCarry('only constants are carried over');
    this.#scope.set(name.text, readValue(initializer, this.#reading));
  }

  #expression(expression: ts.Expression): void {
    const value = awaited(expression);
    if (ts.isIdentifier(value) && this.#awaited.has(value.text)) return;
    if (!ts.isCallExpression(value)) throw new CannotCarry('there is no step for it');
    const chain = readChain(value);
    if (!chain) throw new CannotCarry('there is no step for it');
    if (chain.root === 'expect') return this.#expectation(chain, value);
    if (chain.root === 'test' || chain.root === 'it') return this.#testStep(chain);
    const { root, links } = chain;
    const [last] = links.slice(-1);
    if (links.length === 1 && last?.name === 'close') {
      // The browser, its context and the page are closed at the end anyway.
      if (this.#closed.has(root) || root === this.#pages[0]) return;
      if (this.#pages.includes(root))
        throw new CannotCarry('a scenario closes no pages: its steps stay in the newest one');
    }
    if (!this.#pages.includes(root)) throw new CannotCarry('there is no step for it');
    if (root !== this.#pages.at(-1)) throw new CannotCarry('the steps of a scenario stay in the newest page');
    if (links.length === 1 && (last?.name === 'once' || last?.name === 'on')) return this.#dialog(last);
    this.#push(importAction(chain, this.#reading), value);
  }

  #expectation(chain: Chain, node: ts.Node): void {
    const soft = chain.links[0]?.name === 'soft' ? 1 : 0;
    const subject = chain.links[0]?.args;
    const [about, message] = subject ?? [];
    const inner = about && readChain(about);
    if (!inner || !this.#pages.includes(inner.root))
      throw new CannotCarry('a scenario asserts only what is on the page');
    if (inner.root !== this.#pages.at(-1))
      throw new CannotCarry('the steps of a scenario stay in the newest page');
    const { step, nearly } = importExpectation(inner.links, chain.links.slice(1), this.#reading);
    const description =
      message === undefined ? {} : { description: textIn(readValue(message, this.#reading)) };
    const whole = { ...step, ...description, ...(soft === 1 && { continueOnError: true }) };
    this.#push({ step: whole, ...(nearly !== undefined && { nearly }) }, node);
  }

  /** `test.step('Log in', async () => { … })`: its first step has the title as its description. */
  #testStep({ links }: Chain): void {
    const [link] = links;
    const [title, callback] = link?.args ?? [];
    const body = callback && unwrap(callback);
    if (
      link?.name !== 'step' ||
      !title ||
      !body ||
      !(ts.isArrowFunction(body) || ts.isFunctionExpression(body))
    )
      throw new CannotCarry('there is no step for it');
    const description = textIn(readValue(title, this.#reading));
    const before = this.steps.length;
    if (ts.isBlock(body.body)) this.#readAll(body.body.statements);
    else this.#expression(body.body);
    const first = this.steps[before];
    if (first) this.steps[before] = { ...first, description };
  }

  /** `page.once('dialog', dialog => dialog.accept('yes'))`, as codegen writes it before the click. */
  #dialog({ name, args = [] }: Link): void {
    const [event, handler] = args;
    const callback = handler && unwrap(handler);
    const isDialog = event !== undefined && ts.isStringLiteralLike(event) && event.text === 'dialog';
    if (!isDialog || !callback || !(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback)))
      throw new CannotCarry('there is no step for it');
    const body = callback.body.getText();
    const [, action, answer] = /\.(accept|dismiss)\(\s*((?:'[^']*'|"[^"]*")?)\s*\)/.exec(body) ?? [];
    if (action !== 'accept' && action !== 'dismiss')
      throw new CannotCarry('its answer to the dialog cannot be read');
    if (name === 'on') throw new CannotCarry('a scenario answers a dialog at the click that opens it');
    const text = answer === undefined || answer === '' ? {} : { text: answer.slice(1, -1) };
    const [, said] = /\.message\(\)\)\.toContain\('([^'\\]+)'\)/.exec(body) ?? [];
    const message = said === undefined ? {} : { message: said };
    this.#onNextClick = { ...this.#onNextClick, dialog: { action, ...text, ...message } };
  }

  #push({ step, nearly }: { readonly step: WrittenStep; readonly nearly?: string }, node: ts.Node): void {
    if (nearly !== undefined) this.leftOut.push({ ...this.#place(node), reason: nearly, nearly: true });
    const description = step.description ?? this.#comment(node);
    const said = description === undefined ? step : { ...step, description };
    if (said.type !== 'click') {
      this.steps.push(said);
      return;
    }
    this.steps.push({ ...said, config: { ...said.config, ...this.#onNextClick } });
    this.#onNextClick = {};
  }

  /** The line above the statement, where it is a comment of a person. */
  #comment(node: ts.Node): string | undefined {
    const { text } = this.#tree;
    const start = text.lastIndexOf('\n', node.getStart(this.#tree.ast)) + 1;
    const [, said] = /(?:^|\n)[ \t]*\/\/[ \t]*([^\n]*\S)\s*$/.exec(text.slice(0, start)) ?? [];
    return said === undefined ||
      /^(?:Not carried over|Or found by|eslint-|@ts-)/.test(said) ||
      said.includes('{{')
      ? undefined
      : said;
  }

  get #reading(): Reading {
    return { scope: this.#scope, fromEnv: environmentOf(this.#variables) };
  }
}

/** Collects the variables that stand for those of the environment: gives `{{password}}` for PASSWORD. */
export function environmentOf(variables: Map<string, Variable>): Reading['fromEnv'] {
  return (fromEnv, defaultValue) => {
    const name = fromEnv
      .toLowerCase()
      .replace(/[^a-z0-9_]+/g, '_')
      .replace(/^(?=\d)/, '_');
    const secret = /pass|secret|token|key|pin\b/i.test(fromEnv);
    const given = defaultValue === undefined || defaultValue === '' ? {} : { defaultValue };
    variables.set(name, { name, ...given, fromEnv, ...(secret && { secret }) });
    return `{{${name}}}`;
  };
}

function awaited(expression: ts.Expression): ts.Expression {
  const node = unwrap(expression);
  return ts.isAwaitExpression(node) ? unwrap(node.expression) : node;
}

/** What the test calls its page: `{ page }`, `{ page: shop }`. */
function pageOf(parameters: readonly ts.ParameterDeclaration[]): string {
  const [first] = parameters;
  if (first === undefined || !ts.isObjectBindingPattern(first.name)) return 'page';
  const element = first.name.elements.find(
    ({ name, propertyName }) => (propertyName ?? name).getText() === 'page',
  );
  return element?.name.getText() ?? 'page';
}
