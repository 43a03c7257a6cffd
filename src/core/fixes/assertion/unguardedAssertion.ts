// Whether an assertion that failed was certainly meant to hold there: nothing between it and the test catches or tries again.
import ts from 'typescript';
import { offsetOf, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { kindOfCall } from './testCalls.ts';
import type { ReadTree } from './repair.ts';
import type { StackPlace } from './stackPlaces.ts';

/**
 * While values are recorded a test goes on after a failed comparison, so that what it would have caught itself is recorded too:
 * `waitFor(() => expect(…))`, `try { expect(…) } catch`. `places`: from the assertion out to the test.
 */
export async function isUnguarded(places: readonly StackPlace[], readTree: ReadTree): Promise<boolean> {
  for (const place of places) {
    const tree = await readTree(place.file);
    const offset = tree && offsetOf(tree, place);
    if (tree === undefined || offset === undefined) return false;
    const way = wayFrom(nodeAt(tree, offset));
    if (way !== 'called') return way === 'test';
  }
  return places.length > 0;
}

/** test: it stands in the test itself · called: in a function, and the next place tells who calls it · caught: it may fail. */
function wayFrom(start: ts.Node): 'test' | 'called' | 'caught' {
  for (let node = start; node.parent !== undefined; node = node.parent) {
    const { parent } = node;
    if (ts.isTryStatement(parent) && parent.tryBlock === node) return 'caught';
    if (ts.isWhileStatement(parent) || ts.isDoStatement(parent)) return 'caught';
    if (ts.isPropertyAccessExpression(parent) && parent.name.text === 'catch') return 'caught';
    if (!ts.isFunctionLike(node)) continue;
    if (!ts.isCallExpression(parent) || parent.expression === node) return 'called';
    const way = wayOfArgument(parent);
    if (way !== 'inside') return way;
  }
  return 'called';
}

const iterations = /^(?:forEach|map|flatMap|every|some|filter|reduce|reduceRight|entries|step)$/;

/** What becomes of a function that is handed to this one. */
function wayOfArgument(call: ts.CallExpression): 'test' | 'inside' | 'caught' {
  const { expression } = call;
  if (ts.isPropertyAccessExpression(expression) && iterations.test(expression.name.text)) return 'inside';
  return kindOfCall(call) === undefined ? 'caught' : 'test';
}

function nodeAt(tree: SourceTree, offset: number): ts.Node {
  let found: ts.Node = tree.ast;
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(found, (child) =>
      child.pos <= offset && offset < child.end ? child : undefined,
    );
    if (inner === undefined) return found;
    found = inner;
  }
}
