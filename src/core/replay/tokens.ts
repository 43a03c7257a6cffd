// The tokens of a piece of JavaScript or TypeScript, so that two texts can be compared without their layout.
import ts from 'typescript';
import { parseTree } from '../syntax/javascript/sourceTree.ts';

/** Without comments, spaces, semicolons, trailing commas and kinds of quotes. Pieces that do not parse give what can be read of them. */
export function tokensIn(file: string, text: string): readonly string[] {
  const tokens = leavesIn(file, text)
    .filter((leaf) => leaf.kind !== ts.SyntaxKind.SemicolonToken)
    .map(shownToken);
  return tokens.filter((token, index) => token !== ',' || !/^[)\]}]$/.test(tokens[index + 1] ?? ')'));
}

/** The values of strings, numbers, templates and regular expressions, in their order. */
export function literalsIn(file: string, text: string): readonly string[] {
  return leavesIn(file, text).filter(isLiteral).map(shownToken);
}

function leavesIn(file: string, text: string): readonly ts.Node[] {
  // Stored snapshots are modules; anything else that is no script is read as far as it goes.
  const { ast } = parseTree(/\.[cm]?[jt]sx?$/.test(file) ? file : `${file}.js`, text);
  const leaves: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(ast);
    if (children.length === 0) {
      if (node.getText(ast) !== '') leaves.push(node);
    } else for (const child of children) visit(child);
  };
  visit(ast);
  return leaves.filter(
    ({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode,
  );
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isLiteralExpression(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

function shownToken(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? JSON.stringify(node.text) : node.getText();
}
