// The fixer of runners: tests that use the names of a runner, or of a version of it, that the project no longer has.
import type { FixProvider } from '../fixProvider.ts';
import { proposeTranslation, providerId } from './proposeTranslation.ts';

export const runnerApi: FixProvider = {
  id: providerId,
  description:
    'Writes tests for the runner that the project has now, name for name, when its configuration changed since the last commit.',
  propose: proposeTranslation,
};
