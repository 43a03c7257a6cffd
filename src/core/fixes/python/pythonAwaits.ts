// The fixer of missing awaits in Python: tests wait for functions that became asynchronous since the last commit.
import type { FixProvider } from '../fixProvider.ts';
import { mayMissAwait } from './lostName.ts';

export const pythonAwaits: FixProvider = {
  id: 'python-awaiting',
  description: 'Awaits functions and methods of Python that became asynchronous since the last commit.',
  async propose(context) {
    if (!context.failing.some(({ result }) => mayMissAwait(result))) return [];
    // Loaded late: it brings the parser of Python along.
    const { proposePythonAwaits } = await import('./proposePythonAwaits.ts');
    return proposePythonAwaits(context);
  },
};
