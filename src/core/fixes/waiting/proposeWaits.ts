// Proposes to wait for assertions that hold only a while after the changed source did its part, each proven in the sandbox.
import { hashText } from '../../base/hash.ts';
import { changesReaching } from '../../diagnosis/stops.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import { parseTree } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal } from '../assertion/literalChange.ts';
import type { FixContext } from '../fixProvider.ts';
import { stateSuspects, type StateSuspect } from '../state/stateSuspects.ts';
import { becameDeferred, type DeferredFunction } from './deferred.ts';
import { waitChanges } from './waitChanges.ts';

const providerId = 'waiting';
/** Each costs a run. */
const mostTried = 10;

export async function proposeWaits(context: FixContext): Promise<readonly Fix[]> {
  const fixes: Fix[] = [];
  const mended = new Set(
    (context.proposed ?? [])
      .filter(({ trust }) => trust === 'mechanical')
      .flatMap(({ failures }) => failures),
  );
  for (const suspect of await stateSuspects(context)) {
    if (context.signal.aborted) break;
    // What a test can await itself needs no waiting until it holds.
    if (mended.has(suspect.result.id)) continue;
    const fix = await fixOf(suspect, context);
    if (fix === undefined) continue;
    if (fixes.length < mostTried) fixes.push(fix);
    else
      context.refuse?.(
        suspect.result.id,
        `Waiting was already tried for ${mostTried} other tests, the limit of one cycle.`,
      );
  }
  const proven = (await context.prove?.(fixes)) ?? [];
  const held = fixes.filter((_fix, index) => proven[index] === true);
  for (const { failures } of held)
    for (const id of failures)
      context.doubt?.(
        id,
        'The assertion holds a moment later without a change: the new value may not be final.',
      );
  return held;
}

async function fixOf({ result, tree, library }: StateSuspect, context: FixContext): Promise<Fix | undefined> {
  const { failure } = result;
  if (failure?.kind !== 'assertion' || failure.location === undefined) return undefined;
  const { functions, when } = await deferredFor(result.file, context);
  const [first] = functions.filter(({ by }) => by !== '');
  if (first === undefined) return undefined;
  const found = waitChanges(tree, failure.location, library);
  if (found === undefined) return undefined;
  const lost = functions.find(({ lostAwait }) => lostAwait);
  if (lost !== undefined || isRefusal(found)) {
    const reason = isRefusal(found)
      ? found.reason
      : `${lost?.name ?? ''}() in ${lost?.file ?? ''} lost an \`await\` ${when}: look there first.`;
    context.refuse?.(result.id, reason);
    return undefined;
  }
  const edits = [fileEdit(tree.file, tree.text, found.changes)];
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: `wait until ${found.assertion} holds`,
    grade: 'conservative',
    // It holds for a moment at least; what comes after that moment, a second call for instance, nobody looks at any more.
    trust: 'propose',
    edits,
    failures: [result.id],
    provider: providerId,
    origin: { judgedValues: true },
    confidence: 0.6,
    evidence: [
      `${first.name}() in ${first.file} defers work ${when}: ${first.by} is new in it.`,
      'In the sandbox, the unchanged assertion holds a moment later.',
    ],
    stops: [
      {
        kind: 'value',
        reason:
          'The delay may be intended or a mistake, and anything that happens after the assertion holds is not checked.',
      },
    ],
  };
}

async function deferredFor(
  testFile: string,
  context: FixContext,
): Promise<{ readonly functions: readonly DeferredFunction[]; readonly when: string }> {
  const { reaching, when, base } = await changesReaching(testFile, context.changes);
  const functions: DeferredFunction[] = [];
  for (const { file, from, status } of reaching) {
    if (!/\.[cm]?[jt]sx?$/.test(file) || status === 'added' || status === 'deleted') continue;
    const [before, now] = await Promise.all([base.baseText(from ?? file), context.readText(file)]);
    if (before === undefined || now === undefined || before.length + now.length > 2_000_000) continue;
    functions.push(...becameDeferred(parseTree(file, before), parseTree(file, now)));
  }
  return { functions, when };
}
