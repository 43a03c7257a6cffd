// Finds for every assertion of the older version the one that stands for it in the newer version.
import type { AssertionFact } from './assertionFacts.ts';
import { shapeOf } from './parseSource.ts';

interface Alignment {
  readonly pairs: readonly (readonly [AssertionFact, AssertionFact])[];
  readonly lost: readonly AssertionFact[];
  readonly added: readonly AssertionFact[];
}

/** Keeps the order where it can (least total difference), then finds moved assertions by their exact text. */
export function alignAssertions(
  before: readonly AssertionFact[],
  after: readonly AssertionFact[],
): Alignment {
  const pairs = inOrder(before, after);
  const taken = new Set(pairs.flat());
  const lost: AssertionFact[] = [];
  for (const fact of before) {
    if (taken.has(fact)) continue;
    const moved = after.find((other) => !taken.has(other) && other.shape === fact.shape);
    if (moved === undefined) lost.push(fact);
    else {
      pairs.push([fact, moved]);
      taken.add(moved);
    }
  }
  return { pairs, lost, added: after.filter((fact) => !taken.has(fact)) };
}

const lostCost = 5;
const addedCost = 0.5;

/** What stands on both sides at the start and at the end is told before anything is compared with everything. */
function inOrder(
  before: readonly AssertionFact[],
  after: readonly AssertionFact[],
): [AssertionFact, AssertionFact][] {
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head]?.shape === after[head]?.shape) head++;
  let tail = 0;
  while (tail < limit - head && before.at(-1 - tail)?.shape === after.at(-1 - tail)?.shape) tail++;
  const pairsAt = (start: number, now: number, count: number): [AssertionFact, AssertionFact][] =>
    before.slice(start, start + count).flatMap((fact, index) => {
      const other = after[now + index];
      return other === undefined ? [] : [[fact, other]];
    });
  const middle = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)] as const;
  return [
    ...pairsAt(0, 0, head),
    ...leastDifference(...middle),
    ...pairsAt(before.length - tail, after.length - tail, tail),
  ];
}

/** Cells of the table of all pairs: more take minutes and gigabytes, and none is found then but the same texts. */
const mostCells = 4_000_000;

function leastDifference(
  before: readonly AssertionFact[],
  after: readonly AssertionFact[],
): [AssertionFact, AssertionFact][] {
  if ((before.length + 1) * (after.length + 1) > mostCells) return [];
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  const step = new Uint8Array(best.length);
  for (let i = before.length; i >= 0; i--)
    for (let j = after.length; j >= 0; j--) {
      const at = i * width + j;
      const [left, right] = [before[i], after[j]];
      if (left === undefined && right === undefined) continue;
      const lose = left === undefined ? Infinity : lostCost + (best[at + width] ?? 0);
      const add = right === undefined ? Infinity : addedCost + (best[at + 1] ?? 0);
      const pair =
        left === undefined || right === undefined
          ? Infinity
          : difference(left, right) + (best[at + width + 1] ?? 0);
      best[at] = Math.min(lose, add, pair);
      step[at] = best[at] === pair ? 0 : best[at] === add ? 1 : 2;
    }
  const pairs: [AssertionFact, AssertionFact][] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length;) {
    const [left, right] = [before[i], after[j]];
    const taken = step[i * width + j];
    if (taken === 0 && left !== undefined && right !== undefined) pairs.push([left, right]);
    if (taken !== 1) i++;
    if (taken !== 2) j++;
  }
  return pairs;
}

/** 0 for the same text; 9 for what cannot stand for one another. */
function difference(a: AssertionFact, b: AssertionFact): number {
  if (a.shape === b.shape) return 0;
  if (a.family !== b.family) return 9;
  let cost = 0.25;
  if (a.matcher !== b.matcher) cost += a.family === 'expect' || a.family === 'assert' ? 2 : 9;
  if (a.negated !== b.negated) cost += 1;
  const [left, right] = [shapesOf(a), shapesOf(b)];
  if (left.subject !== right.subject) cost += left.loose === right.loose ? 1 : 2.5;
  if (left.args !== right.args) cost += 1;
  return cost;
}

interface Shapes {
  readonly subject: string;
  readonly loose: string;
  readonly args: string;
}

const knownShapes = new WeakMap<AssertionFact, Shapes>();

/** Each fact is compared with many. */
function shapesOf(fact: AssertionFact): Shapes {
  const known = knownShapes.get(fact);
  if (known !== undefined) return known;
  const { subject: node, args } = fact;
  const shapes = {
    subject: node === undefined ? '' : shapeOf(node),
    loose: node === undefined ? '' : shapeOf(node, { anyName: true, anyLiteral: true }),
    args: args.map((arg) => shapeOf(arg)).join(','),
  };
  knownShapes.set(fact, shapes);
  return shapes;
}

/** By the test, hook or function that they belong to. */
export function byOwner(facts: readonly AssertionFact[]): ReadonlyMap<string, AssertionFact[]> {
  const owners = new Map<string, AssertionFact[]>();
  for (const fact of facts) {
    const known = owners.get(fact.owner);
    if (known === undefined) owners.set(fact.owner, [fact]);
    else known.push(fact);
  }
  return owners;
}
