// The fixer of hand-written doubles: what a test made to stand for something of the source gets a member that is newly asked for.
import type { FixProvider } from '../fixProvider.ts';
import { proposeDoubles, providerId } from './proposeDoubles.ts';

export const doubleMember: FixProvider = {
  id: providerId,
  description:
    'Adds to an object or a class that a test made to stand for one of the source the member that the changed source newly asks it for.',
  propose: proposeDoubles,
};
