// The fixer of calls: writes calls of the tests as the changed functions take them now.
import type { FixProvider } from '../fixProvider.ts';
import { providerId, proposeSignatures } from './proposeSignatures.ts';

export const signatures: FixProvider = {
  id: providerId,
  description:
    'Rewrites calls of functions, methods and classes whose signature changed since the last commit: another order, an options object, a moved key.',
  propose: proposeSignatures,
};
