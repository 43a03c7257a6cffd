// The fixer of changed error messages: patches the text that an assertion expects of a thrown error.
import type { FixProvider } from '../fixProvider.ts';

export const exceptionText: FixProvider = {
  id: 'exception-text',
  description:
    'Changes the error message that a test expects to the one that the code now throws, when the same kind of error is still thrown.',
  async propose(context) {
    if (!context.failing.some((test) => test.captured.some(({ kind }) => kind === 'error'))) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeExceptionText } = await import('./proposeExceptionText.ts');
    return proposeExceptionText(context);
  },
};
