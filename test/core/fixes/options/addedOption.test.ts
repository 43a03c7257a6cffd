// New options under which the code still does what a test expects: what of them is seen, what a whole cycle offers, what it never applies.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { askedProviders } from '../../../../src/core/fixes/providers.ts';
import { grownFunctions } from '../../../../src/core/fixes/options/addedOptions.ts';
import { giveOption } from '../../../../src/core/fixes/options/giveOption.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import type { CycleFix, CycleReport } from '../../../../src/core/model/cycle.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const seen = (before: string, now: string): readonly string[] => {
  const pair = { file: 'a.ts', before: parseTree('a.ts', before), now: parseTree('a.ts', now) };
  return grownFunctions([pair]).flatMap(({ owner, name, options }) =>
    options.map(
      ({ index, key = 'itself', values }) =>
        `${owner === undefined ? '' : `${owner}.`}${name} ${index} ${key}: ${values.join(' ')}`,
    ),
  );
};

describe('a new option is seen', () => {
  const plain = 'export function f(text: string) { return text; }';
  const cases: Readonly<Record<string, readonly [before: string, now: string, told: readonly string[]]>> = {
    'as a parameter with a default': [
      plain,
      'export function f(text: string, tidy = true) { return text; }',
      ['f 1 itself: false'],
    ],
    'as a parameter of a type': [
      plain,
      'export function f(text: string, tidy?: boolean) { return text; }',
      ['f 1 itself: true false'],
    ],
    'as one of a few texts, without the default': [
      plain,
      `export function f(text: string, mode: 'old' | 'new' = 'new') { return text; }`,
      [`f 1 itself: 'old'`],
    ],
    'as one of a few texts with escapes, however the default is written': [
      plain,
      `export function f(text: string, end: '\\n' | "\\r\\n" | '\\'' = "\\x0a") { return text; }`,
      [`f 1 itself: '\\r\\n' '\\''`],
    ],
    'as a key of a type': [
      plain,
      'interface Options { tidy?: boolean; size?: number }\nexport function f(text: string, options?: Options) { return text; }',
      ['f 1 tidy: true false'],
    ],
    'as a key with a default': [
      'export const f = (text, { size = 1 } = {}) => text;',
      'export const f = (text, { size = 1, tidy = true } = {}) => text;',
      ['f 1 tidy: false'],
    ],
    'as a key that is read': [
      'export class A { f(text, options) { return options.size; } }',
      'export class A { f(text, options) { return options.tidy ? options.size : options.name; } }',
      ['A.f 1 tidy: true false'],
    ],
    'as a key with something to fall back on': [
      plain,
      'export function f(text: string, options?: { tidy?: boolean }) { return options?.tidy ?? true; }',
      ['f 1 tidy: false'],
    ],
    'not as a number or a text of any kind': [
      plain,
      `export function f(text: string, size = 3, { name = 'x' } = {}) { return text; }`,
      [],
    ],
    'not as something that must be given': [plain, 'export function f(text: string, tidy: boolean) {}', []],
    'not in a function that was not there': ['', 'export function f(text: string, tidy = true) {}', []],
    'not in a function that stayed': ['const f = (a, b = true) => a;', 'const f = (a, b = true) => b;', []],
  };
  for (const [title, [before, now, told]] of Object.entries(cases))
    it(title, () => assert.deepEqual(seen(before, now), told));
});

describe('a new option is given', () => {
  const given = (value: string, test: string): string => {
    const tree = parseTree('a.test.ts', test);
    const [statement] = tree.ast.statements;
    assert.ok(statement && ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression));
    const changes = giveOption(tree, statement.expression, { index: 1, key: 'end', values: [value] }, value);
    return changes === undefined ? 'nothing' : applyChanges(changes, test);
  };

  it('in the quotes of the test, with each escape once', () => {
    assert.equal(given(`'\\r\\n'`, `f('a');`), `f('a', { end: '\\r\\n' });`);
    assert.equal(given(`'\\''`, `f("a");`), `f("a", { end: "'" });`);
    assert.equal(given('true', `f("a");`), `f("a", { end: true });`);
  });
});

const head = (names: string, from: string): string =>
  `import assert from 'node:assert/strict';\nimport { ${names} } from '../src/${from}.js';\n\n`;

