// Conditions that tests state, opened in real runs: what was asked is recorded, and only the literal inside changes.
import assert from 'node:assert/strict';
import { predicate } from '../../../../src/core/fixes/predicates/predicate.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { mendCases, type MendedCase, type MendingCase } from '../../../support/mendCases.ts';

interface Situation {
  /** What the source gives, before and after. */
  readonly gives: readonly [before: string, after: string];
  /** The assertion before, and after where there is a fix. */
  readonly states: string;
  readonly becomes?: string;
  readonly because?: RegExp;
  readonly title?: string;
}

const situations: Readonly<Record<string, Situation>> = {
  prefix: {
    gives: ["'Found 3 errors in a.ts'", "'Found 3 problems in a.ts'"],
    states: `expect(give().startsWith('Found 3 errors')).toBe(true);`,
    becomes: `expect(give().startsWith('Found 3 problems')).toBe(true);`,
  },
  suffix: {
    gives: ["'2 of 5 in the cart.'", "'2 of 5 in your cart.'"],
    states: `assert.ok(give().endsWith("in the cart."), 'the end');`,
    becomes: `assert.ok(give().endsWith("in your cart."), 'the end');`,
  },
  part: {
    gives: ["'error: Did you mean --size? See help.'", '"error: Did you mean \'--size\'? See help."'],
    states: `const out: string = give();\n  expect(\n    out.includes('Did you mean --size?'),\n  ).toBeTruthy();`,
    becomes: `const out: string = give();\n  expect(\n    out.includes("Did you mean '--size'?"),\n  ).toBeTruthy();`,
  },
  pattern: {
    gives: ["'Usage: shop <file> [options]'", "'Usage: shop <path> [options]'"],
    states: `assert(/^usage: shop <file>/i.test(give()));`,
    because: /Nothing tells which part|more than a text/,
  },
  plainPattern: {
    gives: ["'Usage: shop <file> [options]'", "'Usage: shop <path> [options]'"],
    states: `expect(/shop <file> \\[options\\]$/.test(give())).to.be.true;`,
    becomes: `expect(/shop <path> \\[options\\]$/.test(give())).to.be.true;`,
  },
  list: {
    gives: ["['red tea', 'no milk today']", "['red tea', 'no cream today']"],
    states: `expect(give().includes('no milk today')).toBe(true);`,
    becomes: `expect(give().includes('no cream today')).toBe(true);`,
  },
  some: {
    gives: ["[{ name: 'no milk today' }, { name: 'tea' }]", "[{ name: 'no cream today' }, { name: 'tea' }]"],
    states: `expect(give().some((one) => one.name.startsWith('no milk today'))).toBe(true);`,
    becomes: `expect(give().some((one) => one.name.startsWith('no cream today'))).toBe(true);`,
  },
  equal: {
    gives: ["'blue'", "'green'"],
    states: `expect('blue' === give()).toBe(true);`,
    becomes: `expect('green' === give()).toBe(true);`,
    title: "expect 'green' (was 'blue')",
  },
  near: {
    gives: ['1.5003', '1.7349'],
    states: `expect(Math.abs(give() - 1.5) < 0.01).toBe(true);`,
    becomes: `expect(Math.abs(give() - 1.73) < 0.01).toBe(true);`,
  },
  limit: {
    gives: ["'abcdef'", "'abc'"],
    states: `expect(give().length > 4).toBe(true);`,
    becomes: `expect(give().length > 2).toBe(true);`,
  },
  matcher: {
    gives: ['4.2', '5.3'],
    states: `expect(give()).toBeLessThan(5);`,
    becomes: `expect(give()).toBeLessThan(6);`,
  },
  beside: {
    gives: ["'Dear Ada, hi'", "'Dear Bob, hi'"],
    states: `expect(give().startsWith('Dear Ada,')).toBe(true);\n  expect(give()).toBe('Dear Ada, hi');`,
    becomes: `expect(give().startsWith('Dear Bob,')).toBe(true);\n  expect(give()).toBe('Dear Bob, hi');`,
  },
  named: {
    gives: ["'Dear Ada, hi'", "'Dear Bob, hi'"],
    states: `const begins = 'Dear Ada,';\n  expect(give().startsWith(begins)).toBe(true);`,
    becomes: `const begins = 'Dear Bob,';\n  expect(give().startsWith(begins)).toBe(true);`,
  },
  loop: {
    gives: ["'Dear Ada, hi'", "'Dear Bob, hi'"],
    states: `for (const end of ['', '!']) expect((give() + end).startsWith('Dear Ada,')).toBe(true);`,
    because: /of several values/,
  },
  denied: {
    gives: ["'tea'", "'no secret here'"],
    states: `expect(give().includes('secret')).toBe(false);`,
  },
  otherText: {
    gives: ["'Found 3 errors'", "'done'"],
    states: `expect(give().startsWith('Found 3')).toBe(true);`,
    because: /Nothing tells which part/,
  },
  empty: {
    gives: ["['a']", '[]'],
    states: `expect(give().length > 0).toBe(true);`,
    because: /Nothing is left/,
  },
  far: {
    gives: ["'abcdefgh'", "'ab'"],
    states: `expect(give().length).toBeGreaterThanOrEqual(6);`,
    because: /no limit is moved so far/,
  },
  kind: {
    gives: ["'blue'", 'undefined'],
    states: `expect(give() === 'blue').toBe(true);`,
    because: /of another kind/,
  },
  status: {
    gives: ['({ status: 200 })', '({ status: 500 })'],
    states: `expect(give().status === 200).toBe(true);`,
    because: /tells of a failure/,
  },
  firstOfList: {
    gives: ["['no milk today', 'tea']", "['tea', 'no cream today']"],
    states: `expect(give().indexOf('no milk today') === 0).toBe(true);`,
    because: /is no text/,
  },
  clock: {
    gives: ['3', '6'],
    states: `const elapsed = give();\n  expect(elapsed < 5).toBe(true);`,
    because: /How long something takes/,
  },
};

