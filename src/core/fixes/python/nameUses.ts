// Where a Python file uses a name that an import gave it, if nothing else may have given it something.
import type { SyntaxNode } from '@lezer/common';
import { isContextTarget } from '../../syntax/python/contextTargets.ts';
import { readImports } from '../../syntax/python/importStatements.ts';
import { childrenOf, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';

/** Undefined where something else is given the name, or may be. */
export function usesOf(name: string, source: PythonSource): readonly SyntaxNode[] | undefined {
  const uses: SyntaxNode[] = [];
  let isBound = false;
  visitPython(source.root, (node) => {
    if (node.name === 'ImportStatement') return false;
    // Of `@a.b`, both are names of this kind.
    if (node.name !== 'VariableName' || source.textOf(node) !== name || node.prevSibling?.name === '.')
      return true;
    const { parent } = node;
    if (parent?.name === 'ArgList' && node.nextSibling?.name === 'AssignOp') return true;
    uses.push(node);
    isBound ||=
      /^(?:ParamList|FunctionDefinition|ClassDefinition|ScopeStatement|NamedExpression|CapturePattern)$/.test(
        parent?.name ?? '',
      ) || isTarget(node, source);
    return true;
  });
  // The same import twice gives the same.
  const imports = new Set(
    readImports(source, source.root).flatMap(({ module, items }) =>
      items.flatMap((item) => {
        const local = item.alias ?? (module === undefined ? (item.name.split('.')[0] ?? '') : item.name);
        const origin = item.alias === undefined ? local : item.name;
        return local === name || local === '*' ? [`${module?.text ?? ''} ${origin}`] : [];
      }),
    ),
  );
  return isBound || imports.size > 1 ? undefined : uses;
}

/** Of an assignment, a loop, a comprehension, `with … as`, `del`. */
export function isTarget(node: SyntaxNode, source: PythonSource): boolean {
  const { parent, nextSibling } = node;
  if (parent === null) return false;
  if (/^(?:Assign|Update)Statement$/.test(parent.name))
    return nextSibling !== null && /^(?:AssignOp|UpdateOp|TypeDef|,)$/.test(nextSibling.name);
  if (parent.name === 'DeleteStatement' || isContextTarget(node, source)) return true;
  if (/^(?:ForStatement|.*Comprehension.*)$/.test(parent.name)) {
    const before = childrenOf(parent).filter(({ to }) => to <= node.from);
    return (
      before.findLastIndex(({ name }) => name === 'for') > before.findLastIndex(({ name }) => name === 'in')
    );
  }
  return /^(?:Tuple|Array)Expression$/.test(parent.name) && isTarget(parent, source);
}
