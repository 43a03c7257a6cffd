// Patterns and parts of texts that a test looks for: what accepts more kinds of text than before is never proven by a pass.
import assert from 'node:assert/strict';
import { checkPolicyOfEdits } from '../../../src/core/policy/checkPolicy.ts';
import { weakerPattern } from '../../../src/core/policy/patterns.ts';
import { whyUndeclared } from '../../../src/core/policy/undeclared.ts';
import { widerPattern } from '../../../src/core/policy/widerPattern.ts';

const isTestFile = (file: string): boolean => file.startsWith('test/');

/** Why the gate does not let a pass with the change of a JavaScript test prove anything. */
function objections(head: string, before: string, after: string): readonly string[] {
  const [was, is] = [before, after].map(
    (body) =>
      `${head}import { boom, text } from '../src/shop.js';\ntest('b', async () => {\n  ${body}\n});\n`,
  );
  const change = { file: 'test/shop.test.js', before: was, after: is };
  const found = checkPolicyOfEdits([change], isTestFile, { isUndeclared: true });
  const why = whyUndeclared(change, isTestFile, () => undefined);
  return [...found.map(({ rule }) => rule), ...(why === undefined ? [] : ['undeclared'])];
}

const node = `import test from 'node:test';\nimport assert from 'node:assert/strict';\n`;
const vitest = `import { expect, test } from 'vitest';\n`;
const chai = `import { test } from 'mocha';\nimport { assert, expect } from 'chai';\n`;
const playwright = `import { expect, test } from '@playwright/test';\n`;
const ava = `import test from 'ava';\n`;

type Place = readonly [what: string, head: string, body: string];

/** Where `RX` is a pattern. */
const places: readonly Place[] = [
  ['assert.match', node, 'assert.match(text(), RX);'],
  ['assert.throws', node, 'assert.throws(() => boom(), RX);'],
  ['a message of assert.throws', node, 'assert.throws(() => boom(), { message: RX });'],
  ['assert.rejects', node, 'await assert.rejects(boom(), RX);'],
  ['a tested text', node, 'assert.ok(RX.test(text()));'],
  ['a matched text', node, 'assert.ok(text().match(RX));'],
  ['a constant', node, 'const want = RX;\n  assert.match(text(), want);'],
  ['a row', node, 'for (const [n, want] of [[1, RX], [2, /b/]]) assert.match(text(n), want);'],
  ['a check by hand', node, `if (!RX.test(text())) throw new Error('no');`],
  ['toMatch', vitest, 'expect(text()).toMatch(RX);'],
  ['toThrow', vitest, 'expect(() => boom()).toThrow(RX);'],
  ['toThrowError', vitest, 'expect(() => boom()).toThrowError(RX);'],
  ['rejects.toThrow', vitest, 'await expect(boom()).rejects.toThrow(RX);'],
  ['stringMatching', vitest, 'expect(text()).toEqual({ a: expect.stringMatching(RX) });'],
  ['match of chai', chai, 'expect(text()).to.match(RX);'],
  ['throw of chai', chai, 'expect(() => boom()).to.throw(TypeError, RX);'],
  ['assert.match of chai', chai, 'assert.match(text(), RX);'],
  ['toHaveText of Playwright', playwright, `await expect(page.getByRole('status')).toHaveText(RX);`],
  ['toHaveURL of Playwright', playwright, 'await expect(page).toHaveURL(RX);'],
];

const total = '^total: 30 EUR, ok$';

/** In place of it. */
const wider: readonly string[] = [
  '^t?o?t?a?l?:? ?1?5? ?E?U?R?,? ?f?i?n?e?$',
  '^total: 1?5 EUR, fine$',
  '^total: 1. EUR, fine$',
  String.raw`^total: \d5 EUR, fine$`,
  '^total: 15 EUR, fine{0,1}$',
  '^total: 15{0,9} EUR, fine$',
  '^to*tal: 15 EUR, fine$',
  '^total: (?:15)? EUR, fine$',
  '^total: (15)? EUR, fine$',
  '^total: (?<sum>15) EUR, fine$',
  '^total: [^]5 EUR, fine$',
  String.raw`^total: \p{N}5 EUR, fine$`,
  String.raw`^total: 15\S EUR, fine$`,
  '^total: 15 EUR, (?i:fine)$',
  '^total: 15 EUR, fine|other$',
  '^(?=total)total: 15 EUR, fine$',
  'total: 15 EUR, fine$',
  '^total: 15 EUR, fine',
];

