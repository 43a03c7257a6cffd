// The fixer of renamed methods: calls in the tests follow a method that a changed class has under another name now.
import type { FixProvider } from '../fixProvider.ts';

export const memberRenamed: FixProvider = {
  id: 'members',
  description:
    'Follows a method that a class lost since the last commit, when it only passed its arguments on to another one or is there under a new name.',
  async propose(context) {
    if (context.changes.unavailable !== undefined) return [];
    if (
      !context.failing.some(({ result }) => /\.[\w$]+ is not a function/.test(result.failure?.message ?? ''))
    )
      return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeMemberRenames } = await import('./proposeMemberRenames.ts');
    return proposeMemberRenames(context);
  },
};
