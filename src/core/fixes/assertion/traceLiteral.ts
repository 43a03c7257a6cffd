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
import { declaringCalls } from './declaringCalls.ts';
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
  /** True where the name only picks a member, as the key in `table[key]`: nothing of its value can change. */
  readonly picks?: boolean;
}

/** A literal that the followed expression may stand for. */
export interface TraceCandidate {
  readonly node: ts.Expression;
  readonly tree: SourceTree;
  readonly links: readonly TraceLink[];
  /** The expression is this key of a table or number of a row, which no literal holds. */
  readonly key?: string;
}

export interface TraceWorld {
  readonly testFile: string;
  /** The tree of a file relative to the root, or undefined. */
  readonly readTree: (file: string) => Promise<SourceTree | undefined>;
  /** The call of a helper function, from the stack of the failure, and which argument is its first; undefined when unknown. */
  callOf(
    name: string | undefined,
    helper: ts.Node,
  ): Promise<{ call: ts.CallExpression; tree: SourceTree; first?: number } | undefined>;
}

const deepest = 24;

/** Every literal the expression may stand for, one for each row of a table it goes through; or why none is known. */
export async function traceLiteral(
  expression: ts.Expression,
  tree: SourceTree,
  world: TraceWorld,
): Promise<readonly TraceCandidate[] | Refusal> {
  const found = await traceValues(expression, tree, world);
  if (isRefusal(found)) return found;
  const literals = found.filter((candidate) => candidate.key === undefined);
  return literals.length > 0 ? literals : refuse('The expected value is a key of the table.');
}

/** As `traceLiteral`, with keys of tables and numbers of rows among the values. */
export async function traceValues(
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
  if (depth > deepest) return refuse('The expected value passes through too many variables.');
  if (ts.isAwaitExpression(node)) return follow(node.expression, steps, tree, world, depth + 1);
  if (ts.isPropertyAccessExpression(node))
    return follow(node.expression, [{ key: node.name.text }, ...steps], tree, world, depth + 1);
  if (ts.isElementAccessExpression(node)) {
    const step = elementStep(node);
    return step === undefined
      ? followKeys(node, steps, tree, world, depth + 1)
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
    ? refuse(`\`${shorten(textOf(tree, node))}\` does not show where the expected value comes from.`)
    : follow(inner, rest, tree, world, depth + 1);
}

/** `table[key]`: the key is followed like any value, and each that it may be picks a member. */
async function followKeys(
  node: ts.ElementAccessExpression,
  steps: readonly PathStep[],
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<readonly TraceCandidate[] | Refusal> {
  const unknown = refuse(`\`${shorten(textOf(tree, node))}\` chooses its value while the test runs.`);
  const keys = await follow(node.argumentExpression, [], tree, world, depth);
  if (isRefusal(keys)) return unknown;
  const found: TraceCandidate[] = [];
  for (const candidate of keys) {
    const key = candidate.key ?? keyText(candidate.node);
    if (key === undefined) return unknown;
    const members = await follow(node.expression, [{ key }, ...steps], tree, world, depth);
    if (isRefusal(members)) continue;
    const picks = candidate.links.map((link) => ({ ...link, picks: true }));
    for (const member of members) found.push({ ...member, links: [...picks, ...member.links] });
  }
  return found.length > 0 ? found : unknown;
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
      return refuse(`${name} gets its value while the test runs.`);
    return withLink(link, await follow(declaration.initializer, path, tree, world, depth));
  }
  if (binding.kind === 'loop' && ts.isForOfStatement(declaration))
    return followRows(link, declaration.expression, path, declaration, world, depth);
  if (binding.kind === 'loop' && ts.isForInStatement(declaration)) {
    const rows = await keyRows(declaration.expression, tree, world, depth);
    if (isRefusal(rows)) return rows;
    return withLinks(rows.links, await eachRow(link, rows.rows, tree, declaration, world, depth));
  }
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
    if (index === 0) return followRows(link, iterated.table, path, iterated.call, world, depth);
    const rows = await rowsOf(iterated.table, tree, world, depth);
    if (index > 1 || isRefusal(rows) || rows.rows.some((row) => row.unnumbered))
      return refuse(`${name} cannot be followed to a literal.`);
    const numbers = rows.rows.map((_, number): TableRow => ({ kind: 'key', key: String(number) }));
    return withLinks(rows.links, await eachRow(link, numbers, tree, iterated.call, world, depth));
  }
  const table = callbackTable(callback);
  if (table !== undefined) {
    if (table.rows !== undefined) return eachRow(link, table.rows, tree, table.call, world, depth);
    const rows = await rowsOf(table.table, tree, world, depth);
    if (isRefusal(rows)) return rows;
    const cells = table.spread ? await spreadRows(rows.rows, index, tree, world, depth) : undefined;
    const found = await eachRow(link, cells ?? rows.rows, tree, table.call, world, depth);
    return index > 0 && cells === undefined
      ? refuse(`${name} is not a column of the table.`)
      : withLinks(rows.links, found);
  }
  if (!isHelper(callback)) return refuse(`${name} is passed in by the test framework.`);
  const call = await world.callOf(helperName(callback), callback);
  const argument = call?.call.arguments[index + (call.first ?? 0)];
  if (call === undefined || argument === undefined) {
    const rows = await declaringCalls(callback, { use, index, tree, world });
    if (rows.length > 0) return eachRow(link, rows, tree, callback, world, depth);
    return refuse(`The call that passed ${name} is not known.`);
  }
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
    const key = keyOf(row, link.steps);
    const candidates =
      key === undefined
        ? await followRow(row, link.steps, row.tree ?? tree, world, depth)
        : [{ node: link.use, tree, links: [], key }];
    if (isRefusal(candidates)) continue;
    for (const candidate of candidates)
      found.push({ ...candidate, links: [{ ...link, row: { index, row, origin } }, ...candidate.links] });
  }
  return found.length > 0 ? found : refuse(`No row of the table holds \`${link.use.text}\` as a literal.`);
}

