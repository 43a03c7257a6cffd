// Calls of mocks that changed: what assertions about them become, and what is left to people.
import assert from 'node:assert/strict';
import { mockCall } from '../../../../src/core/fixes/mocks/mockCall.ts';
import { mendCases, type MendedCase, type MendingCase } from '../../../support/mendCases.ts';

interface Situation extends MendingCase {
  /** What of the test file changes; or why there is no fix. */
  readonly becomes: readonly [from: string, to: string] | RegExp;
  /** Why it is only proposed; else it is asked about. */
  readonly stop?: RegExp;
}

const save = (name: string, call: string): string =>
  `export const ${name} = (db: { put: (...args: unknown[]) => void }, user: string) => {\n  ${call}\n};\n`;
const vitest = (name: string, body: string): string =>
  `import { expect, it, vi } from 'vitest';\nimport { ${name} } from '../src/${name}';\n\nit('saves', () => {\n  const put = vi.fn();\n  ${body}\n});\n`;

const situations: Readonly<Record<string, Situation>> = {
  text: {
    source: save('text', `db.put('users', user);`),
    change: [`'users'`, `'accounts'`],
    test: vitest('text', `text({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith("users", 'Ada');`),
    becomes: ['"users"', '"accounts"'],
  },
  leaf: {
    source: save('leaf', `db.put({ name: user, tags: ['new'], at: 1 }, { copies: 2 });`),
    change: [`copies: 2`, `copies: 3`],
    test: vitest(
      'leaf',
      `leaf({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith(\n    { name: 'Ada', tags: expect.any(Array), at: 1 }, // the row\n    { copies: 2 },\n  );`,
    ),
    becomes: ['copies: 2', 'copies: 3'],
  },
  more: {
    source: save('more', `db.put(user);`),
    change: [`put(user)`, `put(user, { quiet: true })`],
    test: vitest('more', `more({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith('Ada');`),
    becomes: [`('Ada');\n}`, `('Ada', { quiet: true });\n}`],
  },
  last: {
    source: save('last', `db.put('begin');\n  db.put(user, 'v1');`),
    change: [`'v1'`, `'v2'`],
    test: vitest('last', `last({ put }, 'Ada');\n  expect(put).toHaveBeenLastCalledWith('Ada', 'v1');`),
    becomes: [`'v1'`, `'v2'`],
  },
  nth: {
    source: save('nth', `db.put('begin', user);\n  db.put('end', user);`),
    change: [`'begin'`, `'start'`],
    test: vitest('nth', `nth({ put }, 'Ada');\n  expect(put).toHaveBeenNthCalledWith(1, 'begin', 'Ada');`),
    becomes: [`'begin'`, `'start'`],
  },
  one: {
    source: save('one', `db.put('log', 'saving');\n  db.put('users', user, 1);`),
    change: [`user, 1`, `user, 2`],
    test: vitest('one', `one({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith('users', 'Ada', 1);`),
    becomes: [`, 1)`, `, 2)`],
  },
  soft: {
    source: save('soft', `db.put('users', user);`),
    change: [`'users'`, `'accounts'`],
    test: vitest('soft', `soft({ put }, 'Ada');\n  expect.soft(put).toHaveBeenCalledWith('users', 'Ada');`),
    becomes: [`'users'`, `'accounts'`],
  },
  constant: {
    source: save('constant', `db.put('users', user);`),
    change: [`'users'`, `'accounts'`],
    test: vitest(
      'constant',
      `const table = 'users';\n  constant({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith(table, 'Ada');`,
    ),
    becomes: [`= 'users'`, `= 'accounts'`],
  },
  times: {
    source: save('times', `db.put(user);`),
    change: [`db.put(user);`, `db.put(user);\n  db.put(user);`],
    test: vitest('times', `times({ put }, 'Ada');\n  expect(put).toHaveBeenCalledTimes(1);`),
    becomes: ['Times(1)', 'Times(2)'],
    stop: /number of calls is behavior/,
  },
  fewer: {
    source: save('fewer', `db.put(user, { safe: true });`),
    change: [`user, { safe: true }`, `user`],
    test: vitest(
      'fewer',
      `fewer({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith('Ada', { safe: true });`,
    ),
    becomes: [`, { safe: true }`, ''],
    stop: /fewer arguments/,
  },
  lost: {
    source: save('lost', `db.put(user, user.length);`),
    change: [`user.length`, `(user as any).size`],
    test: vitest('lost', `lost({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith('Ada', 3);`),
    becomes: ['3);\n}', 'undefined);\n}'],
    stop: /undefined/,
  },
  flag: {
    source: save('flag', `db.put(user, user.length > 2);`),
    change: ['> 2', '< 2'],
    test: vitest('flag', `flag({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith('Ada', true);`),
    becomes: ['true);\n}', 'false);\n}'],
    stop: /inverted/,
  },
  never: {
    source: save('never', `if (user) db.put(user);`),
    change: ['if (user)', 'if (!user)'],
    test: vitest('never', `never({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith('Ada');`),
    becomes: /not called at all/,
  },
  neverOnce: {
    source: save('neverOnce', `if (user) db.put(user);`),
    change: ['if (user)', 'if (!user)'],
    test: vitest('neverOnce', `neverOnce({ put }, 'Ada');\n  expect(put).toHaveBeenCalledTimes(1);`),
    becomes: /not called at all/,
  },
  swapped: {
    source: save('swapped', `db.put('a', user);\n  db.put('b', user);`),
    change: [`db.put('a', user);\n  db.put('b', user);`, `db.put('b', user);\n  db.put('a', user);`],
    test: vitest(
      'swapped',
      `swapped({ put }, 'Ada');\n  expect(put).toHaveBeenNthCalledWith(1, 'a', 'Ada');`,
    ),
    becomes: /order of the calls/,
  },
  several: {
    source: save('several', `db.put('a');\n  db.put('b');`),
    change: [`'a'`, `'c'`],
    test: vitest('several', `several({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith('a');`),
    becomes: /it is unclear which call is meant/,
  },
  fed: {
    source: save('fed', `db.put(user);`),
    change: ['put(user)', 'put(user.trim().toLowerCase())'],
    test: vitest(
      'fed',
      `const name = 'Ada';\n  fed({ put }, name);\n  expect(put).toHaveBeenCalledWith(name);`,
    ),
    becomes: /also/,
  },
  forbidden: {
    source: save('forbidden', `if (user === 'x') db.put(user);`),
    change: [`=== 'x'`, `!== 'x'`],
    test: vitest('forbidden', `forbidden({ put }, 'Ada');\n  expect(put).not.toHaveBeenCalledWith('Ada');`),
    becomes: /negated/,
  },
};

