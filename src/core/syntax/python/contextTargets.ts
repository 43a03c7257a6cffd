// The names that a `with` binds.
import type { SyntaxNode } from '@lezer/common';
import type { PythonSource } from './parsePython.ts';

/** `a`, and `b` and `c`, of `with f() as a, g() as (b, c):`; the grammar is not shown these parentheses. */
export function isContextTarget(node: SyntaxNode, source: PythonSource): boolean {
  let before = node.prevSibling;
  if (before?.name === 'as') return true;
  while (before !== null && /^(?:VariableName|MemberExpression|,|Comment)$/.test(before.name))
    before = before.prevSibling;
  if (node.parent?.name !== 'WithStatement' || before?.name !== 'as') return false;
  const between = source.text.slice(before.to, node.from).replace(/#.*/g, '');
  return between.includes('(') && !between.includes(')');
}
