// Other ways in which Python tests say what they expect, mended in real tests of pytest: patterns for messages, plain values of other classes, lines.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';
import { linesAdded } from '../../../support/reportOf.ts';

const oldShop = `import warnings
from collections import OrderedDict, namedtuple
from enum import Enum

NAME = "here"
Size = namedtuple("Size", "width height")


class Kind(str, Enum):
    TEA = "tea"
    OAT = "oat"


class Text(str):
    pass


def fail():
    raise ValueError("no such file " + NAME)


def warn():
    warnings.warn("the old way of " + NAME, UserWarning)


def warn_twice():
    warn()
    warnings.warn("another way", UserWarning)


def lines():
    return "first\\n\\tsecond\\nthird\\n"


def values():
    return [OrderedDict(a=1), Size(1, 2), Kind.TEA, Text("x")]


def keys():
    return {"a": 1}.keys()


def out():
    print("Hello")


def pair():
    return 1
`;
const newShop = oldShop
  .replace('no such file', 'no such text file')
  .replace('the old way', 'the very old way')
  .replace('third\\n', 'last\\n')
  .replace(
    '[OrderedDict(a=1), Size(1, 2), Kind.TEA, Text("x")]',
    '[OrderedDict(a=2), Size(1, 3), Kind.OAT, Text("y")]',
  )
  .replace('{"a": 1}.keys()', '{"a": 1, "b": 2}.keys()')
  .replace('Hello', 'Hi')
  .replace('return 1\n', 'return 2\n');

const test = `import textwrap
import unittest
from textwrap import dedent

import pytest
import shop


class TestPhrases(unittest.TestCase):
    def test_raises(self):
        with self.assertRaisesRegex(ValueError, "no such file here"):
            shop.fail()

    def test_warns(self):
        with self.assertWarnsRegex(UserWarning, r"^the old way of here$"):
            shop.warn()

    def test_sequence(self):
        self.assertSequenceEqual([shop.pair(), shop.pair()], [1, 1])


def test_warning():
    with pytest.warns(UserWarning, match="the old way of here"):
        shop.warn()


def test_warnings():
    with pytest.warns(UserWarning, match="the old way of here"):
        shop.warn_twice()


def test_lines():
    assert shop.lines() == """\\
first
\\tsecond
third
"""


def test_dedent():
    assert shop.lines() == textwrap.dedent(
        """\\
        first
        \\tsecond
        third
        """
    )


def test_dedent_named():
    expected = dedent("""
        first
        \\tsecond
        third
    """).strip()
    assert shop.lines().strip() == expected


def test_values():
    assert shop.values() == [{"a": 1}, (1, 2), "tea", 'x']


def test_keys():
    assert shop.keys() == {"a"}


def test_output(capsys):
    shop.out()
    assert capsys.readouterr() == ("Hello\\n", "")


def test_pair():
    assert (shop.pair(), len("a")) == (1, 1)
`;

const mended = [
  'with self.assertRaisesRegex(ValueError, "no such text file here"):',
  'with self.assertWarnsRegex(UserWarning, r"^the very old way of here$"):',
  'self.assertSequenceEqual([shop.pair(), shop.pair()], [2, 2])',
  'with pytest.warns(UserWarning, match="the very old way of here"):',
  'last',
  'last',
  'last',
  `assert shop.values() == [{"a": 2}, (1, 3), "oat", 'y']`,
  'assert shop.keys() == {"a", "b"}',
  'assert capsys.readouterr() == ("Hi\\n", "")',
  'assert (shop.pair(), len("a")) == (2, 1)',
];

describe('what Python tests expect in other ways', () => {
  let report: CycleReport;

  before(async function () {
    this.timeout(280_000);
    if (pythonWith() === undefined) return this.skip();
    report = await mendPython(
      {
        'shop.py': oldShop,
        'test_shop.py': test,
      },
      { 'shop.py': newShop },
    );
  });

  const added = (): readonly string[] => linesAdded(report).map((line) => line.trim());

  for (const line of mended) it(`is mended: ${line}`, () => assert.ok(added().includes(line), report.patch));

  it('keeps every other line, and the backslash behind the quotes', () =>
    assert.equal(added().length, mended.length, report.patch));

  it('is left alone where several warnings may be meant', () => {
    const left = report.remaining.filter(({ id }) => id.endsWith('test_warnings'));
    assert.equal(left.length, 1);
  });
});
