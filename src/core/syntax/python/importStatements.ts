// The import statements of a Python text, with the place of each module and name.
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, visitPython, type PythonSource } from './parsePython.ts';

export interface ImportStatement {
  readonly node: SyntaxNode;
  /** Of `from module import …`, dots included. */
  readonly module: { readonly text: string; readonly from: number; readonly to: number } | undefined;
  readonly items: readonly ImportItem[];
}

export interface ImportItem {
  /** `name` of `from m import name as alias`, `a.b` of `import a.b`; `*` for all. */
  readonly name: string;
  readonly alias: string | undefined;
  /** The name alone. */
  readonly from: number;
  readonly to: number;
  /** With its alias. */
  readonly end: number;
}

/** Below the node, in functions too; in the order of the text. */
export function readImports(source: PythonSource, within: SyntaxNode): readonly ImportStatement[] {
  const found: ImportStatement[] = [];
  visitPython(within, (node) => {
    if (node.name !== 'ImportStatement') return true;
    found.push(readImport(node, source));
    return false;
  });
  return found;
}

function readImport(node: SyntaxNode, source: PythonSource): ImportStatement {
  const parts = childrenOf(node);
  const keyword = parts.findIndex(({ name }) => name === 'import');
  const [start, ...words] = [parts[0], ...parts.slice(1, keyword)];
  const isFrom = start?.name === 'from';
  const [first, last] = [words[0], words.at(-1)];
  const module =
    isFrom && first && last
      ? { text: source.text.slice(first.from, last.to).replaceAll(/\s/g, ''), from: first.from, to: last.to }
      : undefined;
  const items: ImportItem[] = [];
  let item: SyntaxNode[] = [];
  const close = (): void => {
    const as = item.findIndex(({ name }) => name === 'as');
    const named = as < 0 ? item : item.slice(0, as);
    const [from, to, alias] = [named[0], named.at(-1), as < 0 ? undefined : item[as + 1]];
    if (from && to)
      items.push({
        name: source.text.slice(from.from, to.to).replaceAll(/\s/g, ''),
        alias: alias && source.textOf(alias),
        from: from.from,
        to: to.to,
        end: (alias ?? to).to,
      });
    item = [];
  };
  for (const part of parts.slice(keyword + 1))
    if (part.name === ',') close();
    else if (!/^[()]$/.test(part.name)) item.push(part);
  close();
  return { node, module, items };
}
