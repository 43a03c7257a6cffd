// The fixer of changed calls: patches the arguments that an assertion expects a mock to have been called with.
import type { FixProvider } from '../fixProvider.ts';
import { isAboutCalls } from './aboutCalls.ts';

export const mockCall: FixProvider = {
  id: 'mock-call',
  description:
    'Changes the expected arguments of a mock call to those of the call that was made; a changed number of calls is only proposed.',
  async propose(context) {
    if (!context.failing.some((test) => test.captured.some(isAboutCalls))) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeMockCall } = await import('./proposeMockCall.ts');
    return proposeMockCall(context);
  },
};
