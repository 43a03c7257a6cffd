// The gate: every rule with what it forbids and what it lets through.
import assert from 'node:assert/strict';
import { checkPolicy, checkPolicyOfEdits, proposeOnlyRules } from '../../../src/core/policy/checkPolicy.ts';
import { allowed } from './allowedChanges.ts';
import { allowedVocabulary } from './allowedVocabulary.ts';
import { allowedInAva, forbiddenInAva } from './avaChanges.ts';
import { hello, inTest, type Case } from './changes.ts';
import { allowedInCypress, forbiddenInCypress } from './cypressChanges.ts';
import { forbiddenGlobals } from './forbiddenGlobals.ts';
import { forbiddenStrength } from './forbiddenStrength.ts';
import { forbiddenTricks } from './forbiddenTricks.ts';
import { forbiddenVocabulary } from './forbiddenVocabulary.ts';
import { forbiddenWaits } from './forbiddenWaits.ts';
import { allowedInPlaywright, forbiddenInPlaywright } from './playwrightChanges.ts';
import { allowedStandIns, forbiddenStandIns } from './standInChanges.ts';
import { allowedSteps, forbiddenSteps } from './stepChanges.ts';
import { everydayChanges, suspectChanges } from './suspectChanges.ts';
import { allowedPredicates, forbiddenPredicates, proposedPredicates } from './predicateChanges.ts';
import { allowedInTheWorld, changedConditions, forbiddenInTheWorld, newSetUps } from './worldChanges.ts';

const forbidden: readonly (readonly [rule: string, cases: readonly Case[]])[] = [
  ...Object.entries(forbiddenStrength),
  ...Object.entries(forbiddenTricks),
  ...Object.entries(forbiddenGlobals),
  ...Object.entries(forbiddenVocabulary),
  ...Object.entries(forbiddenWaits),
  ...Object.entries(forbiddenInPlaywright),
  ...Object.entries(forbiddenInAva),
  ...Object.entries(forbiddenPredicates),
  ...Object.entries(forbiddenSteps),
  ...Object.entries(forbiddenInCypress),
  ...Object.entries(forbiddenStandIns),
  ...Object.entries(forbiddenInTheWorld),
];
const rulesOf = ({ before, after }: Pick<Case, 'before' | 'after'>, path = 'test/shop.test.ts'): string[] => [
  ...new Set(checkPolicy({ file: path, before, after }).map(({ rule }) => rule)),
];

describe('the gate', () => {
  for (const [rule, cases] of forbidden)
    for (const each of cases)
      it(`forbids ${rule}: ${each.name}`, () => {
        const rules = rulesOf(each);
        assert.ok(rules.includes(rule), `found ${rules.join(', ') || 'nothing'}\n${each.after}`);
      });

  const good = [
    ...allowed,
    ...allowedVocabulary,
    ...allowedInPlaywright,
    ...allowedInAva,
    ...allowedPredicates,
    ...allowedSteps,
    ...allowedInCypress,
    ...allowedStandIns,
    ...everydayChanges,
    ...allowedInTheWorld,
  ];
  for (const each of good)
    it(`lets through: ${each.name}`, () => {
      assert.deepEqual(checkPolicy({ file: 'test/shop.test.ts', ...each }), []);
    });

  it('leaves just another literal of a condition to a person', () => {
    assert.ok(proposeOnlyRules.has('changed-predicate'));
    for (const each of proposedPredicates) assert.deepEqual(rulesOf(each), ['changed-predicate'], each.name);
  });

  it('leaves values that broken code gives as well to a person', () => {
    assert.ok(proposeOnlyRules.has('suspect-value'));
  });
  for (const each of suspectChanges)
    it(`leaves to a person: ${each.name}`, () => {
      assert.deepEqual(rulesOf(each), ['suspect-value']);
    });

  for (const [rule, cases] of Object.entries({
    'new-set-up': newSetUps,
    'changed-condition': changedConditions,
  })) {
    it(`leaves ${rule} to a person`, () => {
      assert.ok(proposeOnlyRules.has(rule));
    });
    for (const each of cases)
      it(`leaves ${rule} to a person: ${each.name}`, () => {
        assert.deepEqual(rulesOf(each), [rule]);
      });
  }

  it('finds nothing in any of its own examples when nothing changes', () => {
    for (const each of [...forbidden.flatMap(([, cases]) => cases), ...allowed, ...allowedVocabulary])
      for (const text of [each.before, each.after])
        assert.deepEqual(
          rulesOf({ before: text, after: text + '\n' }).filter(
            (rule) => !/^(?:syntax-error|only-test-files)$/.test(rule),
          ),
          [],
        );
  });

  it('lets every forbidden example be taken back, except where that takes something away', () => {
    const taken = /^(?:inverted|redirected-import|weakened-subject)$/;
    for (const [rule, cases] of forbidden)
      if (/skip-or-only|suppression|loose-type|process-control|retry|sleep/.test(rule))
        for (const { before, after } of cases)
          assert.deepEqual(
            rulesOf({ before: after, after: before }).filter((found) => !taken.test(found) && found === rule),
            [],
          );
  });

  it('says the line in the new text', () => {
    const [violation] = checkPolicy({
      file: 'a.test.ts',
      before: inTest(hello),
      after: inTest(`\n\n// @ts-ignore\n${hello}`),
    });
    assert.equal(violation?.line, 7);
  });
});

