// Changes of real workspaces that lead a cycle beyond its second iteration: of no framework's own, so in node:test, which starts quickly.
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace.ts';

const source = (name: string): string => `src/${name}.js`;
const testOf = (name: string): string => `test/${name}.test.js`;
const importing = (name: string, from: string): string => `import { ${name} } from '${from}';\n`;
const imports = (name: string, from: string): string => importing(name, `../src/${from}.js`);
const importsBeside = (name: string, from: string): string => importing(name, `./${from}.js`);
const value = (name: string, parameter: string, body: string): string =>
  `export const ${name} = (${parameter}) => ${body};\n`;
const equal = (actual: string, expected: string): string => `assert.equal(${actual}, ${expected});`;
/** One test whose lines are statements. */
const one = (title: string, ...lines: readonly string[]): string =>
  `test('${title}', () => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;
const head = `import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
`;
const testFile = (imported: string, tests: readonly string[]): string =>
  `${head}${imported}\n${tests.join('\n')}`;
const manifest = { 'package.json': '{"type":"module","scripts":{"test":"node --test"}}' };

/** A class that keeps its owner, a static method that makes one, and what it is called. */
const cart = (make: string, words: string): string =>
  `export class Cart {\n  constructor(owner) {\n    this.owner = owner;\n  }\n  static ${make}(owner) {\n    return new Cart(owner);\n  }\n  title() {\n    return \`${words} \${this.owner}\`;\n  }\n}\n`;

/** Asserts that a test file, found by a path that no tool can follow, has the text. */
const reads = (name: string, text: string): readonly string[] => [
  `const file = ['${name.slice(0, 2)}', '${name.slice(2)}.test.js'].join('');`,
  `assert.ok(fs.readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('${text}'));`,
];

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/**
 * A class that moves, is made in another way and says another text; tests that meet all three, in a file with several of them and in one
 * with a single one, whose assertion goes over several lines; a source that throws; and tests that pass.
 */
export async function threeSteps(): Promise<TemporaryWorkspace> {
  const desk = (source: string, make: string): string =>
    importsBeside('Cart', source) + value('desk', 'owner', `Cart.${make}(owner).owner`);
  const workspace = await temporaryWorkspace(
    {
      ...manifest,
      [source('cart')]: cart('open', 'Cart of'),
      [source('desk')]: desk('cart', 'open'),
      [source('tax')]: value('tax', 'price', 'price / 5'),
      [testOf('cart')]: testFile(
        imports('Cart', 'cart'),
        numbers(3).map((n) =>
          one(
            `names the owner ${n}`,
            "const cart = Cart.open('Ada');",
            equal('cart.title()', "'Cart of Ada'"),
          ),
        ),
      ),
      [testOf('owner')]: testFile(imports('Cart', 'cart'), [
        one('names who opens it', "assert.equal(\n    Cart.open('Ada').title(),\n    'Cart of Ada',\n  );"),
      ]),
      [testOf('tax')]: testFile(imports('tax', 'tax'), [one('is a fifth', equal('tax(10)', '2'))]),
      [testOf('desk')]: testFile(
        imports('desk', 'desk'),
        numbers(16).map((n) => one(`serves ${n}`, equal(`desk(${n})`, String(n)))),
      ),
    },
    { git: true },
  );
  workspace.git('mv', source('cart'), source('basket'));
  await workspace.write(source('basket'), cart('create', 'Basket of'));
  await workspace.write(source('desk'), desk('basket', 'create'));
  await workspace.write(
    source('tax'),
    "export const tax = (price) => {\n  throw new Error('no rate');\n};\n",
  );
  return workspace;
}

/** A source that moves, where tests hold the text of the test that has to follow it; and a text that is another one. */
export async function aFall(): Promise<TemporaryWorkspace> {
  const offer = (source: string): string =>
    importsBeside('price', source) + value('offer', 'n', 'price(n) - 1');
  const price = value('price', 'n', 'n * 2 + 1');
  const hello = (word: string): string => value('hello', 'name', `'${word}, ' + name`);
  const workspace = await temporaryWorkspace(
    {
      ...manifest,
      [source('price')]: price,
      [source('offer')]: offer('price'),
      [source('hello')]: hello('Hi'),
      [testOf('price')]: testFile(imports('price', 'price'), [
        one('is twice as much and one', equal('price(3)', '7')),
      ]),
      [testOf('watch')]: testFile(imports('offer', 'offer'), [
        one('is one less', equal('offer(3)', '6')),
        ...numbers(6).map((n) => one(`finds its example ${n}`, ...reads('price', 'src/price.js'))),
      ]),
      [testOf('hello')]: testFile(
        imports('hello', 'hello'),
        ['Ada', 'Bob', 'Cy'].map((name) => one(`greets ${name}`, equal(`hello('${name}')`, `'Hi, ${name}'`))),
      ),
    },
    { git: true },
  );
  workspace.git('mv', source('price'), source('amounts'));
  await workspace.write(source('offer'), offer('amounts'));
  await workspace.write(source('hello'), hello('Hello'));
  return workspace;
}
