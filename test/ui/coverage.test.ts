// The Coverage profile in the real workbench: sums in the coverage view, details in the gutter and of a single test.
import assert from 'node:assert/strict';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { installed } from './installed.ts';
import { until, type Workbench } from './workbench.ts';

const cart = `export class Cart {
  private items: { price: number; count: number }[] = [];

  add(price: number, count = 1): this {
    if (price < 0) {
      throw new Error('a price cannot be negative');
    }
    this.items.push({ price, count });
    return this;
  }

  total(): number {
    return this.items.reduce((sum, { price, count }) => sum + price * count, 0);
  }

  clear(): void {
    this.items = [];
  }
}

export const shipping = (total: number): number => (total > 50 ? 0 : 5);
`;

describe('coverage in the workbench', function () {
  let workbench: Workbench;

  const opened = installed(() =>
    temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
        'src/cart.ts': cart,
        'src/money.mjs':
          "export const euros = (cents) => `${cents / 100} €`;\nexport const free = () => 'free';\n",
        'tests/cart.test.ts': `import { expect, it } from 'vitest';\nimport { Cart, shipping } from '../src/cart.ts';\n\nit('adds prices up', () => {\n  expect(new Cart().add(10).add(5, 2).total()).toBe(20);\n  expect(shipping(20)).toBe(5);\n});\n`,
        'tests/money.tests.mjs':
          "import { euros } from '../src/money.mjs';\nexport default () => (euros(5), { passed: 1, failed: 0, errors: [] });\n",
      },
      { vitest: true, packages: ['@vitest/coverage-v8'] },
    ),
  );
  before(() => ({ workbench } = opened()));

  it('shows what each source has covered when the run has ended', async () => {
    await workbench.openTestingView();
    await workbench.openFile('cart.ts');
    await workbench.command('Test: Run All Tests with Coverage');
    await workbench.page.locator('.test-coverage-list-item').first().waitFor({ timeout: 150_000 });
    let shares: string[] = [];
    await until('both sources are listed', async () => {
      shares = await workbench.page
        .locator('.test-coverage-list-item')
        .evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
      return ['cart.ts', 'money.mjs'].every((name) => shares.some((row) => row.includes(name)));
    });
    await workbench.screenshot('coverage-list');
    assert.ok(
      shares.some((row) => /cart\.ts.*\d+(\.\d+)?%/.test(row)),
      shares.join('\n'),
    );
  });

  it('marks what ran and what did not beside the lines of the source', async () => {
    const marks = async (kind: string): Promise<number> =>
      workbench.page.locator(`.monaco-editor .coverage-deco-gutter.coverage-deco-${kind}`).count();
    await until('lines are marked', async () => (await marks('hit')) > 0);
    await workbench.screenshot('coverage');
    await workbench.picture('coverage');
    assert.ok((await marks('hit')) >= 5, `hit: ${await marks('hit')}`);
    assert.ok((await marks('miss')) >= 2, `miss: ${await marks('miss')}`);
  });
});
