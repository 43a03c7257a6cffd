// The fixer of stored snapshots: takes over, one by one, what the framework's own update writes for a failing test.
import type { FixProvider } from '../fixProvider.ts';
import { snapshotFailureOf } from './snapshotFailure.ts';

export const snapshots: FixProvider = {
  id: 'snapshot',
  description:
    "Takes over the text that the test framework's own update writes for a snapshot that no longer matches: that snapshot and nothing else.",
  async propose(context) {
    if (!context.failing.some(({ result }) => snapshotFailureOf(result) !== undefined)) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeSnapshots } = await import('./proposeSnapshots.ts');
    return proposeSnapshots(context);
  },
};
