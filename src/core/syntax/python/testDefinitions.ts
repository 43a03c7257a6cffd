// The functions of a Python text that are tests by their names, each with its decorators: what can be taken out as a whole.
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, visitPython, type PythonSource } from './parsePython.ts';

export interface TestDefinition {
  /** `TestCart.test_total` */
  readonly name: string;
  /** With its decorators. */
  readonly node: SyntaxNode;
  /** The class around it, with its decorators. */
  readonly suite: SyntaxNode | undefined;
}

/** At the outermost level and in classes there; not those that share their name with another. */
export function testDefinitionsIn(source: PythonSource): readonly TestDefinition[] {
  const found = definitionsIn(source.root, source).flatMap(({ node, definition, name }): TestDefinition[] => {
    if (definition.name === 'FunctionDefinition') return [{ name, node, suite: undefined }];
    const body = definition.getChild('Body');
    return body === null
      ? []
      : definitionsIn(body, source)
          .filter((inner) => inner.definition.name === 'FunctionDefinition')
          .map((inner) => ({ name: `${name}.${inner.name}`, node: inner.node, suite: node }));
  });
  return found.filter(
    ({ name }) => /(?:^|\.)test\w*$/.test(name) && found.filter((other) => other.name === name).length === 1,
  );
}

interface Defined {
  readonly node: SyntaxNode;
  readonly definition: SyntaxNode;
  readonly name: string;
}

/** Functions and classes right below the node. */
export function definitionsIn(block: SyntaxNode, source: PythonSource): readonly Defined[] {
  return childrenOf(block).flatMap((node) => {
    const definition =
      node.name === 'DecoratedStatement'
        ? (node.getChild('FunctionDefinition') ?? node.getChild('ClassDefinition'))
        : node;
    const name = definition?.getChild('VariableName');
    return definition && name && /^(?:Function|Class)Definition$/.test(definition.name)
      ? [{ node, definition, name: source.textOf(name) }]
      : [];
  });
}

/** Names that are read or given as variables; not those of attributes, nor what imports name. */
export function variablesIn(node: SyntaxNode, source: PythonSource): ReadonlySet<string> {
  const names = new Set<string>();
  visitPython(node, (inner) => {
    if (inner.name === 'VariableName') names.add(source.textOf(inner));
    return inner.name !== 'ImportStatement';
  });
  return names;
}

/** Names of variables and attributes, of arguments that are named, and those written in texts (`patch('shop.total')`). */
export function namesMentioned(node: SyntaxNode, source: PythonSource): ReadonlySet<string> {
  const names = new Set<string>();
  visitPython(node, (inner) => {
    if (inner.name === 'VariableName' || inner.name === 'PropertyName') names.add(source.textOf(inner));
    if (inner.name === 'String' || inner.name === 'FormatString')
      for (const [word] of source.textOf(inner).matchAll(/[A-Za-z_]\w*/g)) names.add(word);
  });
  return names;
}
