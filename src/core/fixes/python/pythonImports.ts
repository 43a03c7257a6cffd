// The fixer of moved names in Python: follows modules, functions and classes that have one clear new home since the last commit.
import type { FixProvider } from '../fixProvider.ts';

export const pythonImports: FixProvider = {
  id: 'python-imports',
  description:
    'Follows a module, function or class of Python that was moved or renamed since the last commit in the imports of the tests and in what they patch.',
  async propose(context) {
    const isHit = context.failing.some(
      ({ result }) => result.file.endsWith('.py') && result.failure?.kind !== 'assertion',
    );
    if (!isHit) return [];
    // Loaded late: it brings the parser of Python along.
    const { proposePythonImports } = await import('./proposePythonImports.ts');
    return proposePythonImports(context);
  },
};
