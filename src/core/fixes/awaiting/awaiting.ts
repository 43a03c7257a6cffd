// The fixer of missing awaits: tests wait for functions that became asynchronous since the last commit.
import type { FixProvider } from '../fixProvider.ts';

export const awaiting: FixProvider = {
  id: 'awaiting',
  description: 'Awaits functions and methods that became asynchronous since the last commit.',
  async propose(context) {
    if (context.changes.unavailable !== undefined || context.failing.length === 0) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeAwaits } = await import('./proposeAwaits.ts');
    return proposeAwaits(context);
  },
};
