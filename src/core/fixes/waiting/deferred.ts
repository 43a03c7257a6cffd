// Functions of a source that do something later now: by a timer, the next turn, or behind a promise that they had not before.
import ts from 'typescript';
import { visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { placeOf } from '../calls/functionPlace.ts';

export interface DeferredFunction {
  /** `save` or `Cart.save`. */
  readonly name: string;
  /** Relative to the root. */
  readonly file: string;
  /** What is new in it: `setTimeout`, `await`. */
  readonly by: string;
  /** It no longer waits for something that it waited for: a mistake is likely. */
  readonly lostAwait: boolean;
}

/** Those that both versions have under the same name; a name that is declared twice says nothing. */
export function becameDeferred(before: SourceTree, now: SourceTree): readonly DeferredFunction[] {
  const [old, fresh] = [deferralsOf(before), deferralsOf(now)];
  return [...fresh].flatMap(([name, deferrals]) => {
    const was = old.get(name);
    if (was === undefined || deferrals === undefined) return [];
    const count = (all: readonly string[], by: string): number => all.filter((one) => one === by).length;
    const by = deferrals.find((one) => count(deferrals, one) > count(was, one));
    const lostAwait = count(deferrals, 'await') < count(was, 'await');
    return by === undefined && !lostAwait ? [] : [{ name, file: now.file, by: by ?? '', lostAwait }];
  });
}

const defers =
  /^(?:(?:window|globalThis|global)\.)?(?:setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame|requestIdleCallback|process\.nextTick)$|(?:^|\.)(?:debounce|throttle)$/;

/** By function, what it does later; undefined for a name that is declared twice. */
function deferralsOf(tree: SourceTree): ReadonlyMap<string, readonly string[] | undefined> {
  const found = new Map<string, readonly string[] | undefined>();
  visitNodes(tree.ast, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const place = placeOf(node);
    if (place === undefined) return;
    const name = place.owner === undefined ? place.name : `${place.owner}.${place.name}`;
    found.set(name, found.has(name) ? undefined : deferralsIn(node));
  });
  return found;
}

function deferralsIn(body: ts.Node): readonly string[] {
  const found: string[] = [];
  visitNodes(body, (node) => {
    if (ts.isAwaitExpression(node)) found.push('await');
    if (!ts.isCallExpression(node)) return;
    const callee = node.expression;
    if (ts.isPropertyAccessExpression(callee) && /^(?:then|finally)$/.test(callee.name.text))
      found.push(`.${callee.name.text}()`);
    else if (defers.test(callee.getText())) found.push(callee.getText());
  });
  return found;
}
