// One parsed JavaScript, TypeScript or JSON text, with its places and its style.
import ts from 'typescript';
import type { Position } from '../../model/position.ts';
import { bareCopy, isBareMark } from './bareObjects.ts';
import { nodesOf, parseSourceFile } from './sourceFile.ts';

export interface SourceTree {
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  readonly text: string;
  readonly ast: ts.SourceFile;
}

/** Parses the text; broken code gives a tree as far as TypeScript can read it. Throws a `bad-input` HumanError for one that is too deep. */
export function parseTree(file: string, text: string): SourceTree {
  return { file, text, ast: parseSourceFile(file, text, scriptKind(file)) };
}

/** JavaScript as what runs it reads it: `f<1>(x)` is a call in TypeScript alone, elsewhere two comparisons. */
function scriptKind(file: string): ts.ScriptKind {
  if (/\.(?:jsx|[cm]?js)$/.test(file)) return ts.ScriptKind.JSX;
  return file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

/** Offset of a 1-based place; undefined when the text has no such line. */
export function offsetOf(tree: SourceTree, { line, column }: Position): number | undefined {
  const starts = tree.ast.getLineStarts();
  const start = starts[line - 1];
  return start === undefined ? undefined : Math.min(start + column - 1, tree.text.length);
}

export function positionOf(tree: SourceTree, offset: number): Position {
  const { line, character } = tree.ast.getLineAndCharacterOfPosition(offset);
  return { line: line + 1, column: character + 1 };
}

export function lineOf(tree: SourceTree, node: ts.Node): number {
  return positionOf(tree, startOf(tree, node)).line;
}

/** Where the node begins, without the comments and spaces before it. */
export function startOf(tree: SourceTree, node: ts.Node): number {
  return node.getStart(tree.ast);
}

export function textOf(tree: SourceTree, node: ts.Node): string {
  return tree.text.slice(startOf(tree, node), node.end);
}

/** The expression inside parentheses, casts, `satisfies`, `as const` and non-null marks. */
export function unwrap(node: ts.Expression): ts.Expression;
export function unwrap(node: ts.Node): ts.Node;
export function unwrap(node: ts.Node): ts.Node {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isSatisfiesExpression(inner) ||
    ts.isTypeAssertionExpression(inner) ||
    ts.isNonNullExpression(inner)
  )
    inner = inner.expression;
  return inner;
}

/** Calls `visit` for the node and everything in it, parents first. */
export function visitNodes(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isSourceFile(node)) {
    for (const each of nodesOf(node)) visit(each);
    return;
  }
  const visitWithin = (inner: ts.Node): void => {
    visit(inner);
    ts.forEachChild(inner, visitWithin);
  };
  visitWithin(node);
}

/** Is one of these nodes the node itself, or within it? */
export function containsAny(node: ts.Node, wanted: ReadonlySet<ts.Node>): boolean {
  return (
    wanted.has(node) || ts.forEachChild(node, (child) => containsAny(child, wanted) || undefined) === true
  );
}

export interface TextStyle {
  readonly quote: "'" | '"';
  /** One step of indentation. */
  readonly indent: string;
  readonly eol: '\n' | '\r\n';
  /** `{ a: 1 }` rather than `{a: 1}`. */
  readonly spaced: boolean;
  /** Quotes around every key, as in JSON. */
  readonly json: boolean;
  /** How it writes objects without a prototype: by `__proto__: null`, or as a copy; absent where it writes none. */
  readonly bare?: 'mark' | 'copy';
}

/** How the file is written, by what most of it does. */
export function styleOf(tree: SourceTree): TextStyle {
  const { text, ast } = tree;
  let single = 0;
  let double = 0;
  let spaced = 0;
  let tight = 0;
  let bare: TextStyle['bare'];
  visitNodes(ast, (node) => {
    if (ts.isStringLiteral(node)) {
      if (text[node.end - 1] === "'") single++;
      else double++;
    }
    if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) {
      if (/\s/.test(text[startOf(tree, node) + 1] ?? '')) spaced++;
      else tight++;
    }
    if (isBareMark(node)) bare ??= 'mark';
    if (bareCopy(node) !== undefined) bare ??= 'copy';
  });
  const indents = [...text.matchAll(/^([ \t]+)\S/gm)].map((match) => match[1] ?? '');
  const json = tree.file.endsWith('.json');
  return {
    quote: json || double > single ? '"' : "'",
    indent: indents.reduce(
      (least, indent) => (indent.length < least.length ? indent : least),
      indents[0] ?? '  ',
    ),
    eol: /\r\n/.test(text) ? '\r\n' : '\n',
    spaced: spaced >= tight,
    json,
    ...(bare !== undefined && !json && { bare }),
  };
}

/** White space at the beginning of the line that holds the offset. */
export function indentAt(tree: SourceTree, offset: number): string {
  const start = tree.text.lastIndexOf('\n', offset - 1) + 1;
  return /^\uFEFF?([ \t]*)/.exec(tree.text.slice(start, offset))?.[1] ?? '';
}

/** The name at which a chain of calls and accesses starts; undefined where it starts at something else. */
export function rootIdentifier(node: ts.Node): ts.Identifier | undefined {
  let start = unwrap(node);
  while (
    ts.isCallExpression(start) ||
    ts.isNewExpression(start) ||
    ts.isPropertyAccessExpression(start) ||
    ts.isElementAccessExpression(start)
  )
    start = unwrap(start.expression);
  return ts.isIdentifier(start) ? start : undefined;
}
