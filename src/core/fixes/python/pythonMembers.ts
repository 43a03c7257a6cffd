// The fixer of renamed members in Python: tests follow what a class or function of the source has under another name now.
import type { FixProvider } from '../fixProvider.ts';
import { lostName } from './lostName.ts';

export const pythonMembers: FixProvider = {
  id: 'python-members',
  description:
    'Follows members, keyword arguments and keys of Python classes and functions that were renamed since the last commit.',
  async propose(context) {
    const isHit = context.failing.some(
      ({ result }) => result.file.endsWith('.py') && lostName(result.failure) !== undefined,
    );
    if (!isHit) return [];
    // Loaded late: it brings the parser of Python along.
    const { proposePythonMembers } = await import('./proposePythonMembers.ts');
    return proposePythonMembers(context);
  },
};
