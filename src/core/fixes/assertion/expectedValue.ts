// The fixer of changed expectations: patches the literal, leaf or table row that a failed assertion expected.
import type { FixProvider } from '../fixProvider.ts';

export const expectedValue: FixProvider = {
  id: 'expected-value',
  description:
    'Changes the value that a failed assertion expects to the value that the code now returns: only the literal, property or table row that it came from.',
  async propose(context) {
    if (!context.failing.some((test) => test.captured.length > 0)) return [];
    // Loaded late: it brings the TypeScript parser along.
    const { proposeExpectedValue } = await import('./proposeExpectedValue.ts');
    return proposeExpectedValue(context);
  },
};
