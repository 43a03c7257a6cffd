// Texts that a test looks for: which others only a person may let it look for, and which say less whatever the code gives.
import assert from 'node:assert/strict';
import { checkPolicyOfEdits, proposeOnlyRules } from '../../../src/core/policy/checkPolicy.ts';

const imports = `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { expect } from 'vitest';\nimport { boom, text } from '../src/shop.js';\n`;
const rulesOf = (before: string, after: string, head = imports): readonly string[] => {
  const [was, is] = [before, after].map((body) => `${head}test('b', async () => {\n  ${body}\n});\n`);
  const change = { file: 'test/shop.test.js', before: was, after: is };
  const found = checkPolicyOfEdits([change], (file) => file.startsWith('test/'), { isUndeclared: true });
  return [...new Set(found.map(({ rule }) => rule))];
};

type Situation = readonly [what: string, assertion: string, was: string, is: string];

const throwing = 'assert.throws(() => boom(), VALUE);';
const expecting = 'expect(() => boom()).toThrow(VALUE);';
const containing = 'expect(text()).toContain(VALUE);';

const suspect: readonly Situation[] = [
  ['a word of a crash', expecting, `'empty input'`, `'function'`],
  ['words of a crash', expecting, `'empty input'`, `'not a function'`],
  ['words of a crash in a pattern', throwing, '/empty input/', '/Cannot read/'],
  [
    'a crash in an object',
    throwing,
    `{ message: 'empty input' }`,
    `{ message: "Cannot read properties of null (reading 'a')" }`,
  ],
  [
    'a crash in an object in place of an error',
    throwing,
    `new Error('empty input')`,
    `{ name: 'TypeError', message: "Cannot read properties of null (reading 'foo')" }`,
  ],
  ['a crash in an error', throwing, `new Error('empty input')`, `new TypeError('x is not a function')`],
  ['a name in place of a message', throwing, '/empty input/', `{ name: 'TypeError' }`],
  [
    'a rejection that is a crash',
    'await assert.rejects(boom(), VALUE);',
    '/empty input/',
    '/is not iterable/',
  ],
  ['fewer words', containing, `'dear Ada'`, `'Bob'`],
  ['fewer words of an error', expecting, `'empty input of Ada'`, `'no text'`],
  ['fewer words in a pattern', 'assert.match(text(), VALUE);', '/^Hello dear/', '/^Howdy/'],
  [
    'fewer words in a table',
    `for (const want of [VALUE]) ${containing.replace('VALUE', 'want')}`,
    `'dear Ada'`,
    `'Bob'`,
  ],
];

const everyday: readonly Situation[] = [
  ['another text of an error', expecting, `'empty input'`, `'no input'`],
  ['a longer text of an error', expecting, `'empty input'`, `'The input is empty'`],
  ['another pattern', throwing, '/empty input/', '/no input/'],
  ['another message', throwing, `{ message: 'empty input' }`, `{ message: 'no input' }`],
  ['another error', throwing, `new Error('empty input')`, `new Error('no input')`],
  ['another part', containing, `'dear Ada'`, `'dear Bob'`],
  ['fewer words of a whole text', 'expect(text()).toBe(VALUE);', `'Hello dear Ada'`, `'Hello Ada'`],
  ['a crash that was expected before', expecting, `'x is not a function'`, `'y is not a function'`],
];

const weaker: readonly Situation[] = [
  ['a message in place of a pattern', throwing, '/empty input/', `'empty input'`],
  ['a message in place of a message', throwing, `{ message: 'empty input' }`, `'empty input'`],
  ['a message in place of a class', throwing, 'RangeError', `'empty input'`],
  ['a template in place of a pattern', throwing, '/empty input/', '`empty ${1}`'],
  ['a message of a rejection', 'await assert.rejects(boom(), VALUE);', '/empty input/', `'empty input'`],
  [
    'a message where nothing is thrown',
    'assert.doesNotThrow(() => boom(), VALUE);',
    '/empty input/',
    `'empty input'`,
  ],
];

const put = (assertion: string, value: string): string => assertion.replace('VALUE', () => value);

describe('texts that a test looks for', () => {
  it('are for a person where they say less', () => assert.ok(proposeOnlyRules.has('suspect-value')));
  for (const [what, assertion, was, is] of suspect)
    it(`are for a person: ${what}`, () => {
      const rules = rulesOf(put(assertion, was), put(assertion, is));
      assert.ok(rules.includes('suspect-value') || rules.includes('weaker-matcher'), rules.join());
    });
  for (const [what, assertion, was, is] of everyday)
    it(`may be others: ${what}`, () =>
      assert.deepEqual(rulesOf(put(assertion, was), put(assertion, is)), []));
  for (const [what, assertion, was, is] of weaker)
    it(`are no expectation of assert: ${what}`, () => {
      assert.ok(rulesOf(put(assertion, was), put(assertion, is)).includes('weaker-matcher'));
    });

  it('are an expectation of chai', () => {
    const chai = imports.replace(`assert from 'node:assert/strict'`, `{ assert } from 'chai'`);
    assert.deepEqual(rulesOf(put(throwing, '/empty input/'), put(throwing, `'empty input'`), chai), []);
  });
});
