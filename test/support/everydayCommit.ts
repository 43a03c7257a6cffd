// An everyday change in four frameworks: a file moves, a method has another name, a text is another one, and every test of a file meets two of the three.
import type { TemporaryWorkspace } from './temporaryWorkspace.ts';
import { temporaryWorkspace } from './temporaryWorkspace.ts';

export interface EverydayCommit {
  readonly workspace: TemporaryWorkspace;
  readonly testFile: string;
  /** The test file as it should be in the end, and as far as nobody needs to be asked. */
  readonly mended: string;
  readonly mechanical: string;
  /** Are a name and a value changed test by test, so that a question brings the names along that it needs? */
  readonly goesTestByTest: boolean;
}

const frameworks = {
  'node:test': {
    packages: [],
    head: esmHead("import assert from 'node:assert/strict';\nimport { test } from 'node:test';"),
  },
  vitest: {
    packages: ['vitest', 'vite'],
    head: esmHead("import assert from 'node:assert/strict';\nimport { test } from 'vitest';"),
  },
  jest: { packages: ['jest'], head: cjsHead },
} as const;

export type EverydayFramework = keyof typeof frameworks | 'pytest';

/** The working tree holds the change; the last commit is what was before it. */
export function everydayCommit(framework: EverydayFramework): Promise<EverydayCommit> {
  return framework === 'pytest' ? pythonCommit() : scriptCommit(framework);
}

async function scriptCommit(framework: keyof typeof frameworks): Promise<EverydayCommit> {
  const { packages, head } = frameworks[framework];
  const isEsm = framework !== 'jest';
  const testFile = 'test/cart.test.js';
  const cart = (name: string, words: string): string =>
    `${isEsm ? 'export ' : 'exports.Cart = '}class Cart {
  constructor(owner) {
    this.owner = owner;
    this.prices = [];
  }
  add(price) {
    this.prices.push(price);
    return this;
  }
  ${name}() {
    return this.prices.reduce((sum, price) => sum + price, 0);
  }
  title() {
    return \`${words} \${this.owner}\`;
  }
}${isEsm ? '' : ';'}
`;
  const checkout = (file: string, name: string): string =>
    `${isEsm ? `import { Cart } from '${file}';\n\nexport const due =` : `const { Cart } = require('${file}');\n\nexports.due =`} (owner, price) => new Cart(owner).add(price).${name}();
`;
  const tests = (file: string, name: string, words: string, last = name): string => `${head('Cart', file)}
test('adds prices', () => {
  const cart = new Cart('Ada').add(3).add(2);
  assert.equal(cart.${name}(), 5);
});

test('has nothing to pay when it is empty', () => {
  assert.equal(new Cart('Ada').${name}(), 0);
});

test('names its owner', () => {
  assert.equal(new Cart('Ada').title(), '${words} Ada');
});

test('names its owner and its sum', () => {
  const cart = new Cart('Bob').add(3);
  assert.equal(cart.title(), '${words} Bob');
  assert.equal(cart.${last}(), 3);
});
`;
  const workspace = await temporaryWorkspace(
    {
      'package.json': JSON.stringify({
        name: 'shop',
        ...(isEsm && { type: 'module' }),
        scripts: { test: framework === 'node:test' ? 'node --test' : framework },
        ...(packages[0] !== undefined && { devDependencies: { [packages[0]]: '*' } }),
      }),
      'src/cart.js': cart('total', 'Cart of'),
      'src/checkout.js': checkout('./cart.js', 'total'),
      [testFile]: tests('../src/cart.js', 'total', 'Cart of'),
      'test/checkout.test.js': `${head('due', '../src/checkout.js')}
test('is what it costs', () => {
  assert.equal(due('Ada', 4), 4);
});
`,
    },
    { git: true, packages },
  );
  workspace.git('mv', 'src/cart.js', 'src/basket.js');
  await workspace.write('src/basket.js', cart('amount', 'Basket of'));
  await workspace.write('src/checkout.js', checkout('./basket.js', 'amount'));
  const mended = tests('../src/basket.js', 'amount', 'Basket of');
  const mechanical = tests('../src/basket.js', 'amount', 'Cart of', 'total');
  return { workspace, testFile, mended, mechanical, goesTestByTest: true };
}

async function pythonCommit(): Promise<EverydayCommit> {
  const testFile = 'tests/test_cart.py';
  const cart = (name: string, words: string): string => `class Cart:
    def __init__(self, owner):
        self.owner = owner
        self.prices = []

    def add(self, price):
        self.prices.append(price)
        return self

    def ${name}(self):
        return sum(self.prices)

    def title(self):
        return f"${words} {self.owner}"
`;
  const checkout = (module: string, name: string): string => `from shop.${module} import Cart


def due(owner, price):
    return Cart(owner).add(price).${name}()
`;
  const tests = (module: string, name: string, words: string): string => `from shop.${module} import Cart


def test_adds_prices():
    cart = Cart("Ada").add(3).add(2)
    assert cart.${name}() == 5


def test_has_nothing_to_pay_when_it_is_empty():
    assert Cart("Ada").${name}() == 0


def test_names_its_owner():
    assert Cart("Ada").title() == "${words} Ada"


def test_names_its_owner_and_its_sum():
    cart = Cart("Bob").add(3)
    assert cart.title() == "${words} Bob"
    assert cart.${name}() == 3
`;
  const workspace = await temporaryWorkspace(
    {
      'pytest.ini': '[pytest]\npythonpath = .\n',
      '.gitignore': '__pycache__/\n.pytest_cache/\n',
      'shop/__init__.py': '',
      'shop/cart.py': cart('total', 'Cart of'),
      'shop/checkout.py': checkout('cart', 'total'),
      [testFile]: tests('cart', 'total', 'Cart of'),
      'tests/test_checkout.py': `from shop.checkout import due


def test_is_what_it_costs():
    assert due("Ada", 4) == 4
`,
    },
    { git: true },
  );
  workspace.git('mv', 'shop/cart.py', 'shop/basket.py');
  await workspace.write('shop/basket.py', cart('amount', 'Basket of'));
  await workspace.write('shop/checkout.py', checkout('basket', 'amount'));
  const mended = tests('basket', 'amount', 'Basket of');
  const mechanical = tests('basket', 'amount', 'Cart of');
  return { workspace, testFile, mended, mechanical, goesTestByTest: false };
}

function esmHead(runner: string) {
  return (name: string, file: string): string => `${runner}\nimport { ${name} } from '${file}';\n`;
}

function cjsHead(name: string, file: string): string {
  return `const assert = require('node:assert/strict');\nconst { ${name} } = require('${file}');\n`;
}
