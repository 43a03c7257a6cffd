// Of a change that nobody vouches for: it lets a test reach nothing that it could not reach before, whatever it is called.
import assert from 'node:assert/strict';
import { checkPolicyOfEdits } from '../../../src/core/policy/checkPolicy.ts';
import { whyUnjudged } from '../../../src/core/policy/unjudged.ts';

const isTestFile = (file: string): boolean => file.startsWith('test/');
const sources: Readonly<Record<string, string>> = {
  'src/shop.js': 'export const price = (n) => n * 2;\nexport const check = (n) => n > 10;\n',
  'src/cart.js': 'export class Cart { add() {} total() { return 0; } }\n',
  'test/helper.js': 'export const ten = 10;\n',
};
const readSource = (name: string): string | undefined => sources[name];
const file = 'test/shop.test.js';
const head = `import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { price } from '../src/shop.js';

const list = JSON.parse(readFileSync(path.join('data', 'list.json'), 'utf8'));
process.env.RATE = '2';
`;
const text = `${head}
test('price', () => {
  const wanted = 2;
  assert.strictEqual(price(1), wanted);
  assert.strictEqual(process.env.RATE, '2');
  assert.ok(list);
});
`;

function rulesOf(
  after: string,
  others: readonly string[] = [],
  before: string | undefined = text,
): readonly string[] {
  const changes = [
    { file, before, after },
    ...others.map((other) => ({ file: other, before: undefined, after: 'export const ten = 10;\n' })),
  ];
  const found = checkPolicyOfEdits(changes, isTestFile, { readSource, isUndeclared: true });
  return [...new Set(found.map(({ rule }) => rule))];
}
const added = (body: string, imports = ''): string =>
  `${imports}${text}\ntest('more', async () => {\n  ${body}\n});\n`;

