// Tables that tests are made from: rows may change their values, but none may go, be doubled, or turn true into false.
import ts from 'typescript';
import { oncePerFile, type FileFacts, type Finding } from './fileFacts.ts';
import { containsAny, unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { reachOf } from './valueFacts.ts';

export function* tableRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const now = new Map(tablesOf(after).map((table) => [table.key, table]));
  for (const old of tablesOf(before)) {
    const table = now.get(old.key);
    if (table !== undefined) yield* compareTables(old, table, before, after);
  }
}

interface Table {
  /** Where it is iterated: owner and how many before it. */
  readonly key: string;
  readonly node: ts.Expression;
  /** The rows when they are written down in this file. */
  readonly rows: readonly ts.Node[] | undefined;
}

/** Every table that `each`, a loop or forEach goes over, in order. */
const tablesOf = oncePerFile((facts): readonly Table[] => {
  const counts = new Map<string, number>();
  const tables: Table[] = [];
  const add = (owner: string, node: ts.Expression): void => {
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    tables.push({ key: `${owner}#${count}`, node, rows: rowsOf(node, facts, 0) });
  };
  for (const { key, tables: own } of facts.tree.definitions) for (const node of own) add(`each ${key}`, node);
  const checks = new Set<ts.Node>([
    ...facts.assertions.map(({ node }) => node),
    ...facts.tree.definitions.map(({ node }) => node),
  ]);
  visitNodes(facts.source, (node) => {
    const source = iterated(node);
    if (source !== undefined && containsAny(node, checks)) add(`loop ${facts.tree.ownerOf(node)}`, source);
  });
  return tables;
});

function iterated(node: ts.Node): ts.Expression | undefined {
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) return node.expression;
  const isEach =
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    /^(?:forEach|map|flatMap|every|some|reduce)$/.test(node.expression.name.text);
  return isEach && ts.isPropertyAccessExpression(node.expression) ? node.expression.expression : undefined;
}

function rowsOf(node: ts.Node, facts: FileFacts, depth: number): readonly ts.Node[] | undefined {
  const inner = unwrap(node);
  if (ts.isArrayLiteralExpression(inner)) return inner.elements;
  if (ts.isObjectLiteralExpression(inner)) return inner.properties;
  if (ts.isTemplateExpression(inner)) return inner.templateSpans;
  if (ts.isIdentifier(inner) && depth < 4) {
    const values = facts.bindings.values.get(inner.text) ?? [];
    return values.length === 1 && values[0] !== undefined ? rowsOf(values[0], facts, depth + 1) : undefined;
  }
  const entries = /^Object\.(?:entries|keys|values)$/;
  if (
    ts.isCallExpression(inner) &&
    entries.test(inner.expression.getText()) &&
    inner.arguments[0] !== undefined
  )
    return rowsOf(inner.arguments[0], facts, depth + 1);
  return undefined;
}

/** Written lists and objects whose parts become tests or are asserted one by one, and which nothing else uses. */
export function rowLists(facts: FileFacts): ReadonlySet<ts.Node> {
  const uses = new Map<string, number>();
  visitNodes(facts.source, (node) => {
    if (!ts.isIdentifier(node)) return;
    // `rows[name]` looks at one row.
    const isLook = ts.isElementAccessExpression(node.parent) && node.parent.expression === node;
    if (!isLook) uses.set(node.text, (uses.get(node.text) ?? 0) + 1);
  });
  const listOf = (node: ts.Node): readonly ts.Node[] => {
    const inner = unwrap(node);
    if (ts.isArrayLiteralExpression(inner) || ts.isObjectLiteralExpression(inner)) return [inner];
    if (ts.isCallExpression(inner) && inner.arguments[0]) return listOf(inner.arguments[0]);
    // Its declaration and its use; several of one name in blocks of their own are all alike.
    const declared = ts.isIdentifier(inner) ? (facts.bindings.declared.get(inner.text)?.length ?? 0) : 0;
    if (!ts.isIdentifier(inner) || uses.get(inner.text) !== 2 * declared) return [];
    return (facts.bindings.values.get(inner.text) ?? []).flatMap(listOf);
  };
  return new Set(tablesOf(facts).flatMap(({ node, rows }) => (rows === undefined ? [] : listOf(node))));
}

function* compareTables(old: Table, now: Table, before: FileFacts, after: FileFacts): Generator<Finding> {
  const line = lineOf(now.node);
  const [was, is] = [old.rows, now.rows];
  if (was === undefined || is === undefined) {
    if (was !== is || shapeOf(old.node, { anyName: true }) !== shapeOf(now.node, { anyName: true }))
      yield {
        rule: 'removed-rows',
        line,
        text: 'The tests are generated from another list, which cannot be compared with the old one.',
      };
    return;
  }
  if (is.length < was.length)
    yield { rule: 'removed-rows', line, text: `The table has ${is.length} rows where it had ${was.length}.` };
  const distinct = (rows: readonly ts.Node[]): number => new Set(rows.map((row) => shapeOf(row))).size;
  if (was.length - distinct(was) < is.length - distinct(is))
    yield { rule: 'removed-rows', line, text: 'A row of the table became a duplicate of another.' };
  const calls = (rows: readonly ts.Node[], { bindings }: FileFacts): number =>
    rows.reduce<number>((sum, row) => {
      const reach = reachOf(row, bindings, () => []);
      return sum + reach.calls.length + reach.imports.length;
    }, 0);
  const wildcards = (rows: readonly ts.Node[], { bindings }: FileFacts): number =>
    rows.reduce<number>((sum, row) => sum + reachOf(row, bindings, () => []).wildcards.length, 0);
  if (is.length === was.length && calls(is, after) > calls(was, before))
    yield {
      rule: 'computed-expectation',
      line,
      text: 'A value of the table is now computed instead of stated as a literal.',
    };
  if (is.length === was.length && wildcards(is, after) > wildcards(was, before))
    yield { rule: 'weaker-matcher', line, text: 'A value of the table now matches many values.' };
  yield* flippedCells(was, is);
}

function* flippedCells(was: readonly ts.Node[], is: readonly ts.Node[]): Generator<Finding> {
  if (was.length !== is.length) return;
  for (const [index, row] of is.entries()) {
    const old = cellsOf(was[index]);
    for (const [cell, value] of cellsOf(row)) {
      const before = old.get(cell);
      if (before !== undefined && isBoolean(before) && isBoolean(value) && before.kind !== value.kind)
        yield {
          rule: 'inverted',
          line: lineOf(value),
          text: 'A boolean in the table was inverted.',
        };
    }
  }
}

function cellsOf(row: ts.Node | undefined): ReadonlyMap<string, ts.Node> {
  const cells = new Map<string, ts.Node>();
  const inner = row === undefined ? undefined : unwrap(ts.isPropertyAssignment(row) ? row.initializer : row);
  if (inner === undefined) return cells;
  if (ts.isArrayLiteralExpression(inner))
    for (const [index, element] of inner.elements.entries()) cells.set(String(index), unwrap(element));
  else if (ts.isObjectLiteralExpression(inner)) {
    for (const property of inner.properties)
      if (ts.isPropertyAssignment(property)) cells.set(property.name.getText(), unwrap(property.initializer));
  } else if (ts.isTemplateSpan(inner)) cells.set('', unwrap(inner.expression));
  else cells.set('', inner);
  return cells;
}

function isBoolean(node: ts.Node): boolean {
  return node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;
}
