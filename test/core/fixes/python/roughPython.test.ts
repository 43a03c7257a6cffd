// Python files as people really have them: marks, line ends, tabs, huge and odd values, helpers, tables in tables.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';
import { linesAdded, reasonIn } from '../../../support/reportOf.ts';

const source = `import datetime
import decimal
import enum


class Kind(enum.Enum):
    OLD = "Hi"


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __eq__(self, other):
        return self.amount == other.amount


def greet(name):
    return "Hi, " + name


def huge():
    return "x" * 1000000 + "Hi"


def data():
    return b"Hi\\xff"


def zero():
    return 1.0 if greet("") == "Hi, " else -0.0


def big():
    return len(greet("")) ** 60


def ring():
    found = ["Hi"]
    found.append(found)
    return found


def money():
    return Money("Hi")


def price():
    return decimal.Decimal(len("Hi"))


def day():
    return datetime.date(2020, 1, len("Hi"))


def members():
    return {"Hi", "b"}


def frozen():
    return frozenset({"Hi"})


def point():
    return (1j, "Hi")


def rows():
    return {("a", 1): "Hi", None: [True, ...]}


def escape():
    return "Hi\\t\\x00\\u2028 \\U0001F600 'q' \\"d\\""
`;
const long = 'x'.repeat(1_000_000);
const windows = (text: string): string => text.replaceAll('\n', '\r\n');
const files: Readonly<Record<string, string>> = {
  'test_windows.py': `\uFEFF${windows('from shop import greet\n\n\ndef test_windows():\n\tassert greet("é") == "Hi, é"  # Tab.\n\n\ndef test_lines():\n\twant = """Hi, a\nb"""\n\tassert greet("a\\nb") == want\n')}`,
  'test_line.py':
    'from shop import greet\n\n\ndef test_line():\n    assert greet("A") == "Hi, A"; assert greet("B") == "Hi, B"\n\n\ndef test_and():\n    assert greet("C") == "Hi, C" and greet("D") == "Hi, D"\n\n\ndef test_short(): assert greet("E") == "Hi, E"\n',
  'test_contexts.py':
    'import tempfile\nfrom unittest import mock\n\nimport shop\nfrom shop import greet\n\n\nclass Folder:\n    def isolation(self):\n        return self\n\n    def __enter__(self):\n        return ("a", "b")\n\n    def __exit__(self, *_):\n        return False\n\n\ndef test_pair():\n    with Folder().isolation() as (one, two):\n        assert greet(one) == "Hi, a"\n    assert two == "b"\n\n\ndef test_around():\n    with (\n        mock.patch.object(shop, "data"),  # The first.\n        tempfile.TemporaryDirectory() as folder,\n    ):\n        assert greet("b") == "Hi, b"\n    assert folder\n',
  'test_huge.py': `import shop\n\n\ndef test_huge():\n    assert shop.huge() == "${long}Hi"\n`,
  'checks.py':
    'def check(got, want):\n    assert got == want\n\n\ndef greets(greet, name, want):\n    assert greet(name) == want\n',
  'test_helped.py':
    'import pytest\nfrom checks import check, greets\nfrom shop import greet\n\n\ndef test_helped():\n    check(greet("Ada"), "Hi, Ada")\n\n\n@pytest.mark.parametrize(("name", "want"), [("Bob", "Hi, Bob"), ("Cy", "Hi, Cy")])\ndef test_helped_rows(name, want):\n    greets(greet, name, want)\n',
  'test_nested.py':
    'import pytest\nfrom shop import greet\n\n\n@pytest.mark.parametrize("suffix", ["", "!"])\n@pytest.mark.parametrize(("name", "want"), [("Ada", "Hi, Ada"), ("Bob", "Hi, Bob")])\ndef test_nested(name, want, suffix):\n    assert greet(name) == want\n\n\n@pytest.mark.parametrize("end", ["x", "y"])\nclass TestNested:\n    @pytest.mark.parametrize("want", ["Hi, x", "Hi, y"])\n    def test_each(self, end, want):\n        assert (greet(end) == want) == (want[-1] == end)\n\n    @pytest.mark.parametrize("want", ["Hi, "])\n    def test_start(self, end, want):\n        assert greet(end)[:4] == want\n',
  'test_odd.py':
    'import datetime\nimport decimal\n\nimport shop\nfrom shop import Kind, Money\n\n\n' +
    [
      ['data', 'b"Hi\\xff"'],
      ['zero', '1.0'],
      ['big', '16 ** 15'],
      ['money', 'Money("Hi")'],
      ['price', 'decimal.Decimal(2)'],
      ['day', 'datetime.date(2020, 1, 2)'],
      ['members', '{"Hi", "b"}'],
      ['frozen', 'frozenset({"Hi"})'],
      ['point', '(1j, "Hi")'],
      ['rows', '{("a", 1): "Hi", None: [True, ...]}'],
      ['escape', `"Hi\\t\\x00\\u2028 \\U0001F600 'q' \\"d\\""`],
    ]
      .map(([name, want]) => `def test_${name}():\n    assert shop.${name}() == ${want}\n`)
      .join('\n\n') +
    '\n\ndef test_enum():\n    assert Kind.OLD.value == "Hi"\n\n\ndef test_ring():\n    assert shop.ring()[:1] == ["Hi"]\n\n\ndef test_whole_ring():\n    want = ["Hi"]\n    want.append(want)\n    assert len(shop.ring()) == len(want) and shop.ring()[0] == want[0]\n',
};

