// Which written values of a test file became others.
import ts from 'typescript';
import { isWritten } from './inputRules.ts';
import { shapeOf } from './parseSource.ts';

export type Pair = readonly [old: ts.Node, now: ts.Node];

/** Pairs of literals that stand at the same place of both versions and differ. */
export function* changedLiterals(left: ts.Node, right: ts.Node): Generator<Pair> {
  if (left.getText() === right.getText()) return;
  if (isWritten(left) && isWritten(right)) {
    const isText = ts.isTemplateExpression(left) && ts.isTemplateExpression(right);
    if (!isText && shapeOf(left) !== shapeOf(right)) yield [left, right];
    return;
  }
  if (left.kind !== right.kind) return;
  for (const [old, now] of pairsOf(left, right)) yield* changedLiterals(old, now);
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
  const kept = new Map<string, number>();
  for (const node of now) kept.set(shapeOf(node), (kept.get(shapeOf(node)) ?? 0) + 1);
  const gone = old.filter((node) => !takeOne(kept, shapeOf(node)));
  const had = new Map<string, number>();
  for (const node of old) had.set(shapeOf(node), (had.get(shapeOf(node)) ?? 0) + 1);
  const come = new Set(now.filter((node) => !takeOne(had, shapeOf(node))));
  const pairs: Pair[] = [];
  const take = (node: ts.Node, other: ts.Node | undefined): boolean => {
    if (other === undefined) return false;
    come.delete(other);
    pairs.push([node, other]);
    return true;
  };
  const unnamed = gone.filter((node) => {
    const name = nameOf(node);
    return (
      name === undefined ||
      !take(
        node,
        [...come].find((other) => nameOf(other) === name),
      )
    );
  });
  for (const node of unnamed) take(node, likest(node, [...come]));
  return pairs;
}

function takeOne(counts: Map<string, number>, shape: string): boolean {
  const count = counts.get(shape) ?? 0;
  if (count > 0) counts.set(shape, count - 1);
  return count > 0;
}

/** Written in the same way, with the most values in common. */
function likest(node: ts.Node, others: readonly ts.Node[]): ts.Node | undefined {
  const shape = shapeOf(node, { anyLiteral: true });
  const values = literalsIn(node);
  let best: { readonly other: ts.Node; readonly common: number } | undefined;
  for (const other of others) {
    if (shapeOf(other, { anyLiteral: true }) !== shape) continue;
    const own = literalsIn(other);
    const common = values.filter((value, index) => value === own[index]).length;
    if (best === undefined || common > best.common) best = { other, common };
  }
  // A rewritten one has no like; where it is the only one that came, it took the place.
  return best?.other ?? (others.length === 1 ? others[0] : undefined);
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
