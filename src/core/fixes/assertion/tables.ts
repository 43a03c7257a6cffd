// Recognises the callbacks that run once for each row of a table: test.each, describe.each, forEach.
import ts from 'typescript';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { macroDeclaration } from './macroCalls.ts';

/** A row as an expression, as named cells (a tagged table, an entry of an object), or as nothing but a key. */
export type TableRow = {
  /** True where the rows were filtered or sorted: a row's place in the source is not its turn. */
  readonly unnumbered?: boolean;
} & (
  | {
      readonly kind: 'value';
      readonly value: ts.Expression;
      readonly tree?: SourceTree;
      /** The row that `value` is one cell of. */
      readonly whole?: ts.ArrayLiteralExpression;
    }
  | {
      readonly kind: 'cells';
      readonly cells: ReadonlyMap<string, ts.Expression>;
      readonly tree?: SourceTree;
      /** Key of an object's entry. */
      readonly key?: string;
    }
  | { readonly kind: 'key'; readonly key: string; readonly tree?: SourceTree }
);

interface CallbackTable {
  /** `test.each(table)(title, callback)`: the outer call. */
  readonly call: ts.CallExpression;
  readonly table: ts.Expression;
  /** Rows of a tagged template. */
  readonly rows?: readonly TableRow[];
  /** True when a row that is an array is spread over the parameters. */
  readonly spread: boolean;
}

/** The table of `X.each(…)(title, callback)` and `X.for(…)(title, callback)`; undefined for other functions. */
export function callbackTable(callback: ts.Node): CallbackTable | undefined {
  const call = callback.parent;
  if (!ts.isCallExpression(call) || !call.arguments.some((argument) => argument === callback))
    return undefined;
  const inner = call.expression;
  if (ts.isTaggedTemplateExpression(inner) && methodName(inner.tag) === 'each')
    return { call, table: inner.template, rows: taggedRows(inner.template), spread: false };
  if (!ts.isCallExpression(inner)) return undefined;
  const method = methodName(inner.expression);
  const [table] = inner.arguments;
  if ((method !== 'each' && method !== 'for') || table === undefined) return undefined;
  return { call, table, spread: method === 'each' };
}

/** What `values.forEach(callback)` and the like go over; undefined for other functions. */
export function iteratedValue(
  callback: ts.Node,
): { readonly call: ts.CallExpression; readonly table: ts.Expression } | undefined {
  const call = callback.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== callback) return undefined;
  const target = call.expression;
  if (!ts.isPropertyAccessExpression(target) || !/^(?:forEach|map|flatMap)$/.test(target.name.text))
    return undefined;
  return { call, table: target.expression };
}

export type HelperNode =
  ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;

/** True for a function with a name, which tests call themselves, and for a macro of AVA. */
export function isHelper(callback: ts.Node): callback is HelperNode {
  return (
    ts.isFunctionDeclaration(callback) ||
    macroDeclaration(callback) !== undefined ||
    ((ts.isArrowFunction(callback) || ts.isFunctionExpression(callback)) &&
      ts.isVariableDeclaration(callback.parent))
  );
}

export function helperName(helper: HelperNode): string | undefined {
  const variable = ts.isVariableDeclaration(helper.parent) ? helper.parent : macroDeclaration(helper);
  const name = variable === undefined ? helper.name : variable.name;
  return name !== undefined && ts.isIdentifier(name) ? name.text : undefined;
}

function methodName(expression: ts.Expression): string | undefined {
  const node = unwrap(expression);
  return ts.isPropertyAccessExpression(node) ? node.name.text : undefined;
}

/** The header names the columns, the substitutions fill the rows. */
function taggedRows(template: ts.TemplateLiteral): TableRow[] {
  if (!ts.isTemplateExpression(template)) return [];
  const names = (template.head.text.trim().split('\n')[0] ?? '').split('|').map((name) => name.trim());
  const cells = template.templateSpans.map((span) => span.expression);
  const rows: TableRow[] = [];
  for (let start = 0; start + names.length <= cells.length; start += names.length) {
    const row = new Map<string, ts.Expression>();
    names.forEach((name, index) => {
      const cell = cells[start + index];
      if (cell !== undefined) row.set(name, cell);
    });
    rows.push({ kind: 'cells', cells: row });
  }
  return rows;
}
