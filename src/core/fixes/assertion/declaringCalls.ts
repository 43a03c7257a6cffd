// A helper that declares tests itself stands for a table: each call of it is a row.
import ts from 'typescript';
import { visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { helperName, type HelperNode, type TableRow } from './tables.ts';
import { testCallsAround } from './testCalls.ts';

interface Place {
  /** The parameter where it is used, and which one it is. */
  readonly use: ts.Identifier;
  readonly index: number;
  readonly tree: SourceTree;
  readonly world: {
    readonly testFile: string;
    readonly readTree: (file: string) => Promise<SourceTree | undefined>;
  };
}

/**
 * Of `const greets = (name, want) => it(name, () => expect(greet(name)).toBe(want))` what each call in its file and that of the
 * failing test hands in for this parameter; none when the use stands in no test that the helper declares.
 */
export async function declaringCalls(
  helper: HelperNode,
  { use, index, tree, world }: Place,
): Promise<readonly TableRow[]> {
  const name = helperName(helper);
  if (name === undefined || !isInTest(use, helper)) return [];
  const other = world.testFile === tree.file ? undefined : await world.readTree(world.testFile);
  const rows: TableRow[] = [];
  for (const one of other === undefined ? [tree] : [tree, other])
    visitNodes(one.ast, (node) => {
      if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
      if (node.expression.text !== name) return;
      const value = node.arguments[index];
      const isCertain = !node.arguments.some((argument) => ts.isSpreadElement(argument));
      // A call that leaves the argument out keeps its place.
      rows.push(
        value === undefined || !isCertain
          ? { kind: 'cells', cells: new Map(), unnumbered: true }
          : { kind: 'value', value, tree: one, unnumbered: true },
      );
    });
  return rows;
}

/** Also within its title. */
function isInTest(use: ts.Node, helper: ts.Node): boolean {
  for (let node = use; node !== helper && node.parent !== undefined; node = node.parent) {
    const callback = ts.isCallExpression(node) ? node.arguments[1] : undefined;
    if (callback !== undefined && testCallsAround(callback).some(({ call }) => call === node)) return true;
  }
  return false;
}
