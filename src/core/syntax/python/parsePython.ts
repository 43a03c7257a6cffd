// One Python text with its syntax tree, and small ways to walk it.
import { parser } from '@lezer/python';
import type { SyntaxNode, Tree } from '@lezer/common';
import { lineMap } from '../lineMap.ts';
import { deepest, tooDeep, withinDepth } from '../nesting.ts';
import { asTheGrammarKnows } from './grammarForms.ts';

export interface PythonSource {
  readonly text: string;
  readonly root: SyntaxNode;
  /** Line (from 1) of the first place that the grammar does not know. */
  readonly errorLine: number | undefined;
  textOf(node: { readonly from: number; readonly to: number }): string;
  lineOf(offset: number): number;
}

/** Throws `tooDeep` for a text that nests so. */
export function parsePython(text: string): PythonSource {
  const root = parseTree(text).topNode;
  const lines = lineMap(text);
  const lineOf = (offset: number): number => lines.position(offset).line;
  const error = firstError(root);
  return {
    text,
    root,
    errorLine: error === undefined ? undefined : lineOf(error),
    textOf: ({ from, to }) => text.slice(from, to),
    lineOf,
  };
}

export function parseTree(text: string): Tree {
  const tree = withinDepth(undefined, () => parser.parse(asTheGrammarKnows(text)));
  let depth = 0;
  tree.iterate({
    enter: () => {
      if (++depth > deepest) throw tooDeep();
    },
    leave: () => void depth--,
  });
  return tree;
}

function firstError(root: SyntaxNode): number | undefined {
  let found: number | undefined;
  root.cursor().iterate((node) => {
    if (found === undefined && node.type.isError) found = node.from;
    return found === undefined;
  });
  return found;
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== 'Comment') found.push(child);
  return found;
}

/** The node and everything in it, parents first; `enter` gives false to leave a part out. */
export function visitPython(node: SyntaxNode, enter: (node: SyntaxNode) => boolean | void): void {
  if (enter(node) === false) return;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) visitPython(child, enter);
}

/** The expression inside of parentheses. */
export function unwrapPython(node: SyntaxNode): SyntaxNode {
  let inner = node;
  while (inner.name === 'ParenthesizedExpression') {
    const content = childrenOf(inner).find(({ name }) => name !== '(' && name !== ')');
    if (content === undefined) return inner;
    inner = content;
  }
  return inner;
}

export interface Argument {
  readonly name: string | undefined;
  /** `*` or `**` before it. */
  readonly spread: boolean;
  readonly value: SyntaxNode;
}

/** Arguments of a call, a decorator or a class. */
export function argumentsOf(list: SyntaxNode | null, source: PythonSource): readonly Argument[] {
  const found: Argument[] = [];
  let name: string | undefined;
  let spread = false;
  const parts = list === null ? [] : childrenOf(list).slice(1, -1);
  for (const [index, part] of parts.entries()) {
    if (part.name === ',') [name, spread] = [undefined, false];
    else if (part.name === '*' || part.name === '**') spread = true;
    else if (part.name === 'AssignOp') continue;
    else if (part.name === 'VariableName' && parts[index + 1]?.name === 'AssignOp')
      name = source.textOf(part);
    else found.push({ name, spread, value: part });
  }
  return found;
}

/** Elements of a list, tuple or set; undefined when one of them is spread. */
export function elementsOf(node: SyntaxNode): readonly SyntaxNode[] | undefined {
  if (!/^(?:Array|Tuple|Set)Expression$/.test(node.name)) return undefined;
  const parts = childrenOf(node).filter(({ name }) => !/^[()[\]{},]$/.test(name));
  return parts.some(({ name }) => name === '*' || name === 'for') ? undefined : parts;
}
