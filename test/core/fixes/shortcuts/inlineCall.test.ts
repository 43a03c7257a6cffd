// What stands in the place of a call: the body of the deleted function with the arguments in it, taken apart by nothing.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { inlineCall } from '../../../../src/core/fixes/shortcuts/inlineCall.ts';
import { removedShortcuts } from '../../../../src/core/fixes/shortcuts/removedShortcuts.ts';
import { parseTree, visitNodes } from '../../../../src/core/syntax/javascript/sourceTree.ts';

/** What becomes of the call of `gone` in a statement. */
function written(gone: string, statement: string): string {
  const rest = 'export const card = (text) => ({ text });\n';
  const [shortcut] = removedShortcuts([
    { file: 'a.ts', before: parseTree('a.ts', `${rest}export ${gone}`), now: parseTree('a.ts', rest) },
  ]);
  assert.ok(shortcut);
  const tree = parseTree('a.test.ts', statement);
  const calls: ts.CallExpression[] = [];
  visitNodes(tree.ast, (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'gone') calls.push(node);
  });
  const [call] = calls;
  assert.ok(call);
  const text = inlineCall(tree, call, shortcut, (name) => name);
  if (typeof text !== 'string') return text.reason;
  const whole = statement.slice(0, call.getStart()) + text + statement.slice(call.end);
  return whole;
}

describe('an argument', () => {
  const member = 'const gone = (o) => card(o.p);';
  const created = 'const gone = (o) => card(new o.C());';
  const cases: Readonly<Record<string, readonly [gone: string, argument: string, becomes: string]>> = {
    'that is a name': [member, 'raw', 'card(raw.p)'],
    'that is a chain': [member, 'all.raw[0]', 'card(all.raw[0].p)'],
    'that is a text': [member, `'a'`, `card('a'.p)`],
    'with a type': [member, 'raw as User', 'card((raw as User).p)'],
    'that satisfies a type': [member, 'raw satisfies User', 'card((raw satisfies User).p)'],
    'with a type before it': [member, '<User>raw', 'card((<User>raw).p)'],
    'that is surely there': [member, 'raw!', 'card((raw!).p)'],
    'that is a number': [member, '1', 'card((1).p)'],
    'that may stop': [member, 'x?.y', 'card((x?.y).p)'],
    'that may stop before its end': [member, 'x?.y.z', 'card((x?.y.z).p)'],
    'that is called in what is created': [created, 'mk()', 'card(new (mk()).C())'],
    'that is a name in what is created': [created, 'mk', 'card(new mk.C())'],
    'that is a chain in what is created': [created, 'a.b', 'card(new (a.b).C())'],
    'that is a default': ['const gone = (o = 1) => card(o.p);', '', 'card((1).p)'],
    'that is whole': ['const gone = (o) => card(o);', 'raw as User', 'card(raw as User)'],
  };
  for (const [title, [gone, argument, becomes]] of Object.entries(cases))
    it(title, () => assert.equal(written(gone, `use(gone(${argument}));`), `use(${becomes});`));
});

describe('a body', () => {
  const optional = `const gone = (key) => card(key)?.items();`;

  it('that may stop is stopped by itself alone', () => {
    assert.equal(written(optional, `use(gone('b').length);`), `use((card('b')?.items()).length);`);
    assert.equal(
      written('const gone = (key) => card(key)?.items[0].all();', `use(gone('b').length);`),
      `use((card('b')?.items[0].all()).length);`,
    );
    assert.equal(written(optional, `use(gone('b'));`), `use(card('b')?.items());`);
  });

  it('that may stop is given nothing that is computed', () => {
    assert.match(written(optional, `use(gone(key()));`), /may have stopped before it used key/);
  });

  it('never goes on with the line above', () => {
    assert.match(written(optional, `gone('b').length`), /cannot stand for itself/);
    assert.match(written('const gone = (o) => o.run(card);', `gone({ a: 1 })`), /cannot stand for itself/);
    assert.equal(written('const gone = (o) => card(o.p);', `gone(1).text`), `card((1).p).text`);
  });
});
