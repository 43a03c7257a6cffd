// Proposes to take back what a test leaves behind, for the tests after it that fail only because of that.
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import { lineOf } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal } from '../assertion/literalChange.ts';
import type { FixContext } from '../fixProvider.ts';
import { testScope } from '../members/testScope.ts';
import { commonSuites, hookChanges } from './hookPlace.ts';
import { leaksBeside, type Leak } from './leaks.ts';
import { orderedSince, type SpoiltTest } from './orderedSince.ts';
import { stateSuspects, type StateSuspect } from './stateSuspects.ts';

const providerId = 'test-leaks';

type Spoilt = StateSuspect & SpoiltTest & { readonly leak: Leak };

export async function proposeTestLeaks(context: FixContext): Promise<readonly Fix[]> {
  const suspects = (await stateSuspects(context)).flatMap((suspect) => {
    const { result, tree, library } = suspect;
    if (!/^(?:assertion|error|timeout)$/.test(result.failure?.kind ?? '')) return [];
    const leaks = leaksBeside(tree, testScope(tree, result), library);
    return leaks.length === 0 ? [] : [{ ...suspect, leaks }];
  });
  const spoilt = await orderedSince(
    suspects.map(({ result }) => result),
    context,
  );
  const groups = new Map<string, Spoilt[]>();
  for (const { leaks, ...suspect } of suspects) {
    const evidence = spoilt.get(suspect.result.id);
    if (evidence === undefined) continue;
    for (const leak of leaks) {
      const key = JSON.stringify([suspect.tree.file, leak.restore, evidence.bySources]);
      groups.set(key, [...(groups.get(key) ?? []), { ...suspect, ...evidence, leak }]);
    }
  }
  return [...groups.values()].flatMap((group) => fixOf(group, context));
}

/** Why only a person may apply it. */
function doubtsAbout({ leak, bySources }: Spoilt): NonNullable<Fix['stops']> {
  const reasons = [
    ...(leak.isAsked === true
      ? ['A person must decide whether the code should have used up those answers or should get them again.']
      : []),
    ...(bySources
      ? [`The changed source now uses the ${leak.what}: that may be a mistake that only this test detects.`]
      : []),
  ];
  return reasons.map((reason) => ({ kind: 'history', reason }));
}

function fixOf(group: readonly Spoilt[], context: FixContext): readonly Fix[] {
  const [first] = group;
  if (first === undefined) return [];
  const { tree, leak, evidence } = first;
  const changes = hookChanges({
    tree,
    hook: 'afterEach',
    statement: leak.restore,
    suites: commonSuites(leak.leftBy),
  });
  if (isRefusal(changes)) {
    for (const { result } of group) context.refuse?.(result.id, changes.reason);
    return [];
  }
  const stops = doubtsAbout(first);
  const edits = [fileEdit(tree.file, tree.text, changes)];
  const [leaver] = leak.leftBy[0] ?? [];
  const place = leaver === undefined ? tree.file : `${tree.file}, line ${lineOf(tree, leaver.call)},`;
  return [
    {
      id: hashText(JSON.stringify([providerId, edits])),
      title: `restore the ${leak.what} after each test`,
      grade: 'conservative',
      // What a test replaced is taken back, nothing that the code did: the test then runs as it does by itself.
      trust: stops.length > 0 ? 'propose' : 'mechanical',
      edits,
      failures: group.map(({ result }) => result.id),
      provider: providerId,
      origin: { mendsOrder: true, judgedValues: true },
      confidence: 0.8,
      evidence: [
        `The test passes alone and fails after other tests of its file: the test in ${place} leaves ${leak.what} behind.`,
        ...evidence,
      ],
      ...(stops.length > 0 && { stops }),
    },
  ];
}
