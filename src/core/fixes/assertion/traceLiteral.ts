// Follows a name in an assertion back to the literals it may stand for: constants, table rows, loops, arguments, imports.
import ts from 'typescript';
import {
  bindingOf,
  isReassigned,
  type Binding,
  type PathStep,
} from '../../syntax/javascript/declarations.ts';
import { propertyKey, staticValue } from '../../syntax/javascript/literalSource.ts';
import { textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { findExport } from './findExport.ts';
import { isRefusal, refuse, type Refusal } from './literalChange.ts';
import { shorten } from './patchRequest.ts';
import { callbackTable, helperName, isHelper, iteratedValue, type TableRow } from './tables.ts';

/** One step on the way from a name to its literal. */
export interface TraceLink {
  readonly tree: SourceTree;
  readonly binding: Binding;
  /** The use of the name that was followed. */
  readonly use: ts.Identifier;
  /** What was taken out of the named value. */
  readonly steps: readonly PathStep[];
  /** Set where the name stands for one row of a table or a loop. */
  readonly row?: { readonly index: number; readonly row: TableRow; readonly origin: ts.Node };
}

/** A literal that the followed expression may stand for. */
export interface TraceCandidate {
  readonly node: ts.Expression;
  readonly tree: SourceTree;
  readonly links: readonly TraceLink[];
}

export interface TraceWorld {
  /** The tree of a file relative to the root, or undefined. */
  readTree(file: string): Promise<SourceTree | undefined>;
  /** Resolves the call of a helper function from the stack of the failure; undefined when it is not on it. */
  callOf(
    name: string | undefined,
    helper: ts.Node,
  ): Promise<{ call: ts.CallExpression; tree: SourceTree } | undefined>;
}

const deepest = 24;

/** Every literal the expression may stand for, one for each row of a table it goes through; or why none is known. */
export async function traceLiteral(
  expression: ts.Expression,
  tree: SourceTree,
  world: TraceWorld,
): Promise<readonly TraceCandidate[] | Refusal> {
  return follow(expression, [], tree, world, 0);
}

async function follow(
  expression: ts.Expression,
  steps: readonly PathStep[],
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<readonly TraceCandidate[] | Refusal> {
  const node = unwrap(expression);
  if (depth > deepest) return refuse('The expected value goes through too many names.');
  if (ts.isAwaitExpression(node)) return follow(node.expression, steps, tree, world, depth + 1);
  if (ts.isPropertyAccessExpression(node))
    return follow(node.expression, [{ key: node.name.text }, ...steps], tree, world, depth + 1);
  if (ts.isElementAccessExpression(node)) {
    const step = elementStep(node);
    return step === undefined
      ? refuse(`\`${shorten(textOf(tree, node))}\` picks its value while the test runs.`)
      : follow(node.expression, [step, ...steps], tree, world, depth + 1);
  }
  if (ts.isIdentifier(node) && staticValue(node) === undefined)
    return followName(node, steps, tree, world, depth + 1);
  const [step, ...rest] = steps;
  if (step === undefined) return [{ node, tree, links: [] }];
  if (ts.isCallExpression(node) && textOf(tree, node.expression) === 'Object.freeze' && node.arguments[0])
    return follow(node.arguments[0], steps, tree, world, depth + 1);
  const inner = memberOf(node, step);
  return inner === undefined
    ? refuse(`\`${shorten(textOf(tree, node))}\` does not say where the expected value comes from.`)
    : follow(inner, rest, tree, world, depth + 1);
}

async function followName(
  use: ts.Identifier,
  steps: readonly PathStep[],
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<readonly TraceCandidate[] | Refusal> {
  const binding = bindingOf(use);
  const name = `\`${use.text}\``;
  if (binding?.path === undefined) return refuse(`${name} cannot be followed to a literal.`);
  const path = [...binding.path, ...steps];
  const link: TraceLink = { tree, binding, use, steps: path };
  const { declaration } = binding;
  if (binding.kind === 'variable' && ts.isVariableDeclaration(declaration)) {
    if (declaration.initializer === undefined || isReassigned(tree, binding))
      return refuse(`${name} is given its value while the test runs.`);
    return withLink(link, await follow(declaration.initializer, path, tree, world, depth));
  }
  if (binding.kind === 'loop' && ts.isForOfStatement(declaration))
    return followRows(link, declaration.expression, path, declaration, world, depth);
  if (binding.kind === 'import') {
    const found = await findExport(tree, binding, world);
    return isRefusal(found)
      ? found
      : withLink(link, await follow(found.expression, path, found.tree, world, depth));
  }
  if (binding.kind !== 'parameter' || !ts.isParameter(declaration))
    return refuse(`${name} cannot be followed to a literal.`);
  const callback = declaration.parent;
  const index = callback.parameters.indexOf(declaration);
  const iterated = iteratedValue(callback);
  if (iterated !== undefined) {
    if (index !== 0) return refuse(`${name} counts the rows.`);
    return followRows(link, iterated.table, path, iterated.call, world, depth);
  }
  const table = callbackTable(callback);
  if (table !== undefined) {
    if (table.rows !== undefined) return eachRow(link, table.rows, tree, table.call, world, depth);
    const rows = await rowsOf(table.table, tree, world, depth);
    if (isRefusal(rows)) return rows;
    const cells = table.spread ? await spreadRows(rows.rows, index, tree, world, depth) : undefined;
    const found = await eachRow(link, cells ?? rows.rows, tree, table.call, world, depth);
    return index > 0 && cells === undefined
      ? refuse(`${name} is no column of the table.`)
      : withLinks(rows.links, found);
  }
  if (!isHelper(callback)) return refuse(`${name} is handed in by the framework.`);
  const call = await world.callOf(helperName(callback), callback);
  const argument = call?.call.arguments[index];
  if (call === undefined || argument === undefined)
    return refuse(`The call that handed in ${name} is not known.`);
  return withLink(link, await follow(argument, path, call.tree, world, depth));
}

async function followRows(
  link: TraceLink,
  iterable: ts.Expression,
  path: readonly PathStep[],
  origin: ts.Node,
  world: TraceWorld,
  depth: number,
): Promise<readonly TraceCandidate[] | Refusal> {
  const rows = await rowsOf(iterable, link.tree, world, depth);
  if (isRefusal(rows)) return rows;
  return withLinks(
    rows.links,
    await eachRow({ ...link, steps: path }, rows.rows, link.tree, origin, world, depth),
  );
}

/** Rows without the wanted cell are left out: tables need not be regular. */
async function eachRow(
  link: TraceLink,
  rows: readonly TableRow[],
  tree: SourceTree,
  origin: ts.Node,
  world: TraceWorld,
  depth: number,
): Promise<readonly TraceCandidate[] | Refusal> {
  const found: TraceCandidate[] = [];
  for (const [index, row] of rows.entries()) {
    const candidates = await followRow(row, link.steps, row.tree ?? tree, world, depth);
    if (isRefusal(candidates)) continue;
    for (const candidate of candidates)
      found.push({ ...candidate, links: [{ ...link, row: { index, row, origin } }, ...candidate.links] });
  }
  return found.length > 0 ? found : refuse(`No row of the table holds \`${link.use.text}\` as a literal.`);
}

async function followRow(
  row: TableRow,
  steps: readonly PathStep[],
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<readonly TraceCandidate[] | Refusal> {
  if (row.kind === 'value') return follow(row.value, steps, tree, world, depth + 1);
  const [step, ...rest] = steps;
  const cell = step === undefined ? undefined : row.cells.get('key' in step ? step.key : String(step.index));
  return cell === undefined
    ? refuse('The row has no such cell.')
    : follow(cell, rest, tree, world, depth + 1);
}

/** Rows that are arrays are spread over the parameters of the callback. */
async function spreadRows(
  rows: readonly TableRow[],
  index: number,
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<TableRow[] | undefined> {
  const cells: TableRow[] = [];
  for (const row of rows) {
    if (row.kind !== 'value') return undefined;
    const found = await follow(row.value, [], row.tree ?? tree, world, depth + 1);
    const list = isRefusal(found) || found.length !== 1 ? undefined : found[0];
    if (list === undefined || !ts.isArrayLiteralExpression(list.node)) return undefined;
    const value = list.node.elements[index];
    // A shorter row keeps its place in the table, with nothing to follow.
    cells.push(
      value === undefined
        ? { kind: 'cells', cells: new Map() }
        : { kind: 'value', value, tree: list.tree, whole: list.node },
    );
  }
  return cells;
}

async function rowsOf(
  expression: ts.Expression,
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<{ rows: readonly TableRow[]; links: readonly TraceLink[] } | Refusal> {
  const node = unwrap(expression);
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const method = node.expression.name.text;
    const [argument] = node.arguments;
    if (
      textOf(tree, node.expression.expression) === 'Object' &&
      argument !== undefined &&
      /^(?:entries|values)$/.test(method)
    )
      return objectRows(argument, method === 'entries', tree, world, depth);
    if (/^(?:filter|slice|toSorted|toReversed|values)$/.test(method))
      return rowsOf(node.expression.expression, tree, world, depth);
    if (method === 'entries' && node.arguments.length === 0) {
      const inner = await rowsOf(node.expression.expression, tree, world, depth);
      if (isRefusal(inner)) return inner;
      const rows = inner.rows.flatMap((row): TableRow[] =>
        row.kind === 'value' ? [{ ...row, kind: 'cells', cells: new Map([['1', row.value]]) }] : [],
      );
      return { rows, links: inner.links };
    }
  }
  const found = await follow(node, [], tree, world, depth + 1);
  if (isRefusal(found)) return found;
  const [table] = found;
  if (found.length !== 1 || table === undefined || !ts.isArrayLiteralExpression(table.node))
    return refuse('The rows of the table are computed.');
  const rows: TableRow[] = [];
  const links = [...table.links];
  for (const element of table.node.elements) {
    if (!ts.isSpreadElement(element)) {
      rows.push({ kind: 'value', value: element, tree: table.tree });
      continue;
    }
    const inner = await rowsOf(element.expression, table.tree, world, depth + 1);
    if (isRefusal(inner)) return inner;
    rows.push(...inner.rows);
    links.push(...inner.links);
  }
  return { rows, links };
}

async function objectRows(
  expression: ts.Expression,
  asPairs: boolean,
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<{ rows: readonly TableRow[]; links: readonly TraceLink[] } | Refusal> {
  const found = await follow(expression, [], tree, world, depth + 1);
  if (isRefusal(found)) return found;
  const [table] = found;
  if (found.length !== 1 || table === undefined || !ts.isObjectLiteralExpression(table.node))
    return refuse('The rows of the table are computed.');
  const rows: TableRow[] = [];
  for (const property of table.node.properties) {
    if (!ts.isPropertyAssignment(property)) return refuse('The rows of the table are computed.');
    const value = property.initializer;
    const key = propertyKey(property.name);
    rows.push(
      asPairs
        ? {
            kind: 'cells',
            cells: new Map([['1', value]]),
            tree: table.tree,
            ...(key !== undefined && { key }),
          }
        : { kind: 'value', value, tree: table.tree },
    );
  }
  return { rows, links: table.links };
}

function memberOf(node: ts.Expression, step: PathStep): ts.Expression | undefined {
  if (ts.isArrayLiteralExpression(node)) {
    const index = 'index' in step ? step.index : Number(step.key);
    const before = node.elements.slice(0, index + 1);
    return before.some((element) => ts.isSpreadElement(element)) ? undefined : node.elements[index];
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const key = 'key' in step ? step.key : String(step.index);
  const index = node.properties.findLastIndex(
    (property) => property.name !== undefined && propertyKey(property.name) === key,
  );
  const property = node.properties[index];
  if (property === undefined || node.properties.slice(index).some((other) => ts.isSpreadAssignment(other)))
    return undefined;
  if (ts.isPropertyAssignment(property)) return property.initializer;
  return ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

function elementStep(node: ts.ElementAccessExpression): PathStep | undefined {
  const value = staticValue(node.argumentExpression);
  if (value?.kind === 'string') return { key: value.value };
  return value?.kind === 'number' && /^\d+$/.test(value.text) ? { index: Number(value.text) } : undefined;
}

function withLink(
  link: TraceLink,
  found: readonly TraceCandidate[] | Refusal,
): readonly TraceCandidate[] | Refusal {
  return withLinks([link], found);
}

function withLinks(
  links: readonly TraceLink[],
  found: readonly TraceCandidate[] | Refusal,
): readonly TraceCandidate[] | Refusal {
  if (isRefusal(found)) return found;
  return found.map((candidate) => ({ ...candidate, links: [...links, ...candidate.links] }));
}
