// The fixer of missing awaits in Python: tests wait for functions that became asynchronous since the last commit.
import type { TestResult } from '../../model/testResult.ts';
import type { FixProvider } from '../fixProvider.ts';

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

/** Does the failure speak of a coroutine, or of an error that did not come? */
export function mayMissAwait({ file, failure }: TestResult): boolean {
  return file.endsWith('.py') && /\bcoroutine\b|DID NOT RAISE|\bnot raised\b/.test(failure?.message ?? '');
}
