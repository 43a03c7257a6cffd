// Layers of tests (CONTRACTS F1): by name, by folder, by framework, by the user's globs.
import assert from 'node:assert/strict';
import { layerNote, layersBy } from '../../../src/core/run/layers.ts';
import type { FrameworkId } from '../../../src/core/model/testNode.ts';

describe('layers', () => {
  const cases: readonly (readonly [string, string, FrameworkId?])[] = [
    ['src/cart.test.ts', 'L1'],
    ['tests/unit/cart.test.ts', 'L1'],
    ['tests/integration/cart.test.ts', 'L2'],
    ['test/int/cart.test.ts', 'L2'],
    ['src/int/parse.test.ts', 'L1'],
    ['src/cart.int.test.ts', 'L2'],
    ['tests/test_integration_cart.py', 'L2'],
    ['tests/int.test.ts', 'L1'],
    ['integration.test.ts', 'L2'],
    ['e2e/cart.spec.ts', 'L3'],
    ['apps/web-e2e/unit/names.test.ts', 'L1'],
    ['cypress/checkout.cy.ts', 'L3'],
    ['tests/system/boot.test.ts', 'L3'],
    ['src/system/clock.test.ts', 'L1'],
    ['system.test.ts', 'L1'],
    ['integration-tests/a.test.ts', 'L2'],
    ['web/checkout.spec.ts', 'L3', 'playwright'],
  ];
  for (const [file, layer, framework = 'vitest'] of cases)
    it(`puts ${file} into ${layer}`, () => assert.equal(layersBy()({ file, framework }), layer));

  it("goes by the user's globs first, and by the convention only for layers without", () => {
    const layerOf = layersBy({ L2: ['packages/*/spec/**'], L3: ['**/slow/**'] });
    const of = (file: string): string => layerOf({ file, framework: 'jest' });
    assert.equal(of('packages/a/spec/x.test.ts'), 'L2');
    assert.equal(of('packages/a/spec/slow/x.test.ts'), 'L3');
    assert.equal(of('tests/integration/x.test.ts'), 'L1');
    assert.equal(of('e2e/x.test.ts'), 'L1');
  });

  it('says how many files each layer has', () => {
    assert.equal(layerNote('L1', ['L1', 'L2', 'L1']), 'Layer L1: 2 of 3 test files (L2: 1, L3: 0).');
  });
});
