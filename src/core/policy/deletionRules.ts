// The gate of a proposed deletion: whole tests, rows of a table, suites that hold nothing else, imports of what is gone; nothing beside.
import ts from 'typescript';
import type { FileEdit } from '../model/edit.ts';
import { applyEdit } from '../model/edit.ts';
import type { Violation } from '../model/fix.ts';
import { bindingOf } from '../syntax/javascript/declarations.ts';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';
import { factsOf } from './fileFacts.ts';
import { lineOf, parseSource, syntaxError } from './parseSource.ts';
import { checkPythonDeletion } from './python/deletionRules.ts';
import type { TestTree } from './testTree.ts';

interface Deletion {
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
    return [violation('removed-test', 1, 'The fix policy does not allow deleting tests of this language.')];
  const source = parseSource(file, before);
  const after = applyEdit(edit, before);
  const broken = syntaxError(parseSource(file, after));
  if (broken !== undefined)
    return [violation('syntax-error', broken.line, `The file no longer parses: ${broken.message}`)];
  const allowed = deletable(file, before, tests);
  const found: Violation[] = [];
  for (const { start, end, newText } of edit.changes) {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    if (newText !== '')
      found.push(violation('changed-input', line, 'A fix that deletes tests must not add anything.'));
    const inside = allowed.filter((node) => start <= node.getStart(source) && node.end <= end);
    const rest = withoutNodes(before, { start, end }, inside, source);
    if (inside.length === 0 || /[^\s,;]/.test(withoutComments(rest)))
      found.push(
        violation(
          'removed-test',
          line,
          'The fix deletes something other than tests, table rows and imports.',
        ),
      );
  }
  const gone = allowed.filter((node) => isGone(node, edit));
  for (const list of new Set(
    gone.map(({ parent }) => parent).filter((one) => ts.isArrayLiteralExpression(one)),
  ))
    if (!gone.some((node) => holds(node, list)) && list.elements.every((row) => gone.includes(row)))
      found.push(violation('removed-test', lineOf(list), 'The table would have no rows left.'));
  if (gone.length > 0 && gone.every((node) => ts.isImportSpecifier(node) || ts.isImportDeclaration(node)))
    found.push(
      violation(
        'removed-import',
        lineOf(gone[0] ?? source),
        'An import may be removed only together with a test.',
      ),
    );
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

/** An element of a list of which tests are made, and of nothing else. */
function isRow(node: ts.Node, tree: TestTree): boolean {
  if (!ts.isExpression(node) || ts.isSpreadElement(node) || !ts.isArrayLiteralExpression(node.parent))
    return false;
  const list = outermost(node.parent);
  if (makesTests(list, tree)) return true;
  const { parent } = list;
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return false;
  if (!(parent.parent.flags & ts.NodeFlags.Const)) return false;
  const uses = usesOf(parent.name);
  return uses.length > 0 && uses.every((use) => makesTests(use, tree));
}

/** With the parentheses and assertions of a type around it. */
function outermost(node: ts.Expression): ts.Node {
  let outer: ts.Node = node;
  while (ts.isParenthesizedExpression(outer.parent) || ts.isAsExpression(outer.parent)) outer = outer.parent;
  return outer;
}

/** Is it gone through by `test.each`, a loop or a `forEach` that makes tests? */
function makesTests(list: ts.Node, tree: TestTree): boolean {
  const { parent } = list;
  if (ts.isForOfStatement(parent) && parent.expression === list) return holdsTests(parent.statement, tree);
  const call = ts.isPropertyAccessExpression(parent) ? parent.parent : parent;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  const method = call.expression.name.text;
  if (call.expression.expression === list) return method === 'forEach' && holdsTests(call, tree);
  return (
    call.arguments[0] === list &&
    /^(?:each|for)$/.test(method) &&
    ts.isCallExpression(call.parent) &&
    call.parent.expression === call &&
    tree.definitionAt(call.parent) !== undefined
  );
}

const holdsTests = (node: ts.Node, { definitions }: TestTree): boolean =>
  definitions.some(
    ({ node: inner, kind }) => kind === 'test' && node.pos <= inner.pos && inner.end <= node.end,
  );

/** Of this declaration; what has the same name in another scope is something else. */
function usesOf(name: ts.Identifier): readonly ts.Node[] {
  const uses: ts.Node[] = [];
  visitNodes(name.getSourceFile(), (node) => {
    if (!ts.isIdentifier(node) || node.text !== name.text || node === name) return;
    if ((bindingOf(node)?.name ?? name) === name) uses.push(node);
  });
  return uses;
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

const holds = (outer: ts.Node, inner: ts.Node): boolean => outer.pos <= inner.pos && inner.end <= outer.end;

const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, ' ');

function namesIn(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  visitNodes(source, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return names;
}