/** The key itself, when that is all that is taken out of the row. */
function keyOf(row: TableRow, [step, ...rest]: readonly PathStep[]): string | undefined {
  if (row.kind === 'key') return step === undefined ? row.key : undefined;
  if (row.kind === 'value' || step === undefined || rest.length > 0) return undefined;
  return ('index' in step ? step.index === 0 : step.key === '0') ? row.key : undefined;
}

async function followRow(
  row: TableRow,
  steps: readonly PathStep[],
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<readonly TraceCandidate[] | Refusal> {
  if (row.kind === 'value') return follow(row.value, steps, tree, world, depth + 1);
  if (row.kind === 'key') return refuse('A key of the expected object cannot be changed in part.');
  const [step, ...rest] = steps;
  const cell = step === undefined ? undefined : row.cells.get('key' in step ? step.key : String(step.index));
  return cell === undefined
    ? refuse('The row has no cell for this value.')
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
      /^(?:entries|values|keys)$/.test(method)
    ) {
      if (method === 'keys') return keyRows(argument, tree, world, depth);
      return objectRows(argument, method === 'entries', tree, world, depth);
    }
    if (method === 'values') return rowsOf(node.expression.expression, tree, world, depth);
    if (/^(?:filter|slice|sort|reverse|toSorted|toReversed)$/.test(method)) {
      const inner = await rowsOf(node.expression.expression, tree, world, depth);
      if (isRefusal(inner)) return inner;
      return { ...inner, rows: inner.rows.map((row) => ({ ...row, unnumbered: true })) };
    }
    if (method === 'entries' && node.arguments.length === 0) {
      const inner = await rowsOf(node.expression.expression, tree, world, depth);
      if (isRefusal(inner)) return inner;
      const rows = inner.rows.flatMap((row, number): TableRow[] =>
        row.kind === 'value'
          ? [
              {
                kind: 'cells',
                cells: new Map([['1', row.value]]),
                ...(row.unnumbered ? { unnumbered: true } : { key: String(number) }),
                ...(row.tree && { tree: row.tree }),
              },
            ]
          : [],
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
    // Numbers come before other keys, wherever they are written.
    const turn = key === undefined || /^\d+$/.test(key) ? { unnumbered: true } : {};
    rows.push(
      asPairs
        ? {
            kind: 'cells',
            cells: new Map([['1', value]]),
            tree: table.tree,
            ...(key !== undefined && { key }),
            ...turn,
          }
        : { kind: 'value', value, tree: table.tree, ...turn },
    );
  }
  return { rows, links: table.links };
}

/** One row for each key of an object, or number of a list. */
async function keyRows(
  expression: ts.Expression,
  tree: SourceTree,
  world: TraceWorld,
  depth: number,
): Promise<{ rows: readonly TableRow[]; links: readonly TraceLink[] } | Refusal> {
  const found = await follow(expression, [], tree, world, depth + 1);
  if (isRefusal(found)) return found;
  const [table] = found;
  const computed = refuse('The keys of the table are computed.');
  if (found.length !== 1 || table === undefined) return computed;
  const keys = writtenKeys(table.node);
  if (keys === undefined) return computed;
  return { rows: keys.map((key): TableRow => ({ kind: 'key', key })), links: table.links };
}

/** In the order of the source; undefined when not all of them are written out. */
function writtenKeys(node: ts.Expression): string[] | undefined {
  const keys = ts.isObjectLiteralExpression(node)
    ? node.properties.map((property) => property.name && propertyKey(property.name))
    : ts.isArrayLiteralExpression(node) && !node.elements.some((element) => ts.isSpreadElement(element))
      ? node.elements.map((_, index) => String(index))
      : [undefined];
  const known = keys.flatMap((key) => key ?? []);
  // As a program goes through them: numbers come first.
  return known.length === keys.length
    ? Object.keys(Object.fromEntries(known.map((key) => [key, true])))
    : undefined;
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

function keyText(node: ts.Expression): string | undefined {
  const value = staticValue(node);
  if (value?.kind === 'string') return value.value;
  return value?.kind === 'number' ? value.text : undefined;
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
