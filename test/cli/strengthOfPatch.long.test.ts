// A patch that passes is weighed: do its tests notice the planted bugs that they noticed before it?
import assert from 'node:assert/strict';
import { verifyDocument, type VerifyJson } from '../../src/core/engine/documentSchemas.ts';
import { unifiedDiff } from '../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { documentOf } from './schemas.ts';

const source = `export function total(items) {
  let sum = 0;
  for (const { price, count } of items) sum += price * count;
  return sum > 100 ? sum * 0.9 : sum;
}
export function greet(name, mark = '!') {
  const word = 'Hello';
  return word + ', ' + name + mark;
}
export const later = (n) => n * 2;
`;
const test = `import { expect, it } from 'vitest';
import { greet, total } from '../src/cart.js';
it('is close', () => { expect({ sum: total([{ price: 12.5, count: 2 }]) }).toEqual({ sum: expect.closeTo(25, 2) }); });
it('greets', () => { expect(greet('Ann')).toBe('Hello, Ann!'); });
`;
const file = 'test/cart.test.js';

describe('testmend verify, of a patch that passes', function () {
  this.timeout(120_000);
  let shop: TemporaryWorkspace;
  const open = async (text: string, packageJson: string): Promise<void> => {
    const files = { 'package.json': packageJson, 'src/cart.js': source, [file]: text };
    shop = await temporaryWorkspace(files, { git: true, vitest: true });
  };
  afterEach(() => shop.dispose());
  const verify = (before: string, after: string, ...args: string[]): Promise<CliResult> =>
    testmend(['verify', '--patch', '-', ...args], {
      cwd: shop.root,
      input: unifiedDiff(file, before, after),
    });
  const judged = async (before: string, after: string): Promise<VerifyJson> =>
    documentOf(verifyDocument, await verify(before, after, '--json'));
  const loose = test.replace('closeTo(25, 2)', 'closeTo(25, -2)');

  it('rejects it where its tests notice less, and names each bug with who noticed it', async () => {
    await open(test, '{ "type": "module", "devDependencies": { "vitest": "4" } }');
    const { verdict, reason = '', strength } = await judged(test, loose);
    assert.equal(verdict, 'rejected');
    assert.match(reason, /^The tests pass, and notice less than before: \d+ of the \d+ planted bugs/);
    assert.equal(strength?.answer, 'weaker');
    const lost = strength?.lost.map(({ line, from, to, by }) => [line, `${from} → ${to}`, ...by.names]);
    assert.deepEqual(
      lost?.find(([, change]) => change === 'price * count → price / count'),
      [3, 'price * count → price / count', 'is close'],
    );
  });

  it('says that they still notice all, against the sources with which they passed', async () => {
    const own = `import { it } from 'node:test';
import assert from 'node:assert/strict';
import { greet } from '../src/cart.js';
it('greets', () => { assert.equal(greet('Ann'), 'Hello, Ann!'); });
`;
    await open(own, '{ "type": "module", "scripts": { "test": "node --test" } }');
    await shop.write('src/cart.js', source.replace("'Hello'", "'Hi'"));
    const patch = own.replace("'Hello, Ann!'", "'Hi, Ann!'");
    const { verdict, reason, strength } = await judged(own, patch);
    assert.equal(verdict, 'verified', reason);
    assert.equal(strength?.answer, 'kept');
    assert.equal(strength?.still, strength?.noticed);
    assert.ok((strength?.noticed ?? 0) >= 3, 'bugs in lines that did not change');
    assert.match((await verify(own, patch)).stdout, /still notices \d+ of \d+ planted bugs/);

    await shop.write('src/cart.js', source);
    const { stdout } = await verify(own, own.replace("greet('Ann')", "greet('Ann', '!')"));
    assert.match(stdout, /no longer noticed: '!' → ""\n {4}src\/cart\.js:6, was noticed by "greets"/);
  });
});