describe('the gate over files that are no code', () => {
  const snap = 'exports[`a 1`] = `"x"`;\n\nexports[`b 1`] = `"y"`;\n';
  const rules = (file: string, before: string, after: string | undefined): string[] =>
    checkPolicy({ file, before, after }).map(({ rule }) => rule);

  it('lets a stored snapshot change but not go', () => {
    assert.deepEqual(rules('a.test.ts.snap', snap, snap.replace('"x"', '"z"')), []);
    assert.deepEqual(rules('a.test.ts.snap', snap, snap.replace('"x"', 'undefined')), ['suspect-value']);
    assert.deepEqual(rules('a.test.ts.snap', snap, snap.split('\n\n')[0]), ['removed-entries']);
  });

  it('lets no code into a snapshot', () => {
    assert.deepEqual(rules('a.test.ts.snap', snap, snap + 'process.exit(0);\n'), ['snapshot-code']);
    assert.deepEqual(rules('a.test.ts.snap', snap, snap.replace('"x"', '${process.exit(0)}')), [
      'snapshot-code',
      'removed-entries',
    ]);
  });

  it('lets a fixture change but not shrink, break or become empty', () => {
    assert.deepEqual(rules('test/fixtures/a.json', '[1, 2]', '[1, 3]'), []);
    assert.deepEqual(rules('test/fixtures/a.json', '[1, 2]', '[1]'), ['removed-entries']);
    assert.deepEqual(
      rules('test/fixtures/a.json', '[1, 2]', '[1,'),
      ['syntax-error', 'removed-entries'].slice(0, 1),
    );
    assert.deepEqual(rules('test/fixtures/a.txt', 'a', ''), ['removed-entries']);
    assert.deepEqual(rules('test/fixtures/a.json', '{"rows":[{"in":1}]}', '{"rows":[]}'), [
      'removed-entries',
    ]);
    assert.deepEqual(rules('test/fixtures/a.csv', 'a,b\n1,2\n', 'a,b\n'), ['removed-entries']);
    assert.deepEqual(rules('test/fixtures/a.csv', 'a,b\n1,2\n', 'a,b\n1,3\n'), []);
  });

  it('holds YAML and its like to the same', () => {
    const yaml = 'name: shop\nrows:\n  - in: 1\n    out: a\n  - in: 2\n    out: b\nempty: []\n';
    const file = 'test/fixtures/a.yaml';
    assert.deepEqual(rules(file, yaml, yaml.replace('out: b', 'out: c')), []);
    assert.deepEqual(rules(file, yaml, yaml.replace('out: b', 'result: "b"')), []);
    assert.deepEqual(rules(file, yaml, `# sorted\n${yaml}`), []);
    assert.deepEqual(rules(file, yaml, yaml.replace('  - in: 2\n    out: b\n', '')), ['removed-entries']);
    assert.deepEqual(rules(file, yaml, 'name: shop\nrows: []\nempty: []\n'), ['removed-entries']);
    assert.deepEqual(rules(file, 'rows: [1, 2]\n', 'rows: []\n'), ['removed-entries']);
    assert.deepEqual(rules(file, 'a: { b: 1 }\n', 'a: {}\n'), ['removed-entries']);
    assert.deepEqual(rules('test/a.yml', yaml, ''), ['removed-entries', 'removed-entries']);
    assert.deepEqual(rules('test/a.toml', 'a = 1\nb = 2\n', 'a = 1\n'), ['removed-entries']);
    assert.deepEqual(rules('test/a.jsonl', '{}\n{}\n', '{}\n'), ['removed-entries']);
  });

  it('lets no list of rows inside of a fixture shrink', () => {
    const [two, one] = [{ cases: [{ in: 1 }, { in: 2 }] }, { cases: [{ in: 1 }] }].map((value) =>
      JSON.stringify(value),
    );
    assert.deepEqual(rules('test/fixtures/a.json', two ?? '', one), ['removed-entries']);
  });

  it('lets no file of the tests go', () => {
    assert.deepEqual(rules('a.test.ts', inTest(hello), undefined), ['removed-file']);
  });
});

