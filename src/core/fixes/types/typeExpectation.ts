// The fixer of what tests say to the compiler: expected types, expected errors, type arguments.
import type { FixProvider } from '../fixProvider.ts';
import { providerId, proposeTypes } from './proposeTypes.ts';

export const typeExpectation: FixProvider = {
  id: providerId,
  description:
    'Changes the type that a test expects of a value to the one that the compiler finds now, when that is what keeps the file from loading.',
  propose: proposeTypes,
};
