// Changes the gate forbids: tests that vanish, assertions that say less, the wrong way round, or nothing.
import { body, file, hello, inTest, type Case } from './changes.ts';

export const forbiddenStrength: Readonly<Record<string, readonly Case[]>> = {
  'skip-or-only': [
    file('a benchmark', inTest(hello), inTest(hello).replace("test('g", "bench('g")),

    file('a skipped test', inTest(hello), inTest(hello).replace("test('g", "test.skip('g")),
    file('an only', inTest(hello), inTest(hello).replace("test('g", "test.only('g")),
    file('fails', inTest(hello), inTest(hello).replace("test('g", "test.fails('g")),
    file('skipIf', inTest(hello), inTest(hello).replace("test('g", "test.skipIf(true)('g")),
    file('runIf', inTest(hello), inTest(hello).replace("test('g", "test.runIf(0)('g")),
    file('todo', inTest(hello), inTest(hello).replace("test('g", "test.todo('g")),
    file('xit', `it('a', () => { ${hello} });`, `xit('a', () => { ${hello} });`),
    file('xdescribe', `describe('a', () => {});`, `xdescribe('a', () => {});`),
    file('an element access', inTest(hello), inTest(hello).replace("test('g", "test['skip']('g")),
    file('a computed access', inTest(hello), inTest(hello).replace("test('g", "test['sk' + 'ip']('g")),
    file('an option', inTest(hello), inTest(hello).replace("'greets', ", "'greets', { skip: true }, ")),
    file(
      'the context',
      inTest(hello),
      inTest(hello).replace('async () => {', 'async (ctx) => { ctx.skip();'),
    ),
    file(
      'a destructured context',
      inTest(hello),
      inTest(hello).replace('async () => {', 'async ({ skip }) => { skip();'),
    ),
    file('an alias', inTest(hello), inTest(hello).replace("test('g", "const later = test.skip;\nlater('g")),
    file(
      'a destructured skip',
      inTest(hello),
      inTest(hello).replace("test('g", "const { skip: later } = test;\nlater('g"),
    ),
  ],
  suppression: [
    body('ts-ignore', hello, `// @ts-ignore\n  ${hello}`),
    body('ts-expect-error in a block comment', hello, `/* @ts-expect-error gone */ ${hello}`),
    file('ts-nocheck', inTest(hello), '// @ts-nocheck\n' + inTest(hello)),
    body('eslint-disable', hello, `// eslint-disable-next-line no-x\n  ${hello}`),
    body('oxlint-disable', hello, `/* oxlint-disable */ ${hello}`),
    body('biome-ignore', hello, `// biome-ignore lint: no\n  ${hello}`),
    body('v8 ignore', hello, `/* v8 ignore next */ ${hello}`),
    body('istanbul ignore', hello, `/* istanbul ignore next */ ${hello}`),
    body('at the end of the line', hello, `${hello} // c8 ignore next`),
  ],
  'loose-type': [
    body('as any', hello, hello.replace("'Ada'", "'Ada' as any")),
    body('as unknown', hello, hello.replace("'Ada'", "'Ada' as unknown as string")),
    body('a type assertion', hello, hello.replace("'Ada'", "<any>'Ada'")),
    body('a type', 'const n = 1;\n' + hello, 'const n: any = 1;\n' + hello),
    body('as never', hello, hello.replace("'Ada'", "'Ada' as never")),
    body('non-null', 'expect(cart.item.name).toBe(1);', 'expect(cart.item!.name).toBe(1);'),
  ],
  'removed-test': [
    file('deleted', inTest(hello) + inTest(hello).replace('greets', 'parts'), inTest(hello)),
    file('renamed', inTest(hello), inTest(hello).replace('greets', 'greets well')),
    file(
      'commented out',
      inTest(hello),
      inTest(hello).replace(/^test[^]*$/m, (all) => `/* ${all} */`),
    ),
    file('one of two with one title', inTest(hello) + inTest(hello), inTest(hello)),
    file(
      'moved to another suite',
      `describe('a', () => { ${inTest(hello).split('\n').slice(3).join('\n')} });`,
      inTest(hello),
    ),
  ],
  'removed-rows': [
    file(
      'a shortened list',
      `const rows = [1, 2]; test.each(rows)('t %i', (a) => { expect(f(a)).toBe(1); });`,
      `const rows = [1, 2].filter((a) => a > 1); test.each(rows)('t %i', (a) => { expect(f(a)).toBe(1); });`,
    ),
    file(
      'of each',
      `test.each([[1, 2], [3, 4]])('a %i', (a, b) => { expect(f(a)).toBe(b); });`,
      `test.each([[1, 2]])('a %i', (a, b) => { expect(f(a)).toBe(b); });`,
    ),
    file(
      'of a variable',
      `const rows = [1, 2];\nfor (const r of rows) test('a' + r, () => { expect(f(r)).toBe(1); });`,
      `const rows = [1];\nfor (const r of rows) test('a' + r, () => { expect(f(r)).toBe(1); });`,
    ),
    file(
      'copied',
      `test.each([[1, 2], [3, 4]])('a %i', (a, b) => { expect(f(a)).toBe(b); });`,
      `test.each([[1, 2], [1, 2]])('a %i', (a, b) => { expect(f(a)).toBe(b); });`,
    ),
    file(
      'filtered',
      `test.each(rows)('a %i', (a) => { expect(f(a)).toBe(1); });`,
      `test.each(rows.slice(1))('a %i', (a) => { expect(f(a)).toBe(1); });`,
    ),
    file(
      'of a template',
      "test.each`a | b\n${1} | ${2}\n${3} | ${4}`('t $a', ({ a, b }) => { expect(f(a)).toBe(b); });",
      "test.each`a | b\n${1} | ${2}`('t $a', ({ a, b }) => { expect(f(a)).toBe(b); });",
    ),
    file(
      'of a loop in a test',
      inTest('for (const n of [1, 2]) expect(greet(n)).toBe(n);'),
      inTest('for (const n of [1]) expect(greet(n)).toBe(n);'),
    ),
    file(
      'of an object',
      `for (const [k, v] of Object.entries({ a: 1, b: 2 })) test(k, () => { expect(f(k)).toBe(v); });`,
      `for (const [k, v] of Object.entries({ a: 1 })) test(k, () => { expect(f(k)).toBe(v); });`,
    ),
  ],
  'empty-test': [
    file('a generator', inTest(hello), inTest(hello).replace('async () =>', 'function* ()')),

    body('emptied', hello, ''),
    file('without a callback', inTest(hello), inTest(hello).replace(/async[^]*\}/, 'noop')),
  ],
  'fewer-assertions': [
    body('one of two', `${hello}\n  expect(cart.count()).toBe(1);`, hello),
    body(
      'commented out',
      `${hello}\n  expect(cart.count()).toBe(1);`,
      `${hello}\n  // expect(cart.count()).toBe(1);`,
    ),
    body('one twice', `${hello}\n  expect(cart.count()).toBe(1);`, `${hello}\n  ${hello}`),
    body(
      'an aliased expect',
      hello,
      `const e = (x: unknown) => ({ toBe() {} }); e(greet('Ada')).toBe('Hi');`,
    ),
    body('only the subject left', hello, `expect(greet('Ada'));`),
    body('a helper', 'checkGreeting(1); await save();', 'await save();'),
    body('the only call', 'save(); cart.clear();', 'save();'),
    body('a thrown error', `if (greet() !== 'Hi') throw new Error('no');\n ${hello}`, hello),
    body(
      'a chai matcher of a chain',
      `expect(cart).to.have.property('a').that.equals(1);`,
      `expect(cart).to.have.property('a');`,
    ),
  ],
  'weaker-matcher': [
    body(
      'the promise itself',
      `await expect(save()).resolves.toEqual({ a: 1 });`,
      `await expect(save()).toEqual({});`,
    ),
    body(
      'a value that says it is equal',
      `expect(cart()).toEqual({ a: 1 });`,
      `expect(cart()).toEqual({ asymmetricMatch: () => true });`,
    ),
    ...(
      [
        ['toBe(1)', 'toEqual(1)'],
        ['toMatchSnapshot()', "toMatchSnapshot('other')"],
        ['toStrictEqual({ a: 1 })', 'toEqual({ a: 1 })'],
        ['toEqual({ a: 1 })', 'toMatchObject({ a: 1 })'],
        ['toEqual({ a: 1 })', 'toEqual(expect.objectContaining({ a: 1 }))'],
        ['toEqual({ a: 1 })', 'toEqual({ a: expect.any(Number) })'],
        ['toEqual({ a: 1 })', 'toEqual(expect.anything())'],
        ["toBe('Hi')", 'toBeDefined()'],
        ["toBe('Hi')", 'toBeTruthy()'],
        ["toBe('Hi')", "toContain('H')"],
        ["toBe('Hi')", 'toMatch(/H/)'],
        ["toBe('Hi')", 'toMatchSnapshot()'],
        ["toBe('Hi')", 'toMatchInlineSnapshot()'],
        ["toEqual('Hi')", "toEqual(expect.stringContaining('H'))"],
        ["toThrow('no stock')", 'toThrow()'],
        ["toThrow('no stock')", "toThrow('')"],
        ["toThrow('no stock')", "toThrow('o')"],
        ["toThrow('no stock')", 'toThrow(Error)'],
        ["toThrow('no stock')", 'toThrow(/.*/)'],
        ['toMatch(/^Hi$/)', 'toMatch(/./)'],
        ['toHaveBeenCalledWith(1)', 'toHaveBeenCalled()'],
        ['toHaveBeenCalledWith(1)', 'toHaveBeenCalledWith(expect.anything())'],
        ['toHaveBeenCalledTimes(2)', 'toHaveBeenCalled()'],
        ['toBeCloseTo(0.3, 5)', 'toBeCloseTo(0.3, 1)'],
        ['toBe(0.3)', 'toBeCloseTo(0.3)'],
        ["toHaveProperty('a', 1)", "toHaveProperty('a')"],
        ['toBeInstanceOf(Date)', 'toBeInstanceOf(Object)'],
        ['toMatchObject({ a: 1 })', 'toMatchObject({})'],

        ['toBe(1)', 'toBeWhatever(1)'],
        ['toSatisfy((x) => x > 3)', 'toSatisfy(() => true)'],
      ] as const
    ).map(([was, is]) =>
      body(`${was} → ${is}`, `expect(greet('Ada')).${was};`, `expect(greet('Ada')).${is};`),
    ),
    body('a computed matcher', `expect(greet()).toBe(1);`, `expect(greet())[m]('x');`),
    file(
      'strictEqual → equal',
      `import assert from 'node:assert';\ntest('a', () => { assert.strictEqual(f(), 1); });`,
      `import assert from 'node:assert';\ntest('a', () => { assert.equal(f(), 1); });`,
    ),
    file(
      'deepStrictEqual → deepEqual',
      `import assert from 'node:assert';\ntest('a', () => { assert.deepStrictEqual(f(), 1); });`,
      `import assert from 'node:assert';\ntest('a', () => { assert.deepEqual(f(), 1); });`,
    ),
    file(
      'assert/strict → assert',
      `import assert from 'node:assert/strict';\ntest('a', () => { assert.equal(f(), 1); });`,
      `import assert from 'node:assert';\ntest('a', () => { assert.equal(f(), 1); });`,
    ),
    file(
      'equal → ok',
      `test('a', () => { assert.equal(f(), 1); });`,
      `test('a', () => { assert.ok(f()); });`,
    ),
    file(
      'throws without its message',
      `test('a', () => { assert.throws(() => f(), /no/); });`,
      `test('a', () => { assert.throws(() => f()); });`,
    ),
    body(
      'a wildcard in a variable',
      `const all = { a: 1 }; expect(greet()).toEqual(all);`,
      `const all = { a: expect.anything() }; expect(greet()).toEqual(all);`,
    ),
  ],
  inverted: [
    body('true → false', `expect(greet()).toBe(true);`, `expect(greet()).toBe(false);`),
    body('a new not', hello, hello.replace('.toBe', '.not.toBe')),
    body('a lost not', hello.replace('.toBe', '.not.toBe'), hello),
    body('truthy → falsy', `expect(greet()).toBeTruthy();`, `expect(greet()).toBeFalsy();`),
    body('true → falsy', `expect(greet()).toBe(true);`, `expect(greet()).toBeFalsy();`),
    body(
      'rejects → resolves',
      `await expect(greet()).rejects.toBe(1);`,
      `await expect(greet()).resolves.toBe(1);`,
    ),
    body('a negated subject', `expect(cart.ok()).toBe(true);`, `expect(!cart.ok()).toBe(true);`),
    body(
      'another comparison',
      `expect(cart.count() > 1).toBe(true);`,
      `expect(cart.count() < 1).toBe(true);`,
    ),
    body('called → not called', `expect(save).toHaveBeenCalled();`, `expect(save).toHaveBeenCalledTimes(0);`),
    body(
      'through a variable',
      `const yes = true; expect(greet()).toBe(yes);`,
      `const yes = false; expect(greet()).toBe(yes);`,
    ),
    file(
      'in a table',
      `test.each([[1, true]])('a %i', (a, b) => { expect(f(a)).toBe(b); });`,
      `test.each([[1, false]])('a %i', (a, b) => { expect(f(a)).toBe(b); });`,
    ),
    file(
      'equal → notEqual',
      `test('a', () => { assert.equal(f(), 1); });`,
      `test('a', () => { assert.notEqual(f(), 1); });`,
    ),
  ],
  widened: [
    body(
      'a threshold',
      `expect(cart.count()).toBeGreaterThan(5);`,
      `expect(cart.count()).toBeGreaterThan(0);`,
    ),
    body(
      'fewer named values',
      `expect(cart.all()).toMatchObject({ a: 1, b: 2 });`,
      `expect(cart.all()).toMatchObject({ a: 1 });`,
    ),
  ],
};
