// Whether a JavaScript source still calls a function in the way that it took its arguments before: then it may be the source that is wrong.
import ts from 'typescript';
import {
  lineOf,
  parseTree,
  textOf,
  visitNodes,
  type SourceTree,
} from '../../syntax/javascript/sourceTree.ts';
import type { Callable } from '../calls/callTarget.ts';
import { isCalleeOf } from '../calls/isCallOf.ts';
import type { CallPlan } from '../signatures/callPlan.ts';
import { rewriteCall } from '../signatures/rewriteCall.ts';
import { tooMany, type WorkspaceSources } from './workspaceSources.ts';

interface ChangedCall extends Callable {
  /** How calls are written now. */
  readonly plan: CallPlan;
}

/**
 * A sentence that names file and line of a call that would have to be written anew and stands there as it did before; undefined where
 * all sources went along. `textBefore` gives the text of a source before the change, undefined for a new one.
 */
export async function staleCall(
  target: ChangedCall,
  sources: WorkspaceSources,
  textBefore: (file: string, now: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const found = await sources.mentioning(target.name, target.file);
  if (found === undefined) return tooMany(target.name);
  for (const { file, text } of found) {
    const before = await textBefore(file, text);
    const line =
      before === undefined ? undefined : lineLeft(parseTree(file, before), parseTree(file, text), target);
    if (line !== undefined)
      return `Line ${line} of ${file} still calls ${target.name}() in the old form: look there first.`;
  }
  return undefined;
}

/** A call that is there now as often as before, or less often, and does not fit. */
function lineLeft(before: SourceTree, now: SourceTree, target: ChangedCall): number | undefined {
  const former = callsOf(before, target).map((call) => textOfCall(before, call));
  for (const call of callsOf(now, target)) {
    const at = former.indexOf(textOfCall(now, call));
    if (at < 0) continue;
    former.splice(at, 1);
    const anew = rewriteCall(now, call, target.plan);
    if (!('reason' in anew) && anew.length > 0) return lineOf(now, call);
  }
  return undefined;
}

type AnyCall = ts.CallExpression | ts.NewExpression;

function callsOf(tree: SourceTree, target: Callable): readonly AnyCall[] {
  const calls: AnyCall[] = [];
  visitNodes(tree.ast, (node) => {
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && isCalleeOf(node.expression, tree, target))
      calls.push(node);
  });
  return calls;
}

const textOfCall = (tree: SourceTree, call: AnyCall): string => textOf(tree, call).replace(/\s+/g, ' ');
