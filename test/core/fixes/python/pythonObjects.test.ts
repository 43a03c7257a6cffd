// Expected values that are no literals, mended in real tests of pytest: values of the standard library, constants, objects of the project.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';
import { fixIn, reasonIn } from '../../../support/reportOf.ts';

const classes = `import enum
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv4Address
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from uuid import UUID


class Color(enum.Enum):
    RED = 1
    BLUE = 2
    NONE = 3


@dataclass
class Token:
    kind: str
    value: object = None
    tags: list = field(default_factory=list)
    line: int = 0


class Node:
    def __init__(self, name, children=()):
        self.name = name
        self.children = children

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)


class Loud:
    def __init__(self, text):
        self.text = text.upper()

    def __eq__(self, other):
        return self.text == other.text


Point = namedtuple("Point", "x y")


class Any:
    pass
`;

/** What a function of the source gave, what it gives now, what a test expects of it, and what that becomes; no change: left alone. */
type Case = readonly [name: string, was: string, now: string, expected: string, mended?: string];

const standard: readonly Case[] = [
  [
    'when',
    'datetime(2020, 1, 2, tzinfo=timezone.utc)',
    'datetime(2020, 1, 3, tzinfo=timezone.utc)',
    'datetime(2020, 1, 2, tzinfo=timezone.utc)',
    'datetime(2020, 1, 3, tzinfo=timezone.utc)',
  ],
  [
    'other_name',
    'datetime(2020, 1, 2)',
    'datetime(2020, 2, 3)',
    'dt.datetime(2020, month=1, day=2)',
    'dt.datetime(2020, month=2, day=3)',
  ],
  [
    'hours',
    'datetime(2020, 1, 2)',
    'datetime(2020, 1, 2, 0, 30)',
    'datetime(2020, 1, 2)',
    'datetime(2020, 1, 2, 0, 30)',
  ],
  ['clock', 'time(1, 2)', 'time(1, 3)', 'time(1, 2)', 'time(1, 3)'],
  [
    'seconds',
    'timedelta(hours=1)',
    'timedelta(hours=2)',
    'timedelta(seconds=3600)',
    'timedelta(seconds=7200)',
  ],
  [
    'further',
    'timedelta(hours=1)',
    'timedelta(minutes=90)',
    'timedelta(hours=1)',
    'timedelta(hours=1, minutes=30)',
  ],
  ['back', 'timedelta(days=1)', 'timedelta(days=-2)', 'timedelta(1)', 'timedelta(-2)'],
  ['price', 'Decimal("1.0")', 'Decimal("1.50")', 'Decimal("1.0")', 'Decimal("1.50")'],
  ['part', 'Fraction(1, 3)', 'Fraction(2, 3)', 'Fraction("1/3")', 'Fraction("2/3")'],
  ['file', 'Path("a/b")', 'Path("a/c")', "Path('a', 'b')", "Path('a', 'c')"],
  [
    'ident',
    'UUID(int=5)',
    'UUID(int=6)',
    'UUID("00000000-0000-0000-0000-000000000005")',
    'UUID("00000000-0000-0000-0000-000000000006")',
  ],
  [
    'ordered',
    'OrderedDict(a=1, b=2)',
    'OrderedDict(a=1, b=3)',
    'OrderedDict([("a", 1), ("b", 2)])',
    'OrderedDict([("a", 1), ("b", 3)])',
  ],
  ['moved', 'OrderedDict(a=1, b=2)', 'OrderedDict(b=2, a=1)', 'OrderedDict(a=1, b=2)'],
  ['counted', 'Counter(a=1)', 'Counter(a=2, b=1)', 'Counter({"a": 1})', 'Counter({"a": 2, "b": 1})'],
  [
    'grouped',
    'defaultdict(list, {"a": [1]})',
    'defaultdict(list, {"a": [1, 2]})',
    'defaultdict(list, {"a": [1]})',
    'defaultdict(list, {"a": [1, 2]})',
  ],
  ['queue', 'deque([1, 2])', 'deque([1, 3])', 'deque([1, 2])', 'deque([1, 3])'],
  ['names', '{"a", "b"}', '{"a", "c"}', 'set(["b", "a"])', 'set(["c", "a"])'],
  ['frozen', 'frozenset(["a"])', 'frozenset(["a", "z"])', 'frozenset({"a"})', 'frozenset({"a", "z"})'],
  ['raw', 'bytearray(b"ab")', 'bytearray(b"ac")', 'bytearray(b"ab")', 'bytearray(b"ac")'],
  [
    'numbers',
    '[complex(1, 2), range(3)]',
    '[complex(1, 3), range(4)]',
    '[complex(1, 2), range(3)]',
    '[complex(1, 3), range(4)]',
  ],
  [
    'address',
    'IPv4Address("10.0.0.1")',
    'IPv4Address("10.0.0.2")',
    'IPv4Address("10.0.0.1")',
    'IPv4Address("10.0.0.2")',
  ],
  ['bunch', 'SimpleNamespace(a=1)', 'SimpleNamespace(a=2)', 'SimpleNamespace(a=1)', 'SimpleNamespace(a=2)'],
  ['as_words', '{"a": 1}', '{"a": 2, "b": 3}', 'dict(a=1)', 'dict(a=2, b=3)'],
  ['other_type', 'datetime(2020, 1, 2)', 'date(2020, 1, 2)', 'datetime(2020, 1, 2)'],
  ['nothing', '{"a"}', 'set()', '{"a"}'],
];

