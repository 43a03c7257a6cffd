// The fixer of Python tests that have nothing to test any more.
import type { FixProvider } from '../fixProvider.ts';

export const obsoletePython: FixProvider = {
  id: 'python-obsolete',
  description:
    'Proposes to delete a Python test of a function, class or error that the source change removed, when no certain replacement was found.',
  async propose(context) {
    if (!context.failing.some(({ result }) => result.file.endsWith('.py'))) return [];
    // Loaded late: it brings the parser of Python along.
    const { proposePythonDeletions } = await import('./proposePythonDeletions.ts');
    return proposePythonDeletions(context);
  },
};