const base = {
  'package.json': JSON.stringify({
    name: 'shop',
    type: 'module',
    devDependencies: { mocha: '12' },
    scripts: { test: 'mocha "tests/**/*.test.js"' },
  }),
  'src/case.js':
    "export const pascal = (text) => text.split('-').map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join('');\nexport const kebab = (text) => text.replaceAll(' ', '-');\nexport const snake = (text) => text.replaceAll(' ', '_');\nexport const join = (list, { end = '' } = {}) => list.join(',') + end;\n",
  'tests/pascal.test.js':
    head('pascal', 'case') +
    "for (const [text, wanted] of [['a-b', 'AB'], ['fooBAR', 'FooBAR'], ['aBC-d', 'ABCD']])\n  it(text, () => {\n    assert.equal(pascal(text), wanted);\n  });\n",
  'tests/kebab.test.js':
    head('kebab', 'case') + "it('joins', () => {\n  assert.equal(kebab('A b'), 'A-b');\n});\n",
  'tests/snake.test.js':
    head('snake', 'case') + "it('joins', () => {\n  assert.equal(snake('A b'), 'A_b');\n});\n",
  'tests/join.test.js':
    head('join', 'case') +
    "it('joins', () => {\n  assert.equal(join(['a', 'b'], { end: '.' }), 'a,b.');\n});\nit('ends', () => {\n  assert.equal(join([], { end: '!' }), '!');\n});\n",
};

const change = {
  'src/case.js':
    "export const pascal = (text, { normalize = true } = {}) => text.split('-').map((one) => one.charAt(0).toUpperCase() + (normalize ? one.slice(1).toLowerCase() : one.slice(1))).join('');\nexport const kebab = (text, upper = false) => (upper ? text.toUpperCase() : text.toLowerCase()).replaceAll(' ', '-');\nexport const snake = (text) => text.toLowerCase().replaceAll(' ', '_');\nexport const join = (list, { end = '', spaced = true } = {}) => list.join(spaced ? ', ' : ',') + end;\n",
};

describe('a fix cycle over new options', () => {
  let report: CycleReport;
  let unnamed: CycleReport;
  const of = (file: string): readonly CycleFix[] =>
    report.fixes.filter(({ edits }) => edits.some((edit) => edit.file === `tests/${file}.test.js`));
  const told = (file: string): readonly string[] =>
    of(file)
      .map(({ trust, verdict, state, title }) => `${trust} ${verdict.verdict} ${state}: ${title}`)
      .sort();

  before(async function () {
    this.timeout(600_000);
    const workspace = await temporaryWorkspace(base, { git: true, packages: ['mocha'] });
    try {
      for (const [file, text] of Object.entries(change)) await workspace.write(file, text);
      const assume = 'source-is-right';
      report = await mendWorkspace(workspace, { assume, providers: askedProviders(['added-option']) });
      unnamed = await mendWorkspace(workspace, { assume });
    } finally {
      await workspace.dispose();
    }
  });

  it('offers the option beside the changed expectation, and applies neither', () => {
    assert.deepEqual(told('pascal'), [
      "propose verified declined: expect 'AbcD' (was 'ABCD')",
      "propose verified declined: expect 'Foobar' (was 'FooBAR')",
      'propose verified declined: give { normalize: false } to pascal()',
    ]);
    const option = of('pascal').find(({ mendsCalls }) => mendsCalls === true);
    assert.match(
      option?.diff ?? '',
      /\+    assert\.equal\(pascal\(text, \{ normalize: false \}\), wanted\);/,
    );
    assert.equal(option?.failures.length, 2);
    for (const fix of of('pascal').filter((one) => one !== option))
      assert.match(
        fix.otherSide ?? '',
        /takes the option normalize since the last commit: with \{ normalize: false \}/,
      );
  });

  it('adds it to the options that a call gives', () => {
    assert.deepEqual(told('join'), [
      "propose verified declined: expect 'a, b.' (was 'a,b.')",
      'propose verified declined: give { spaced: false } to join()',
    ]);
    assert.match(of('join')[1]?.diff ?? of('join')[0]?.diff ?? '', /end: '\.', spaced: false|a, b\./);
  });

  it('only speaks against the changed expectation while nobody names it', () => {
    const changes = (of: CycleReport): readonly string[] =>
      of.fixes
        .filter(({ provider }) => provider !== 'added-option')
        .map(({ trust, state, title, otherSide }) => `${trust} ${state}: ${title} ${otherSide}`);
    assert.deepEqual(changes(unnamed), changes(report));
    assert.ok(unnamed.fixes.every(({ provider }) => provider !== 'added-option'));
  });

  it('keeps a changed expectation what it is where no option gives the old value', () => {
    assert.deepEqual(told('kebab'), ["oracle verified accepted: expect 'a-b' (was 'A-b')"]);
    assert.deepEqual(told('snake'), ["oracle verified accepted: expect 'a_b' (was 'A_b')"]);
  });
});
