// What the gate remembers of changes: the same words as without it, asked once for the same texts.
import assert from 'node:assert/strict';
import { checkPolicyOfEdits, type GateContext } from '../../../src/core/policy/checkPolicy.ts';
import { rememberChanges } from '../../../src/core/policy/rememberChanges.ts';
import { allowed } from './allowedChanges.ts';
import { hello, inTest, type Case } from './changes.ts';
import { forbiddenStrength } from './forbiddenStrength.ts';
import { forbiddenTricks } from './forbiddenTricks.ts';

const file = 'test/shop.test.ts';
const isTestFile = (name: string): boolean => name.startsWith('test/');
const gates: readonly GateContext[] = [
  {},
  { isExpectation: true },
  { keepsExpectations: true },
  { isCall: true },
];

describe('remembered changes', () => {
  it('are judged as others are, in whatever order they come', () => {
    const all: readonly Case[] = [
      ...allowed,
      ...Object.values(forbiddenStrength).flat(),
      ...Object.values(forbiddenTricks).flat(),
    ];
    const cases = all.filter((_, index) => index % 16 === 0);
    const known = rememberChanges();
    for (const { name, before, after } of [...cases, ...cases])
      for (const gate of gates) {
        const change = { file, before, after };
        const remembered = checkPolicyOfEdits([{ ...change, known }], isTestFile, gate);
        assert.deepEqual(remembered, checkPolicyOfEdits([change], isTestFile, gate), name);
      }
  });

  it('are asked about once for the same two texts, and again for others', () => {
    const known = rememberChanges();
    const before = inTest(hello);
    const asked: string[] = [];
    const ask = (after: string, rules: string): void => {
      known.saidOf({ file, before, after }, rules, () => {
        asked.push(`${rules} ${after}`);
        return [];
      });
    };
    ask('a', 'policy');
    ask('a', 'policy');
    ask('a', 'input');
    ask('b', 'policy');
    assert.deepEqual(asked, ['policy a', 'input a', 'policy b']);
  });

  it('do not keep what the sources say now: an import is looked up each time', () => {
    const known = rememberChanges();
    const change = {
      file,
      before: "import { greet } from '../src/shop.ts';\ntest('a', () => { expect(greet()).toBe(1); });\n",
      after:
        "import { hail as greet } from '../src/shop.ts';\ntest('a', () => { expect(greet()).toBe(1); });\n",
      known,
    };
    const rulesWith = (source: string): readonly string[] =>
      checkPolicyOfEdits([change], isTestFile, { readSource: () => source }).map(({ rule }) => rule);
    assert.deepEqual(rulesWith('export const hail = 1;\n'), []);
    assert.ok(rulesWith('export const hail = 1;\nexport const greet = 1;\n').includes('redirected-import'));
  });
});
