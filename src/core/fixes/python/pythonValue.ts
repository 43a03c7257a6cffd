// The fixer of changed expectations in Python: patches the literal, leaf, variable or table row that a failed `assert` expected.
import type { FixProvider } from '../fixProvider.ts';

export const pythonValue: FixProvider = {
  id: 'python-expected-value',
  description:
    'Changes the value that a failed `assert a == b`, `assert text in a`, `pytest.raises(match=…)`, `self.assertEqual(a, b)` or `mock.assert_called_with(a)` expects to the one that the code now returns: only the literal, property or table row that it came from.',
  async propose(context) {
    if (!context.failing.some((test) => test.captured.some(({ kind }) => kind === 'python'))) return [];
    // Loaded late: it brings the parser of Python along.
    const { proposePythonValue } = await import('./proposePythonValue.ts');
    return proposePythonValue(context);
  },
};
