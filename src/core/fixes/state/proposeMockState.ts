// Proposes to clear a shared mock before each test, for tests that fail only because of calls that others made.
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import { isRefusal } from '../assertion/literalChange.ts';
import type { FixContext } from '../fixProvider.ts';
import { testScope } from '../members/testScope.ts';
import { commonSuites, hookChanges } from './hookPlace.ts';
import { orderedSince, type SpoiltTest } from './orderedSince.ts';
import { mockLookedAt } from './recordSite.ts';
import { sharedMock, type SharedMock } from './sharedMock.ts';
import { stateSuspects, type StateSuspect } from './stateSuspects.ts';

const providerId = 'mock-state';

export async function proposeMockState(context: FixContext): Promise<readonly Fix[]> {
  const suspects = (await stateSuspects(context)).flatMap((suspect): Suspect[] => {
    const { result, tree, library } = suspect;
    if (result.failure?.kind !== 'assertion') return [];
    const looked = mockLookedAt(tree, result.failure);
    const mock = looked && sharedMock(looked, tree, library);
    return mock === undefined ? [] : [{ ...suspect, mock }];
  });
  const spoilt = await orderedSince(
    suspects.map(({ result }) => result),
    context,
  );
  const groups = new Map<string, (Suspect & SpoiltTest)[]>();
  for (const suspect of suspects) {
    const evidence = spoilt.get(suspect.result.id);
    if (evidence === undefined) continue;
    const key = JSON.stringify([suspect.tree.file, suspect.mock.name, evidence.bySources]);
    groups.set(key, [...(groups.get(key) ?? []), { ...suspect, ...evidence }]);
  }
  return [...groups.values()].flatMap((group) => fixOf(group, context));
}

type Suspect = StateSuspect & { readonly mock: SharedMock };

function fixOf(group: readonly (Suspect & SpoiltTest)[], context: FixContext): readonly Fix[] {
  const [first] = group;
  if (first === undefined) return [];
  const { tree, mock, bySources, evidence } = first;
  const changes = hookChanges({
    tree,
    hook: 'beforeEach',
    statement: `${mock.asMock}.mockClear()`,
    suites: commonSuites(group.map(({ result }) => testScope(tree, result).calls)),
    names: mock.declaration,
  });
  if (isRefusal(changes)) {
    for (const { result } of group) context.refuse?.(result.id, changes.reason);
    return [];
  }
  const edits = [fileEdit(tree.file, tree.text, changes)];
  return [
    {
      id: hashText(JSON.stringify([providerId, edits])),
      title: `clear the recorded calls of ${mock.name} before each test`,
      grade: 'conservative',
      trust: bySources ? 'propose' : 'mechanical',
      edits,
      failures: group.map(({ result }) => result.id),
      provider: providerId,
      origin: { mendsOrder: true, judgedValues: true },
      confidence: bySources ? 0.6 : 0.85,
      evidence: [
        `The test passes alone and fails after other tests of its file, because their calls of ${mock.name} are still recorded.`,
        ...evidence,
      ],
      ...(bySources && {
        stops: [
          {
            kind: 'history',
            reason: `The changed source calls ${mock.name} differently in an earlier test: that may be a mistake that only this test detects.`,
          },
        ],
      }),
    },
  ];
}
