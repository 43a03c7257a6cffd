// What the language says of broken code is a crash, by whatever it is asked; what code refuses in its own words is none.
import assert from 'node:assert/strict';
import { Script } from 'node:vm';
import { crashOf } from '../../../src/core/diagnosis/crashes.ts';

/** Sources that no engine takes. */
const broken = [
  'let a = 1; let a = 2;',
  'const a;',
  'f(1',
  'f(1 2)',
  '[1, 2',
  'if (',
  '}',
  'let x = ;',
  '1 = 2;',
  '1++;',
  'for (let x of 1, 2) {}',
  'return await 1; await x;',
  'break;',
  'continue;',
  'a: a: 1;',
  'break b;',
  'import x from "y";',
  'export const a = 1;',
  'import.meta',
  'new.target = 1; class A { constructor() { super(); } }',
  'super.x;',
  'class A { constructor() {} constructor() {} }',
  'class A { #a; #a; }',
  'a.#b;',
  'class A { get a(b) {} }',
  'class A { set a() {} }',
  'class A extends B { x() { super(); } }',
  '"use strict"; with (a) {}',
  '"use strict"; delete a;',
  '"use strict"; var eval = 1;',
  '"use strict"; var public = 1;',
  '"use strict"; 010;',
  '"use strict"; "\\010";',
  '"use strict"; function f(a, a) {}',
  '(a, a) => 1;',
  '(...a, b) => 1;',
  'function f(a = 1) { "use strict"; }',
  'async () => { for await (a in b) {} }',
  'function* g() { yield = 1; }',
  'function* g(a = yield) {}',
  'async function f(a = await 1) {}',
  'let let = 1;',
  'if (1) let a;',
  'if (1) class A {}',
  'while (1) function f() {}',
  'try {}',
  'try {} catch',
  'switch (1) { default: default: }',
  'throw\n1;',
  '"abc',
  '`abc',
  '`${a`',
  "'\\u{110000}'",
  "'\\x1'",
  "'\\u12'",
  '/a',
  '/(/',
  '/a/zz',
  '/[b-a]/',
  '/a{2,1}/',
  '/(?<a>x)(?<a>y)/',
  '/\\k<b>/u',
  '1_;',
  '1__0;',
  '0_1;',
  '3in [];',
  '1n.5;',
  '08n;',
  '@',
  '#x in a;',
  'a?.b = 1;',
  'new a?.b();',
  'a?.`b`;',
  '-1 ** 2;',
  'a ?? b || c;',
  '({ a = 1 });',
  '({ __proto__: 1, __proto__: 2 });',
  '({ get a(b) {} });',
  '[a, ...b,] = c;',
  '({ a: 1 } = b);',
  'async a => { await => 1 };',
  'var a\\u{2E} = 1;',
  'cl\\u0061ss A {}',
  'var cl\\u0061ss = 1;',
  'class A { static prototype() {} }',
  'class A { get constructor() {} }',
  'class A { async constructor() {} }',
  'class A { "constructor" = 1 }',
  'class A { #constructor() {} }',
  'class A { a = arguments; }',
  'class A { static { await 1; } }',
  'class A { static { return 1; } }',
  'for (let a, b of c) {}',
  'for (let a = 1 of c) {}',
  'for (async of []) {}',
  'for (let of []) {}',
  'for (1 of []) {}',
  'label: async function f() {}',
  'function f() { label: let\na }',
  '<!-- a',
  'enum A {}',
  'import("a", "b", "c")',
  'import()',
  'let [a];',
  'let undefined; let undefined;',
  'x = {a b}',
  'function (a) {}',
  'async function () {}',
  'class { }',
  'delete this.#a;',
];
const texts = [
  '',
  '{',
  '[1,',
  '{"a" 1}',
  '{a: 1}',
  '"\n"',
  '"\\q"',
  '01',
  '-',
  '1.',
  '1e',
  'tru',
  '"abc',
  'undefined',
  '[1 2]',
  '{"a": 1,}',
  '{"a": 1} x',
  '<html>',
  'NaN',
];
const patterns = ['(', '[', '*', 'a**', '(?<a', '\\', '[b-a]', '(?<a>.)(?<a>.)', 'a{2,1}', ')', '(?', '(?a)'];

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  return new TypeError('it throws nothing');
}

describe('a syntax error', () => {
  const errors = [
    ...broken.map((text): readonly [string, () => unknown] => [
      text,
      () => new Script(`(function () {${text}\n})`),
    ]),
    ...texts.map((text): readonly [string, () => unknown] => [text, () => JSON.parse(text)]),
    ...patterns.map((text): readonly [string, () => unknown] => [text, () => new RegExp(text)]),
    ...['u', 'zz'].flatMap((flags) =>
      patterns.map((text): readonly [string, () => unknown] => [text, () => new RegExp(text, flags)]),
    ),
    ['bigint', () => BigInt('x')],
    ['bigint', () => BigInt('1.5')],
  ] as const;

  it('of the language is a crash, whatever is wrong with the code or the text', () => {
    const told = errors.map(([text, work]) => ({ text, error: thrownBy(work) }));
    const syntax = told.filter(({ error }) => error instanceof SyntaxError);
    assert.ok(syntax.length > 120, `${syntax.length}`);
    const missed = syntax.filter(({ error: { name, message } }) => crashOf(name, message) === undefined);
    assert.deepEqual(
      missed.map(({ text, error }) => `${text}: ${error.message}`),
      [],
    );
  });

  it('of a compiler, of modules that do not fit, and of selectors is one', () => {
    for (const message of [
      '/shop/src/a.ts: Unexpected token, expected "," (3:4)',
      "The requested module './a.js' does not provide an export named 'b'",
      "The requested module 'x' contains conflicting star exports for name 'y' with the previous requested module 'z'",
      "Named export 'x' not found. The requested module 'y' is a CommonJS module",
      'Unexpected token b in JSON at position 1',
      "'a[' is not a valid selector",
      "Failed to execute 'querySelector' on 'Document': 'a[' is not a valid selector.",
      'unknown: Missing semicolon. (1:4)',
    ])
      assert.equal(crashOf('SyntaxError', message), `SyntaxError: ${message}`);
  });

  it('that code throws in its own words is none', () => {
    for (const message of [
      '[destr] Invalid JSON',
      'Invalid JSON',
      '[destr] Not valid JSON',
      'The configuration is not valid JSON',
      'Found text after JSON',
      'Broken text of a price',
      'Unknown unit: "x"',
      'expected a number, got "x"',
      'Unexpected unit "x"',
      'Missing unit',
    ])
      assert.equal(crashOf('SyntaxError', message), undefined, message);
  });
});

describe('an error that nobody throws on purpose', () => {
  it('is a crash by its class', () => {
    for (const name of ['ReferenceError', 'EvalError', 'AssertionError'])
      assert.equal(crashOf(name, 'own words\nmore'), `${name}: own words`);
  });
});
