// The fixer of what tests say to the compiler: expected types, expected errors, type arguments.
import type { FixProvider } from '../fixProvider.ts';
import { providerId, proposeTypes } from './proposeTypes.ts';

export const typeExpectation: FixProvider = {
  id: providerId,
  description:
    'Changes the type that a test expects to the one that the compiler now infers, when the type error keeps the file from loading.',
  propose: proposeTypes,
};
