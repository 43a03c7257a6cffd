// Which side of a comparison in Python is told as expected: what the test writes down, wherever it stands; the other is what the code gave.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import { mendPython } from '../../support/mendPython.ts';
import { pythonWith } from '../../support/python.ts';

const source = `def order(quantity):
    if quantity < 1:
        raise ValueError("quantity has to be 1 or more")
    return quantity * 4


def said():
    return "it has to be 1 or more"


def state():
    return "lost"
`;
const test = `import unittest

import pytest
from shop import order, said, state


def check(got):
    assert 9 == got


def held(want, got):
    assert want == got


def test_raises():
    with pytest.raises(ValueError, match="quantity must be at least 1"):
        order(0)


def test_in():
    assert "must be at least 1" in said()


def test_one_of():
    assert state() in ("open", "done")


def test_first():
    assert 9 == order(2)


def test_second():
    assert order(2) == 9


def test_name():
    expected = 9
    assert expected == order(2)


def test_helper():
    check(order(2))


def test_handed():
    held(9, order(2))


@pytest.mark.flaky
@pytest.mark.skipif(False, reason="never")
def test_uncertain():
    assert 9 == order(2)


def test_neither():
    other = order(2) + 1
    assert other == order(2)


class TestCase(unittest.TestCase):
    def test_method(self):
        self.assertEqual(9, order(2))

    def test_method_in(self):
        self.assertIn("at least", said())
`;

describe('the sides of a comparison in Python', () => {
  let report: CycleReport;
  before(async function () {
    this.timeout(120_000);
    if (pythonWith() === undefined) return this.skip();
    report = await mendPython({ 'shop.py': source, 'test_shop.py': test }, {});
  });
  const sidesOf = (name: string): readonly (string | undefined)[] => {
    const found = report.remaining.find(({ id }) => id.endsWith(name));
    const [value] = found?.handOver?.values ?? [];
    return [value?.expected, value?.actual];
  };

  for (const [name, expected, actual] of [
    ['test_raises', '"quantity must be at least 1"', '"quantity has to be 1 or more"'],
    ['test_in', '"must be at least 1"', '"it has to be 1 or more"'],
    ['test_one_of', '("open", "done")', '"lost"'],
    ['test_first', '9', '8'],
    ['test_second', '9', '8'],
    ['test_name', '9', '8'],
    ['test_helper', '9', '8'],
    ['test_handed', '9', '8'],
    ['test_uncertain', '9', '8'],
    ['test_neither', '8', '9'],
    ['test_method', '9', '8'],
    ['test_method_in', '"at least"', '"it has to be 1 or more"'],
  ] as const)
    it(`are told the right way round: ${name}`, () => assert.deepEqual(sidesOf(name), [expected, actual]));
});
