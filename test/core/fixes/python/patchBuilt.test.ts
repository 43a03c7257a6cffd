// What is written down of a text that is put together changes so that it gives the new text, or nothing does.
import assert from 'node:assert/strict';
import { patchBuilt } from '../../../../src/core/fixes/python/patchBuilt.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import { parsePython } from '../../../../src/core/syntax/python/parsePython.ts';
import { readPythonLiteral, type PythonLiteral } from '../../../../src/core/syntax/python/pythonLiteral.ts';

function literal(value: string): PythonLiteral {
  const text = JSON.stringify(value);
  const found = readPythonLiteral(text, 0, text.length);
  if (found === undefined) throw new Error(`${text} is no literal`);
  return found;
}

function patched(code: string, was: string, now: string): string {
  const source = parsePython(`x = ${code}\n`);
  const node = source.root.firstChild?.lastChild;
  if (!node) throw new Error(`${code} is no expression`);
  const edits = patchBuilt(node, literal(was), literal(now), source, '');
  if (edits === undefined) return 'none';
  return 'reason' in edits ? 'refused' : applyChanges(edits, source.text).slice(4, -1);
}

describe('a text that a Python test puts together', () => {
  for (const [name, code, was, now, result] of [
    ['escapes its own quotes', 'f"Hi {n}"', 'Hi Ada', 'Hey "Ada"', 'f"Hey \\"{n}\\""'],
    ['keeps how values are put in', `f'a {n}: {m!r:>3}'`, 'a 1: x', 'b 1: x', `f'b {n}: {m!r:>3}'`],
    ['keeps its doubled braces', 'f"{{a}} {n}"', '{a} 1', '{b} 1', 'f"{{b}} {n}"'],
    ['stays raw', 'rf"\\d {n}"', '\\d 1', '\\w 1', 'rf"\\w {n}"'],
    ['keeps its doubled signs', '"%s of %d%%" % (a, b)', 'x of 3%', 'x in 3%', '"%s in %d%%" % (a, b)'],
    ['keeps its lines', 'f"""\na {n}\nb\n"""', '\na 1\nb\n', '\na 1\nc\n', 'f"""\na {n}\nc\n"""'],
    ['changes in the one part', 'f"a {n}" f"b {m}"', 'a 1b 2', 'a 1c 2', 'f"a {n}" f"c {m}"'],
    ['changes behind brackets', '"a " + (n + " b")', 'a 1 b', 'a 1 c', '"a " + (n + " c")'],
    ['changes around fields', '"{} of {n}".format(a, n=b)', '1 of 2', '1 in 2', '"{} in {n}".format(a, n=b)'],
  ] as const)
    it(name, () => assert.equal(patched(code, was, now), result));

  it('is left alone where what is put in changed, is there more often, or has another order', () => {
    for (const [code, was, now] of [
      ['f"a {n}"', 'a 1', 'a 2'],
      ['f"a {n}"', 'a 1', 'b 1 1'],
      ['f"{n} and {m}"', 'a and b', 'b or a'],
      ['rf"\\d {n}"', '\\d 1', '" 1'],
    ] as const)
      assert.equal(patched(code, was, now), 'refused', code);
  });

  it('is none where nothing is written down, a sign is written by its number, or the texts are computed', () => {
    for (const code of ['f"{n}"', '"a\\x25s" % n', '"a".join(n)', 'n + m', '"a" * 3', 'rf"\\{n}"', '"a"'])
      assert.equal(patched(code, 'a 1', 'b 1'), 'none', code);
  });
});
