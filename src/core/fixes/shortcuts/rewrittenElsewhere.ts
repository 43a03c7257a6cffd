// Whether the change itself wrote out a function that it deleted, which tells that it did not go by mistake.
import ts from 'typescript';
import { textOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { ChangedPair } from '../obsolete/changedPairs.ts';
import { inlineCall } from './inlineCall.ts';
import { callsOf } from './shortcutCalls.ts';
import type { Shortcut } from './removedShortcuts.ts';

/** Did another changed source call the function, and does it say now what the function was in the place of each call? */
export function isRewrittenElsewhere(shortcut: Shortcut, pairs: readonly ChangedPair[]): boolean {
  return pairs.some(({ file, before, now }) => {
    if (file === shortcut.file) return false;
    const calls = callsOf(before, shortcut);
    if (calls.length === 0 || callsOf(now, shortcut).length > 0) return false;
    const [were, are] = [expressionsOf(before), expressionsOf(now)];
    return calls.every((call) => {
      const text = inlineCall(before, call, shortcut, (name) => name);
      return typeof text === 'string' && are.has(squeezed(text)) && !were.has(squeezed(text));
    });
  });
}

function expressionsOf(tree: SourceTree): ReadonlySet<string> {
  const texts = new Set<string>();
  visitNodes(tree.ast, (node) => {
    if (ts.isExpression(node)) texts.add(squeezed(textOf(tree, node)));
  });
  return texts;
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');
