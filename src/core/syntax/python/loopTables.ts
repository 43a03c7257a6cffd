// Loops of a test over a table that is written down: `for src, expected in [("a", 1), ("b", 2)]:`, and which cells its names go through.
import type { SyntaxNode } from '@lezer/common';
import type { ExpectationContext } from './expectationContext.ts';
import { argumentsOf, childrenOf, elementsOf, unwrapPython, type PythonSource } from './parsePython.ts';
import { readPythonLiteral, type PythonLiteral } from './pythonLiteral.ts';
import type { TestFunction } from './testFunctions.ts';

/** By row; undefined where a row is not written down as one. */
export type Cells = readonly (SyntaxNode | undefined)[];

export interface LoopTable {
  readonly body: SyntaxNode;
  /** Of its `for`. */
  readonly line: number;
  /** The names between `for` and `in`. */
  readonly targets: readonly SyntaxNode[];
  readonly columns: ReadonlyMap<string, Cells>;
}

/** A row with what is written for each of the names, in the way of the names: `i, (a, b)`. */
type Row = SyntaxNode | readonly Row[] | undefined;

/**
 * Undefined where the rows are not certain: all of them run, in their order, as they are written. A table under a name is one that
 * only this loop mentions.
 */
export function loopTableOf(
  loop: SyntaxNode,
  test: TestFunction,
  source: PythonSource,
  context: ExpectationContext,
): LoopTable | undefined {
  const parts = childrenOf(loop);
  const [first, ...rest] = parts;
  const at = rest.findIndex(({ name }) => name === 'in');
  const [iterable, body, ...more] = rest.slice(at + 1);
  if (first?.name !== 'for' || at < 0 || iterable === undefined || body?.name !== 'Body' || more.length > 0)
    return undefined;
  // The grammar is not shown a star.
  if (source.text.slice(first.to, iterable.from).includes('*')) return undefined;
  const rows = rowsOf(unwrapPython(iterable), { test, source, context, loop });
  if (rows === undefined || rows.length === 0) return undefined;
  const written = rest.slice(0, at).filter(({ name }) => name !== ',');
  const isOne = written.length === 1 && rest[1]?.name !== ',';
  const columns = new Map<string, (SyntaxNode | undefined)[]>();
  const targets: SyntaxNode[] = [];
  const isRead = isOne ? written.every((target) => read(target, rows)) : readParts(written, rows);
  return isRead ? { body, line: source.lineOf(loop.from), targets, columns } : undefined;

  function read(target: SyntaxNode, cells: readonly Row[]): boolean {
    if (target.name === 'VariableName') {
      const name = source.textOf(target);
      if (columns.has(name) && name !== '_') return false;
      targets.push(target);
      columns.set(
        name,
        cells.map((cell) => (cell === undefined || isParts(cell) ? undefined : cell)),
      );
      return true;
    }
    const names = elementsOf(target);
    return names !== undefined && target.name !== 'SetExpression' && readParts(names, cells);
  }

  function readParts(names: readonly SyntaxNode[], cells: readonly Row[]): boolean {
    const parts = cells.map((cell) => partsOf(cell));
    return names.every((name, index) =>
      read(
        name,
        parts.map((row) => (row?.length === names.length ? row[index] : undefined)),
      ),
    );
  }
}

const isParts = (row: SyntaxNode | readonly Row[]): row is readonly Row[] => Array.isArray(row);

function partsOf(row: Row): readonly Row[] | undefined {
  if (row === undefined || isParts(row)) return row;
  const node = unwrapPython(row);
  return node.name === 'SetExpression' ? undefined : elementsOf(node);
}

interface Around {
  readonly test: TestFunction;
  readonly source: PythonSource;
  readonly context: ExpectationContext;
  readonly loop: SyntaxNode;
}

