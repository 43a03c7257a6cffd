// The text of a test in any language, by the line where it begins.
import ts from 'typescript';
import { lineOf, parseTree, textOf } from './javascript/sourceTree.ts';

/** The statement that begins on the line, else the lines that are indented below it; empty past the end of the file. */
export function testTextAt(file: string, text: string, line: number): string {
  const statement = /\.[cm]?[jt]sx?$/.test(file) ? statementAt(file, text, line) : undefined;
  return statement ?? indentedBlock(text.split('\n'), line - 1);
}

function statementAt(file: string, text: string, line: number): string | undefined {
  const tree = parseTree(file, text);
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (found !== undefined) return;
    if (ts.isStatement(node) && !ts.isBlock(node) && lineOf(tree, node) === line) found = node;
    else ts.forEachChild(node, visit);
  };
  visit(tree.ast);
  return found && textOf(tree, found);
}

function indentedBlock(lines: readonly string[], start: number): string {
  const [first, ...rest] = lines.slice(start);
  if (first === undefined) return '';
  const depth = (text: string): number => text.length - text.trimStart().length;
  const end = rest.findIndex((text) => text.trim() !== '' && depth(text) <= depth(first));
  return [first, ...(end < 0 ? rest : rest.slice(0, end))].join('\n').trimEnd();
}