const written = (source: string): string => `/${source}/`;
const put = (body: string, value: string): string => body.replace('RX', () => value);

describe('patterns that a test looks for', () => {
  for (const [what, head, body] of places)
    it(`may not accept more kinds of text: ${what}`, () => {
      const from = put(body, written(total));
      for (const source of [wider[0], wider[1]].map((each) => written(each ?? '')))
        assert.notDeepEqual(objections(head, from, put(body, source)), [], source);
      assert.notDeepEqual(objections(head, from, put(body, '/^total: 15 EUR, fine$/m')), [], 'm');
    });

  it('may not accept more kinds of text: each way', () => {
    for (const source of wider)
      for (const dialect of ['javascript', 'python'] as const)
        assert.notEqual(widerPattern(total, source, dialect), undefined, source);
    const plain = { source: total, flags: '' };
    for (const flag of 'gimsuv')
      assert.notEqual(weakerPattern(plain, { source: total, flags: flag }), undefined);
    assert.notEqual(weakerPattern({ source: total, flags: 'y' }, plain), undefined);
    assert.equal(weakerPattern({ source: total, flags: 'i' }, plain), undefined);
  });

  for (const [what, head, body] of places.slice(0, 4))
    it(`may be another text between the same signs: ${what}`, () => {
      const mine = objections(head, put(body, '/price is 5/'), put(body, '/cost is 5/'));
      assert.deepEqual(mine, []);
    });

  it('may not accept more where they are built', () => {
    const built: readonly (readonly [string, string])[] = [
      [`new RegExp('^total: 30$')`, `new RegExp('^total: 1?5$')`],
      [`RegExp('^total: 30$')`, `RegExp('total: 15$')`],
      [`new RegExp('^total: 30$')`, `new RegExp('^total: 15$', 'i')`],
      [`new RegExp('^total: 30$', '')`, `new RegExp('^total: 15$', 'm')`],
      ['new RegExp(`^total: ${1} EUR$`)', 'new RegExp(`^to?tal: ${1} EUR$`)'],
      ['new RegExp(`^total: ${1} EUR$`)', 'new RegExp(`^total: ${1} EUR`)'],
      [`new RegExp('^total: ' + 1 + ' EUR$')`, `new RegExp('^total: ' + 1 + ' E?U?R?$')`],
      ['new RegExp(String.raw`^total: 30$`)', 'new RegExp(String.raw`^total: \\d5$`)'],
      [`new RegExp(['^total', '30$'].join(': '))`, `new RegExp(['^total', '1?5$'].join(': '))`],
    ];
    for (const [was, is] of built) {
      assert.notDeepEqual(
        objections(node, `assert.match(text(), ${was});`, `assert.match(text(), ${is});`),
        [],
        is,
      );
      const named = (value: string): string => `const want = ${value};\n  assert.match(text(), want);`;
      assert.notDeepEqual(objections(node, named(was), named(is)), [], `named ${is}`);
    }
    const source = (value: string): string =>
      `const words = '${value}';\n  assert.match(text(), new RegExp(words));`;
    assert.notDeepEqual(objections(node, source('^total: 30$'), source('^total: 1?5$')), []);
    const matching = (value: string): string =>
      `expect(text()).toEqual({ a: expect.stringMatching('${value}') });`;
    assert.notDeepEqual(objections(vitest, matching('^total: 30$'), matching('^total: 1?5$')), []);
    assert.deepEqual(objections(node, source('^total: 30$'), source('^total: 15$')), []);
  });

  it('may not accept more in AVA', () => {
    const inAva = (body: string): string =>
      `${ava}import { boom, text } from '../src/shop.js';\ntest('b', (t) => {\n  ${body}\n});\n`;
    for (const body of ['t.regex(text(), RX);', 't.throws(() => boom(), { message: RX });']) {
      const change = {
        file: 'test/shop.test.js',
        before: inAva(put(body, '/^total: 30$/')),
        after: inAva(put(body, '/^total: 1?5$/')),
      };
      assert.notDeepEqual(checkPolicyOfEdits([change], isTestFile, { isUndeclared: true }), [], body);
    }
  });

  it('may ask for less openness, for an anchor more, and for a longer text', () => {
    const allowed: readonly (readonly [string, string])[] = [
      ['a \\d+ b', 'a 57 b'],
      ['items?', 'things'],
      ['price is 5', '^price is 6$'],
      ['price is \\d+', 'cost is \\d+'],
      ['a\\.b', 'a\\.b\\.c'],
      ['(?:ok|fine): 1', '(?:ok|good): 22'],
    ];
    for (const [was, is] of allowed) assert.equal(widerPattern(was, is, 'javascript'), undefined, is);
  });

  it('may not say less by what moves between the same signs', () => {
    const moved: readonly (readonly [string, string])[] = [
      ['^(?:15)? EUR$', '^(?:15 EUR)?$'],
      ['^(?:ok|fine)$', '^(?:ok|)$'],
      ['^(ok|fine)$', '^ok|fine$'],
      ['^(?!error)total', '^(?!eeror)total'],
      ['^(?!er(?:ror)?)total', '^(?!ee(?:ror)?)total'],
      ['<.+?> is open', '<.+>? is open'],
      ['total: \\d', 'total: '],
      ['\\btotal', 'total'],
      ['a{2}', 'a'],
      ['a{3}', 'a{0}'],
      ['[ab]x', '[^x]x'],
      ['(?<=total )5', '5'],
    ];
    for (const [was, is] of moved) assert.notEqual(widerPattern(was, is, 'javascript'), undefined, is);
  });
});

