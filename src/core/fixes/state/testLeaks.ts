// The fixer of what tests leave behind: timers, variables and globals that one test replaces are taken back after it.
import { isOfFramework } from '../../model/testId.ts';
import type { FixProvider } from '../fixProvider.ts';

export const testLeaks: FixProvider = {
  id: 'test-leaks',
  description:
    'Restores fake timers, stubbed variables and stubbed globals after the test that leaves them behind, when a later test passes only without that test.',
  async propose(context) {
    if (context.passingAlone === undefined || context.changes.unavailable !== undefined) return [];
    if (!context.failing.some(({ result }) => isOfFramework(result.id, 'vitest', 'jest'))) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeTestLeaks } = await import('./proposeTestLeaks.ts');
    return proposeTestLeaks(context);
  },
};
