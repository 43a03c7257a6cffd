// The changed sources that reach a test, each as it was and as it is, with its named functions.
import ts from 'typescript';
import { changesReaching } from '../../diagnosis/stops.ts';
import { parseTree, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';

export interface ChangedPair {
  /** Path of the present file, or of the former one when it is gone. */
  readonly file: string;
  readonly before: SourceTree;
  /** An empty text when the file is gone. */
  readonly now: SourceTree;
}

export interface ChangedSources {
  readonly pairs: readonly ChangedPair[];
  /** "since the last commit" */
  readonly when: string;
}

/** Reads each changed source once, whatever number of tests reaches it; only JavaScript and TypeScript, no added files. */
export function createPairReader(context: FixContext): (testFile: string) => Promise<ChangedSources> {
  const pairs = new Map<string, Promise<ChangedPair | undefined>>();
  const files = new Map<string, Promise<ChangedSources>>();
  const read = async (testFile: string): Promise<ChangedSources> => {
    const { reaching, when, base } = await changesReaching(testFile, context.changes);
    const found: ChangedPair[] = [];
    for (const { file, from, status } of reaching.slice(0, 50)) {
      if (status === 'added' || !/\.[cm]?[jt]sx?$/.test(file)) continue;
      const pair =
        pairs.get(file) ??
        pairOf(
          file,
          () => base.baseText(from ?? file),
          status === 'deleted' ? undefined : (name) => context.readText(name),
        );
      pairs.set(file, pair);
      const known = await pair;
      if (known !== undefined) found.push(known);
    }
    return { pairs: found, when };
  };
  return (testFile) => {
    const known = files.get(testFile) ?? read(testFile);
    files.set(testFile, known);
    return known;
  };
}

async function pairOf(
  file: string,
  readBefore: () => Promise<string | undefined>,
  readNow: FixContext['readText'] | undefined,
): Promise<ChangedPair | undefined> {
  const before = await readBefore();
  const now = (await readNow?.(file)) ?? '';
  if (before === undefined || before.length + now.length > 2_000_000) return undefined;
  return { file, before: parseTree(file, before), now: parseTree(file, now) };
}

export interface NamedFunction {
  readonly node: ts.Node;
  readonly body: ts.Node;
}

/** Functions and methods with a body by the name that callers use; the last one where a name is met again. */
export function namedFunctions({ ast }: SourceTree): ReadonlyMap<string, NamedFunction> {
  const found = new Map<string, NamedFunction>();
  visitNodes(ast, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const name = functionName(node);
    if (name !== undefined) found.set(name, { node, body: node.body });
  });
  return found;
}

/** The name of the innermost named function around a node. */
export function functionAround(node: ts.Node): string | undefined {
  for (let up: ts.Node | undefined = node.parent; up !== undefined; up = up.parent) {
    const name = ts.isFunctionLike(up) ? functionName(up) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Its own name, or that of the variable, member or key that it is given to. */
function functionName(node: ts.SignatureDeclaration): string | undefined {
  if (node.name !== undefined && ts.isIdentifier(node.name)) {
    if (!ts.isFunctionExpression(node)) return node.name.text;
  }
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text;
  let outer: ts.Node = node;
  while (unwrap(outer.parent) !== outer.parent) outer = outer.parent;
  const { parent } = outer;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left))
    return parent.left.name.text;
  return node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : undefined;
}
