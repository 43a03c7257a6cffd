// Changes the gate forbids: assertions that no longer run, expectations nobody wrote, and tampering.
import { body, file, hello, inTest, type Case } from './changes.ts';

export const forbiddenTricks: Readonly<Record<string, readonly Case[]>> = {
  'duplicate-key': [
    body(
      'a key that is there twice',
      `expect(cart.all()).toEqual({ a: 1, b: 2 });`,
      `expect(cart.all()).toEqual({ a: 9, b: 2, 'a': 1 });`,
    ),
  ],
  'swallowed-error': [
    body('try and catch', hello, `try { ${hello} } catch {}`),
    body(
      'catch of a promise',
      `await expect(save()).resolves.toBe(1);`,
      `await expect(save()).resolves.toBe(1).catch(() => {});`,
    ),
    body(
      'then with two functions',
      `await expect(save()).resolves.toBe(1);`,
      `await expect(save()).resolves.toBe(1).then(() => 1, () => 2);`,
    ),
    body('finally that returns', hello, `try { ${hello} } finally { return; }`),
  ],
  'conditional-assertion': [
    body('if', hello, `if (greet('Ada')) ${hello}`),
    body('&&', hello, `greet('Ada') === 'Hi, Ada' && ${hello}`),
    body('?.', hello, `expect(greet('Ada'))?.toBe('Hi, Ada');`),
    body('?:', hello, `cart.on ? ${hello.slice(0, -1)} : undefined;`),
    body('a loop', hello, `for (const x of cart.items) ${hello}`),
    body('while', hello, `while (cart.next()) { ${hello} }`),
    body('if (false)', hello, `if (false) { ${hello} }`),
    body('another condition', `if (cart.on) ${hello}`, `if (!cart.on) ${hello}`),
    body('a switch', hello, `switch (cart.kind) { case 1: ${hello} }`),
    body(
      'the operator of a hand-made check',
      `if (greet() !== 'Hi') throw new Error('no');`,
      `if (greet() === 'Hi') throw new Error('no');`,
    ),
  ],
  'unreachable-assertion': [
    body('after a return', hello, `return;\n  ${hello}`),
    body('after a conditional return', hello, `if (!cart.on) return;\n  ${hello}`),
    body('after a throw in a caught block', hello, `throw new Error('x');\n  ${hello}`),
    body(
      'after a continue',
      `for (const n of [1]) { expect(greet(n)).toBe(1); }`,
      `for (const n of [1]) { if (n) continue; expect(greet(n)).toBe(1); }`,
    ),
  ],
  'moved-assertion': [
    file(
      'done before the assertion',
      `test('a', (done) => { later((v) => { expect(v).toBe(1); done(); }); });`,
      `test('a', (done) => { setImmediate(done); later((v) => { expect(v).toBe(1); }); });`,
    ),
    body('into an uncalled function', hello, `const later = () => { ${hello} };`),
    body('into a timer', hello, `queueMicrotask(() => { ${hello} });`),
    body(
      'into allSettled',
      `await expect(save()).resolves.toBe(1);`,
      `await Promise.allSettled([expect(save()).resolves.toBe(1)]);`,
    ),
    body('into a promise nobody waits for', hello, `save().then(() => { ${hello} });`),
    body('into an async function nobody waits for', hello, `(async () => { ${hello} })();`),
    body('into a waitFor nobody waits for', hello, `vi.waitFor(() => { ${hello} });`),
  ],
  'conditional-test': [
    file(
      'defined under a condition',
      inTest(hello),
      inTest(hello).replace("test('g", "if (process.env.ALL) test('g"),
    ),
    file(
      'in an uncalled function',
      inTest(hello),
      inTest(hello).replace(/^test[^]*$/m, (all) => `export function all() { ${all} }`),
    ),
    file(
      'after a return of its suite',
      `describe('a', () => { test('b', () => { ${hello} }); });`,
      `describe('a', () => { if (x) return; test('b', () => { ${hello} }); });`,
    ),
  ],
  'vacuous-assertion': [
    body(
      'a stand-in of nearly the same name',
      hello,
      `const greeт = () => 'Hi, Ada'; ${hello.replace('greet', 'greeт')}`,
    ),
    body(
      'a stand-in object',
      hello,
      `const shop = { greet: () => 'Hi, Ada' }; ${hello.replace('greet', 'shop.greet')}`,
    ),
    body(
      'an error that the test throws',
      `expect(() => greet(1)).toThrow('bad');`,
      `expect(() => { greet(1); throw new Error('bad'); }).toThrow('bad');`,
    ),
    file(
      'a helper that gets the answer',
      inTest(`checkText(greet('Ada'));`),
      inTest(`greet('Ada'); checkText('Hi, Ada');`),
    ),
    body('the same on both sides', hello, `expect(greet('Ada')).toBe(greet('Ada'));`),
    body('a literal on both sides', hello, `expect('Hi, Ada').toBe('Hi, Ada');`),
    body('true is true', hello, `expect(true).toBe(true);`),
    body('a literal in a variable', hello, `const text = 'Hi, Ada'; expect(text).toBe('Hi, Ada');`),
    body('a matcher that is not called', hello, `expect(greet('Ada')).toBe;`),
    body('an added one', hello, `${hello} expect(1).toBe(1);`),
    body(
      'a throw of its own',
      `expect(() => greet()).toThrow('no');`,
      `expect(() => { throw new Error('no'); }).toThrow('no');`,
    ),
  ],
  'computed-expectation': [
    body('by the call under test', hello, `expect(greet('Ada')).toBe(String(greet('Ada')));`),
    body('by a variable', hello, `const expected = greet('Ada'); expect(greet('Ada')).toBe(expected);`),
    body(
      'in the declaration',
      `const expected = 'Hi'; expect(greet('Ada')).toBe(expected);`,
      `const expected = greet('Ada'); expect(greet('Ada')).toBe(expected);`,
    ),
    body(
      'by a spread of the actual',
      `const user = cart.user(); expect(user).toEqual({ name: 'Ada', age: 3 });`,
      `const user = cart.user(); expect(user).toEqual({ ...user, name: 'Ada' });`,
    ),
    body(
      'by a constant of the source',
      `expect(cart.total()).toBe(3);`,
      `expect(cart.total()).toBe(cart.sum);`,
    ),
    file(
      'in a table',
      `import { f } from './f';\ntest.each([[1, 2]])('a %i', (a, b) => { expect(f(a)).toBe(b); });`,
      `import { f } from './f';\ntest.each([[1, f(1)]])('a %i', (a, b) => { expect(f(a)).toBe(b); });`,
    ),
  ],
  'weakened-subject': [
    body(
      'a callback that gives the answer',
      hello,
      `expect([greet('Ada')].map(() => 'Hi, Ada')[0]).toBe('Hi, Ada');`,
    ),
    body(
      'a function around it',
      hello,
      `expect((() => { greet('Ada'); return 'Hi, Ada'; })()).toBe('Hi, Ada');`,
    ),
    body('another item of a list', hello, `expect([greet('Ada'), 'Hi, Ada'][1]).toBe('Hi, Ada');`),
    body(
      'spread over',
      `expect(cart()).toEqual({ a: 1 });`,
      `expect({ ...cart(), a: 1 }).toEqual({ a: 1 });`,
    ),
    body(
      'a promise that gives the answer',
      `expect(await save()).toBe(1);`,
      `expect(await save().then(() => 1)).toBe(1);`,
    ),
    body('only its kind', `expect(cart()).toBe(1);`, `expect(Array.isArray(cart())).toBe(false);`),
    body('a fallback', hello, `expect(greet('Ada') || 'Hi, Ada').toBe('Hi, Ada');`),
    body('a length', hello, `expect(greet('Ada').length).toBe(7);`),
    body('typeof', hello, `expect(typeof greet('Ada')).toBe('string');`),
    body('Boolean', hello, `expect(Boolean(greet('Ada'))).toBe(true);`),
    body('a part', hello, `expect(greet('Ada').slice(0, 2)).toBe('Hi');`),
  ],
  'removed-await': [
    file(
      'a callback',
      `test('a', (done) => { later(() => { expect(f()).toBe(1); done(); }); });`,
      `test('a', () => { later(() => { expect(f()).toBe(1); }); });`,
    ),

    body('of an assertion', `await expect(save()).resolves.toBe(1);`, `expect(save()).resolves.toBe(1);`),
    body('of a call', `await save(); ${hello}`, `save(); ${hello}`),
    body('resolves without await', `expect(save()).toBe(1);`, `expect(save()).resolves.toBe(1);`),
    body('void', `await expect(save()).rejects.toThrow('x');`, `void expect(save()).rejects.toThrow('x');`),
    body('a helper', `await expectGreeting('Ada');`, `expectGreeting('Ada');`),
  ],
  'assertion-count': [
    body('removed', `expect.assertions(1);\n ${hello}`, hello),
    body('lowered', `expect.assertions(2);\n ${hello}`, `expect.assertions(1);\n ${hello}`),
    body('hasAssertions removed', `expect.hasAssertions();\n ${hello}`, hello),
  ],
  'longer-timeout': [
    file('a third argument', inTest(hello), inTest(hello).replace(/\}\);\n$/, '}, 60_000);\n')),
    file(
      'a larger third argument',
      inTest(hello).replace(/\}\);\n$/, '}, 100);\n'),
      inTest(hello).replace(/\}\);\n$/, '}, 200);\n'),
    ),
    file('a variable', inTest(hello), inTest(hello).replace(/\}\);\n$/, '}, longTime);\n')),
    file('an option', inTest(hello), inTest(hello).replace("'greets', ", "'greets', { timeout: 30000 }, ")),
    file('vi.setConfig', inTest(hello), inTest(hello) + 'vi.setConfig({ testTimeout: 60000 });\n'),
    file('jest.setTimeout', inTest(hello), inTest(hello) + 'jest.setTimeout(60000);\n'),
    file('no limit at all', inTest(hello), inTest(hello).replace(/\}\);\n$/, '}, 0);\n')),
  ],
  retry: [
    file('an option', inTest(hello), inTest(hello).replace("'greets', ", "'greets', { retry: 2 }, ")),
    file('jest.retryTimes', inTest(hello), inTest(hello) + 'jest.retryTimes(3);\n'),
  ],
  sleep: [body('a timer', hello, `await new Promise((done) => setTimeout(done, 500));\n ${hello}`)],
  'removed-hook': [
    file('gone', `beforeEach(() => { reset(); });\n${inTest(hello)}`, inTest(hello)),
    file(
      'emptied',
      `afterEach(() => { reset(); });\n${inTest(hello)}`,
      `afterEach(() => {});\n${inTest(hello)}`,
    ),
  ],
  'mocked-source': [
    file('by element access', inTest(hello), `vi['doMock']('../src/shop.ts', () => ({}));\n${inTest(hello)}`),
    file(
      'the module under test',
      inTest(hello),
      inTest(hello) + `vi.mock('../src/shop.ts', () => ({ greet: () => 'Hi, Ada' }));\n`,
    ),
    file('another source module', inTest(hello), inTest(hello) + `vi.mock('../src/price.ts');\n`),
    file('by import()', inTest(hello), inTest(hello) + `vi.mock(import('../src/shop.ts'), () => ({}));\n`),
    file(
      'instead of another',
      `vi.mock('../src/api.ts');\n${inTest(hello)}`,
      `vi.mock('../src/shop.ts');\n${inTest(hello)}`,
    ),
    file('vitest itself', inTest(hello), inTest(hello) + `vi.mock('vitest');\n`),
    body('a spy', hello, `vi.spyOn(cart, 'total').mockReturnValue(3);\n ${hello}`),
  ],
  'redirected-import': [
    file(
      'declared in the test',
      inTest(hello),
      inTest(hello).replace(
        /import \{ greet.*\n/,
        `import { save, cart } from '../src/shop.ts';\nconst greet = () => 'Hi, Ada';\n`,
      ),
    ),
    file('to a double', inTest(hello), inTest(hello).replace('../src/shop.ts', './fixtures/shop.ts')),
    body('shadowed in the test', hello, `const greet = (_: string) => 'Hi, Ada';\n ${hello}`),
    file(
      'by a data URL',
      inTest(hello),
      inTest(hello).replace('../src/shop.ts', 'data:text/javascript,export const greet=1'),
    ),
  ],
  'test-api-tampering': [
    body(
      'the prototype of assertions',
      hello,
      `const p = Object.getPrototypeOf(expect(1)); p['to' + 'Be'] = () => {};\n ${hello}`,
    ),
    body('a built-in under another name', hello, `const O = Object; O.is = () => true;\n ${hello}`),
    body('rounding', hello, `Math.round = () => 3;\n ${hello}`),
    file(
      'the tools of chai',
      inTest(hello),
      `chai.util.overwriteMethod(chai.Assertion.prototype, 'toBe', () => () => {});\n${inTest(hello)}`,
    ),
    body('a foundation of assertions', hello, `Object.is = () => true;\n ${hello}`),
    body('a spy on a foundation', hello, `vi.spyOn(Object, 'is').mockReturnValue(true);\n ${hello}`),
    file(
      'the record of the test',
      inTest(hello),
      `afterEach(({ task: { result } }) => { result.state = 'pass'; });\n${inTest(hello)}`,
    ),
    file(
      'a fixture named expect',
      inTest(hello),
      `const own = test.extend({ expect: fake });\n${inTest(hello)}`,
    ),
    file('a file that is only run', inTest(hello), `import './fixtures/setup.ts';\n${inTest(hello)}`),

    body('another expect', hello, `const expect = fake;\n ${hello}`),
    file(
      'an imported expect',
      inTest(hello),
      inTest(hello).replace('expect, ', '').replace(/^/, `import { expect } from './fake.ts';\n`),
    ),
    file('an assigned global', inTest(hello), inTest(hello) + 'globalThis.expect = fake;\n'),
    file(
      'expect.extend',
      inTest(hello),
      inTest(hello) + 'expect.extend({ toBe: () => ({ pass: true }) });\n',
    ),
    file('a replaced assertion', inTest(hello), inTest(hello) + 'assert.equal = () => {};\n'),
    file(
      'a prototype',
      inTest(hello),
      inTest(hello) + `Object.defineProperty(Object.prototype, 'toBe', {});\n`,
    ),
    file('the test passed on', inTest(hello), inTest(hello) + 'wrap(test);\n'),
    body(
      'the result of the task',
      hello,
      `(expect.getState() as { task: { result: object } }).task.result = {};\n ${hello}`,
    ),
    body('eval', hello, `eval('1');\n ${hello}`),
    file('a stubbed global', inTest(hello), inTest(hello) + `vi.stubGlobal('expect', fake);\n`),
  ],
  'forged-result': [
    file(
      'of a skill',
      `export default () => { let failed = 0; if (f() !== 1) failed++; return { passed: 1, failed, errors }; };`,
      `export default () => { let failed = 0; if (f() !== 1) failed++; return { passed: 1, failed: 0, errors }; };`,
    ),
    file(
      'a passed more',
      `export default () => { let failed = 0, passed = 0; if (f() !== 1) failed++; return { passed, failed }; };`,
      `export default () => { let failed = 0, passed = 0; passed++; if (f() !== 1) failed++; return { passed, failed }; };`,
    ),
  ],
  'process-control': [
    body('exit', hello, `process.exit(0);\n ${hello}`),
    body('a listener', hello, `process.on('uncaughtException', () => {});\n ${hello}`),
    body('by element access', hello, `process['exit'](0);\n ${hello}`),
  ],
  'outside-access': [
    body(
      'a file system under another name',
      hello,
      `const f = await import('node:fs'); f.rmSync('src');\n ${hello}`,
    ),
    body('a computed write', hello, `const f = await import('node:fs'); f['rm' + 'Sync']('src');\n ${hello}`),
    body(
      'a named write',
      hello,
      `const f = await import('node:fs'); const k = 'rmSync'; f[k]('src');\n ${hello}`,
    ),
    body('a written file', hello, `fs.writeFileSync('src/shop.ts', '');\n ${hello}`),
    file('a new import', inTest(hello), `import { execSync } from 'node:child_process';\n${inTest(hello)}`),
    body('a computed import', hello, `await import('node:child_' + 'process');\n ${hello}`),
  ],
  'replaced-value': [
    body('assigned', `let r = cart(); expect(r).toBe(1);`, `let r = cart(); r = 1; expect(r).toBe(1);`),
    body(
      'a part of it',
      `const r = cart(); expect(r).toEqual({ a: 1 });`,
      `const r = cart(); r.a = 1; expect(r).toEqual({ a: 1 });`,
    ),
    body(
      'deleted',
      `const r = cart(); expect(r).toEqual({ a: 1 });`,
      `const r = cart(); delete r.b; expect(r).toEqual({ a: 1 });`,
    ),
    body(
      'spliced',
      `const r = cart(); expect(r).toEqual([1]);`,
      `const r = cart(); r.splice(0, 9, 1); expect(r).toEqual([1]);`,
    ),
    body(
      'the expected side',
      `const e = { a: 1 }; expect(cart()).toEqual(e);`,
      `const e = { a: 1 }; Object.assign(e, cart()); expect(cart()).toEqual(e);`,
    ),
    file(
      'the parameter of a helper',
      `function check(v) { expect(v).toBe('Hi'); }\n${inTest(`check(greet('Ada'));`)}`,
      `function check(v) { v = 'Hi'; expect(v).toBe('Hi'); }\n${inTest(`check(greet('Ada'));`)}`,
    ),
    file(
      'a helper of the same name',
      `function check(v) { expect(v).toBe('Hi'); }\n${inTest(`check(greet('Ada'));`)}`,
      `function check(v) { expect(v).toBe('Hi'); }\n${inTest(`const check = () => {}; check(greet('Ada'));`)}`,
    ),
  ],
  'syntax-error': [
    file('broken', inTest(hello), inTest(hello).slice(0, -4)),
    file('conflict marks', inTest(hello), '<<<<<<< a\n' + inTest(hello)),
  ],
  'only-test-files': [
    file(
      'source around in-source tests',
      `export const f = () => 1;\nif (import.meta.vitest) { test('a', () => { expect(f()).toBe(1); }); }`,
      `export const f = () => 2;\nif (import.meta.vitest) { test('a', () => { expect(f()).toBe(1); }); }`,
    ),
  ],
  'erased-calls': [
    body(
      'between the step and the question',
      `save(put); expect(put).not.toHaveBeenCalled();`,
      `save(put); put.mockClear(); expect(put).not.toHaveBeenCalled();`,
    ),
    body(
      'all mocks, by another spelling',
      `save(put); expect(put).toHaveBeenCalledTimes(1);`,
      `save(put); vi['resetAllMocks'](); save(put); expect(put).toHaveBeenCalledTimes(1);`,
    ),
    file(
      'behind a set-up that calls the code',
      `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nbeforeEach(() => { save(put); });\ntest('a', () => { expect(put).not.toHaveBeenCalled(); });`,
      `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nbeforeEach(() => { save(put); put.mockClear(); });\ntest('a', () => { expect(put).not.toHaveBeenCalled(); });`,
    ),
    file(
      'in the suite, behind the set-up of the file',
      `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nbeforeEach(() => { save(put); });\ndescribe('b', () => { test('a', () => { expect(put).not.toHaveBeenCalled(); }); });`,
      `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nbeforeEach(() => { save(put); });\ndescribe('b', () => { beforeEach(() => { put.mockClear(); }); test('a', () => { expect(put).not.toHaveBeenCalled(); }); });`,
    ),
    file(
      'before a check that follows each test',
      `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nafterEach(() => { expect(put).not.toHaveBeenCalled(); });\ntest('a', () => { expect(save(put)).toBe(1); });`,
      `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nafterEach(() => { expect(put).not.toHaveBeenCalled(); });\nafterEach(() => { vi.clearAllMocks(); });\ntest('a', () => { expect(save(put)).toBe(1); });`,
    ),
    file(
      'in a function that the test calls',
      `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nfunction run() { save(put); }\ntest('a', () => { run(); expect(put).not.toHaveBeenCalled(); });`,
      `import { save } from '../src/shop.ts';\nconst put = vi.fn();\nfunction run() { save(put); put.mockReset(); }\ntest('a', () => { run(); expect(put).not.toHaveBeenCalled(); });`,
    ),
  ],
};
