// The gate of a proposed deletion: whole tests, rows of a table, suites that hold nothing else, imports of what is gone; nothing beside.
import ts from 'typescript';
import type { FileEdit } from '../model/edit.ts';
import { applyEdit } from '../model/edit.ts';
import type { Violation } from '../model/fix.ts';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';
import { factsOf } from './fileFacts.ts';
import { lineOf, parseSource, syntaxError } from './parseSource.ts';
import { checkPythonDeletion } from './python/deletionRules.ts';
import type { TestTree } from './testTree.ts';

export interface Deletion {
  readonly edit: FileEdit;
  readonly before: string;
  /** How many failing tests it is for: no suite with more tests may go. */
  readonly tests: number;
}

/**
 * What the edit of one file of JavaScript, TypeScript or Python does besides deleting. That a deleted test failed is for the run to say: one
 * that passed before and is gone is a regression there.
 */
export function checkDeletion({ edit, before, tests }: Deletion): readonly Violation[] {
  const { file } = edit;
  const violation = (rule: string, line: number, text: string): Violation => ({ rule, file, line, text });
  if (file.endsWith('.py')) return checkPythonDeletion(edit, before);
  if (!/\.[cm]?[jt]sx?$/.test(file))
    return [violation('removed-test', 1, 'Tests of this language are not deleted.')];
  const source = parseSource(file, before);
  const after = applyEdit(edit, before);
  const broken = syntaxError(file, after);
  if (broken !== undefined)
    return [violation('syntax-error', broken.line, `The file no longer parses: ${broken.message}`)];
  const allowed = deletable(file, before, tests);
  const found: Violation[] = [];
  for (const { start, end, newText } of edit.changes) {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    if (newText !== '') found.push(violation('changed-input', line, 'A deletion may not write anything.'));
    const inside = allowed.filter((node) => start <= node.getStart(source) && node.end <= end);
    const rest = withoutNodes(before, { start, end }, inside, source);
    if (inside.length === 0 || /[^\s,;]/.test(withoutComments(rest)))
      found.push(
        violation('removed-test', line, 'More or other things are deleted than tests, rows and imports.'),
      );
  }
  const left = namesIn(parseSource(file, after));
  for (const node of allowed)
    if (ts.isImportSpecifier(node) && isGone(node, edit) && left.has(node.name.text))
      found.push(violation('removed-import', lineOf(node), `${node.name.text} is still used.`));
  return found;
}

/** Nodes that may go, outermost first. */
function deletable(file: string, before: string, tests: number): readonly ts.Node[] {
  const { source, tree } = factsOf(file, before);
  const nodes: ts.Node[] = [];
  const count = (suite: ts.Node): number =>
    tree.definitions.filter(
      ({ kind, node }) => kind === 'test' && suite.pos <= node.pos && node.end <= suite.end,
    ).length;
  visitNodes(source, (node) => {
    if (ts.isExpressionStatement(node)) {
      const definition = tree.definitionAt(node.expression);
      if (definition?.kind === 'test' || (definition?.kind === 'suite' && count(node) <= tests))
        nodes.push(node);
    }
    if (isRow(node, tree) || ts.isImportSpecifier(node)) nodes.push(node);
    const named = ts.isImportDeclaration(node) ? node.importClause : undefined;
    if (named?.name === undefined && named?.namedBindings && ts.isNamedImports(named.namedBindings))
      nodes.push(node);
  });
  return nodes;
}

/** An element of an outermost list that stands outside of tests, hooks and functions, or of the table of `test.each`. */
function isRow(node: ts.Node, tree: TestTree): boolean {
  if (!ts.isExpression(node) || !ts.isArrayLiteralExpression(node.parent)) return false;
  if (isTableOf(node.parent, tree)) return true;
  for (let up: ts.Node = node.parent.parent; up !== undefined && !ts.isStatement(up); up = up.parent)
    if (ts.isArrayLiteralExpression(up)) return false;
  const owner = tree.ownerOf(node);
  return owner === '' || tree.definitions.some(({ key, kind }) => key === owner && kind === 'suite');
}

/** The list in `test.each([…])(title, body)`. */
function isTableOf(list: ts.ArrayLiteralExpression, tree: TestTree): boolean {
  const call = list.parent;
  return (
    ts.isCallExpression(call) &&
    call.arguments[0] === list &&
    ts.isPropertyAccessExpression(call.expression) &&
    /^(?:each|for)$/.test(call.expression.name.text) &&
    ts.isCallExpression(call.parent) &&
    call.parent.expression === call &&
    tree.definitionAt(call.parent) !== undefined
  );
}

function isGone(node: ts.Node, { changes }: FileEdit): boolean {
  return changes.some(({ start, end }) => start <= node.getStart() && node.end <= end);
}

function withoutNodes(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  nodes: readonly ts.Node[],
  source: ts.SourceFile,
): string {
  let rest = '';
  let position = start;
  for (const node of nodes) {
    if (node.getStart(source) < position) continue;
    rest += text.slice(position, node.getStart(source)) + ' ';
    position = node.end;
  }
  return rest + text.slice(position, end);
}

const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, ' ');

function namesIn(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  visitNodes(source, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return names;
}
