// Numbers and arguments of calls that a test takes from the mock itself: the number is only proposed, whoever counts.
import assert from 'node:assert/strict';
import { expectedValue } from '../../../../src/core/fixes/assertion/expectedValue.ts';
import {
  mendCases,
  type MendedCase,
  type MendingCase,
  type MendingPlace,
} from '../../../support/mendCases.ts';

interface Situation {
  readonly change: readonly [from: string, to: string];
  /** Of mocha; `put` is node's mock. */
  readonly mocha?: string;
  readonly vitest?: string;
  readonly becomes: readonly [from: string, to: string] | RegExp;
  readonly trust?: 'oracle' | 'propose';
}

const source = `export const save = (put, user) => {\n  put('users', user);\n  put('log', user);\n  return 2;\n};\n`;
const more = [`put('log', user);`, `put('log', user);\n  put('log', user);`] as const;
const none = [`  put('users', user);\n  put('log', user);\n`, ``] as const;

const situations: Readonly<Record<string, Situation>> = {
  count: {
    change: more,
    mocha: `assert.equal(put.mock.callCount(), 2);`,
    vitest: `expect(put.mock.calls.length).toBe(2);`,
    becomes: ['2);', '3);'],
    trust: 'propose',
  },
  length: {
    change: more,
    mocha: `assert.strictEqual(put.mock.calls.length, 2);`,
    vitest: `expect(put.mock.calls).toHaveLength(2);`,
    becomes: ['2);', '3);'],
    trust: 'propose',
  },
  gone: {
    change: none,
    mocha: `assert.equal(put.mock.callCount(), 2);`,
    vitest: `expect(put.mock.calls).toHaveLength(2);`,
    becomes: /not called at all/,
  },
  args: {
    change: [`put('users', user)`, `put('accounts', user)`],
    mocha: `assert.deepEqual(put.mock.calls[0].arguments, ['users', 'Ada']);`,
    vitest: `expect(put.mock.calls[0]).toEqual(['users', 'Ada']);`,
    becomes: [`'users'`, `'accounts'`],
    trust: 'oracle',
  },
  number: {
    change: ['return 2', 'return 3'],
    mocha: `assert.equal(result, 2);`,
    vitest: `expect(result).toBe(2);`,
    becomes: ['2);', '3);'],
    trust: 'oracle',
  },
};

const heads = {
  mocha: `import assert from 'node:assert/strict';\nimport { mock } from 'node:test';\n`,
  vitest: `import { expect, it, vi } from 'vitest';\n`,
} as const;

describe('calls that a test counts itself', function () {
  this.timeout(240_000);
  for (const framework of ['mocha', 'vitest'] as const satisfies readonly MendingPlace['framework'][])
    describe(framework, () => {
      const cases = Object.fromEntries(
        Object.entries(situations).map(([name, one]): [string, MendingCase] => {
          const put = framework === 'mocha' ? 'mock.fn()' : 'vi.fn()';
          const file = framework === 'mocha' ? `${name}.js` : name;
          const test = `${heads[framework]}import { save } from '../src/${file}';\n\nit('saves', () => {\n  const put = ${put};\n  const result = save(put, 'Ada');\n  ${one[framework] ?? ''}\n});\n`;
          return [name, { source, change: one.change, test }];
        }),
      );
      let mended: Readonly<Record<string, MendedCase>>;
      before(async () => {
        mended = await mendCases(cases, { framework, provider: expectedValue });
      });
      for (const [name, { becomes, trust }] of Object.entries(situations))
        it(name, () => {
          const found = mended[name];
          const before = cases[name]?.test ?? '';
          assert.ok(found);
          if (becomes instanceof RegExp) {
            assert.equal(found.text, before);
            assert.match(found.refusals.join('\n'), becomes);
            return;
          }
          assert.equal(found.text, before.replace(becomes[0], becomes[1]), found.refusals.join('\n'));
          assert.ok(found.passes, found.text);
          assert.deepEqual(
            found.fixes.map((fix) => fix.trust),
            [trust],
          );
        });
    });
});
