// The fixer of conditions that tests expect to be true: opens them and changes the literal that they ask for.
import type { FixProvider } from '../fixProvider.ts';

export const predicate: FixProvider = {
  id: 'predicate',
  description:
    'Changes the literal inside a condition that a test expects to hold (`startsWith`, a pattern, a limit) so that it holds for the value the code now gives; never the answer.',
  async propose(context) {
    const isScript = ({ result }: (typeof context.failing)[number]): boolean =>
      /\.[cm]?[jt]sx?$/.test(result.file);
    if (context.watchOperands === undefined || !context.failing.some(isScript)) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposePredicates } = await import('./proposePredicates.ts');
    return proposePredicates({ ...context, failing: context.failing.filter(isScript) });
  },
};
