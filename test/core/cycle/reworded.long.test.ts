// Reworded errors and changed calls in a whole cycle: proven in the sandbox, asked about, and bugs left for people.
import assert from 'node:assert/strict';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const files = {
  'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "4" } }',
  'src/take.ts': `export const take = (have: number, want: number) => {\n  if (want > have) throw new RangeError('no stock');\n  return have - want;\n};\n`,
  'src/save.ts': `export const save = (put: (table: string, name: string) => void, name: string) => put('users', name);\n`,
  'src/find.ts': `export const find = (all: Map<string, string>, id: string) => {\n  if (!all.has(id)) throw new Error('unknown id');\n  return all.get(id);\n};\n`,
  'tests/take.test.ts': `import { expect, it } from 'vitest';\nimport { take } from '../src/take.ts';\n\nit('takes no more than there is', () => {\n  expect(() => take(1, 2)).toThrow('no stock');\n});\n`,
  'tests/save.test.ts': `import { expect, it, vi } from 'vitest';\nimport { save } from '../src/save.ts';\n\nit('saves', () => {\n  const put = vi.fn();\n  save(put, 'Ada');\n  expect(put).toHaveBeenCalledWith('users', 'Ada');\n});\n`,
  'tests/find.test.ts': `import { expect, it } from 'vitest';\nimport { find } from '../src/find.ts';\n\nit('finds only what is there', () => {\n  expect(() => find(new Map(), 'a')).toThrow('unknown id');\n});\n`,
};

describe('a fix cycle over reworded errors and changed calls', function () {
  this.timeout(300_000);

  it('proves the new expectations and asks about them, and leaves a crash to a person', async () => {
    const workspace = await temporaryWorkspace(files, { git: true, vitest: true });
    try {
      await workspace.write('src/take.ts', files['src/take.ts'].replace('no stock', 'sold out'));
      await workspace.write('src/save.ts', files['src/save.ts'].replace('users', 'accounts'));
      await workspace.write(
        'src/find.ts',
        files['src/find.ts'].replace('all.has(id)', '(all as any).holds(id)'),
      );
      const { fixes, remaining, patch } = await mendWorkspace(workspace, { maxIterations: 5 });
      assert.deepEqual(
        fixes
          .map(({ provider, trust, state, verdict }) => `${provider} ${trust} ${state} ${verdict.verdict}`)
          .toSorted(),
        ['exception-text oracle unreviewed verified', 'mock-call oracle unreviewed verified'],
      );
      assert.match(patch, /^\+ {2}expect\(\(\) => take\(1, 2\)\)\.toThrow\('sold out'\);$/m);
      assert.match(patch, /^\+ {2}expect\(put\)\.toHaveBeenCalledWith\('accounts', 'Ada'\);$/m);
      assert.doesNotMatch(patch, /find\.test/);
      const [left, ...others] = remaining;
      assert.deepEqual([left?.file, others.length], ['tests/find.test.ts', 0]);
      assert.match(left?.reason ?? '', /No fix: The code crashed instead of throwing its own error/);
      assert.notEqual(left?.fault, 'test');
    } finally {
      await workspace.dispose();
    }
  });
});
