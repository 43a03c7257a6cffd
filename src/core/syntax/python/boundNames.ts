// What the names of a Python test are given.
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, visitPython, type PythonSource } from './parsePython.ts';
import type { TestFunction } from './testFunctions.ts';

/** Every value that a name of the test is given by a plain `name = value`; undefined for names that are bound in another way. */
export function valuesIn(
  test: TestFunction,
  source: PythonSource,
): ReadonlyMap<string, readonly SyntaxNode[] | undefined> {
  const values = new Map<string, SyntaxNode[] | undefined>();
  visitPython(test.body, (node) => {
    if (node.name === 'AssignStatement') {
      const [target, sign, value, ...more] = childrenOf(node);
      if (target?.name === 'VariableName' && sign?.name === 'AssignOp' && value && more.length === 0) {
        const name = source.textOf(target);
        const known = values.has(name) ? values.get(name) : [];
        values.set(name, known && [...known, value]);
        return;
      }
    }
    const isBinding =
      /^(?:Assign|Update|For|With|Import|Delete|Scope|Try|Match)Statement$|^(?:Function|Class)Definition$|^NamedExpression$|Comprehension|^MatchClause$|Pattern$/.test(
        node.name,
      );
    if (!isBinding) return;
    for (const child of childrenOf(node))
      if (/^(?:Body|MatchBody)$/.test(child.name)) continue;
      else if (node.name !== 'AssignStatement' || child.nextSibling !== null)
        visitPython(child, (inner) => {
          if (inner.name === 'VariableName') values.set(source.textOf(inner), undefined);
        });
  });
  for (const name of test.parameters) values.set(name, undefined);
  return values;
}