describe('the gate over all files of a fix', () => {
  const isTestFile = (path: string): boolean => path.startsWith('test/') || path.endsWith('.config.ts');
  const rules = (path: string, before = inTest(hello), after = before): string[] => [
    ...new Set(checkPolicyOfEdits([{ file: path, before, after }], isTestFile).map(({ rule }) => rule)),
  ];

  it('lets test files through and nothing else', () => {
    assert.deepEqual(rules('test/a.test.ts'), []);
    assert.deepEqual(rules('src/a.ts'), ['only-test-files']);
    assert.deepEqual(rules('vitest.config.ts'), ['only-test-files']);
  });

  it('refuses paths that play tricks', () => {
    for (const path of [
      '../a.test.ts',
      'test/../src/a.ts',
      '/etc/passwd',
      'C:\\a.ts',
      'test\\a.ts',
      './test/a.ts',
      'test/node_modules/a.ts',
      '.git/hooks/a.ts',
      'test/.GIT/a.ts',
      '',
    ])
      assert.deepEqual(rules(path), ['unsafe-path'], path);
  });

  it('refuses a new double of a module', () => {
    const found = checkPolicyOfEdits(
      [{ file: 'test/__mocks__/shop.ts', before: undefined, after: '' }],
      isTestFile,
    );
    assert.deepEqual(
      found.map(({ rule }) => rule),
      ['mocked-source'],
    );
  });

  it('refuses an import that leads from the code to another file of the tests', () => {
    const after = inTest(hello).replace('../src/shop.ts', './shop.ts');
    assert.deepEqual(rules('test/a.test.ts', inTest(hello), after), ['redirected-import']);
  });

  describe('knowing the code under test', () => {
    const shop = 'export function greet() {}\nexport const save = () => 1;\nexport { cart } from "./cart";\n';
    const rulesWith = (source: string, before: string, after: string): string[] => {
      const readSource = (path: string): string | undefined => (path === 'src/shop.ts' ? source : undefined);
      const change = { file: 'test/a.test.ts', before, after };
      return checkPolicyOfEdits([change], isTestFile, { readSource }).map(({ rule }) => rule);
    };
    const uses = (names: string, call = 'greet'): string =>
      `import { ${names} } from '../src/shop.ts';\ntest('a', () => { expect(${call}('Ada')).toBe('Hi'); });\n`;
    const requires = (names: string): string =>
      `const { ${names} } = require('../src/shop');\ntest('a', () => { expect(greet('Ada')).toBe('Hi'); });\n`;

    it('lets no import turn to another export while the old one is there', () => {
      assert.deepEqual(rulesWith(shop, uses('greet'), uses('save as greet')), ['redirected-import']);
      assert.deepEqual(rulesWith(shop, uses('greet'), uses('save', 'save')), ['redirected-import']);
      assert.deepEqual(rulesWith(shop, uses('cart as greet'), uses('save as greet')), ['redirected-import']);
      const swapped = uses('greet as save, save as greet');
      assert.deepEqual(rulesWith(shop, uses('greet, save'), swapped), [
        'redirected-import',
        'redirected-import',
      ]);
      const common = 'module.exports = { greet, save };\n';
      assert.deepEqual(rulesWith(common, requires('greet'), requires('save: greet')), ['redirected-import']);
      assert.deepEqual(
        rulesWith('exports.greet = 1; exports.save = 2;', requires('greet'), requires('save: greet')),
        ['redirected-import'],
      );
    });

    it('lets an import follow what was renamed, moved, or is needed besides', () => {
      const renamed = shop.replace('greet', 'welcome');
      assert.deepEqual(rulesWith(renamed, uses('greet'), uses('welcome as greet')), []);
      assert.deepEqual(rulesWith(renamed, uses('greet'), uses('welcome', 'welcome')), []);
      assert.deepEqual(rulesWith(shop, uses('greet'), uses('greet, save')), []);
      assert.deepEqual(rulesWith(shop, uses('greet'), uses('greet').replace('shop', 'text/shop')), []);
      assert.deepEqual(
        rulesWith('module.exports = { hail, save };', requires('greet'), requires('hail: greet')),
        [],
      );
    });
  });

  describe('of a fix that changes what is expected', () => {
    const rulesFor = (before: string, after: string): string[] => {
      const change = { file: 'test/a.test.ts', before: inTest(before), after: inTest(after) };
      return checkPolicyOfEdits([change], isTestFile, { isExpectation: true }).map(({ rule }) => rule);
    };

    it('lets no input change', () => {
      assert.deepEqual(rulesFor(hello, hello.replace("'Ada')", "'Bob')")), ['changed-input']);
      assert.deepEqual(rulesFor(`cart.add(1); ${hello}`, `cart.add(2); ${hello}`), ['changed-input']);
      assert.deepEqual(rulesFor(hello, `cart.clear(); ${hello}`), ['changed-input']);
      assert.deepEqual(rulesFor(hello, hello.replace('greet(', 'cart.greet(')), ['changed-input']);
    });

    it('lets the expectation change that a helper of the tests is given', () => {
      const helped = (value: string): string =>
        `import { same } from './support';\nimport { greet } from '../src/shop';\nfunction both(a, b) { same(a, b); }\ntest('a', async () => { await same(greet(1), ${value}); both(greet(2), ${value}); });`;
      const change = { file: 'test/a.test.ts', before: helped(`'Hi'`), after: helped(`'Hello'`) };
      assert.deepEqual(checkPolicyOfEdits([change], isTestFile, { isExpectation: true }), []);
    });

    it('lets what a macro of AVA expects change, and nothing else that it is given', () => {
      const values = ['Ada', 'Hi, Ada', 'Ada'];
      const file = (index: number): string => {
        const given = values.map((value, at) => `'${at === index ? 'changed' : value}'`).join(', ');
        return `import test from 'ava';\nimport { greet } from '../src/shop';\nconst greets = test.macro({ exec(t, who, wanted, name) {\n  t.is(greet(who), wanted);\n  t.true(wanted.endsWith(name));\n} });\nconst plain = (t, who, wanted) => t.is(greet(who), wanted);\ntest('both', greets, ${given});\ntest('one', plain, ${given});`;
      };
      const found = (before: string, after: string): string[] =>
        checkPolicyOfEdits([{ file: 'test/a.test.ts', before, after }], isTestFile, {
          isExpectation: true,
        }).map(({ rule }) => rule);
      const plainOnly = (text: string, from: string): string => text.replace(/test\('both'.*/, from);
      const both = `test('both', greets, 'Ada', 'Hi, Ada', 'Ada');`;
      assert.deepEqual(found(file(-1), plainOnly(file(1), both)), []);
      assert.ok(found(file(-1), plainOnly(file(0), both)).includes('changed-input'));
      const compared = (comparison: string, who: string): string =>
        `import test from 'ava';\nimport { greet } from '../src/shop';\nconst m = (t, who, wanted) => ${comparison};\ntest('a', m, ${who}, 'Hi');`;
      for (const comparison of [
        't.is(wanted, greet(who))',
        't.deepEqual(wanted, new greet(who))',
        't.is(wanted, greet`${who}`)',
        't.is(wanted, [greet(who)])',
      ]) {
        const [before, after] = [compared(comparison, "'A B'"), compared(comparison, "'a-b'")];
        assert.ok(found(before, after).includes('changed-input'), comparison);
        assert.deepEqual(found(before, before.replace("'Hi'", "'Ho'")).includes('changed-input'), true);
      }
      // What is expected is also asked of here.
      assert.ok(found(file(-1), file(1)).includes('changed-input'));
    });

    it('lets expectations change', () => {
      assert.deepEqual(rulesFor(hello, hello.replace('Hi, Ada', 'Hello')), []);
      assert.deepEqual(
        rulesFor(
          `cart.add(1); const all = { a: 1 }; expect(cart.all()).toEqual(all); expect(() => save(1)).toThrow('no');`,
          `cart.add(1); const all = { a: 2 }; expect(cart.all()).toEqual(all); expect(() => save(1)).toThrow('not now');`,
        ),
        [],
      );
    });
  });

  describe('of a fix that changes calls', () => {
    const rulesFor = (before: string, after: string): string[] => {
      const change = { file: 'test/a.test.ts', before: inTest(before), after: inTest(after) };
      return checkPolicyOfEdits([change], isTestFile, { isCall: true }).map(({ rule }) => rule);
    };
    const call = `expect(cart.put('a', 1)).toEqual({ a: 1 });`;

    it('lets arguments change', () => {
      assert.deepEqual(rulesFor(call, call.replace(`'a', 1`, `{ name: 'a', count: 1 }`)), []);
      assert.deepEqual(rulesFor(`expect(1).toBe(cart(1, 2));`, `expect(1).toBe(cart(2, 1));`), []);
      assert.deepEqual(rulesFor(call, call.replace('cart.put', 'new cart.Put')), []);
    });

    it('lets no expectation change', () => {
      assert.deepEqual(rulesFor(call, call.replace('{ a: 1 }', '{ a: 2 }')), ['changed-expectation']);
      assert.deepEqual(rulesFor(hello, hello.replace(`'Ada'`, `{}`).replace('Hi, Ada', 'Hi, ')), [
        'changed-expectation',
      ]);
      assert.ok(rulesFor(hello, hello.replace('toBe', 'toContain')).length > 0);
      for (const value of [`['a', 'b'].join()`, `'a,b'.split(',')`, `[].concat(['b'])`, `(() => 'b')()`]) {
        const expects = `expect(cart.put(1)).toEqual(${value});`;
        assert.deepEqual(rulesFor(expects, expects.replace(/b/, 'c')), ['changed-expectation'], value);
      }
    });

    for (const [what, expects] of Object.entries({
      'behind a name': `const all = { a: VALUE }; expect(CALL).toEqual(all);`,
      'behind a name in an object': `const one = VALUE; expect(CALL).toEqual({ a: one });`,
      'behind two names': `const one = VALUE; const all = { a: one }; expect(CALL).toEqual(all);`,
      'in a loop': `for (const wanted of [VALUE, 7]) expect(CALL).toBe(wanted);`,
      'of a list': `[[5, VALUE]].forEach(([, wanted]) => expect(CALL).toBe(wanted));`,
      'beside a call': `expect(CALL).toBe(save(2) + VALUE);`,
      'in what the language makes': `expect(CALL).toEqual(new Date(VALUE));`,
      'in a matcher': `expect(CALL).toEqual(expect.objectContaining({ a: VALUE }));`,
      'of a function that builds it': `const all = (a) => ({ a }); expect(CALL).toEqual(all(VALUE));`,
      'of a helper': `const check = (got, wanted) => expect(got).toBe(wanted); check(CALL, VALUE);`,
    }))
      it(`lets no expectation change ${what}`, () => {
        const text = (call: string, value: number): string =>
          expects.replace('CALL', call).replace('VALUE', String(value));
        const [old, now] = ['cart.put(2, 3)', 'cart.put({ count: 2, size: 3 })'];
        assert.deepEqual(rulesFor(text(old, 1), text(now, 1)), []);
        assert.deepEqual([...new Set(rulesFor(text(old, 1), text(now, 8)))], ['changed-expectation']);
      });

    it('takes no key for a variable of that name, and lets what is only asked change', () => {
      const named = (given: string): string =>
        `const size = ${given}; expect(cart.put(size)).toEqual({ size: 3, more: cart.put(size) });`;
      assert.deepEqual(rulesFor(named('3'), named('{ size: 3 }')), []);
    });
  });
});
