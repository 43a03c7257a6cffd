// Which assertion stands for which: also in files that no table of all pairs has room for.
import assert from 'node:assert/strict';
import { alignAssertions } from '../../../src/core/policy/alignAssertions.ts';
import { factsOf } from '../../../src/core/policy/fileFacts.ts';

it('assertions of a huge test are paired where they are the same, without a table of all pairs', function () {
  this.timeout(30_000);
  const text = (count: number): string =>
    `test('all', () => {\n${Array.from({ length: count }, (_, n) => `  assert.equal(f(${n}), ${n});`).join('\n')}\n});\n`;
  const before = factsOf('a.test.js', text(3_000)).assertions;
  const [first, last] = [before[0], before.at(-1)];
  assert.ok(first !== undefined && last !== undefined);
  const many = Array.from({ length: 200_000 }, () => first);
  const same = alignAssertions([...many, last], [...many, last]);
  assert.deepEqual([same.pairs.length, same.lost.length, same.added.length], [200_001, 0, 0]);
  const other = factsOf('a.test.js', text(6_000).replaceAll('equal', 'deepEqual')).assertions.slice(3_000);
  const none = alignAssertions(before, other);
  assert.deepEqual([none.pairs.length, none.lost.length, none.added.length], [0, 3_000, 3_000]);
});
