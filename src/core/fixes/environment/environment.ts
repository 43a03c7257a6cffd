// The fixer of tests whose source needs a browser's globals now: it names the environment that has them.
import type { FixProvider } from '../fixProvider.ts';
import { missingGlobal } from './browserGlobals.ts';

export const environment: FixProvider = {
  id: 'environment',
  description:
    'Names the environment of a browser (jsdom, happy-dom) at the head of a test file whose source uses its globals since the last commit, as other tests of the project do.',
  async propose(context) {
    if (context.changes.unavailable !== undefined || context.testFiles === undefined) return [];
    if (!context.failing.some(({ result }) => missingGlobal(result) !== undefined)) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeEnvironments } = await import('./proposeEnvironments.ts');
    return proposeEnvironments(context);
  },
};
