// The fixer that writes out functions which were nothing but one expression and were deleted.
import type { FixProvider } from '../fixProvider.ts';

export const removedShortcut: FixProvider = {
  id: 'removed-shortcut',
  description:
    'Writes what a deleted function was, one expression of things that are still there, in the place of its calls.',
  async propose(context) {
    if (context.failing.length === 0 || context.changes.unavailable !== undefined) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeShortcuts } = await import('./proposeShortcuts.ts');
    return proposeShortcuts(context);
  },
};
