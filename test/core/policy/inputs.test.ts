// What a fix may not change along the way: the input of the code, when it changes what is expected; what is expected, when it follows names.
import assert from 'node:assert/strict';
import { checkPolicyOfEdits, type GateContext } from '../../../src/core/policy/checkPolicy.ts';

const head = `import { beforeEach, expect, test, vi } from 'vitest';
import { area, save, Token } from '../src/shop.ts';
`;
const inTest = (body: string): string => `${head}test('a', async () => {\n${body}\n});\n`;
const rulesOf = (before: string, after: string, gate: GateContext): string[] => {
  const change = { file: 'test/a.test.ts', before, after };
  const found = checkPolicyOfEdits([change], (file) => file.startsWith('test/'), gate);
  return [...new Set(found.map(({ rule }) => rule))];
};

/** Whole test files, with `IN` where the input is written and `OUT` where the expected value is. */
const tests: Readonly<Record<string, string>> = {
  'arranged, acted and asserted': inTest('const area1 = area(IN); expect(area1).toBe(OUT);'),
  'in a variable': inTest(
    'const side = IN; const got = area(side); const wanted = OUT; expect(got).toBe(wanted);',
  ),
  'in an object': inTest(
    'const given = { side: IN, wanted: OUT }; expect(area(given.side)).toBe(given.wanted);',
  ),
  'in columns': `${head}test.each([[IN, OUT], [5, 25]])('%i', (side, wanted) => { expect(area(side)).toBe(wanted); });`,
  'in rows of objects': `${head}const rows = [{ side: IN, wanted: OUT }];
test.each(rows)('$side', ({ side, wanted }) => { expect(area(side)).toBe(wanted); });`,
  'in a tagged table': `${head}test.each\`side | wanted\n\${IN} | \${OUT}\`('a', ({ side, wanted }) => { expect(area(side)).toBe(wanted); });`,
  'in a loop': `${head}for (const [side, wanted] of [[IN, OUT]]) test('a' + side, () => { expect(area(side)).toBe(wanted); });`,
  'in the entries of an object': `${head}const rows = { a: { side: IN, wanted: OUT } };
for (const [name, row] of Object.entries(rows)) test(name, () => { expect(area(row.side)).toBe(row.wanted); });`,
  'in a set-up': `${head}let got: number;\nbeforeEach(() => { got = area(IN); });\ntest('a', () => { expect(got).toBe(OUT); });`,
  'handed to a helper that checks': `${head}const check = (side: number, wanted: number) => expect(area(side)).toBe(wanted);
test('a', () => { check(IN, OUT); });`,
  'handed to a helper that acts': `${head}const run = (side: number) => area(side);
test('a', () => { const got = run(IN); expect(got).toBe(OUT); });`,
  'in the body of a helper': `${head}const run = () => area(IN);\ntest('a', () => { expect(run()).toBe(OUT); });`,
  'as the answer of a double': inTest('const ask = vi.fn(() => IN); expect(area(ask)).toBe(OUT);'),
  'as the answer of a mock': inTest('vi.mocked(save).mockReturnValue(IN); expect(area()).toBe(OUT);'),
  'in a constructor': inTest('const token = new Token(IN); expect(token.size()).toBe(OUT);'),
  'given to a member': inTest('const token = new Token(); token.side = IN; expect(token.size()).toBe(OUT);'),
  'in what is looked at': inTest('expect(area(IN)).toBe(OUT);'),
  'in a call beside the expected value': inTest('expect([area(2), 1]).toEqual([area(IN), OUT]);'),
};
const filled = (text: string, given: number, wanted: number): string =>
  text.replaceAll('IN', () => String(given)).replaceAll('OUT', () => String(wanted));

