// Finds the inline snapshots of a test file: literals that are the last argument of a snapshot matcher.
import ts from 'typescript';
import { startOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';

export interface InlineSnapshot {
  readonly call: ts.CallExpression;
  readonly line: number;
  /** The literal with its quotes; absent when nothing is stored yet. */
  readonly literal?: { readonly start: number; readonly end: number; readonly text: string };
  /** What it stands for, without the indentation of the code around it. */
  readonly value: string;
}

const matchers = /^(?:toMatchInlineSnapshot|toThrowErrorMatchingInlineSnapshot)$/;

/** In the order of the text. */
export function inlineSnapshots(tree: SourceTree): readonly InlineSnapshot[] {
  const found: InlineSnapshot[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name } = node.expression;
    if (!matchers.test(name.text)) return;
    const { line } = tree.ast.getLineAndCharacterOfPosition(startOf(tree, name));
    found.push({ call: node, line: line + 1, ...stored(node, tree) });
  });
  return found.sort((a, b) => a.call.end - b.call.end);
}

function stored(call: ts.CallExpression, tree: SourceTree): Pick<InlineSnapshot, 'literal' | 'value'> {
  const literal = call.arguments.map((argument) => unwrap(argument)).findLast(ts.isStringLiteralLike);
  if (literal === undefined) return { value: '' };
  const start = startOf(tree, literal);
  const text = tree.text.slice(start, literal.end);
  return { literal: { start, end: literal.end, text }, value: dedented(literal.text) };
}

/** As both frameworks do: text that begins on a line of its own loses what all of its lines are indented by. */
export function dedented(value: string): string {
  const lines = value.split('\n');
  const isOwnLines = lines.length > 2 && lines[0]?.trim() === '' && lines.at(-1)?.trim() === '';
  if (!isOwnLines) return value;
  const inner = lines.slice(1, -1);
  const indents = inner
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return ['', ...inner.map((line) => line.slice(indent)), ''].join('\n');
}
