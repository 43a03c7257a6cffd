// What Python knows and the grammar does not: read all the same, with every place where it was.
import assert from 'node:assert/strict';
import { asTheGrammarKnows } from '../../../../src/core/syntax/python/grammarForms.ts';
import { parsePython, visitPython } from '../../../../src/core/syntax/python/parsePython.ts';

const forms: Readonly<Record<string, string>> = {
  'several names of one context': 'with isolation() as (out, _, error):\n    pass\n',
  'names of one context on several lines':
    'with (\n    isolation() as (\n        out,\n        _,\n    ),\n):\n    pass\n',
  'contexts in parentheses, with comments and a last comma':
    'with (\n    patch("a", "as:)") as a,  # One: a).\n    # Two.\n    open(\n        b\n    ) as b,\n):\n    assert a == b\n',
  'the same with the line ends of Windows': 'with (\r\n    f() as a,\r\n    g() as b,\r\n):\r\n    pass\r\n',
  'asynchronous contexts in parentheses':
    'async def f():\n    async with (g() as a, h() as b):\n        pass\n',
  'classes in patterns':
    'match a:\n    case str() | bytes():\n        pass\n    case Node(kind=int()):\n        pass\n',
  'a yield that gives something': 'def f():\n    a = yield\n    return (yield)\n',
  'a yield as a step': 'def f():\n    yield\n',
  'braces behind a backslash': "a = rf'(\\{{%)({b})'\n",
  'form feeds': 'import a\n\f\nimport b\n',
  'a mark of the byte order': '\uFEFFimport a\n',
  'a star in a loop': 'for *a, b in c:\n    pass\n',
  'a number that ends with its point': 'a = 1.\n',
};

describe('Python that the grammar does not know', () => {
  for (const [name, text] of Object.entries(forms))
    it(`is read: ${name}`, () => {
      assert.equal(parsePython(text).errorLine, undefined);
      assert.equal(asTheGrammarKnows(text).length, text.length);
    });

  it('keeps the names where they stand', () => {
    const source = parsePython(forms['contexts in parentheses, with comments and a last comma'] ?? '');
    const names: string[] = [];
    visitPython(source.root, (node) => {
      if (node.name === 'VariableName') names.push(`${source.textOf(node)} ${source.lineOf(node.from)}`);
    });
    assert.deepEqual(names, ['patch 2', 'a 2', 'open 4', 'b 5', 'b 6', 'a 8', 'b 8']);
  });

  it('still tells of what is an error for Python, too', () => {
    for (const text of ['with (f() as a, g() as b:\n    pass\n', 'case str( = 1\n', 'a = = yield\n'])
      assert.equal(parsePython(text).errorLine, 1, text);
  });

  it('leaves parentheses that hold one value', () => {
    for (const text of ['with (a, b):\n    pass\n', 'with (yield_from(b)) as a:\n    pass\n'])
      assert.equal(asTheGrammarKnows(text), text);
  });
});
