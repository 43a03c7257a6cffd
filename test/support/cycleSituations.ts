// Changes of real workspaces that lead a cycle beyond its second iteration, the same ones in every framework.
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace.ts';

type SituationFramework = 'node:test' | 'vitest' | 'pytest';

/** How files of a language are named and written, as far as the situations need it. */
interface Language {
  readonly files: Readonly<Record<string, string>>;
  readonly packages: readonly string[];
  source(name: string): string;
  test(name: string): string;
  imports(name: string, source: string): string;
  /** Of a source that another one imports. */
  importsBeside(name: string, source: string): string;
  value(name: string, parameter: string, body: string): string;
  throws(name: string, parameter: string, message: string): string;
  /** A class that keeps its owner, a static method that makes one, and what it is called. */
  cart(make: string, words: string): string;
  /** `Cart.make(x)`, what it is called or whose it is. */
  text(value: string): string;
  testFile(imports: string, tests: readonly string[]): string;
  /** One test whose lines are statements. */
  one(title: string, ...lines: readonly string[]): string;
  equal(actual: string, expected: string): string;
  /** The same over several lines. */
  spread(actual: string, expected: string): string;
  assign(name: string, value: string): string;
  /** Asserts that a test file, found by a path that no tool can follow, has the text. */
  reads(name: string, text: string): readonly string[];
}

function script(framework: Exclude<SituationFramework, 'pytest'>): Language {
  const isVitest = framework === 'vitest';
  const importing = (name: string, file: string): string => `import { ${name} } from '${file}';\n`;
  const head = `import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from '${framework}';
`;
  return {
    files: {
      'package.json': JSON.stringify({
        type: 'module',
        scripts: { test: isVitest ? 'vitest' : 'node --test' },
        ...(isVitest && { devDependencies: { vitest: '*' } }),
      }),
      // One process for all test files: isolation would start one for each.
      ...(isVitest && {
        'vitest.config.js': 'export default { test: { isolate: false } };\n',
      }),
    },
    packages: isVitest ? ['vitest', 'vite'] : [],
    source: (name) => `src/${name}.js`,
    test: (name) => `test/${name}.test.js`,
    imports: (name, source) => importing(name, `../src/${source}.js`),
    importsBeside: (name, source) => importing(name, `./${source}.js`),
    value: (name, parameter, body) => `export const ${name} = (${parameter}) => ${body};\n`,
    throws: (name, parameter, message) =>
      `export const ${name} = (${parameter}) => {\n  throw new Error('${message}');\n};\n`,
    cart: (make, words) =>
      `export class Cart {\n  constructor(owner) {\n    this.owner = owner;\n  }\n  static ${make}(owner) {\n    return new Cart(owner);\n  }\n  title() {\n    return \`${words} \${this.owner}\`;\n  }\n}\n`,
    text: (value) => `'${value}'`,
    testFile: (imports, tests) => `${head}${imports}\n${tests.join('\n')}`,
    one: (title, ...lines) => `test('${title}', () => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`,
    equal: (actual, expected) => `assert.equal(${actual}, ${expected});`,
    spread: (actual, expected) => `assert.equal(\n    ${actual},\n    ${expected},\n  );`,
    assign: (name, value) => `const ${name} = ${value};`,
    reads: (name, text) => [
      `const file = ['${name.slice(0, 2)}', '${name.slice(2)}.test.js'].join('');`,
      `assert.ok(fs.readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('${text}'));`,
    ],
  };
}

const python: Language = {
  files: {
    'pytest.ini': '[pytest]\npythonpath = .\n',
    '.gitignore': '__pycache__/\n.pytest_cache/\n',
    'src/__init__.py': '',
  },
  packages: [],
  source: (name) => `src/${name}.py`,
  test: (name) => `test/test_${name}.py`,
  imports: (name, source) => `from src.${source} import ${name}\n`,
  importsBeside: (name, source) => `from src.${source} import ${name}\n\n\n`,
  value: (name, parameter, body) => `def ${name}(${parameter}):\n    return ${body}\n`,
  throws: (name, parameter, message) => `def ${name}(${parameter}):\n    raise RuntimeError("${message}")\n`,
  cart: (make, words) =>
    `class Cart:\n    def __init__(self, owner):\n        self.owner = owner\n\n    @classmethod\n    def ${make}(cls, owner):\n        return cls(owner)\n\n    def title(self):\n        return f"${words} {self.owner}"\n`,
  text: (value) => `"${value}"`,
  testFile: (imports, tests) => `from pathlib import Path\n\n${imports}\n\n${tests.join('\n\n')}`,
  one: (title, ...lines) =>
    `def test_${title.replaceAll(/\W+/g, '_')}():\n${lines.map((line) => `    ${line}\n`).join('')}`,
  equal: (actual, expected) => `assert ${actual} == ${expected}`,
  spread: (actual, expected) => `assert (\n        ${actual}\n        == ${expected}\n    )`,
  assign: (name, value) => `${name} = ${value}`,
  reads: (name, text) => [
    `file = "test_${name.slice(0, 2)}" + "${name.slice(2)}.py"`,
    `assert "${text}" in Path(__file__).with_name(file).read_text()`,
  ],
};

