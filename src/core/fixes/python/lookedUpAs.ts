// How a Python module looks up, each time it runs, a name that another module has now: what a test must replace to reach it.
import type { SyntaxNode } from '@lezer/common';
import { readImports } from '../../syntax/python/importStatements.ts';
import { visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { usesOf } from './nameUses.ts';

interface Home {
  readonly name: string;
  /** Is this module, as this file imports it, the one that has the name? */
  readonly isModule: (module: string) => Promise<boolean>;
}

/**
 * `{ alias }`: under a name of its own (`from pkg.mail import send as _send`); 'attribute': as one of the other module, and in functions
 * only (`mail.send()`); undefined where it is neither for certain, or both.
 */
export async function lookedUpAs(
  { name, isModule }: Home,
  source: PythonSource,
): Promise<{ readonly alias: string } | 'attribute' | undefined> {
  const aliases: string[] = [];
  const modules: string[] = [];
  for (const { module, items } of readImports(source, source.root))
    for (const item of items) {
      const local = item.alias ?? item.name;
      if (module === undefined) {
        if (await isModule(item.name)) modules.push(local);
      } else if (item.name === name && (await isModule(module.text))) aliases.push(local);
      else if (await isModule(`${module.text}${module.text.endsWith('.') ? '' : '.'}${item.name}`))
        modules.push(local);
    }
  const reads = modules.map((module) => readsOf(module, name, source));
  if (aliases.length + modules.length !== 1 || reads.includes(undefined)) return undefined;
  const [alias] = aliases;
  if (alias !== undefined) return usesOf(alias, source)?.some(isLate) === true ? { alias } : undefined;
  return reads[0] !== undefined && reads[0].length > 0 && reads[0].every(isLate) ? 'attribute' : undefined;
}

/** Do functions of the file mention the name of their own module, be it in whatever sense? */
export function isMentionedLate(name: string, source: PythonSource): boolean {
  let isMentioned = false;
  visitPython(source.root, (node) => {
    isMentioned ||= node.name === 'VariableName' && source.textOf(node) === name && isLate(node);
  });
  return isMentioned;
}

function readsOf(module: string, name: string, source: PythonSource): readonly SyntaxNode[] | undefined {
  if (usesOf(module.split('.')[0] ?? module, source) === undefined) return undefined;
  const reads: SyntaxNode[] = [];
  visitPython(source.root, (node) => {
    if (node.name === 'MemberExpression' && source.textOf(node).replaceAll(/\s/g, '') === `${module}.${name}`)
      reads.push(node);
  });
  return reads;
}

/** It stands in the body of a function, which runs when the test does. */
function isLate(node: SyntaxNode): boolean {
  for (let inner = node; inner.parent !== null; inner = inner.parent)
    if (inner.name === 'Body' && inner.parent.name === 'FunctionDefinition') return true;
  return false;
}