/** Where `PART` is a text that may stand anywhere. */
const parts: readonly Place[] = [
  ['toContain', vitest, 'expect(text()).toContain(PART);'],
  ['a constant', vitest, 'const want = PART;\n  expect(text()).toContain(want);'],
  ['a row', vitest, 'for (const [n, want] of [[1, PART]]) expect(text(n)).toContain(want);'],
  ['toThrow', vitest, 'expect(() => boom()).toThrow(PART);'],
  ['toMatch', vitest, 'expect(text()).toMatch(PART);'],
  ['stringContaining', vitest, 'expect(text()).toEqual(expect.stringContaining(PART));'],
  ['an inner stringContaining', vitest, 'expect(text()).toEqual({ a: [expect.stringContaining(PART)] });'],
  ['include of chai', chai, 'expect(text()).to.include(PART);'],
  ['a string of chai', chai, 'expect(text()).to.have.string(PART);'],
  ['assert.include of chai', chai, 'assert.include(text(), PART);'],
  ['throw of chai', chai, 'expect(() => boom()).to.throw(TypeError, PART);'],
  ['includes', node, 'assert.ok(text().includes(PART));'],
  ['includes that is true', node, 'assert.equal(text().includes(PART), true);'],
  ['startsWith', node, 'assert.ok(text().startsWith(PART));'],
  ['endsWith', node, 'assert.ok(text().endsWith(PART));'],
  ['indexOf', node, 'assert.ok(text().indexOf(PART) >= 0);'],
  ['toContainText of Playwright', playwright, 'await expect(page.locator("p")).toContainText(PART);'],
  ['a check by hand', node, `if (!text().includes(PART)) throw new Error('no');`],
];

describe('parts of texts that a test looks for', () => {
  for (const [what, head, body] of parts)
    it(`may not become shorter: ${what}`, () => {
      const at = (value: string): string => body.replace('PART', () => value);
      for (const shorter of [`'dear A'`, `'Ada'`, `'ear'`, `' '`, `''`])
        assert.notDeepEqual(objections(head, at(`'dear Ada'`), at(shorter)), [], shorter);
    });
});

describe('what must not be there', () => {
  const denials: readonly (readonly [head: string, body: string])[] = [
    [vitest, 'expect(text()).not.toMatch(BAD);'],
    [vitest, 'expect(text()).not.toContain(BAD);'],
    [vitest, 'expect(text()).not.toBe(BAD);'],
    [vitest, 'const bad = BAD;\n  expect(text()).not.toContain(bad);'],
    [vitest, 'for (const bad of [BAD]) expect(text()).not.toContain(bad);'],
    [vitest, 'expect(text()).toEqual({ a: expect.not.stringContaining(BAD) });'],
    [vitest, 'expect(() => boom()).not.toThrow(BAD);'],
    [vitest, 'expect(boom).not.toHaveBeenCalledWith(BAD);'],
    [node, 'assert.doesNotMatch(text(), BAD);'],
    [node, 'assert.notEqual(text(), BAD);'],
    [chai, 'expect(text()).to.not.include(BAD);'],
    [playwright, `await expect(page.locator('p')).not.toHaveText(BAD);`],
  ];
  for (const [head, body] of denials)
    it(`may not become something else: ${body}`, () => {
      const at = (value: string): string => body.replace('BAD', () => value);
      assert.ok(objections(head, at(`'secret'`), at(`'other'`)).includes('weakened-subject'));
      assert.ok(objections(head, at('/secret/'), at('/other/')).includes('weakened-subject'));
    });
});