function holdsFor(situation: Situation, mended: MendedCase): void {
  const { becomes, test, stop } = situation;
  if (becomes instanceof RegExp) {
    assert.deepEqual([mended.fixes.length, mended.text], [0, test]);
    assert.match(mended.refusals.join(' '), becomes);
    return;
  }
  assert.deepEqual(mended.refusals, []);
  assert.equal(
    mended.text,
    test.replace(becomes[0], () => becomes[1]),
  );
  const [fix, ...others] = mended.fixes;
  assert.deepEqual([fix?.trust, fix?.provider, others.length], [stop ? 'propose' : 'oracle', 'mock-call', 0]);
  const reasons = (fix?.stops ?? []).map(({ reason }) => reason).join(' ');
  if (stop) assert.match(reasons, stop);
  else assert.equal(reasons, '');
  // What is only proposed is for a person in the gate, too.
  const rules = mended.rules.filter((rule) => stop === undefined || rule !== 'suspect-value');
  assert.deepEqual([mended.passes, rules], [true, []]);
}

describe('the fixer of calls of mocks', function () {
  this.timeout(300_000);
  let mended: Readonly<Record<string, MendedCase>>;

  before(async () => {
    mended = await mendCases(situations, { framework: 'vitest', provider: mockCall });
  });

  for (const [name, situation] of Object.entries(situations))
    it(`${situation.becomes instanceof RegExp ? 'refuses' : situation.stop ? 'only proposes' : 'mends'}: ${name}`, () => {
      const found = mended[name];
      assert.ok(found);
      holdsFor(situation, found);
    });

  it('says what was called, and what was expected', () => {
    const [fix] = mended['one']?.fixes ?? [];
    assert.equal(fix?.title, 'expect argument 3 2 (was 1)');
    assert.equal(
      fix.evidence[0],
      "While the test ran, `put` was called with ('users', 'Ada', 2); line 7 expects ('users', 'Ada', 1).",
    );
  });
});

describe('the fixer of calls of mocks in jest', function () {
  this.timeout(300_000);

  it('mends arguments and proposes numbers', async () => {
    const source = (name: string, call: string): string =>
      `export const ${name} = (db, user) => {\n  ${call}\n};\n`;
    const test = (name: string, body: string): string =>
      `import { ${name} } from '../src/${name}';\n\nit('saves', () => {\n  const put = jest.fn();\n  ${body}\n});\n`;
    const situations: Readonly<Record<string, Situation>> = {
      leaf: {
        source: source('leaf', `db.put({ name: user, at: Date.now() }, { copies: 2 });`),
        change: ['copies: 2', 'copies: 3'],
        test: test(
          'leaf',
          `leaf({ put }, 'Ada');\n  expect(put).toHaveBeenCalledWith({ name: 'Ada', at: expect.any(Number) }, { copies: 2 });`,
        ),
        becomes: ['copies: 2', 'copies: 3'],
      },
      times: {
        source: source('times', `db.put(user);`),
        change: ['db.put(user);', 'db.put(user);\n  db.put(user);'],
        test: test('times', `times({ put }, 'Ada');\n  expect(put).toHaveBeenCalledTimes(1);`),
        becomes: ['Times(1)', 'Times(2)'],
        stop: /number of calls/,
      },
      never: {
        source: source('never', `if (user) db.put(user);`),
        change: ['if (user)', 'if (!user)'],
        test: test('never', `never({ put }, 'Ada');\n  expect(put).toHaveBeenLastCalledWith('Ada');`),
        becomes: /not called at all/,
      },
    };
    const mended = await mendCases(situations, { framework: 'jest', provider: mockCall });
    for (const [name, situation] of Object.entries(situations)) {
      const found = mended[name];
      assert.ok(found, name);
      holdsFor(situation, found);
    }
  });
});
