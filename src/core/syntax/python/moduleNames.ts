// What a Python module binds at its top: functions, classes, values and imports, each with what it is without its own name.
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, visitPython, type PythonSource } from './parsePython.ts';
import { readImports } from './importStatements.ts';
import { isDocumentation } from './tokens.ts';
import { isTelling } from './tellingBody.ts';

type ModuleName =
  /** `shape`: its tokens, its own name and what documents it left out. `tells`: so much that another one with the same is no coincidence. */
  | {
      readonly kind: 'function' | 'class' | 'value';
      readonly shape: string;
      readonly tells: boolean;
    }
  | { readonly kind: 'import'; readonly module: string; readonly name: string }
  /** Bound in a condition, in several ways, as a part of something else. */
  | { readonly kind: 'other' };

export interface ModuleNames {
  readonly names: ReadonlyMap<string, ModuleName>;
  /** It may have names that are not written in it: `from x import *`, `__getattr__`. */
  readonly isOpen: boolean;
  /** Modules of which it takes over all names: `from x import *`. */
  readonly stars: readonly string[];
}

export function moduleNames(source: PythonSource): ModuleNames {
  const names = new Map<string, ModuleName>();
  const add = (name: string, what: ModuleName): void =>
    void names.set(name, names.has(name) ? { kind: 'other' } : what);
  for (const statement of childrenOf(source.root)) {
    const definition = definitionIn(statement);
    const name = definition?.getChild('VariableName');
    if (definition && name) {
      const kind = definition.name === 'ClassDefinition' ? 'class' : 'function';
      const shape = shapeWithout(source.textOf(name), statement, source);
      add(source.textOf(name), { kind, shape, tells: isTelling(definition) });
      continue;
    }
    const [target, sign, value, ...more] = childrenOf(statement).filter((one) => one.name !== 'TypeDef');
    const isPlain = sign?.name === 'AssignOp' && value !== undefined && more.length === 0;
    if (statement.name === 'AssignStatement' && target?.name === 'VariableName' && isPlain)
      add(source.textOf(target), {
        kind: 'value',
        shape: shapeWithout(source.textOf(target), statement, source),
        tells: false,
      });
    else if (statement.name !== 'ImportStatement')
      visitPython(statement, (node) => {
        if (node.name === 'VariableName') names.set(source.textOf(node), { kind: 'other' });
      });
  }
  const stars: string[] = [];
  for (const { module, items } of readImports(source, source.root))
    for (const { name, alias } of items) {
      if (module !== undefined && name === '*') stars.push(module.text);
      if (module === undefined) add(alias ?? name.split('.')[0] ?? name, { kind: 'other' });
      else add(alias ?? name, { kind: 'import', module: module.text, name });
    }
  return { names, isOpen: names.has('*') || names.has('__getattr__'), stars };
}

function definitionIn(statement: SyntaxNode): SyntaxNode | null {
  if (/^(?:Function|Class)Definition$/.test(statement.name)) return statement;
  return statement.name === 'DecoratedStatement'
    ? (statement.getChild('FunctionDefinition') ?? statement.getChild('ClassDefinition'))
    : null;
}

function shapeWithout(name: string, node: SyntaxNode, source: PythonSource): string {
  const words: string[] = [];
  visitPython(node, (inner) => {
    if (inner.name === 'Comment' || isDocumentation(inner)) return false;
    if (inner.firstChild !== null && !inner.name.endsWith('String')) return true;
    const word = source.textOf(inner);
    words.push(word === name ? '\u0001' : word);
    return false;
  });
  return words.join(' ');
}
