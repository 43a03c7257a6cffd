// Whether a source uses a name of the browser that it did not use before, and whether it can do without.
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { parseTree, visitNodes } from '../../syntax/javascript/sourceTree.ts';

export interface NewUse {
  readonly file: string;
  /** It asks itself whether there is a browser: it is meant to run without one, too. */
  readonly asksForBrowser: boolean;
}

/** Undefined where the source used the name as often before; `before` is empty for a new file. */
export function newUse(file: string, before: string, now: string, name: string): NewUse | undefined {
  const [was, is] = [usesIn(file, before, name), usesIn(file, now, name)];
  if (is.uses <= was.uses) return undefined;
  return { file, asksForBrowser: was.asks || is.asks };
}

/** Names that tell by their absence that there is no browser. */
const tellsBrowser = /^(?:window|document|navigator|self)$/;

const asksInWords = /\bimport\.meta\.env\.SSR\b|['"](?:window|document)['"]\s+in\s/;

function usesIn(file: string, text: string, name: string): { readonly uses: number; readonly asks: boolean } {
  let uses = 0;
  let asks = asksInWords.test(text);
  visitNodes(parseTree(file, text).ast, (node) => {
    if (!ts.isIdentifier(node)) return;
    const isGlobal = !isKey(node) && bindingOf(node) === undefined;
    const isAsked = ts.isTypeOfExpression(node.parent);
    // globalThis.document?.title
    asks ||= tellsBrowser.test(node.text) && (isAsked ? isGlobal : isMemberOfGlobal(node));
    if (node.text === name && isGlobal && !isAsked && !isInType(node)) uses++;
  });
  return { uses, asks };
}

function isKey(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertySignature(parent)
  );
}

function isMemberOfGlobal(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    ts.isPropertyAccessExpression(parent) &&
    parent.name === node &&
    ts.isIdentifier(parent.expression) &&
    /^(?:globalThis|global)$/.test(parent.expression.text)
  );
}

function isInType(node: ts.Node): boolean {
  for (let current = node.parent; current !== undefined && !ts.isStatement(current); current = current.parent)
    if (ts.isTypeNode(current) && !ts.isExpressionWithTypeArguments(current)) return true;
  return false;
}
