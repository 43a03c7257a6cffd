// How a cycle goes on after its second iteration, as `fix --json` tells it: whole groups, and what is stuck.
import assert from 'node:assert/strict';
import type { z } from 'zod';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { testmend } from '../../support/testmendCli.ts';
import { documentOf, fixDocument } from '../../cli/schemas.ts';

const count = (number: number, text: (index: number) => string): string =>
  Array.from({ length: number }, (_, index) => text(index)).join('\n');

/** A class that moves, is made in another way and says another text; tests that meet all three; a source that throws; and tests that pass. */
const threeSteps = {
  'node:test': async (): Promise<TemporaryWorkspace> => {
    const head = (name: string, file: string): string =>
      `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '${file}';\n\n`;
    const cart = (make: string, words: string): string =>
      `export class Cart {\n  constructor(owner) {\n    this.owner = owner;\n  }\n  static ${make}(owner) {\n    return new Cart(owner);\n  }\n  title() {\n    return \`${words} \${this.owner}\`;\n  }\n}\n`;
    const desk = (file: string, make: string): string =>
      `import { Cart } from '${file}';\n\nexport const desk = (owner) => Cart.${make}(owner).owner;\n`;
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        'src/cart.js': cart('open', 'Cart of'),
        'src/desk.js': desk('./cart.js', 'open'),
        'src/tax.js': 'export const tax = (price) => price / 5;\n',
        'test/cart.test.js':
          head('Cart', '../src/cart.js') +
          count(
            3,
            (n) =>
              `test('names the owner, ${n}', () => {\n  const cart = Cart.open('Ada');\n  assert.equal(cart.title(), 'Cart of Ada');\n});\n`,
          ),
        'test/tax.test.js': `${head('tax', '../src/tax.js')}test('is a fifth', () => {\n  assert.equal(tax(10), 2);\n});\n`,
        'test/desk.test.js':
          head('desk', '../src/desk.js') +
          count(12, (n) => `test('serves ${n}', () => {\n  assert.equal(desk('${n}'), '${n}');\n});\n`),
      },
      { git: true },
    );
    workspace.git('mv', 'src/cart.js', 'src/basket.js');
    await workspace.write('src/basket.js', cart('create', 'Basket of'));
    await workspace.write('src/desk.js', desk('./basket.js', 'create'));
    await workspace.write(
      'src/tax.js',
      "export const tax = (price) => {\n  throw new Error('no rate');\n};\n",
    );
    return workspace;
  },
};

describe('a cycle seen from outside', function () {
  this.timeout(400_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  const fix = async (...more: string[]): Promise<z.infer<typeof fixDocument>> =>
    documentOf(
      fixDocument,
      await testmend(['fix', '--json', ...more], { cwd: workspace.root, limitMs: 300_000 }),
    );

  for (const [framework, build] of Object.entries(threeSteps))
    it(`tries a whole group in its third iteration, and calls stuck what nothing moved: ${framework}`, async () => {
      workspace = await build();
      const document = await fix();
      const told = JSON.stringify(document, undefined, 1);
      const [first, second, third] = document.iterations;
      assert.deepEqual(
        [first, second, third].map((record) => [record?.strategy, record?.passed, record?.total]),
        [
          ['conservative', 12, 14],
          ['conservative', 12, 14],
          ['aggressive', 12, 14],
        ],
        told,
      );
      assert.equal(first?.failed_tests.length, 2, told);
      assert.equal(third?.after?.passed, 15, told);
      const group = document.fixes.find(({ grade }) => grade === 'aggressive');
      assert.deepEqual([group?.verdict, group?.trust], ['verified', 'oracle'], told);
      assert.equal(group?.failures.filter((id) => id.includes('#')).length, 3, told);
      assert.deepEqual(
        group?.parts?.map(({ trust }) => trust === 'oracle'),
        group?.parts?.map((_, index, all) => index === all.length - 1),
        told,
      );
      const [left, ...others] = document.remaining;
      assert.equal(others.length, 0, told);
      assert.match(left?.reason ?? '', /no rate.*It failed the same way in three iterations/s, told);
    });
});
