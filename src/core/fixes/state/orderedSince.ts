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
        'The test depends on the tests before it, and it also failed among them before the change.',
      );
    else if (onBase === 'unknown')
      context.refuse?.(
        id,
        'The test depends on the tests before it, and it is not known whether it already did before the change.',
      );
    else
      found.set(id, {
        bySources: spoiltBy === 'sources',
        evidence: [
          onBase === 'new'
            ? 'The test is new.'
            : 'The test passed among the tests that existed before the change.',
          spoiltBy === 'tests'
            ? 'The test fails in the same way on the sources from before the change: the tests changed, and no source file is at fault.'
            : 'On the sources from before the change, the test does not fail this way.',
        ],
      });
  }
  return found;
}