const own: readonly Case[] = [
  ['color', 'Color.RED', 'Color.BLUE', 'Color.RED', 'Color.BLUE'],
  ['color_of_module', '[Color.RED, 1]', '[Color.BLUE, 1]', '[shop.Color.RED, 1]', '[shop.Color.BLUE, 1]'],
  ['lost_color', 'Color.RED', 'Color.NONE', 'Color.RED'],
  ['token', 'Token("a", 1)', 'Token("b", 1)', 'Token("a", value=1)', 'Token("b", value=1)'],
  [
    'lists',
    'Token("a", tags=["x"])',
    'Token("a", tags=["x", "y"])',
    "Token('a', tags=['x'])",
    "Token('a', tags=['x', 'y'])",
  ],
  ['new_field', 'Token("a")', 'Token("a", line=7)', 'Token("a")', 'Token("a", line=7)'],
  [
    'more_tokens',
    '[Token("a", 1)]',
    '[Token("a", 1), Token("b", 2)]',
    '[Token("a", 1)]',
    '[Token("a", 1), Token("b", 2)]',
  ],
  ['point', 'Point(1, 2)', 'Point(1, 5)', 'Point(1, y=2)', 'Point(1, y=5)'],
  [
    'tree',
    'Node("a", [Node("b"), Node("c", [Node("d")])])',
    'Node("a", [Node("b"), Node("c", [Node("e"), Node("f")])])',
    'Node("a", [Node("b"), Node("c", children=[Node("d")])])',
    'Node("a", [Node("b"), Node("c", children=[Node("e"), Node("f")])])',
  ],
  ['loud', 'Loud("a")', 'Loud("b")', 'Loud("a")'],
  ['other_class', '[Token("a"), Node("a")]', '[Node("a"), Node("a")]', '[Token("a"), Node("a")]'],
  ['strange', 'Token("a", 1)', 'Point(1, 2)', 'Token("a", 1)'],
];

const cases = [...standard, ...own];
const mails: Readonly<Record<1 | 2, string>> = {
  1: '\n\ndef tell(mail, more):\n    mail(date(2020, 1, 2))\n',
  2: '\n\ndef tell(mail, more):\n    mail(date(2020, 1, 3), *([date(2020, 1, 4)] if more else []))\n',
};
const sourceOf = (which: 1 | 2): string =>
  classes + mails[which] + cases.map((one) => `\n\ndef ${one[0]}():\n    return ${one[which]}\n`).join('');

