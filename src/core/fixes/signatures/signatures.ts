// The fixer of calls: writes calls of the tests as the changed functions take them now.
import type { FixProvider } from '../fixProvider.ts';
import { providerId, proposeSignatures } from './proposeSignatures.ts';

export const signatures: FixProvider = {
  id: providerId,
  description:
    'Writes calls of functions, methods and classes that take their arguments in another way since the last commit: other order, an options object, a key elsewhere.',
  propose: proposeSignatures,
};
