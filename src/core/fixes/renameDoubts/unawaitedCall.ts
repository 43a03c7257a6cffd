// Whether a JavaScript source takes the promise for the value that a function gave before: then nothing is finished there.
import ts from 'typescript';
import {
  lineOf,
  parseTree,
  unwrap,
  visitNodes,
  type SourceTree,
} from '../../syntax/javascript/sourceTree.ts';
import { isWaitedFor } from '../awaiting/waitedFor.ts';
import type { Callable } from '../calls/callTarget.ts';
import { placeOf } from '../calls/functionPlace.ts';
import { isCalleeOf } from '../calls/isCallOf.ts';
import { tooMany, type WorkspaceSources } from './workspaceSources.ts';

/** Functions that only pass the promise on are followed as far as this. */
const mostPassing = 30;

/**
 * A sentence that names file and line of a call that nothing waits for, a bare statement included, or of a place that hands the function
 * itself to another one; undefined where all sources wait.
 */
export async function unawaitedCall(first: Callable, sources: WorkspaceSources): Promise<string | undefined> {
  const promising: Callable[] = [first];
  for (const target of promising) {
    const found = await sources.mentioning(target.name, target.file);
    if (found === undefined || promising.length > mostPassing) return tooMany(target.name);
    for (const { file, text } of found) {
      const passing: Callable[] = [];
      const line = misuseIn(parseTree(file, text), target, passing);
      if (line !== undefined)
        return `Line ${line} of ${file} still uses the promise of ${target.name}() as a value without awaiting it: look there first.`;
      for (const one of passing) if (!promising.some((known) => isSame(known, one))) promising.push(one);
    }
  }
  return undefined;
}

const isSame = (one: Callable, other: Callable): boolean =>
  one.file === other.file && one.name === other.name && one.owner === other.owner;

/** The line of the first misuse; `passing` gets the functions that give the promise to their own callers. */
function misuseIn(tree: SourceTree, target: Callable, passing: Callable[]): number | undefined {
  let line: number | undefined;
  visitNodes(tree.ast, (node) => {
    if (line !== undefined) return;
    const isCall = ts.isCallExpression(node) && isCalleeOf(node.expression, tree, target);
    const isHanded = !isCall && ts.isExpression(node) && isArgument(node) && isCalleeOf(node, tree, target);
    if (isHanded) line = lineOf(tree, node);
    if (!isCall) return;
    const giver = givenBy(node);
    if (giver === 'escapes') line = lineOf(tree, node);
    else if (giver === undefined) line = isWaitedFor(node) ? line : lineOf(tree, node);
    else if (giver !== 'waits') {
      const place = placeOf(giver);
      if (place === undefined) line = lineOf(tree, node);
      else passing.push({ ...place, file: tree.file });
    }
  });
  return line;
}

/** `users.filter(isAllowed)`: a promise is always true; what takes promises itself is fine. */
function isArgument(node: ts.Expression): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || !parent.arguments.includes(node)) return false;
  return !/(?:^|\.)(?:then|catch|finally)$/.test(unwrap(parent.expression).getText());
}

/** The function that returns what the call gives; `waits` for one that gave a promise anyway, `escapes` out of a `try`. */
function givenBy(call: ts.Node): ts.SignatureDeclaration | 'waits' | 'escapes' | undefined {
  let child: ts.Node = call;
  let isReturned = false;
  for (let up = call.parent; up !== undefined; child = up, up = up.parent) {
    if (ts.isFunctionLike(up)) {
      isReturned ||= ts.isArrowFunction(up) && up.body === child;
      return isReturned ? (isWaiting(up) ? 'waits' : up) : undefined;
    }
    if (ts.isReturnStatement(up)) isReturned = true;
    // What is thrown later is no longer caught here.
    else if (ts.isTryStatement(up) && up.tryBlock === child && up.catchClause !== undefined)
      return isReturned ? 'escapes' : undefined;
    else if (!isReturned && !isSameValue(up, child)) return undefined;
  }
  return undefined;
}

const isSameValue = (up: ts.Node, child: ts.Node): boolean =>
  unwrap(up) !== up || (ts.isConditionalExpression(up) && up.condition !== child);

function isWaiting(node: ts.SignatureDeclaration): boolean {
  const isAsync =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  if (isAsync) return true;
  const call = ts.isCallExpression(node.parent) ? node.parent : undefined;
  return call !== undefined && /(?:^|\.)(?:then|catch|finally)$/.test(unwrap(call.expression).getText());
}
