// Which written values of a test file became others.
import ts from 'typescript';
import { isWritten } from './inputRules.ts';
import { shapeOf } from './parseSource.ts';

/** Pairs of literals that stand at the same place of both versions and differ. */
export function* changedLiterals(left: ts.Node, right: ts.Node): Generator<readonly [ts.Node, ts.Node]> {
  if (left.getText() === right.getText()) return;
  if (isWritten(left) && isWritten(right)) {
    if (!ts.isTemplateExpression(left) || !ts.isTemplateExpression(right)) yield [left, right];
    return;
  }
  if (left.kind !== right.kind) return;
  for (const [old, now] of pairsOf(partsOf(left), partsOf(right))) yield* changedLiterals(old, now);
}

/** In order where nothing came or went; else what stands before and behind it, and variables by their names. */
function pairsOf(old: readonly ts.Node[], now: readonly ts.Node[]): readonly (readonly [ts.Node, ts.Node])[] {
  if (old.length === now.length) return old.flatMap((node, index) => pair(node, now[index]));
  const named = new Map(now.map((node) => [nameOf(node), node]));
  const pairs = old.flatMap((node, index) => {
    const name = nameOf(node);
    if (name !== undefined) return pair(node, named.get(name));
    const [same, fromEnd] = [now[index], now.at(index - old.length)];
    return [same, fromEnd].some((other) => other !== undefined && shapeOf(other) === shapeOf(node))
      ? []
      : [...pair(node, same), ...pair(node, fromEnd)];
  });
  return pairs;
}

const pair = (old: ts.Node, now: ts.Node | undefined): readonly (readonly [ts.Node, ts.Node])[] =>
  now === undefined ? [] : [[old, now]];

function nameOf(node: ts.Node): string | undefined {
  if (!ts.isVariableStatement(node)) return undefined;
  return node.declarationList.declarations.map(({ name }) => name.getText()).join();
}

function partsOf(node: ts.Node): readonly ts.Node[] {
  const parts: ts.Node[] = [];
  ts.forEachChild(node, (child) => void parts.push(child));
  return parts;
}
