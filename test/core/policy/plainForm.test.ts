// The plain form of a change: honest rewordings leave nothing of it, and nothing that weakens a test is one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkPolicyOfEdits } from '../../../src/core/policy/checkPolicy.ts';
import type { FileChange } from '../../../src/core/policy/fileFacts.ts';
import { answerOf, yielding } from '../../../src/core/policy/gateTable.ts';
import { parseSource, shapeOf } from '../../../src/core/policy/parseSource.ts';
import { plainForm } from '../../../src/core/policy/plainForm.ts';
import { honestInNode, honestInVitest } from '../verification/honestPatches.ts';
import { weakeningInNode, weakeningInVitest } from '../verification/weakeningPatches.ts';
import { changed, nodeShop, vitestShop, type Attempt, type Shop } from '../verification/weighedShop.ts';
import { forbiddenInAva } from './avaChanges.ts';
import { forbiddenInCypress } from './cypressChanges.ts';
import { forbiddenGlobals } from './forbiddenGlobals.ts';
import { forbiddenStrength } from './forbiddenStrength.ts';
import { forbiddenTricks } from './forbiddenTricks.ts';
import { forbiddenVocabulary } from './forbiddenVocabulary.ts';
import { forbiddenWaits } from './forbiddenWaits.ts';
import { forbiddenInPlaywright } from './playwrightChanges.ts';
import { forbiddenPredicates } from './predicateChanges.ts';
import { forbiddenStandIns } from './standInChanges.ts';
import { forbiddenSteps } from './stepChanges.ts';
import { forbiddenInTheWorld } from './worldChanges.ts';

const corpora = [
  forbiddenStrength,
  forbiddenTricks,
  forbiddenGlobals,
  forbiddenVocabulary,
  forbiddenWaits,
  forbiddenInPlaywright,
  forbiddenInAva,
  forbiddenPredicates,
  forbiddenSteps,
  forbiddenInCypress,
  forbiddenStandIns,
  forbiddenInTheWorld,
];

/** Does nothing of the change remain? */
function isSame(before: string, after: string): boolean {
  const form = plainForm({ file: 'a.test.js', before, after });
  if (form?.before === undefined || form.after === undefined) return false;
  const [was, is] = [form.before, form.after].map((text) => shapeOf(parseSource('a.test.js', text)));
  return was === is;
}
const isReworded = ({ edits }: Attempt, { file, files }: Shop): boolean =>
  isSame(files[file] ?? '', changed(files[file] ?? '', edits));

