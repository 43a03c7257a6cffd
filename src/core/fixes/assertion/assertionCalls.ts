// How calls of assertion libraries look in a syntax tree, and which of them a place in a stack means.
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { offsetOf, startOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { StackPlace } from './stackPlaces.ts';

/** What `siteOf` makes of the calls at a place: those that begin there exactly, and all whose lines include it. */
export function sitesAt<Site>(
  tree: SourceTree,
  place: StackPlace,
  siteOf: (call: ts.CallExpression) => Site | undefined,
): { readonly exact: readonly Site[]; readonly onLine: readonly Site[] } {
  const offset = offsetOf(tree, place);
  const onLine: Site[] = [];
  const exact: Site[] = [];
  if (offset === undefined) return { exact, onLine };
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node)) return;
    const start = startOf(tree, node);
    const first = tree.ast.getLineAndCharacterOfPosition(start).line + 1;
    const last = tree.ast.getLineAndCharacterOfPosition(node.end).line + 1;
    if (place.line < first || place.line > last) return;
    const site = siteOf(node);
    if (site === undefined) return;
    onLine.push(site);
    if (start === offset || chainNames(node).some((name) => startOf(tree, name) === offset)) exact.push(site);
  });
  return { exact, onLine };
}

/** The name of a function of an assert library, if it is one of `names`. */
export function assertName(callee: ts.Expression, names: RegExp): string | undefined {
  if (ts.isPropertyAccessExpression(callee))
    return isAssertLibrary(callee.expression) && names.test(callee.name.text) ? callee.name.text : undefined;
  if (!ts.isIdentifier(callee)) return undefined;
  const { declaration, path = [] } = bindingOf(callee) ?? {};
  if (declaration === undefined || !isAssertModule(declaration)) return undefined;
  const [step] = path;
  const imported = ts.isImportSpecifier(declaration)
    ? (declaration.propertyName ?? declaration.name).text
    : path.length === 1 && step !== undefined && 'key' in step
      ? step.key
      : undefined;
  return imported !== undefined && names.test(imported) ? imported : undefined;
}

/** `assert`, `assert.strict`, `t.assert`, or whatever name node:assert was imported under. */
function isAssertLibrary(node: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(node)) return /^(?:assert|strict)$/.test(node.name.text);
  if (!ts.isIdentifier(node)) return false;
  const declaration = bindingOf(node)?.declaration;
  return node.text === 'assert' || (declaration !== undefined && isAssertModule(declaration));
}

/** An import of it, or a variable that `require()` of it gives. */
function isAssertModule(imported: ts.Node): boolean {
  if (ts.isVariableDeclaration(imported)) return isAssertModuleName(requiredModule(imported.initializer));
  let node: ts.Node | undefined = imported;
  while (node !== undefined && !ts.isImportDeclaration(node)) node = node.parent;
  return isAssertModuleName(node?.moduleSpecifier);
}

function isAssertModuleName(specifier: ts.Expression | undefined): boolean {
  return (
    specifier !== undefined &&
    ts.isStringLiteral(specifier) &&
    /^(?:node:)?assert(?:\/strict)?$|^chai$/.test(specifier.text)
  );
}

/** What `require('x')`, `require('x').strict` and `require('x').assert` name. */
function requiredModule(value: ts.Expression | undefined): ts.Expression | undefined {
  const isPart =
    value !== undefined &&
    ts.isPropertyAccessExpression(value) &&
    /^(?:assert|strict)$/.test(value.name.text);
  const call = isPart ? value.expression : value;
  const loads =
    call !== undefined &&
    ts.isCallExpression(call) &&
    ts.isIdentifier(call.expression) &&
    call.expression.text === 'require';
  return loads ? call.arguments[0] : undefined;
}

/** Names of `expect(x).resolves.toBe(…)` from the last to the first. */
export function chainNames(call: ts.CallExpression): ts.Identifier[] {
  const names: ts.Identifier[] = [];
  let node: ts.Expression = call.expression;
  while (ts.isPropertyAccessExpression(node)) {
    if (ts.isIdentifier(node.name)) names.push(node.name);
    node = node.expression;
  }
  return names;
}

export function chainRoot(call: ts.CallExpression): ts.CallExpression | undefined {
  let node: ts.Expression = call.expression;
  while (ts.isPropertyAccessExpression(node)) node = node.expression;
  return ts.isCallExpression(node) ? node : undefined;
}

/** `expect`, `expect.soft`, `t.expect`. */
export function isExpect(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'expect';
  if (!ts.isPropertyAccessExpression(callee)) return false;
  return callee.name.text === 'expect' || (callee.name.text === 'soft' && isExpect(callee.expression));
}