function rowsOf(node: SyntaxNode, around: Around): readonly Row[] | undefined {
  const display = displayOf(node, around);
  if (display !== undefined) return /^(?:Array|Tuple)/.test(display.name) ? elementsOf(display) : undefined;
  const { source } = around;
  const [callee, list] = node.name === 'CallExpression' ? childrenOf(node) : [];
  if (callee === undefined || list === undefined) return undefined;
  const given = argumentsOf(list, source);
  if (given.some(({ spread }) => spread)) return undefined;
  const [owner, , method] = callee.name === 'MemberExpression' ? childrenOf(callee) : [];
  if (owner && method && source.textOf(method) === 'items')
    return given.length === 0 ? itemsOf(displayOf(unwrapPython(owner), around), source) : undefined;
  const called = source.textOf(callee);
  if (!/^(?:enumerate|zip)$/.test(called) || isGivenAnew(called, source)) return undefined;
  const tables = given.filter(({ name }) => name === undefined).map(({ value }) => value);
  const [first] = tables;
  const rows = tables.map((one) => rowsOf(unwrapPython(one), around));
  if (called === 'enumerate') return first && rows[0]?.map((row) => [undefined, row]);
  const isEven = rows.every((one) => one !== undefined && one.length === rows[0]?.length);
  return isEven ? rows[0]?.map((_row, index) => rows.map((one) => one?.[index])) : undefined;
}

const isGivenAnew = (name: string, { text }: PythonSource): boolean =>
  new RegExp(`\\b(?:def|class|as|import|for)\\s+${name}\\b|\\b${name}\\s*(?::[^=\\n]*)?=(?!=)`).test(text);

/** Keys stay: another one may hide a row. The same key twice is one row. */
function itemsOf(dictionary: SyntaxNode | undefined, source: PythonSource): readonly Row[] | undefined {
  if (dictionary?.name !== 'DictionaryExpression') return undefined;
  const parts = childrenOf(dictionary);
  if (parts.some(({ name }) => name === '**' || name === 'for')) return undefined;
  const keys = parts.filter((_part, index) => parts[index + 1]?.name === ':');
  const values = parts.filter((_part, index) => parts[index - 1]?.name === ':');
  const known = keys.map((key) => plainKey(readPythonLiteral(source.text, key.from, key.to)));
  if (known.includes(undefined) || new Set(known).size < keys.length) return undefined;
  return values.map((value) => [undefined, value]);
}

/** Only of what is equal to nothing that is written in another way, as `1`, `1.0` and `True` are. */
function plainKey(key: PythonLiteral | undefined): string | undefined {
  if (key?.kind === 'str' || key?.kind === 'int' || key?.kind === 'bytes')
    return JSON.stringify([key.kind, key.value]);
  if (key?.kind === 'none') return 'none';
  if (key?.kind !== 'tuple') return undefined;
  const items = key.items.map(plainKey);
  return items.includes(undefined) ? undefined : JSON.stringify(items);
}

/** What is written here, or what a name is given once, that nothing else mentions. */
function displayOf(node: SyntaxNode, { test, source, context, loop }: Around): SyntaxNode | undefined {
  if (/^(?:Array|Tuple|Dictionary)Expression$/.test(node.name)) return node;
  if (node.name !== 'VariableName') return undefined;
  const name = source.textOf(node);
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const mentions = (text: string): number => {
    const all = new RegExp(`\\b${name}\\b`, 'g');
    // By another spelling Python would take it for the same name.
    return Math.max(text.match(all)?.length ?? 0, text.normalize('NFKC').match(all)?.length ?? 0);
  };
  const here = mentions(source.textOf(test.node));
  const isOfModule = here === 1 && mentions(source.text) === 2 && context.isTaken?.(name) !== true;
  if (here !== 2 && !isOfModule) return undefined;
  for (const statement of childrenOf(isOfModule ? source.root : test.body)) {
    if (statement.name !== 'AssignStatement' || (!isOfModule && statement.from > loop.from)) continue;
    const [target, sign, value, ...more] = childrenOf(statement).filter((part) => part.name !== 'TypeDef');
    if (target?.name !== 'VariableName' || source.textOf(target) !== name || !value) continue;
    const display = unwrapPython(value);
    const isDisplay = /^(?:Array|Tuple|Dictionary)Expression$/.test(display.name);
    return sign?.name === 'AssignOp' && more.length === 0 && isDisplay ? display : undefined;
  }
  return undefined;
}
