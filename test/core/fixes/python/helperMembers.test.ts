// A member of Python that a helper of the tests uses under its old name, of things that nothing written tells: real tests of pytest.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';

const tree = `class Leaf:
    def __init__(self, value):
        self.value = value

    def unwrap(self):
        return round(self.value * 2) // 2


class Node:
    def __init__(self, *all):
        self.all = all

    def unwrap(self):
        found = []
        for one in self.all:
            found.append(one.unwrap() if hasattr(one, "unwrap") else one)
        return found
`;

const util = `def check(one, kind):
    plain = one.unwrap()
    assert isinstance(plain, kind)
`;

const tests = `from tests.util import check
from tree import Leaf, Node


def test_leaf():
    check(Leaf(1), int)


def test_node():
    check(Node(Leaf(1), 2), list)


def test_directly():
    assert Leaf(3).unwrap() == 3
`;

describe('a renamed member of Python that a helper of the tests uses', function () {
  this.timeout(120_000);
  let report: CycleReport;

  before(async function () {
    const python = pythonWith();
    if (python === undefined) this.skip();
    const files = { 'tests/__init__.py': '', 'tests/util.py': util, 'tests/test_tree.py': tests };
    report = await mendPython(
      { ...files, 'tree.py': tree },
      { 'tree.py': tree.replaceAll('unwrap', 'plain') },
    );
  });

  it('is followed in the test, offered in the helper, and no test is offered for deletion', () => {
    const told = report.fixes.map(
      ({ trust, verdict, edits, failures }) =>
        `${trust} ${verdict.verdict} ${edits.map(({ file }) => file).join()} ${failures.length}`,
    );
    assert.deepEqual(told.sort(), [
      'mechanical verified tests/test_tree.py 1',
      'propose verified tests/util.py 2',
    ]);
  });
});
