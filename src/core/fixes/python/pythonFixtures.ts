// The fixer of renamed fixtures: tests of Python follow what a conftest.py calls a fixture now.
import type { FixProvider } from '../fixProvider.ts';
import { lostFixture } from './lostName.ts';

export const pythonFixtures: FixProvider = {
  id: 'python-fixtures',
  description: 'Follows fixtures that were renamed in a conftest.py of pytest since the last commit.',
  async propose(context) {
    if (!context.failing.some(({ result }) => lostFixture(result.failure) !== undefined)) return [];
    // Loaded late: it brings the parser of Python along.
    const { proposePythonFixtures } = await import('./proposePythonFixtures.ts');
    return proposePythonFixtures(context);
  },
};
