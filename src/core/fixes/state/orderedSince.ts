// Which failing tests began to depend on other tests with this change: what depended on them before is not for a fix.
import type { TestResult } from '../../model/testResult.ts';
import type { FixContext } from '../fixProvider.ts';

export interface SpoiltTest {
  /** The change of the sources did it, not one of the tests: it may be a mistake there. */
  readonly bySources: boolean;
  /** Sentences for people. */
  readonly evidence: readonly string[];
}

/** By test id; tests that pass by themselves and get no fix are told why. */
export async function orderedSince(
  tests: readonly TestResult[],
  context: FixContext,
): Promise<ReadonlyMap<string, SpoiltTest>> {
  const found = new Map<string, SpoiltTest>();
  if (tests.length === 0) return found;
  const alone = (await context.passingAlone?.(tests)) ?? new Map();
  for (const { id } of tests) {
    const order = alone.get(id);
    if (order === undefined) continue;
    const { onBase, spoiltBy } = order;
    if (onBase === 'red')
      context.refuse?.(
        id,
        'It depends on the tests before it, and failed among them before the change, too.',
      );
    else if (onBase === 'unknown')
      context.refuse?.(
        id,
        'It depends on the tests before it, and nothing tells whether it did so before the change.',
      );
    else
      found.set(id, {
        bySources: spoiltBy === 'sources',
        evidence: [
          onBase === 'new'
            ? 'It is a new test.'
            : 'It passed among the tests that were there before the change.',
          spoiltBy === 'tests'
            ? 'It fails in the same way on the sources from before the change: the tests changed, and no source is at fault.'
            : 'On the sources from before the change it does not fail so.',
        ],
      });
  }
  return found;
}
