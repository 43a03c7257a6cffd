// Which expressions of the file a name in an assertion stands for: what it was given, its column of a table, what its helper is called with.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts } from './fileFacts.ts';

/** One for each value, row or call, in the order of the text; undefined for a row that has no such cell. */
export type SourcesOf = (name: ts.Identifier, owner: string) => readonly (ts.Node | undefined)[];

/** Remembers what it found: each name is looked up once. */
export function sourcesIn(facts: FileFacts): SourcesOf {
  const calls: ts.CallExpression[] = [];
  visitNodes(facts.source, (node) => {
    if (ts.isCallExpression(node)) calls.push(node);
  });
  const file: File = { ...facts, calls };
  const known = new Map<ts.Node, readonly (ts.Node | undefined)[]>();
  return (name, owner) => {
    const found = known.get(name) ?? expressionsFor(name, owner, file);
    known.set(name, found);
    return found;
  };
}

type File = FileFacts & { readonly calls: readonly ts.CallExpression[] };

function expressionsFor(name: ts.Identifier, owner: string, facts: File): readonly (ts.Node | undefined)[] {
  const given = facts.valuesFor(owner)(name.text);
  const declared = innermost(name, facts.bindings.declared.get(name.text) ?? []);
  if (declared === undefined) return given;
  const { root, steps } = wayTo(declared);
  const rows = ts.isParameter(root)
    ? rowsOfParameter(root, facts)
    : ts.isVariableDeclaration(root) && ts.isForOfStatement(root.parent.parent)
      ? rowsOf(root.parent.parent.expression, facts, 0)
      : undefined;
  return rows === undefined ? given : rows.map((row) => cellAt(row, steps));
}

/** Of several declarations of a name the one whose scope is the smallest around its use. */
function innermost(use: ts.Node, declared: readonly ts.Node[]): ts.Node | undefined {
  let found: ts.Node | undefined;
  let size = Infinity;
  for (const node of declared) {
    const scope = scopeOf(node);
    const holds = scope !== undefined && scope.pos <= use.pos && use.end <= scope.end;
    if (holds && scope.end - scope.pos < size) [found, size] = [node, scope.end - scope.pos];
  }
  return found;
}

function scopeOf(declared: ts.Node): ts.Node | undefined {
  for (let up: ts.Node | undefined = declared; up !== undefined; up = up.parent)
    if (
      ts.isFunctionLike(up) ||
      ts.isBlock(up) ||
      ts.isIterationStatement(up, false) ||
      ts.isSourceFile(up) ||
      ts.isModuleBlock(up)
    )
      return up;
  return undefined;
}

type Step = string | number;

