// Parses one JavaScript or TypeScript text for the gate, and gives nodes a form that ignores layout.
import ts from 'typescript';
import { parseTree, unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';

export function parseSource(file: string, text: string): ts.SourceFile {
  return parseTree(file, text).ast;
}

/** The first syntax error that the parser met, or undefined. */
export function syntaxError(source: ts.SourceFile): { line: number; message: string } | undefined {
  // The parser keeps its findings on the tree without declaring them; a program would cost far more.
  const { parseDiagnostics = [] } = source as ts.SourceFile & {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  const first = parseDiagnostics.find(({ category }) => category === ts.DiagnosticCategory.Error);
  if (first === undefined) return commentOfHtml(source);
  const { line } = source.getLineAndCharacterOfPosition(first.start);
  return { line: line + 1, message: ts.flattenDiagnosticMessageText(first.messageText, ' ') };
}

/** `a <!--b`: a comparison to TypeScript, in scripts a comment up to the end of the line. */
function commentOfHtml(source: ts.SourceFile): { line: number; message: string } | undefined {
  if (!source.text.includes('<!--')) return undefined;
  let found: ts.Node | undefined;
  visitNodes(source, (node) => {
    if (node.kind === ts.SyntaxKind.LessThanToken && source.text.startsWith('<!--', node.end - 1))
      found ??= node;
  });
  return found && { line: lineOf(found), message: 'An HTML comment is ambiguous in JavaScript.' };
}

export function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

interface ShapeOptions {
  /** Names become the same for all. */
  readonly anyName?: boolean;
  /** Strings, numbers and regular expressions become the same for all; true, false and null never do. */
  readonly anyLiteral?: boolean;
  /** All values of one kind that are written in a list or an object are the same; how many there are still counts. */
  readonly anyCell?: boolean;
  /** Nodes that are all the same, with everything in them. */
  readonly isSame?: (node: ts.Node) => boolean;
}

const asItIs: ShapeOptions = {};
const knownShapes = new WeakMap<ts.Node, string>();

/** The node as text without layout, comments, quotes or parentheses. */
export function shapeOf(node: ts.Node, given: ShapeOptions = asItIs): string {
  const inner = unwrap(node);
  // Versions of a file are compared level by level: what is below was asked for before.
  if (given !== asItIs || inner.kind < ts.SyntaxKind.FirstNode) return shapeOfNode(inner, given);
  const known = knownShapes.get(inner);
  if (known !== undefined) return known;
  const shape = shapeOfNode(inner, given);
  knownShapes.set(inner, shape);
  return shape;
}

function shapeOfNode(inner: ts.Node, given: ShapeOptions): string {
  const isTable = ts.isArrayLiteralExpression(inner) || ts.isObjectLiteralExpression(inner);
  const options = given.anyCell === true && isTable ? { ...given, anyLiteral: true } : given;
  if (options.isSame?.(inner)) return 'same';
  if (ts.isIdentifier(inner) || ts.isPrivateIdentifier(inner)) return options.anyName ? 'name' : inner.text;
  if (ts.isLiteralExpression(inner)) {
    if (options.anyLiteral) return ts.isStringLiteralLike(inner) ? 'text' : ts.SyntaxKind[inner.kind];
    return ts.isStringLiteralLike(inner) ? JSON.stringify(inner.text) : inner.text;
  }
  if (ts.isTemplateHead(inner) || ts.isTemplateMiddleOrTemplateTail(inner))
    return options.anyLiteral ? 'text' : JSON.stringify(inner.text);
  if (ts.isJsxText(inner)) return options.anyLiteral ? 'text' : inner.text.trim();
  const operator =
    ts.isPrefixUnaryExpression(inner) || ts.isPostfixUnaryExpression(inner) ? String(inner.operator) : '';
  let parts: string | undefined;
  ts.forEachChild(inner, (child) => {
    const shape = shapeOf(child, options);
    parts = parts === undefined ? shape : `${parts} ${shape}`;
  });
  return `${ts.SyntaxKind[inner.kind]}${operator}(${parts ?? ''})`;
}

/** `'a' + 'b'` as `ab`, when all of it is written down. */
export function writtenText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [writtenText(unwrap(node.left)), writtenText(unwrap(node.right))];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** `retry` of `retry: 3`, `'retry': 3` and `['re' + 'try']: 3`; its text where it cannot be read. */
export function writtenName(name: ts.PropertyName): string {
  if (ts.isComputedPropertyName(name)) return writtenText(unwrap(name.expression)) ?? name.getText();
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : name.getText();
}
