// Whether the text of a Python definition says so much that another one with the same text is no coincidence.
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, visitPython } from './parsePython.ts';

const step =
  /^(?:(?:Call|Binary|Unary|Conditional|Lambda|Yield)Expression|.*Comprehension.*|FormatReplacement|(?:Assign|Update|If|For|While|With|Try|Match|Assert|Delete)Statement)$/;

/**
 * At least two steps (a call, an operator, a statement besides what is returned); of a class, in one of its methods. Nothing that only
 * raises says anything: so begin many that are not written yet.
 */
export function isTelling(definition: SyntaxNode): boolean {
  const body = definition.getChild('Body');
  if (body === null) return false;
  if (definition.name === 'ClassDefinition')
    return childrenOf(body).some((inner) => {
      const method = inner.name === 'DecoratedStatement' ? inner.getChild('FunctionDefinition') : inner;
      return method?.name === 'FunctionDefinition' && isTelling(method);
    });
  const statements = childrenOf(body).filter((one) => one.name !== ':' && !isSilent(one));
  if (statements.every(({ name }) => name === 'RaiseStatement')) return false;
  let steps = 0;
  for (const statement of statements)
    visitPython(statement, (node) => {
      const isNegative = node.name === 'UnaryExpression' && node.lastChild?.name === 'Number';
      if (step.test(node.name) && !isNegative) steps++;
    });
  return steps > 1;
}

/** `pass`, `...` and what documents it. */
function isSilent(statement: SyntaxNode): boolean {
  const [first] = childrenOf(statement);
  return (
    statement.name === 'PassStatement' ||
    (statement.name === 'ExpressionStatement' &&
      /^(?:String|ContinuedString|Ellipsis)$/.test(first?.name ?? ''))
  );
}
