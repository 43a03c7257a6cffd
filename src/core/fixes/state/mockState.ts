// The fixer of calls that stay recorded: a mock that tests share forgets before each test what others did with it.
import { isOfFramework } from '../../model/testId.ts';
import type { FixProvider } from '../fixProvider.ts';

export const mockState: FixProvider = {
  id: 'mock-state',
  description:
    'Clears the recorded calls of a shared mock before each test, when a test passes alone and fails after others.',
  async propose(context) {
    if (context.passingAlone === undefined || context.changes.unavailable !== undefined) return [];
    if (!context.failing.some(({ result }) => isOfFramework(result.id, 'vitest', 'jest'))) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeMockState } = await import('./proposeMockState.ts');
    return proposeMockState(context);
  },
};