/** What the name is picked out of, and how: `({ rows: [, want] })` is the parameter, 'rows' and 1. */
function wayTo(declared: ts.Node): { readonly root: ts.Node; readonly steps: readonly Step[] } {
  const steps: Step[] = [];
  let node = declared.parent;
  while (ts.isBindingElement(node)) {
    const { parent: pattern, propertyName, name } = node;
    if (ts.isArrayBindingPattern(pattern)) steps.unshift(pattern.elements.indexOf(node));
    else steps.unshift((propertyName ?? name).getText().replace(/^(['"])(.*)\1$/, '$2'));
    node = pattern.parent;
  }
  return { root: node, steps };
}

function rowsOfParameter(
  parameter: ts.ParameterDeclaration,
  facts: File,
): readonly (ts.Node | undefined)[] | undefined {
  const owner = parameter.parent;
  const index = owner.parameters.indexOf(parameter);
  const test = facts.tree.definitions.find(({ callback }) => callback === owner);
  const [table] = test?.tables ?? [];
  if (table !== undefined) return cellsOfEach(table, index, parameter, facts);
  const call = callAround(owner);
  if (call !== undefined && ts.isPropertyAccessExpression(call.expression))
    return index === 0 && /^(?:forEach|map|flatMap|every|some)$/.test(call.expression.name.text)
      ? rowsOf(call.expression.expression, facts, 0)
      : undefined;
  const name = nameOf(owner);
  return name === undefined ? undefined : argumentsOf(name, index, facts);
}

/** What `each` hands to this parameter in each row: a cell where the row is a list, else the row. */
function cellsOfEach(
  table: ts.Expression,
  index: number,
  { name }: ts.ParameterDeclaration,
  facts: File,
): readonly (ts.Node | undefined)[] | undefined {
  const takesRow = ts.isArrayBindingPattern(name);
  return rowsOf(table, facts, 0)?.map((row) => {
    const inner = unwrap(row);
    if (ts.isArrayLiteralExpression(inner) && !takesRow) return inner.elements[index];
    return index === 0 ? inner : undefined;
  });
}

function rowsOf(table: ts.Node, facts: File, depth: number): readonly ts.Node[] | undefined {
  const node = unwrap(table);
  if (ts.isArrayLiteralExpression(node)) return node.elements;
  if (ts.isObjectLiteralExpression(node)) return node.properties;
  if (ts.isTemplateExpression(node)) return spanRows(node);
  if (ts.isIdentifier(node) && depth < 4) {
    const [value, ...others] = facts.bindings.values.get(node.text) ?? [];
    return value === undefined || others.length > 0 ? undefined : rowsOf(value, facts, depth + 1);
  }
  const [first] = ts.isCallExpression(node) ? node.arguments : [];
  const isList = ts.isCallExpression(node) && /^Object\.(?:entries|values)$/.test(node.expression.getText());
  return isList && first !== undefined ? rowsOf(first, facts, depth + 1) : undefined;
}

/** The rows of a table that is a text with headings, each as the first span of it. */
function spanRows({ head, templateSpans }: ts.TemplateExpression): readonly ts.Node[] {
  const width = headings(head).length;
  return width === 0 ? [] : templateSpans.filter((_, index) => index % width === 0);
}

const headings = ({ text }: ts.TemplateHead): readonly string[] =>
  (text.trim().split('\n')[0] ?? '')
    .split('|')
    .map((heading) => heading.trim())
    .filter((heading) => heading !== '');

function cellAt(row: ts.Node | undefined, steps: readonly Step[]): ts.Node | undefined {
  const [step, ...rest] = steps;
  const node = row === undefined ? undefined : unwrap(row);
  if (node === undefined) return undefined;
  if (ts.isTemplateSpan(node)) return typeof step === 'string' ? spanCell(node, step) : undefined;
  // Of `Object.entries` the row is the key and the value.
  if (ts.isPropertyAssignment(node))
    return step === 0 ? undefined : cellAt(node.initializer, step === 1 ? rest : steps);
  if (step === undefined) return node;
  if (ts.isArrayLiteralExpression(node) && typeof step === 'number') return cellAt(node.elements[step], rest);
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const property = node.properties.find(
    (one) => one.name?.getText().replace(/^(['"])(.*)\1$/, '$2') === String(step),
  );
  return property !== undefined && ts.isPropertyAssignment(property)
    ? cellAt(property.initializer, rest)
    : undefined;
}

function spanCell(row: ts.TemplateSpan, heading: string): ts.Node | undefined {
  const { head, templateSpans } = row.parent;
  const column = headings(head).indexOf(heading);
  return column < 0 ? undefined : templateSpans[templateSpans.indexOf(row) + column]?.expression;
}

function callAround(node: ts.Node): ts.CallExpression | undefined {
  const { parent } = node;
  return ts.isCallExpression(parent) && parent.expression !== node ? parent : undefined;
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? parent.name.text : undefined;
}

/** What the calls of a function of this file hand to one of its parameters; a test of AVA hands it on behind the macro's name. */
function argumentsOf(name: string, index: number, { calls }: File): readonly (ts.Node | undefined)[] {
  return calls.flatMap(({ expression, arguments: given }) => {
    if (ts.isIdentifier(expression) && expression.text === name) return [given[index]];
    const macro = given.findIndex((one, at) => at > 0 && ts.isIdentifier(one) && one.text === name);
    return macro > 0 && index > 0 ? [given[macro + index]] : [];
  });
}
