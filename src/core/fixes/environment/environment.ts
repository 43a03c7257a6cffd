// The fixer of tests whose source needs a browser's globals now: it names the environment that has them.
import type { FixProvider } from '../fixProvider.ts';
import { missingGlobal } from './browserGlobals.ts';

export const environment: FixProvider = {
  id: 'environment',
  description:
    'Sets a browser environment (jsdom, happy-dom) at the top of a test file whose source has used browser globals since the last commit, as other tests of the project do.',
  async propose(context) {
    if (context.changes.unavailable !== undefined || context.testFiles === undefined) return [];
    if (!context.failing.some(({ result }) => missingGlobal(result) !== undefined)) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeEnvironments } = await import('./proposeEnvironments.ts');
    return proposeEnvironments(context);
  },
};
