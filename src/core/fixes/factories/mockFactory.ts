// The fixer of mocked modules: a factory that lacks what the source newly uses takes the rest from the real module.
import type { FixProvider } from '../fixProvider.ts';
import { proposeFactories, providerId } from './proposeFactories.ts';

export const mockFactory: FixProvider = {
  id: providerId,
  description:
    'Adds the real exports of a mocked module to the mock factory of a test, when the changed source uses one that the factory does not define.',
  propose: proposeFactories,
};
