// What the reader of configuration modules makes of texts that it cannot read.
import assert from 'node:assert/strict';
import { loadReader } from '../../../../src/core/syntax/javascript/moduleText.ts';

describe('reading a configuration module', () => {
  it('knows nothing of a text with a syntax error, or one that nests without an end', async () => {
    const read = await loadReader();
    assert.equal(read('/shop/vitest.config.ts', 'export default {{'), undefined);
    assert.equal(read('/shop/vitest.config.ts', `export default ${'['.repeat(100_000)}`), undefined);
    assert.ok(read('/shop/vitest.config.ts', 'export default {}'));
  });

  it('hides no other error of the parser', async () => {
    const read = await loadReader();
    const noText: string = JSON.parse('null');
    assert.throws(() => read('/shop/vitest.config.ts', noText), TypeError);
  });
});
