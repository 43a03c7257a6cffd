// What a change of the source says of removed behaviour, and the ordinary changes that say nothing of it.
import assert from 'node:assert/strict';
import { goneChoices } from '../../../../src/core/fixes/obsolete/goneChoices.ts';
import { goneThrows } from '../../../../src/core/fixes/obsolete/goneThrows.ts';
import { goneNames, movedBodies, newWaysOut } from '../../../../src/core/fixes/obsolete/otherWays.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';

const told = (before: string, now: string): readonly string[] => {
  const pairs = [{ file: 'a.ts', before: parseTree('a.ts', before), now: parseTree('a.ts', now) }];
  return [
    ...[...goneChoices(pairs).values()].map(
      ({ kind, text, successor = 'nothing' }) => `${kind} ${text}: ${successor}`,
    ),
    ...goneThrows(pairs).map(({ owner, pieces }) => `${owner} threw ${pieces.join('…')}`),
    ...[...goneNames(pairs).keys()].map((name) => `${name} is gone`),
    ...[...movedBodies(pairs).values()].map(({ from, to }) => `${from} is ${to}`),
    ...newWaysOut(pairs).map(({ owner, text }) => `${owner}: ${text}`),
  ];
};

const long =
  'for (const a of list) { if (a.id > 3) { sum += a.id * 2; } else { sum -= a.rest; } } return sum;';

describe('a change of the source removes', () => {
  it('a value that was told apart, an option that was read', () => {
    assert.deepEqual(told("f = (x) => (x === 'back' ? 1 : 2)", 'f = (x) => 2'), ['value back: nothing']);
    assert.deepEqual(told("switch (x) { case 'old': y(); }", 'y();'), ['value old: nothing']);
    assert.deepEqual(told('const f = (options) => (options.legacy ? 1 : 2)', 'const f = (options) => 2'), [
      'option legacy: nothing',
    ]);
    assert.deepEqual(
      told("function f(x) { return x === 'back' }", "function f(x) { return x === 'referrer' }"),
      ['value back: referrer'],
    );
  });

  it('an error, a function, the work of a function, the work on some arguments', () => {
    assert.deepEqual(told("function f(x) { if (!x) throw new Error('no x'); }", 'function f(x) { }'), [
      'f threw no x',
    ]);
    assert.deepEqual(
      told('function f() { return 1 } function g() { return 2 }', 'function f() { return 1 }'),
      ['g is gone'],
    );
    assert.deepEqual(
      told(
        `function f(list) { let sum = 0; ${long} }`,
        `function f(list) { return list.length } function g(list) { let sum = 0; ${long} }`,
      ),
      ['f is g'],
    );
    assert.deepEqual(
      told('function f(x) { return x.trim() }', "function f(x) { if (x === '') return x; return x.trim() }"),
      ["f: if (x === '') return x"],
    );
  });
});

describe('a change of the source removes nothing', () => {
  const ordinary: Readonly<Record<string, readonly [string, string]>> = {
    'by another text': ["const f = () => 'Hi'", "const f = () => 'Hello'"],
    'by another wording of an error': [
      "function f(x) { if (!x) throw new Error('no x'); }",
      "function f(x) { if (!x) throw new Error('x is missing'); }",
    ],
    'by an error that another function throws': [
      "function f(x) { if (!x) throw new Error('no x'); }",
      "function f(x) { check(x) } function check(x) { if (!x) throw new Error('no x'); }",
    ],
    'by a value that is told apart elsewhere': [
      "const f = (x) => x === 'back'",
      "const known = ['back']; const f = (x) => known.includes(x)",
    ],
    'by a question for a type': ["const f = (x) => typeof x === 'string'", 'const f = (x) => 1'],
    'by another name': ['function f() { return go(1, 2) }', 'function g() { return go(1, 2) }'],
    'by another name, which the body says, too': [
      "class A { load(x) { log('load'); return x.load(1, 2) } }",
      "class A { read(x) { log('read'); return x.read(1, 2) } }",
    ],
    'by a comment': ["// 'back'\nconst f = 1", 'const f = 1'],
    'by a way out that gives something else': [
      'function f(x) { return x.trim() }',
      "function f(x) { if (x === '') return null; return x.trim() }",
    ],
  };
  for (const [title, [before, now]] of Object.entries(ordinary))
    it(title, () => assert.deepEqual(told(before, now), []));
});
