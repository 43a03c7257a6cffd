// The fixer of changed expectations in Go: patches the literal, leaf, variable or table row that a failed comparison expected.
import { isOfFramework } from '../../model/testId.ts';
import type { FixProvider } from '../fixProvider.ts';

export const goValue: FixProvider = {
  id: 'go-expected-value',
  description:
    'Changes the value that a failed comparison of a Go test expects (`got != want`, `reflect.DeepEqual`, `cmp.Diff`, `assert.Equal`) to the one that the code now returns: only the literal, property or table row that it came from.',
  async propose(context) {
    if (!context.failing.some(({ result }) => isOfFramework(result.id, 'goTest'))) return [];
    const { proposeGoValue } = await import('./proposeGoValue.ts');
    return proposeGoValue(context);
  },
};
