// Arguments that a Python test expects of a mock beside those that it expected before: with them it asks for more.
import type { SyntaxNode } from '@lezer/common';
import { applyChanges, type TextChange } from '../../model/edit.ts';
import { callArguments, mockAssertion } from '../../syntax/python/mockCalls.ts';
import {
  childrenOf,
  visitPython,
  type Argument,
  type PythonSource,
} from '../../syntax/python/parsePython.ts';
import { readPythonLiteral } from '../../syntax/python/pythonLiteral.ts';

/** The newer text without them, where each is a literal behind all others; unchanged where anything else differs in their number. */
export function withoutAddedArguments(was: PythonSource, is: PythonSource): string {
  const [before, after] = [expectedCalls(was), expectedCalls(is)];
  const changes: TextChange[] = [];
  if (before.length !== after.length) return is.text;
  for (const [index, old] of before.entries()) {
    const now = after[index];
    if (now === undefined || now.name !== old.name) return is.text;
    const added = now.given.slice(old.given.length);
    const [first] = added;
    const last = added.at(-1);
    if (first === undefined || last === undefined) continue;
    const isWritten = added.every(
      ({ value }) => readPythonLiteral(is.text, value.from, value.to) !== undefined,
    );
    const start = old.given.length === 0 ? now.start : now.given[old.given.length - 1]?.value.to;
    if (!isWritten || start === undefined) return is.text;
    changes.push({ start, end: last.value.to, newText: '' });
  }
  const isNested = changes.some(({ end }, index) => (changes[index + 1]?.start ?? end) < end);
  return changes.length === 0 || isNested ? is.text : applyChanges(changes, is.text);
}

interface ExpectedCall {
  readonly name: string;
  readonly given: readonly Argument[];
  /** Behind the opening bracket. */
  readonly start: number;
}

/** Never those of `assert_has_calls`, where `any_order=True` asks for less. */
function expectedCalls(source: PythonSource): readonly ExpectedCall[] {
  const found: ExpectedCall[] = [];
  visitPython(source.root, (node) => {
    const list = node.name === 'CallExpression' ? node.getChild('ArgList') : null;
    if (list === null) return;
    const asked = isStatement(node) ? mockAssertion(node, source) : undefined;
    const given = asked?.isList === false ? asked.given : callArguments(node, source);
    if (given !== undefined) found.push({ name: asked?.method ?? 'call', given, start: list.from + 1 });
  });
  return found;
}

const isStatement = (node: SyntaxNode): boolean =>
  node.parent?.name === 'ExpressionStatement' && childrenOf(node.parent).length === 1;
