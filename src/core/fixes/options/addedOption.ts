// The fixer that offers a new option under which the code still does what a test expects.
import type { FixProvider } from '../fixProvider.ts';

export const addedOption: FixProvider = {
  id: 'added-option',
  description:
    'Proposes to pass a new option or argument with which a function still does what the test expects, beside the changed expectation.',
  async propose(context) {
    if (context.failing.length === 0 || context.changes.unavailable !== undefined) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeOptions } = await import('./proposeOptions.ts');
    return proposeOptions(context);
  },
};
