// The fixer that asks the compiler: what it suggests for new errors in a test, from a short list of kinds.
import type { FixProvider } from '../fixProvider.ts';
import { proposeSuggestions, providerId } from './proposeSuggestions.ts';

export const compilerSuggestion: FixProvider = {
  id: providerId,
  description:
    'Makes the import or call in a test that the compiler suggests for an error that is new since the source changed, when it suggests exactly one.',
  propose: proposeSuggestions,
};