describe('the gate over a fix that changes what is expected', () => {
  for (const [where, text] of Object.entries(tests)) {
    it(`lets no input change ${where}`, () => {
      const gate = { isExpectation: true };
      assert.deepEqual(rulesOf(filled(text, 3, 9), filled(text, 3, 10), gate), []);
      assert.deepEqual(rulesOf(filled(text, 3, 9), filled(text, 4, 9), gate), ['changed-input']);
      assert.deepEqual(rulesOf(filled(text, 3, 9), filled(text, 4, 16), gate), ['changed-input']);
    });
  }

  it('lets no value change that is given and expected at once', () => {
    const both = inTest(`const name = 'Ada'; expect(save(name)).toBe(name);`);
    assert.deepEqual(rulesOf(both, both.replace('Ada', 'Bob'), { isExpectation: true }), ['changed-input']);
  });

  it('lets no step come, go or change', () => {
    const steps = inTest('save(1); const got = area(3); expect(got).toBe(9);');
    for (const other of [
      steps.replace('save(1); ', ''),
      steps.replace('save(1)', 'save(1); save(1)'),
      steps.replace('save(1)', 'area(1)'),
      steps.replace('area(3)', 'area(3, 1)'),
    ])
      assert.deepEqual(rulesOf(steps, other, { isExpectation: true }), ['changed-input'], other);
  });

  it('lets messages tell the new value', () => {
    const told = inTest(`expect(area(3), 'is 9').toBe(9);`);
    assert.deepEqual(rulesOf(told, told.replaceAll('9', '10'), { isExpectation: true }), []);
  });

  it('takes a trial for the reason where the text does not tell, and only there', () => {
    const built = inTest(`const wanted = new Token('word', 'a'); expect(save(3)).toEqual(wanted);`);
    const other = built.replace('word', 'name');
    assert.deepEqual(rulesOf(built, other, { isExpectation: true }), ['changed-input']);
    assert.deepEqual(rulesOf(built, other, { isExpectation: true, isTried: true }), []);
    const input = built.replace('save(3)', 'save(4)');
    assert.deepEqual(rulesOf(built, input, { isExpectation: true, isTried: true }), ['changed-input']);
  });
});

describe('the gate over a fix that follows names', () => {
  const gate: GateContext = { keepsExpectations: true };
  for (const [where, text] of Object.entries(tests)) {
    it(`lets what is given change, and no expected value, ${where}`, () => {
      assert.deepEqual(rulesOf(filled(text, 3, 9), filled(text, 4, 9), gate), []);
      assert.deepEqual(rulesOf(filled(text, 3, 9), filled(text, 3, 10), gate), ['changed-expectation']);
    });
  }

  it('lets names, keys, modules and awaits change', () => {
    for (const [before, after] of [
      [`expect(save(1)).toEqual({ old: 'a' });`, `expect(save(1)).toEqual({ now: 'a' });`],
      [`expect(save(1)).toBe(Token.Old);`, `expect(save(1)).toBe(Token.Now);`],
      [
        `const row = { old: 1 }; expect(save(1)).toBe(row['old']);`,
        `const row = { now: 1 }; expect(save(1)).toBe(row['now']);`,
      ],
      [`expect(save(1)).toEqual({ a: true });`, `expect(await save(1)).toEqual({ a: true });`],
      [`vi.mock('./old'); expect(save(1)).toBe(1);`, `vi.mock('./now'); expect(save(1)).toBe(1);`],
    ] as const)
      assert.deepEqual(rulesOf(inTest(before), inTest(after), gate), [], after);
  });

  it('lets no expected value change under a new key, and no name take the place of another', () => {
    for (const [before, after] of [
      [`expect(save(1)).toEqual({ old: 'a' });`, `expect(save(1)).toEqual({ now: 'b' });`],
      ['expect(save(1)).toBe(`a ${1}`);', 'expect(save(1)).toBe(`b ${1}`);'],
      [
        'const [a, b] = [1, 2]; expect(save(1)).toBe(a); expect(save(2)).toBe(b);',
        'const [a, b] = [2, 1]; expect(save(1)).toBe(a); expect(save(2)).toBe(b);',
      ],
      [
        'const a = 1; const b = 2; expect(save(1)).toBe(a); expect(save(2)).toBe(b);',
        'const a = 1; const b = 2; expect(save(1)).toBe(b); expect(save(2)).toBe(a);',
      ],
    ] as const)
      assert.ok(rulesOf(inTest(before), inTest(after), gate).includes('changed-expectation'), after);
  });
});
