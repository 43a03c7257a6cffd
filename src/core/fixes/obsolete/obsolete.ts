// The fixer of obsolete tests: offers to delete what checks removed behaviour, and never does it by itself.
import type { FixProvider } from '../fixProvider.ts';

export const obsolete: FixProvider = {
  id: 'obsolete',
  description:
    'Proposes to delete a test or table row that checks code removed by the source change, beside the changed expectation.',
  async propose(context) {
    if (context.failing.length === 0 || context.changes.unavailable !== undefined) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeObsolete } = await import('./proposeObsolete.ts');
    return proposeObsolete(context);
  },
};