const languageOf = (framework: SituationFramework): Language =>
  framework === 'pytest' ? python : script(framework);

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/**
 * A class that moves, is made in another way and says another text; tests that meet all three, in a file with several of them and in one
 * with a single one, whose assertion goes over several lines; a source that throws; and tests that pass.
 */
export async function threeSteps(framework: SituationFramework): Promise<TemporaryWorkspace> {
  const own = languageOf(framework);
  const desk = (source: string, make: string): string =>
    own.importsBeside('Cart', source) + own.value('desk', 'owner', `Cart.${make}(owner).owner`);
  const ada = own.text('Ada');
  const workspace = await temporaryWorkspace(
    {
      ...own.files,
      [own.source('cart')]: own.cart('open', 'Cart of'),
      [own.source('desk')]: desk('cart', 'open'),
      [own.source('tax')]: own.value('tax', 'price', 'price / 5'),
      [own.test('cart')]: own.testFile(
        own.imports('Cart', 'cart'),
        numbers(3).map((n) =>
          own.one(
            `names the owner ${n}`,
            own.assign('cart', `Cart.open(${ada})`),
            own.equal('cart.title()', own.text('Cart of Ada')),
          ),
        ),
      ),
      [own.test('owner')]: own.testFile(own.imports('Cart', 'cart'), [
        own.one('names who opens it', own.spread(`Cart.open(${ada}).title()`, own.text('Cart of Ada'))),
      ]),
      [own.test('tax')]: own.testFile(own.imports('tax', 'tax'), [
        own.one('is a fifth', own.equal('tax(10)', '2')),
      ]),
      [own.test('desk')]: own.testFile(
        own.imports('desk', 'desk'),
        numbers(16).map((n) => own.one(`serves ${n}`, own.equal(`desk(${n})`, String(n)))),
      ),
    },
    { git: true, packages: own.packages },
  );
  workspace.git('mv', own.source('cart'), own.source('basket'));
  await workspace.write(own.source('basket'), own.cart('create', 'Basket of'));
  await workspace.write(own.source('desk'), desk('basket', 'create'));
  await workspace.write(own.source('tax'), own.throws('tax', 'price', 'no rate'));
  return workspace;
}

/** A source that moves, where tests hold the text of the test that has to follow it; and a text that is another one. */
export async function aFall(framework: SituationFramework): Promise<TemporaryWorkspace> {
  const own = languageOf(framework);
  const offer = (source: string): string =>
    own.importsBeside('price', source) + own.value('offer', 'n', 'price(n) - 1');
  const price = own.value('price', 'n', 'n * 2 + 1');
  const hello = (word: string): string =>
    own.value('hello', 'name', framework === 'pytest' ? `"${word}, " + name` : `'${word}, ' + name`);
  const path = framework === 'pytest' ? 'src.price' : 'src/price.js';
  const workspace = await temporaryWorkspace(
    {
      ...own.files,
      [own.source('price')]: price,
      [own.source('offer')]: offer('price'),
      [own.source('hello')]: hello('Hi'),
      [own.test('price')]: own.testFile(own.imports('price', 'price'), [
        own.one('is twice as much and one', own.equal('price(3)', '7')),
      ]),
      [own.test('watch')]: own.testFile(own.imports('offer', 'offer'), [
        own.one('is one less', own.equal('offer(3)', '6')),
        ...numbers(6).map((n) => own.one(`finds its example ${n}`, ...own.reads('price', path))),
      ]),
      [own.test('hello')]: own.testFile(
        own.imports('hello', 'hello'),
        ['Ada', 'Bob', 'Cy'].map((name) =>
          own.one(`greets ${name}`, own.equal(`hello(${own.text(name)})`, own.text(`Hi, ${name}`))),
        ),
      ),
    },
    { git: true, packages: own.packages },
  );
  workspace.git('mv', own.source('price'), own.source('amounts'));
  await workspace.write(own.source('offer'), offer('amounts'));
  await workspace.write(own.source('hello'), hello('Hello'));
  return workspace;
}
