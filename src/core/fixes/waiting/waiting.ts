// The fixer of assertions that come too early: a test waits for what the source does later since the last commit.
import { isOfFramework } from '../../model/testId.ts';
import type { FixProvider } from '../fixProvider.ts';

export const waiting: FixProvider = {
  id: 'waiting',
  description:
    'Waits until an assertion holds, where the source has deferred work since the last commit, with the waiting function that the tests already use.',
  async propose(context) {
    if (context.prove === undefined || context.changes.unavailable !== undefined) return [];
    if (!context.failing.some(({ result }) => isOfFramework(result.id, 'vitest', 'jest'))) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeWaits } = await import('./proposeWaits.ts');
    return proposeWaits(context);
  },
};
