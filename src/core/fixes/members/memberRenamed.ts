// The fixer of renamed members: tests follow what a changed class, object, type or function has under another name now.
import type { FixProvider } from '../fixProvider.ts';

export const memberRenamed: FixProvider = {
  id: 'members',
  description:
    'Follows methods, properties, options and keys that were renamed since the last commit, and points out misspelled ones.',
  async propose(context) {
    if (context.changes.unavailable !== undefined || context.failing.length === 0) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeMemberRenames } = await import('./proposeMemberRenames.ts');
    return proposeMemberRenames(context);
  },
};
