// Which written values of a test file became others.
import ts from 'typescript';
import { isWritten } from './inputRules.ts';
import { shapeOf } from './parseSource.ts';

type Pair = readonly [old: ts.Node, now: ts.Node];

/** Pairs of literals that stand at the same place of both versions and differ; or of what else `isOne` says to be compared as a whole. */
export function* changedLiterals(
  left: ts.Node,
  right: ts.Node,
  isOne: (node: ts.Node) => boolean = isWritten,
): Generator<Pair> {
  if (left.getText() === right.getText()) return;
  if (isOne(left) && isOne(right)) {
    const isText = ts.isTemplateExpression(left) && ts.isTemplateExpression(right);
    if (!isText && shapeOf(left) !== shapeOf(right)) yield [left, right];
    return;
  }
  if (left.kind !== right.kind) return;
  for (const [old, now] of pairsOf(left, right)) yield* changedLiterals(old, now, isOne);
}

function pairsOf(left: ts.Node, right: ts.Node): readonly Pair[] {
  const [old, now] = [partsOf(left), partsOf(right)];
  const isList =
    ts.isSourceFile(left) ||
    ts.isBlock(left) ||
    ts.isModuleBlock(left) ||
    ts.isArrayLiteralExpression(left) ||
    ts.isObjectLiteralExpression(left);
  if (isList) return pairsInLists(old, now);
  return old.flatMap((node, index) => pairWith(node, now[index]));
}

/** Each of the older list that is gone, with what took its place: what has its name, else what is written most like it. */
function pairsInLists(old: readonly ts.Node[], now: readonly ts.Node[]): readonly Pair[] {
  const [oldShapes, newShapes] = [old, now].map((nodes) => nodes.map((node) => shapeOf(node)));
  const gone = without(old, oldShapes ?? [], newShapes ?? []);
  const come = new Set(without(now, newShapes ?? [], oldShapes ?? []));
  const named = new Map([...come].map((node) => [nameOf(node), node]));
  const pairs: Pair[] = [];
  const take = (node: ts.Node, other: ts.Node | undefined): boolean => {
    if (other === undefined || !come.delete(other)) return false;
    pairs.push([node, other]);
    return true;
  };
  const unnamed = gone.filter((node) => {
    const name = nameOf(node);
    return name === undefined || !take(node, named.get(name));
  });
  const likes = new Map<string, Likes>();
  for (const node of come) {
    const shape = shapeOf(node, { anyLiteral: true });
    const known = likes.get(shape) ?? [];
    known.push({ node, values: literalsIn(node) });
    likes.set(shape, known);
  }
  for (const node of unnamed) {
    const like = likest(node, likes.get(shapeOf(node, { anyLiteral: true })) ?? []);
    // A rewritten one has no like; where it is the only one that came, it took the place.
    take(node, like ?? (come.size === 1 ? [...come][0] : undefined));
  }
  return pairs;
}

/** Those of the nodes whose shape the others do not have as often, in order. */
function without(
  nodes: readonly ts.Node[],
  shapes: readonly string[],
  others: readonly string[],
): readonly ts.Node[] {
  const counts = new Map<string, number>();
  for (const shape of others) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return nodes.filter((_, index) => {
    const shape = shapes[index] ?? '';
    const count = counts.get(shape) ?? 0;
    if (count > 0) counts.set(shape, count - 1);
    return count === 0;
  });
}

type Likes = { readonly node: ts.Node; readonly values: readonly string[] }[];

/** So many are compared with one: of long tables that change as a whole the rows stand in order. */
const mostCompared = 50;

/** Of what is written in the same way what has the most values in common; it is taken out of the list. */
function likest(node: ts.Node, others: Likes): ts.Node | undefined {
  const values = literalsIn(node);
  let [best, most] = [-1, -1];
  for (const [index, other] of others.slice(0, mostCompared).entries()) {
    const common = values.filter((value, at) => value === other.values[at]).length;
    if (common > most) [best, most] = [index, common];
  }
  return others.splice(best, best < 0 ? 0 : 1)[0]?.node;
}

function literalsIn(node: ts.Node): readonly string[] {
  const found: string[] = [];
  const visit = (inner: ts.Node): void => {
    if (isWritten(inner)) found.push(shapeOf(inner));
    else ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

const pairWith = (old: ts.Node, now: ts.Node | undefined): readonly Pair[] =>
  now === undefined ? [] : [[old, now]];

/** Of variables and properties their own name, of tests and suites their title. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isVariableStatement(node))
    return `variable ${node.declarationList.declarations.map(({ name }) => name.getText()).join()}`;
  if (ts.isPropertyAssignment(node)) return `property ${node.name.getText()}`;
  const call =
    ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) ? node.expression : undefined;
  const [title] = call?.arguments ?? [];
  return call !== undefined &&
    call.arguments.length > 1 &&
    title !== undefined &&
    ts.isStringLiteralLike(title)
    ? `call ${call.expression.getText()} ${title.text}`
    : undefined;
}

function partsOf(node: ts.Node): readonly ts.Node[] {
  const parts: ts.Node[] = [];
  ts.forEachChild(node, (child) => void parts.push(child));
  return parts;
}