const testOf = (body: string): string =>
  `import assert from 'node:assert';\nimport { expect, it } from 'vitest';\nimport { give } from '../src/NAME.ts';\n\nit('gives', () => {\n  ${body}\n});\n`;

describe('conditions that tests state', () => {
  let mended: Readonly<Record<string, MendedCase>>;

  before(async function () {
    this.timeout(400_000);
    const cases = Object.entries(situations).map(([name, { gives, states }]): [string, MendingCase] => [
      name,
      {
        source: `export const give = (): any => ${gives[0]};\n`,
        change: [gives[0], gives[1]],
        test: testOf(states).replace('NAME', name),
      },
    ]);
    mended = await mendCases(Object.fromEntries(cases), { framework: 'vitest', provider: predicate });
  });

  for (const [name, { becomes, because, title }] of Object.entries(situations))
    it(becomes === undefined ? `are left alone: ${name}` : `are opened: ${name}`, () => {
      const { fixes, refusals, text, passes, rules } = mended[name] ?? assert.fail();
      if (becomes === undefined) {
        assert.deepEqual(fixes, []);
        assert.match(refusals.join(' '), because ?? /^$/);
        return;
      }
      assert.deepEqual(refusals, []);
      assert.equal(text, testOf(becomes).replace('NAME', name));
      assert.ok(passes, 'the test passes then');
      assert.deepEqual(
        fixes.map(({ trust, provider }) => [trust, provider]),
        [['propose', 'predicate']],
      );
      assert.match(
        fixes[0]?.evidence.join(' ') ?? '',
        /^While the test ran, `.+` was .+; the condition in line/,
      );
      if (title !== undefined) assert.equal(fixes[0]?.title, title);
      assert.deepEqual(
        rules,
        name === 'near' || !/limit|matcher/.test(name)
          ? ['changed-predicate'].slice(0, rules.length)
          : ['widened'],
      );
    });
});

describe('conditions in the words of other runners', () => {
  const source = "export const give = () => 'Dear Ada, hi';\n";
  const change = ["'Dear Ada, hi'", "'Dear Bob, hi'"] as const;

  it('are opened in AVA and in jest', async function () {
    this.timeout(400_000);
    const inAva = `import test from 'ava';\nimport { give } from '../src/a.js';\n\ntest('gives', (t) => {\n  t.true(give().startsWith('Dear Ada,'));\n});\n`;
    const inJest = `const { give } = require('../src/a.js');\n\nit('gives', () => {\n  expect(give().startsWith('Dear Ada,')).toBeTruthy();\n});\n`;
    for (const [framework, test] of [
      ['ava', inAva],
      ['jest', inJest],
    ] as const) {
      const { a } = await mendCases({ a: { source, change, test } }, { framework, provider: predicate });
      assert.deepEqual(a?.refusals, [], framework);
      assert.equal(a?.text, test.replace('Ada', 'Bob'), framework);
      assert.ok(a?.passes, framework);
    }
  });
});

describe('a stated condition in a whole cycle', () => {
  it('is proven and offered, never applied, also when the source is taken as right', async function () {
    this.timeout(300_000);
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'src/give.js': "export const give = () => 'Found 3 errors in a.ts';\n",
        'test/give.test.js': `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { give } from '../src/give.js';\n\ntest('gives', () => {\n  assert.ok(give().startsWith('Found 3 errors'));\n});\n`,
      },
      { git: true },
    );
    try {
      await workspace.write('src/give.js', "export const give = () => 'Found 3 problems in a.ts';\n");
      const { fixes, patch, ...report } = await mendWorkspace(workspace, { assume: 'source-is-right' });
      assert.deepEqual(
        fixes.map((fix) => [fix.provider, fix.trust, fix.verdict.verdict, fix.title]),
        [['predicate', 'propose', 'verified', "expect 'Found 3 problems' (was 'Found 3 errors')"]],
      );
      assert.deepEqual(
        fixes[0]?.verdict.violations.map(({ rule }) => rule),
        ['changed-predicate'],
      );
      assert.doesNotMatch(JSON.stringify(fixes[0]?.stops), /inverted/);
      assert.equal(patch, '');
      assert.equal(report.remaining.length, 1);
    } finally {
      await workspace.dispose();
    }
  });
});
