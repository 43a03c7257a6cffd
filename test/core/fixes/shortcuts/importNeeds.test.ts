// What the body of a deleted function uses must mean the same in the test that it is written into.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { importNeeds } from '../../../../src/core/fixes/shortcuts/importNeeds.ts';
import { removedShortcuts, type Shortcut } from '../../../../src/core/fixes/shortcuts/removedShortcuts.ts';
import { parseTree, visitNodes } from '../../../../src/core/syntax/javascript/sourceTree.ts';

const rest = 'export const build = (...all) => ({ all });\n';

function shortcutOf(gone: string, before = rest): Shortcut | undefined {
  const pair = { before: parseTree('src/a.ts', before + gone), now: parseTree('src/a.ts', rest) };
  return removedShortcuts([{ file: 'src/a.ts', ...pair }])[0];
}

/** Why the function cannot be written out in the test, or how it writes `build`. */
function told(gone: string, test: string): string {
  const shortcut = shortcutOf(gone);
  assert.ok(shortcut);
  const tree = parseTree('test/a.test.ts', test);
  const uses: ts.Identifier[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node)) return;
    const callee = node.expression;
    if (callee.getText() === 'gone' && ts.isIdentifier(callee)) uses.push(callee);
    if (callee.getText() === 'all.gone' && ts.isPropertyAccessExpression(callee))
      if (ts.isIdentifier(callee.expression)) uses.push(callee.expression);
  });
  const [use] = uses;
  assert.ok(use);
  const needs = importNeeds(tree, shortcut, use, new Map());
  return 'reason' in needs ? needs.reason : needs.nameOf('build');
}

describe('a name of the body that is global in the source', () => {
  const gone = 'export const gone = (s) => build(s, setTimeout, new URL(s));';
  const use = `import { gone } from '../src/a';\n`;
  const other = /^(?:setTimeout|URL), which gone\(\) used, is the name of something else in the test\.$/;
  const others: Readonly<Record<string, string>> = {
    'is imported': `import { setTimeout } from 'node:timers/promises';\n${use}gone(1);`,
    'is declared': `${use}it('a', () => { const URL = mine; gone(1); });`,
    'is destructured': `${use}it('a', () => { const { mine: URL } = all; gone(1); });`,
    'is a parameter': `${use}it('a', (setTimeout) => { gone(1); });`,
    'is a class': `${use}class URL {}\ngone(1);`,
    'is a class of its own': `${use}const a = class URL { b = gone(1); };`,
    'is a namespace': `${use}namespace URL { export const a = 1; }\ngone(1);`,
    'is imported whole': `${use}import URL = require('url');\ngone(1);`,
    'is assigned': `${use}URL = mine;\ngone(1);`,
  };
  for (const [title, test] of Object.entries(others))
    it(`means another thing in a test where it ${title}`, () => assert.match(told(gone, test), other));

  it('means the same where the test only uses it', () => {
    assert.equal(told(gone, `${use}setTimeout(() => gone(new URL('a:b')));`), 'build');
  });

  it('is none where the source declares it in another way', () => {
    const hidden = 'export const gone = (s) => build(s, old);';
    assert.ok(shortcutOf(hidden));
    assert.equal(shortcutOf(hidden, `${rest}import old = require('old');\n`), undefined);
    assert.equal(shortcutOf(hidden, `${rest}namespace old { export const a = 1; }\n`), undefined);
    assert.equal(shortcutOf(hidden, `${rest}if (rest) { var old = 1; }\n`), undefined);
  });
});

describe('a name of the body that the test imports already', () => {
  const gone = 'export const gone = (s) => build(s);';

  it('is written as the test calls it', () => {
    assert.equal(told(gone, `import { build as mk, gone } from '../src/a';\ngone(1);`), 'mk');
    assert.equal(told(gone, `import * as all from '../src/a';\nall.gone(1);`), 'all.build');
  });

  it('is not written where that means another thing in a part of the test', () => {
    const local = `import { build as mk, gone } from '../src/a';\nit('a', () => { const mk = 1; gone(mk); });`;
    assert.match(told(gone, local), /^mk, which gone\(\) called, means several things in the test\.$/);
    const space = `import * as all from '../src/a';\nall.gone(1);\nit('a', (all) => {});`;
    assert.match(told(gone, space), /^all, which gone\(\) called, means several things in the test\.$/);
  });
});