describe('what a change that nobody vouches for lets a test reach', () => {
  const attacks: readonly (readonly [what: string, body: string, imports?: string])[] = [
    ['assert without its checks', `const a = await import('node:assert'); a.default.ok = () => {};`],
    ['the same by Reflect', `const a = await import('node:assert'); Reflect.set(a.default, 'ok', () => {});`],
    ['the same by another module', `const a = await import('../src/shop.js'); a.default.ok = () => {};`],
    ['code from text', `(0, eval)('process.getBuiltinModule("assert").ok = () => {}');`],
    ['code from an address', `await import('data:text/javascript,import fs from "node:fs"');`],
    [
      'code from an address that is put together',
      `const at = 'da' + 'ta:'; await import(at + 'text/javascript,1');`,
    ],
    ['a module by its other name', `const { openSync: o } = await import('node:fs'); o('x', 'w');`],
    ['a module that is required', `const { openSync: o } = require('fs'); o('x', 'w');`],
    ['members of a module that is loaded', `(await import('node:fs')).default.rmSync('x');`],
    ['a new import', `spawn('sh');`, `import { spawn } from 'node:child_process';\n`],
    ['a new name of an import', `rmSync('x');`, `import { rmSync } from 'node:fs';\n`],
    [
      'an import under a harmless name',
      `price2('x');`,
      `import { writeFileSync as price2 } from 'node:fs';\n`,
    ],
    [
      'process by a name that is put together',
      `Reflect.apply(Reflect.get(Reflect.get(globalThis, 'pro' + 'cess').getBuiltinModule('fs'), 'write' + 'FileSync'), null, ['x', 'y']);`,
    ],
    ['another member of process', `process.kill(1);`],
    ['a module of process', `process.getBuiltinModule('fs');`],
    ['process under another name', `const p = process; p.kill(1);`],
    ['process in parts', `const { kill } = process; kill(1);`],
    ['process in an object', `const o = { process }; o.process.kill(1);`],
    [
      'process where another function has a variable of that name',
      `const f = () => { const process = 1; return process; }; f(); process.kill(1);`,
    ],
    ['another file', `assert.ok(readFileSync('/etc/passwd', 'utf8'));`],
    [
      'another file of a known name',
      `const path = { join: () => '/etc/passwd' }; readFileSync(path.join('data', 'list.json'), 'utf8');`,
    ],
    ['a function as a value', `const read = readFileSync; assert.ok(read('/etc/passwd'));`],
    ['the network', `await fetch('http://localhost:1');`],
    ['a socket', `new WebSocket('ws://localhost:1');`],
    ['code by the constructor of functions', `price.constructor('return 1')();`],
    ['the same by a text', `price['constructor']('return 1')();`],
    ['the same by a text that is put together', `price['con' + 'structor']('return 1')();`],
    ['the same by a variable', `const k = ['con', 'structor'].join(''); price[k]('return 1')();`],
    ['the same by a pattern', `const { constructor: F } = price; F('return 1')();`],
    ['the same by a computed pattern', `const { ['con' + 'structor']: F } = price; F('return 1')();`],
    ['the same by an assigned pattern', `let F; ({ constructor: F } = price); F('return 1')();`],
    ['the same by own data', `({})['con' + 'structor']['con' + 'structor']('return 1')();`],
    ['Function', `new Function('return 1')();`],
    ['the global object by this', `(function () { return this; })().process.kill(1);`],
    [
      'the global object by a method',
      `const o = { me() { return this; } }; const { me } = o; me().process.kill(1);`,
    ],
    ['a timer with text', `setTimeout('process.exit()', 1);`],
    ['what all arrays share', `Array.prototype.map = () => [];`],
    ['what all objects share', `({}).__proto__.toJSON = () => '';`],
    ['a built-in written over', `Math.max = () => 1;`],
    ['a built-in written over by a pattern', `[Math.max] = [() => 1];`],
    ['a built-in written over by a loop', `for (Math.max of [() => 1]) price(1);`],
    ['a built-in handed on', `const o = { m: Math }; o.m.max = () => 1;`],
    ['a built-in written over by a call', `Object.assign(Math, { max: () => 1 });`],
    ['a built-in defined anew', `Object.defineProperty(JSON, 'stringify', { value: () => '' });`],
    ['the tested code written over', `Object.assign(price, { x: 1 });`],
    ['a member deleted', `delete process.env.RATE;`],
    ['another variable of the environment', `process.env.NODE_OPTIONS = '--import x';`],
    ['a double of a module', `t.mock.module('node:fs', {});`],
    ['the runner', `run({ files: ['x'] });`, `import { run } from 'node:test';\n`],
    ['the place of the file', `assert.ok(import.meta.url);`],
    ['a file of a package', `harm();`, `import { harm } from '../node_modules/harm/index.js';\n`],
    ['a file that is not there', `harm();`, `import { harm } from './harm.js';\n`],
    ['a package', `harm();`, `import { harm } from 'harm';\n`],
    ['a proxy', `new Proxy(price, {});`],
  ];
  for (const [what, body, imports = ''] of attacks)
    it(`is refused: ${what}`, () =>
      assert.ok(
        rulesOf(added(`${body} assert.strictEqual(price(1), 2);`, imports)).includes('new-capability'),
      ));
  it('is refused in a value that is expected', () =>
    assert.ok(
      rulesOf(text.replace('wanted = 2', `wanted = process.getBuiltinModule('fs') ? 2 : 3`)).includes(
        'new-capability',
      ),
    ));
  it('is refused in a context of the runner', () =>
    assert.ok(
      rulesOf(`${text}test('more', (t) => { t.mock.method(price, 'x'); assert.ok(price(1)); });\n`).includes(
        'new-capability',
      ),
    ));
  it('is refused where a file of the change is newly imported', () => {
    const after = added('assert.strictEqual(price(5), ten);', `import { ten } from './helper.js';\n`);
    assert.deepEqual(rulesOf(after), []);
    assert.ok(rulesOf(after, ['test/helper.js']).includes('new-capability'));
  });
  it('is refused in a new file', () => {
    const start = `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { price } from '../src/shop.js';\n`;
    const made = (body: string): string => `${start}test('new', async () => { ${body} });\n`;
    const [pure, harmful] = [
      made('assert.equal(price(1), 2);'),
      made(`await fetch('x'); assert.equal(price(1), 2);`),
    ];
    const of = (after: string): readonly string[] =>
      checkPolicyOfEdits([{ file: 'test/new.test.js', before: undefined, after }], isTestFile, {
        readSource,
        isUndeclared: true,
      }).map(({ rule }) => rule);
    assert.deepEqual(of(pure), []);
    assert.ok(of(harmful).includes('new-capability'));
  });

  const honest: readonly (readonly [what: string, body: string, imports?: string])[] = [
    ['values and assertions', `assert.deepEqual([1, 2].map((n) => price(n)), [2, 4]);`],
    ['built-ins that only reckon', `assert.equal(Math.max(...Object.values({ a: price(1) })), Number('2'));`],
    [
      'dates, maps and errors',
      `assert.throws(() => { price(new Error('x')); }, TypeError); assert.deepEqual(new Map([[new Date(0).getTime(), price(1)]]), new Map([[0, 2]]));`,
    ],
    [
      'own objects that are written to',
      `const o = {}; o.a = price(1); const all = []; all[0] = 1; let n = 0; n += 1; n++; assert.deepEqual([o, all, n], [{ a: 2 }, [1], 1]);`,
    ],
    [
      'a loop with a counter',
      `const want = [0, 2]; for (let i = 0; i < 2; i++) assert.equal(price(i), want[i]);`,
    ],
    [
      'the code under test, more of it',
      `const c = new Cart(); c.add(1); assert.equal(c.total(), 0);`,
      `import { Cart } from '../src/cart.js';\n`,
    ],
    [
      'the code under test, loaded late',
      `const { check } = await import('../src/shop.js'); assert.equal(check(11), true);`,
    ],
    ['the same variable of the environment', `assert.equal(process.env.RATE, '2');`],
    [
      'the same file',
      `const again = JSON.parse(readFileSync(path.join('data', 'list.json'), 'utf8')); assert.deepEqual(again, list);`,
    ],
    [
      'a class of its own',
      `class Stack { items = []; push(n) { this.items.push(n); this.last = n; } } const s = new Stack(); s.push(1); assert.equal(s.last, 1);`,
    ],
    [
      'an object in parts',
      `const { a, ...rest } = { a: 1, b: 2 }; assert.deepEqual([a, rest], [1, { b: 2 }]);`,
    ],
  ];
  for (const [what, body, imports = ''] of honest)
    it(`is fine: ${what}`, () => assert.deepEqual(rulesOf(added(body, imports)), []));
  it('is fine: another expected value', () =>
    assert.deepEqual(rulesOf(text.replace('wanted = 2', 'wanted = 3')), []));
  const nested = `${head}
test('all', async (t) => {
  await t.test('once', async (t) => {
    const wanted = 2;
    t.assert.equal(price(1), wanted);
    await t.test('deeper', () => assert.equal(price(2), 4));
  });
});
`;
  it('is fine: an edit within subtests of node:test, and another subtest', () => {
    for (const after of [
      nested.replace('wanted = 2', 'wanted = 3'),
      nested.replace('price(2), 4', 'price(2), 5'),
      nested.replace('  });\n});', `  });\n  await t.test('more', () => assert.equal(price(4), 8));\n});`),
    ])
      assert.deepEqual(rulesOf(after, [], nested), [], after);
  });
  it('is refused in a subtest, and in what only looks like one', () => {
    for (const body of [
      `process.kill(1); assert.equal(price(2), 4);`,
      `t.mock.method(price, 'x'); assert.equal(price(2), 4);`,
      `t.runOnly(price); assert.equal(price(2), 4);`,
      `const own = t; assert.equal(price(2), 4);`,
    ]) {
      const after = nested.replace('() => assert.equal(price(2), 4)', `() => { ${body} }`);
      assert.ok(rulesOf(after, [], nested).includes('new-capability'), body);
    }
    const other = nested
      .replace("import { test } from 'node:test';", "import { test } from 'vitest';")
      .replace("import assert from 'node:assert';", '');
    assert.ok(
      rulesOf(other.replace('price(2), 4', 'price(3), 6'), [], other).includes('new-capability'),
      'a context of another runner, whose `test` nobody knows',
    );
  });
  it('is fine: a test that waits for its context', () =>
    assert.deepEqual(rulesOf(`${text}test('more', (t) => { t.assert.equal(price(1), 2); });\n`), []));

  const python = `from shop import price\n\ndef test_p():\n    assert price(2) == 4\n`;
  const go = `package shop\n\nimport "testing"\n\nfunc TestP(t *testing.T) {\n\tif got := Price(2); got != 4 {\n\t\tt.Errorf("got %d, want 4", got)\n\t}\n}\n`;
  const others: readonly (readonly [name: string, before: string, after: string])[] = [
    ['test/test_p.py', python, python.replace('== 4', `== __import__('os').system('x')`)],
    ['test/test_p.py', python, python.replace('== 4', `== open('x', 'w').write('a')`)],
    ['test/test_p.py', python, python.replace('== 4', `== [].__class__`)],
    ['test/test_p.py', python, `import os\n${python}`],
    [
      'test/test_p.py',
      python,
      `${python}\ndef test_q():\n    import os\n    os.system('x')\n    assert price(1) == 2\n`,
    ],
    ['test/test_p.py', python, `${python}\nprice.rate = 3\n`],
    ['test/p_test.go', go, `${go}\nfunc init() { panic(1) }\n`],
    ['test/p_test.go', go, `${go}\nfunc TestMain(m *testing.M) { m.Run() }\n`],
    ['test/p_test.go', go, go.replace('import "testing"', 'import (\n\t"os"\n\t"testing"\n)')],
    ['test/p_test.go', go, go.replace('!= 4', '!= harm()')],
  ];
  it('is not run in Python and Go, of which only written values and names are judged', () => {
    for (const [name, before, after] of others) {
      const reason = whyUnjudged([{ file: name, before, after }], { readSource, undeclaredFor: isTestFile });
      assert.match(reason ?? '', /cannot judge the other change/, after);
    }
  });

  it('is told what is reached, not only where', () => {
    const cases: readonly (readonly [body: string, told: RegExp])[] = [
      [
        `require('child_process').execSync('id');`,
        / reaches `child_process`, which the test did not do before/,
      ],
      [`process.kill(1);`, / reaches `process\.kill`, /],
      [`await import(price(1) + 'x');`, / reaches a module whose name is computed, /],
      [`Math.max = () => 1;`, / writes to `Math\.max`, /],
      [`(() => 1).constructor('1')();`, / reaches `\(\(\) => 1\)\.constructor`, /],
    ];
    for (const [body, told] of cases) {
      const changes = [{ file, before: text, after: added(body) }];
      const found = checkPolicyOfEdits(changes, isTestFile, { readSource, isUndeclared: true });
      const texts = found.filter(({ rule }) => rule === 'new-capability').map((one) => one.text);
      assert.ok(
        texts.some((one) => told.test(one)),
        `${body}: ${texts.join(' ')}`,
      );
    }
  });
});