describe('changed expectations in rough Python files', () => {
  let report: CycleReport;
  before(async function () {
    this.timeout(280_000);
    if (pythonWith() === undefined) return this.skip();
    report = await mendPython(
      {
        'shop.py': source,
        ...files,
      },
      { 'shop.py': source.replaceAll('"Hi', '"Hello').replace('== "Hello, "', '== "Hi, "') },
      { assume: 'source-is-right' },
    );
  });

  const added = (file: string): readonly string[] => linesAdded(report, file);
  const reasonOf = (name: string): string => reasonIn(report, `#${name}`);

  it('keep the mark, tabs, and the ends of lines within values, too', () => {
    assert.deepEqual(added('test_windows.py'), [
      '\tassert greet("é") == "Hello, é"  # Tab.\r',
      '\twant = """Hello, a\r',
    ]);
  });

  it('are mended where several stand in a line, as far as all of them are known', () => {
    assert.deepEqual(added('test_line.py'), [
      '    assert greet("A") == "Hello, A"; assert greet("B") == "Hello, B"',
      'def test_short(): assert greet("E") == "Hello, E"',
    ]);
  });

  it('are mended in contexts that give several values, and in several of them in parentheses', () => {
    assert.deepEqual(added('test_contexts.py'), [
      '        assert greet(one) == "Hello, a"',
      '        assert greet("b") == "Hello, b"',
    ]);
  });

  it('are mended in the row that a case of several tables is of', () => {
    assert.deepEqual(added('test_nested.py'), [
      '@pytest.mark.parametrize(("name", "want"), [("Ada", "Hello, Ada"), ("Bob", "Hello, Bob")])',
    ]);
  });

  it('are written as bytes, sets, texts with signs that nobody sees, and in the words of the test', () => {
    assert.deepEqual(added('test_odd.py'), [
      '    assert shop.data() == b"Hello\\xff"',
      '    assert shop.money() == Money("Hello")',
      '    assert shop.price() == decimal.Decimal(5)',
      '    assert shop.day() == datetime.date(2020, 1, 5)',
      '    assert shop.members() == {"Hello", "b"}',
      '    assert shop.frozen() == frozenset({"Hello"})',
      '    assert shop.point() == (1j, "Hello")',
      '    assert shop.rows() == {("a", 1): "Hello", None: [True, ...]}',
      `    assert shop.escape() == "Hello\\t\\x00\\u2028 😀 'q' \\"d\\""`,
      '    assert Kind.OLD.value == "Hello"',
      '    assert shop.ring()[:1] == ["Hello"]',
    ]);
  });

  it('are left alone, with the reason, where the value has no literal or a helper asks', () => {
    assert.match(reasonOf('test_big'), /computed|not an equality check with a literal/);
    assert.match(reasonOf('test_huge'), /a value that is too large/);
    for (const name of ['test_helped', 'test_helped_rows::1'])
      assert.match(reasonOf(name), /failed in checks\.py, in a function that the test calls/, name);
  });
});
