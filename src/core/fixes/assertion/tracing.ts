// Follows names in an expected value to their literals, for one assertion, and remembers which way that went.
import type ts from 'typescript';
import type { SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { chooseCandidate } from './chooseCandidate.ts';
import { helperCalls } from './helperCalls.ts';
import { isRefusal, unread } from './literalChange.ts';
import { literalUses } from './literalUses.ts';
import { macroCall } from './macroCalls.ts';
import type { PatchContext } from './patchRequest.ts';
import type { RepairQuestion, Trace } from './repair.ts';
import type { MatchMode } from './sameValue.ts';
import type { StackPlace } from './stackPlaces.ts';
import { traceLiteral, type TraceWorld } from './traceLiteral.ts';

interface TracedAssertion {
  readonly call: ts.CallExpression;
  readonly tree: SourceTree;
  readonly mode: MatchMode;
  /** Frames of the failure in the workspace, and which of them holds the assertion. */
  readonly places: readonly StackPlace[];
  readonly depth: number;
}

/** What patches of the assertion may ask; every name that was followed is added to `traces`. */
export function tracingContext(
  { call, tree, mode, places, depth }: TracedAssertion,
  { captured, test, context, readTree, probing }: RepairQuestion,
  traces: Trace[],
): PatchContext {
  const called = helperCalls(places, depth, readTree);
  const world: TraceWorld = {
    readTree,
    testFile: test.result.file,
    callOf: async (name, helper) =>
      (await macroCall(name, test.result, readTree)) ?? (await called(name, helper)),
  };
  return {
    mode,
    trace: async (expression, from, wanted) => {
      const candidates = await traceLiteral(expression, from, world);
      if (isRefusal(candidates)) return unread(candidates);
      const choice = await chooseCandidate(candidates, wanted, test.result, { node: call, tree }, world);
      if (isRefusal(choice)) return unread(choice);
      const uses = literalUses(
        choice.candidate,
        test.result,
        context.failing.map((other) => other.result),
      );
      if (isRefusal(uses)) return uses;
      traces.push({ candidate: choice.candidate, by: choice.by, inTitle: uses.inTitle });
      return { node: choice.candidate.node, tree: choice.candidate.tree };
    },
    probe: async (wanted) => {
      const found = await probing.literalOf({ captured, test: test.result, wanted });
      if (!isRefusal(found)) traces.push({ candidate: { ...found, links: [] }, by: 'trial', inTitle: false });
      return found;
    },
  };
}