describe('the plain form of a change', () => {
  const all = [
    ['vitest', vitestShop, honestInVitest, weakeningInVitest],
    ['node:test', nodeShop, honestInNode, weakeningInNode],
  ] as const;
  for (const [runner, shop, honest, weakening] of all) {
    it(`has nothing left of titles, places, names and helpers (${runner})`, () => {
      const reworded = honest.filter(({ isReworded: is }) => is === true);
      assert.ok(reworded.length >= 4);
      for (const attempt of reworded) assert.ok(isReworded(attempt, shop), attempt.name);
    });

    it(`keeps all that weakens a test (${runner})`, () => {
      for (const attempt of weakening) assert.ok(!isReworded(attempt, shop), attempt.name);
    });
  }

  it('lets nothing through that the fix policy forbids, but for titles', () => {
    const isTestFile = (file: string): boolean => file.startsWith('test/');
    const readSource = (): undefined => undefined;
    const brokenBy = (change: FileChange): readonly string[] =>
      checkPolicyOfEdits([change], isTestFile, { isUndeclared: true, readSource }).map(({ rule }) => rule);
    const forbidden = corpora.flatMap((corpus) => Object.values(corpus).flat());
    const through = forbidden.filter(({ before, after }) => {
      const change = { file: 'test/shop.test.ts', before, after };
      if (brokenBy(change).some((rule) => answerOf(rule) === 'forbidden')) return false;
      const form = plainForm(change);
      return form !== undefined && brokenBy(form).length === 0;
    });
    assert.ok(forbidden.length > 500);
    assert.deepEqual(
      through.map(({ name }) => name),
      ['renamed', 'a subtest under another name'],
    );
  });

  const suite = (body: string): string =>
    `import { it, expect } from 'vitest';\nimport { f, g } from './a.js';\n${body}\n`;
  const kept: readonly (readonly [name: string, before: string, after: string])[] = [
    [
      'a step that a helper leaves out',
      `it('a', () => { f(1); expect(g(2)).toBe(3); });`,
      `const ask = (one, two) => expect(g(two)).toBe(3);\nit('a', () => { ask(f(1), 2); });`,
    ],
    [
      'a step that comes first now',
      `it('a', () => { const one = g(); f(); expect(one).toBe(3); });`,
      `it('a', () => { f(); const one = g(); expect(one).toBe(3); });`,
    ],
    [
      'a list that tests share',
      `it.each([1, 2])('a %i', (n) => { const list = [1]; expect(f(list, n)).toBe(3); });`,
      `const list = [1];\nit.each([1, 2])('a %i', (n) => { expect(f(list, n)).toBe(3); });`,
    ],
    [
      'a name that means something else where it is called',
      `it('a', () => { const n = f(); expect(g(n)).toBe(3); expect(n).toBe(1); });`,
      `const n = 4;\nconst ask = () => expect(g(n)).toBe(3);\nit('a', () => { const n = f(); ask(); expect(n).toBe(1); });`,
    ],
    [
      'a test that moves to a suite with a hook',
      `describe('s', () => { beforeEach(() => { f(); }); it('b', () => { expect(f()).toBe(2); }); });\nit('a', () => { expect(g()).toBe(3); });`,
      `describe('s', () => { beforeEach(() => { f(); }); it('b', () => { expect(f()).toBe(2); }); it('a', () => { expect(g()).toBe(3); }); });`,
    ],
    [
      'another title in another suite of tests that do not run',
      `it('a', () => { expect(g()).toBe(3); });`,
      `describe.skip('s', () => { it('b', () => { expect(g()).toBe(3); }); });`,
    ],
    [
      'a name of the code under test',
      `it('a', () => { expect(g()).toBe(3); });`,
      `it('a', () => { expect(f()).toBe(3); });`,
    ],
    [
      'two variables that change places',
      `it('a', () => { const one = f(); const two = g(); expect(one).toBe(3); expect(two - one).toBe(1); });`,
      `it('a', () => { const one = f(); const two = g(); expect(two).toBe(3); expect(one - two).toBe(1); });`,
    ],
    [
      'an expectation behind a condition of a helper',
      `it('a', () => { expect(g()).toBe(3); });`,
      `const ask = (value) => value && expect(value).toBe(3);\nit('a', () => { ask(g()); });`,
    ],
  ];
  for (const [name, before, after] of kept)
    it(`keeps ${name}`, () => {
      assert.ok(!isSame(suite(before), suite(after)));
    });

  it('is not made of tests that ask for their titles', () => {
    const text = suite(`it('a', () => { expect(g()).toMatchSnapshot(); });`);
    assert.equal(
      plainForm({ file: 'a.test.js', before: text, after: text.replace("'a'", "'b'") }),
      undefined,
    );
  });
});

describe('the table of the gate', () => {
  it('names rules that there are, and forbids all others', () => {
    const folder = path.resolve(import.meta.dirname, '../../../src/core/policy');
    const sources = readdirSync(folder).filter((file) => file.endsWith('.ts') && file !== 'gateTable.ts');
    const text = sources.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
    for (const rule of Object.keys(yielding))
      if (rule !== 'unread') assert.ok(text.includes(`'${rule}'`), rule);
    for (const rule of [
      'swallowed-error',
      'skip-or-only',
      'new-capability',
      'weaker-matcher',
      'no-such-rule',
    ])
      assert.equal(answerOf(rule), 'forbidden');
  });
});
