// The fixer of mocked modules: a factory that lacks what the source newly uses takes the rest from the real module.
import type { FixProvider } from '../fixProvider.ts';
import { proposeFactories, providerId } from './proposeFactories.ts';

export const mockFactory: FixProvider = {
  id: providerId,
  description:
    'Lets a mocked module give its real exports for those that the factory in the test does not name, when the changed source uses one of them.',
  propose: proposeFactories,
};
