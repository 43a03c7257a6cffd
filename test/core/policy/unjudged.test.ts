// What the gate does not read is never called proven.
import assert from 'node:assert/strict';
import { whyUnjudged } from '../../../src/core/policy/unjudged.ts';

describe('files that the gate does not read', () => {
  it('are named with their language: tests in Python and Go, flows of Maestro', () => {
    for (const [file, language] of [
      ['tests/test_cart.py', 'Python'],
      ['shop/cart_test.go', 'Go'],
      ['.maestro/login.yaml', 'YAML'],
      ['maestro/LOGIN.YML', 'YAML'],
    ] as const) {
      const reason = whyUnjudged(['tests/cart.test.ts', file]) ?? '';
      assert.ok(reason.includes(language) && reason.includes(file), `${file}: ${reason}`);
    }
  });

  it('are none where every file is JavaScript, TypeScript, JSON or a snapshot', () => {
    assert.equal(
      whyUnjudged(['a.test.ts', 'b.mjs', 'fixtures/c.json', '__snapshots__/a.test.ts.snap']),
      undefined,
    );
  });
});
