// What has a successor to follow is not obsolete.
import type { FixContext } from '../fixProvider.ts';

/** Did another fixer propose to follow what the test uses, without a change of its meaning? */
export function isFollowed(id: string, { proposed = [] }: FixContext): boolean {
  return proposed.some(
    // What only stands in for calls that are gone may turn out to be no test any more.
    ({ trust, mendsCalls, failures }) =>
      trust === 'mechanical' && mendsCalls !== true && failures.includes(id),
  );
}
