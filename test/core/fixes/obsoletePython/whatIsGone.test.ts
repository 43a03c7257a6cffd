// Which Python definitions a change of the source removed: none that have another name now.
import assert from 'node:assert/strict';
import { goneDefinitions } from '../../../../src/core/fixes/obsoletePython/whatIsGone.ts';
import { parsePython } from '../../../../src/core/syntax/python/parsePython.ts';

const gone = (before: string, now: string): readonly string[] => [
  ...goneDefinitions([{ file: 'a.py', before: parsePython(before), now: parsePython(now) }]).keys(),
];

describe('Python definitions that are gone', () => {
  const tree = `class Tree:
    def size(self):
        """How large? tree.size()"""
        return sum(one.size() for one in self.all if hasattr(one, "size"))

    def first(self):
        return self.all[0]
`;

  it('are those whose text is nowhere', () =>
    assert.deepEqual(gone(tree, tree.replace(/\n {4}def first[^]*/, '')), ['first']));

  it('are none of those whose text says its own name, and the new one now', () =>
    assert.deepEqual(gone(tree, tree.replaceAll('size', 'count')), []));
});