const test = (which: (one: Case) => string): string => `import datetime as dt
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from datetime import timezone
from fractions import Fraction
from ipaddress import IPv4Address
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock
from uuid import UUID

import pytest
import shop
from shop import Color, Loud, Node, Point, Token

${cases.map((one) => `\ndef test_${one[0]}():\n    assert shop.${one[0]}() == ${which(one)}\n`).join('\n')}`;

/** Where such values stand otherwise. */
const further = `

def test_variable():
    expected = date(2020, 1, 2)
    assert shop.when().date() == expected


@pytest.mark.parametrize(("count", "expected"), [(1, timedelta(hours=1)), (2, timedelta(hours=2))])
def test_rows(count, expected):
    assert shop.seconds() * count == expected


def test_mixed():
    kind = shop.token().kind
    assert [shop.token(), shop.when().date()] == [Token(kind, value=1, line=0), date(2020, 1, 2)]


def test_is():
    assert shop.color() is Color.RED


def test_mock():
    mail = Mock()
    shop.tell(mail, False)
    mail.assert_called_once_with(date(2020, 1, 2))


def test_more():
    mail = Mock()
    shop.tell(mail, True)
    mail.assert_called_once_with(date(2020, 1, 2))


def test_input():
    assert Token("a", 1) == shop.Token("a", 2)
`;

describe('expected values of Python that are no literals', () => {
  let report: CycleReport;

  before(async function () {
    this.timeout(280_000);
    if (pythonWith() === undefined) return this.skip();
    report = await mendPython(
      {
        'shop.py': sourceOf(1),
        'test_shop.py': test(([, , , expected]) => expected) + further,
      },
      { 'shop.py': sourceOf(2) },
    );
  });

  const changed = (sign: '+' | '-'): readonly string[] =>
    report.patch
      .split('\n')
      .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
      .map((line) => line.slice(1).trim());

  for (const [name, , , expected, mended] of cases)
    it(
      mended === undefined ? `are left alone: ${name}` : `are written in the way of the test: ${name}`,
      () => {
        if (mended === undefined) assert.ok(!changed('-').includes(`assert shop.${name}() == ${expected}`));
        else assert.ok(changed('+').includes(`assert shop.${name}() == ${mended}`), report.patch);
      },
    );

  it('are mended behind names, in rows, beside what is computed, and as constants that are the same', () => {
    const lines = [
      'expected = date(2020, 1, 3)',
      '@pytest.mark.parametrize(("count", "expected"), [(1, timedelta(hours=2)), (2, timedelta(hours=4))])',
      'assert shop.color() is Color.BLUE',
      'mail.assert_called_once_with(date(2020, 1, 3))',
      'assert [shop.token(), shop.when().date()] == [Token(kind, value=1, line=0), date(2020, 1, 3)]',
    ];
    for (const line of lines) assert.ok(changed('+').includes(line), `${line}\n${report.patch}`);
  });

  it('are only proposed where a constant stands for nothing, a class is another one, or something empty is left', () => {
    const stopsOf = (name: string): string => JSON.stringify(fixIn(report, `test_${name}`)?.stops);
    assert.match(stopsOf('lost_color'), /NONE/);
    assert.match(stopsOf('other_class'), /class changed/);
    assert.match(stopsOf('nothing'), /empty/);
  });

  it('are left alone, with the reason, where the test has no words for what is new', () => {
    const reasonOf = (name: string): string => reasonIn(report, `test_${name}`);
    assert.match(reasonOf('more'), /additional argument that cannot be written as a literal/);
    assert.match(reasonOf('strange'), /class shop\.Point/);
    assert.match(reasonOf('moved'), /another order/);
  });

  it('are no expectation where both sides make them', () =>
    assert.ok(!changed('-').some((line) => line.includes('shop.Token("a", 2)'))));
});
