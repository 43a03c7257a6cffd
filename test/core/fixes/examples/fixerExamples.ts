// One before and after of each fixer, which docs/fixers.md shows and fixerExamples.test.ts runs.
import type { Trust } from '../../../../src/core/model/fix.ts';
import { goExamples, pythonExamples } from './otherLanguages.ts';
import { jestExamples, vitestExamples } from './withRunners.ts';

/** What a file holds at the last commit and now; undefined where it is not there. */
export type Change = readonly [before: string | undefined, now: string | undefined];

export interface FixerExample {
  /** Id of the FixProvider. */
  readonly fixer: string;
  /** The version that brought it. */
  readonly since: '0.1' | '0.2' | '0.3';
  readonly trust: Trust;
  /** When it is less trusted than that. */
  readonly lowered?: string;
  /** Sources by their path. */
  readonly sources: Readonly<Record<string, Change>>;
  /** The file that is mended (a test, or a stored snapshot), and what the fixer makes of it. */
  readonly test: {
    readonly file: string;
    /** At the last commit, where it was another text than now. */
    readonly committed?: string;
    readonly before: string;
    readonly after: string;
  };
  /** Further files that stay as they are. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Examples that share a workspace and a fix cycle. */
export interface ExampleGroup {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly packages?: readonly string[];
  readonly needs?: 'python' | 'go';
  readonly examples: readonly FixerExample[];
}

const nodeTest = (name: string, imports: string, body: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${imports}\n\ntest('${name}', ${body});\n`;

const calls: FixerExample = {
  fixer: 'signatures',
  since: '0.2',
  trust: 'oracle',
  lowered:
    '*mechanical* where only `new` came or went; *propose* where a source still calls as before, or arguments change places',
  sources: {
    'src/area.js': [
      'export function area(width, height, unit) {\n  return `${width * height}${unit}`;\n}\n',
      'export function area({ width, height, unit }) {\n  return `${width * height}${unit}`;\n}\n',
    ],
  },
  test: {
    file: 'test/area.test.js',
    before: nodeTest(
      'an area',
      `import { area } from '../src/area.js';`,
      `() => {\n  assert.equal(area(2, 3, 'cm'), '6cm');\n}`,
    ),
    after: nodeTest(
      'an area',
      `import { area } from '../src/area.js';`,
      `() => {\n  assert.equal(area({ width: 2, height: 3, unit: 'cm' }), '6cm');\n}`,
    ),
  },
};

const cart = 'export const total = (cart) => cart.reduce((sum, item) => sum + item.price, 0);\n';
const imports: FixerExample = {
  fixer: 'imports',
  since: '0.1',
  trust: 'mechanical',
  lowered: '*propose* where a source stayed behind, or the new name may mean something else',
  sources: { 'src/cart.js': [cart, undefined], 'src/basket/cart.js': [undefined, cart] },
  test: {
    file: 'test/cart.test.js',
    before: nodeTest(
      'a total',
      `import { total } from '../src/cart.js';`,
      '() => {\n  assert.equal(total([{ price: 3 }]), 3);\n}',
    ),
    after: nodeTest(
      'a total',
      `import { total } from '../src/basket/cart.js';`,
      '() => {\n  assert.equal(total([{ price: 3 }]), 3);\n}',
    ),
  },
};

const store = (name: string): string =>
  `export class Store {\n  #items = [];\n  ${name}(item) {\n    this.#items.push(item.trim().toLowerCase());\n    return this.#items.length;\n  }\n}\n`;
const addsItem = (name: string): string =>
  nodeTest(
    'adds an item',
    `import { Store } from '../src/store.js';`,
    `() => {\n  assert.equal(new Store().${name}('Tea'), 1);\n}`,
  );
const members: FixerExample = {
  fixer: 'members',
  since: '0.1',
  trust: 'mechanical',
  lowered:
    '*oracle* for expected keys; *propose* for names that are only similar or may mean something else, and where a source stayed behind',
  sources: { 'src/store.js': [store('add'), store('addItem')] },
  test: { file: 'test/store.test.js', before: addsItem('add'), after: addsItem('addItem') },
};

const awaiting: FixerExample = {
  fixer: 'awaiting',
  since: '0.2',
  trust: 'mechanical',
  lowered: '*propose* where a source does not wait',
  sources: {
    'src/load.js': [
      'export function load(name) {\n  return { name };\n}\n',
      'export async function load(name) {\n  return { name };\n}\n',
    ],
  },
  test: {
    file: 'test/load.test.js',
    before: nodeTest(
      'loads',
      `import { load } from '../src/load.js';`,
      `() => {\n  assert.equal(load('tea').name, 'tea');\n}`,
    ),
    after: nodeTest(
      'loads',
      `import { load } from '../src/load.js';`,
      `async () => {\n  assert.equal((await load('tea')).name, 'tea');\n}`,
    ),
  },
};

const greets = (hello: string): string =>
  nodeTest(
    'greets',
    `import { greet } from '../src/greet.js';`,
    `() => {\n  assert.equal(greet('Ada'), '${hello}, Ada');\n}`,
  );
const expectedValue: FixerExample = {
  fixer: 'expected-value',
  since: '0.1',
  trust: 'oracle',
  lowered: '*propose* by a stop',
  sources: {
    'src/greet.js': [
      'export const greet = (name) => `Hi, ${name}`;\n',
      'export const greet = (name) => `Hello, ${name}`;\n',
    ],
  },
  test: { file: 'test/greet.test.js', before: greets('Hi'), after: greets('Hello') },
};

const parse = (message: string): string =>
  `export function parse(text) {\n  if (text === '') throw new Error('${message}');\n  return text;\n}\n`;
const refuses = (message: string): string =>
  nodeTest(
    'refuses nothing',
    `import { parse } from '../src/parse.js';`,
    `() => {\n  assert.throws(() => parse(''), { message: '${message}' });\n}`,
  );
const exceptionText: FixerExample = {
  fixer: 'exception-text',
  since: '0.2',
  trust: 'oracle',
  lowered: '*propose* where a source still has the old message',
  sources: { 'src/parse.js': [parse('empty input'), parse('nothing to parse')] },
  test: { file: 'test/parse.test.js', before: refuses('empty input'), after: refuses('nothing to parse') },
};

const goesOn = `test('goes on', () => {\n  assert.equal(link('next'), '/next');\n});\n`;
const linkTest = (more: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { link } from '../src/link.js';\n\n${more}${goesOn}`;
const obsolete: FixerExample = {
  fixer: 'obsolete',
  since: '0.3',
  trust: 'propose',
  sources: {
    'src/link.js': [
      `export function link(target) {\n  if (target === 'back') return '/former';\n  return \`/\${target}\`;\n}\n`,
      'export function link(target) {\n  return `/${target}`;\n}\n',
    ],
  },
  test: {
    file: 'test/link.test.js',
    before: linkTest(`test('goes back', () => {\n  assert.equal(link('back'), '/former');\n});\n\n`),
    after: linkTest(''),
  },
};

const shout = (parameters: string, body: string): string =>
  `export function title(text${parameters}) {\n  return ${body};\n}\n`;
const titles = (more: string): string =>
  nodeTest(
    'a title',
    `import { title } from '../src/title.js';`,
    `() => {\n  assert.equal(title('fooBAR'${more}), 'FooBAR');\n}`,
  );
const addedOption: FixerExample = {
  fixer: 'added-option',
  since: '0.3',
  trust: 'propose',
  sources: {
    'src/title.js': [
      shout('', 'text[0].toUpperCase() + text.slice(1)'),
      shout(
        ', { normalize = true } = {}',
        'text[0].toUpperCase() + (normalize ? text.slice(1).toLowerCase() : text.slice(1))',
      ),
    ],
  },
  test: { file: 'test/title.test.js', before: titles(''), after: titles(', { normalize: false }') },
};

const nodeExamples: ExampleGroup = {
  name: 'node:test',
  files: { 'package.json': '{"type":"module","scripts":{"test":"node --test"}}' },
  examples: [imports, members, awaiting, calls, expectedValue, exceptionText, obsolete, addedOption],
};

/** In the order of the page. */
export const exampleGroups: readonly ExampleGroup[] = [
  nodeExamples,
  vitestExamples,
  jestExamples,
  pythonExamples,
  goExamples,
];
