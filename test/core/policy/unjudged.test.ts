// What the gate does not read is never called proven.
import assert from 'node:assert/strict';
import { whyUnjudged } from '../../../src/core/policy/unjudged.ts';

const change = (file: string, from?: string) => ({ file, from, before: 'a = 1\n', after: 'a = 2\n' });

describe('files that the gate does not read', () => {
  it('are named with their language: tests in Go and notebooks, flows of Maestro', () => {
    for (const [file, language] of [
      ['tests/cart.ipynb', 'Python'],
      ['tests/__snapshots__/test_cart.ambr', 'Python'],
      ['shop/cart.go', 'Go'],
      ['shop/cart_test.go', 'Go'],
      ['.maestro/login.yaml', 'YAML'],
      ['maestro/LOGIN.YML', 'YAML'],
    ] as const) {
      const reason = whyUnjudged([change('tests/cart.test.ts'), change(file)]) ?? '';
      assert.ok(reason.includes(language) && reason.includes(file), `${file}: ${reason}`);
    }
  });

  it('are those of Python in which more changes than an expected value, or that have another name', () => {
    assert.match(whyUnjudged([change('tests/test_cart.py')]) ?? '', /tests\/test_cart\.py:1/);
    const text = 'def test_a():\n    assert f() == 1\n';
    const only = { file: 'test_b.py', before: text, after: text.replace('1', '2') };
    assert.equal(whyUnjudged([only]), undefined);
    assert.match(whyUnjudged([{ ...only, from: 'test_a.py' }]) ?? '', /renamed/);
    assert.match(whyUnjudged([{ ...only, file: 'a.txt', from: 'test_a.py' }]) ?? '', /renamed/);
  });

  it('are those of Go in which more changes than an expected value, or that have another name', () => {
    const text = `package a

import "testing"

func TestA(t *testing.T) {
	if got := f(1); got != 2 {
		t.Error(got)
	}
}
`;
    const only = { file: 'b_test.go', before: text, after: text.replace('!= 2', '!= 3') };
    assert.equal(whyUnjudged([only]), undefined);
    assert.match(whyUnjudged([{ ...only, after: text.replace('f(1)', 'f(2)') }]) ?? '', /b_test\.go:6/);
    assert.match(whyUnjudged([{ ...only, from: 'a_test.go' }]) ?? '', /renamed Go files/);
    assert.match(whyUnjudged([{ ...only, file: 'a.txt', from: 'a_test.go' }]) ?? '', /renamed/);
  });

  it('are none where every file is JavaScript, TypeScript, JSON or a snapshot', () => {
    assert.equal(
      whyUnjudged(
        ['a.test.ts', 'b.mjs', 'fixtures/c.json', '__snapshots__/a.test.ts.snap'].map((file) => change(file)),
      ),
      undefined,
    );
  });
});
