// Values that a Python test hands to a function that compares them: the literal of the call changes, never the helper. In real tests of pytest.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';
import { fixIn, reasonIn, writtenIn } from '../../../support/reportOf.ts';

const oldShop = `def render(text):
    return "<b>" + text + "</b>"


def run(text):
    return {"status": 0, "out": text + " read"}


def echo(text):
    return text
`;
const newShop = oldShop
  .replace('"<b>" + text + "</b>"', '"<i>" + text + "</i>"')
  .replace('" read"', '" was read"');

const base = `import unittest


class Base(unittest.TestCase):
    maxDiff = None

    def checkBase(self, actual, expected):
        self.assertEqual(actual, expected)
`;
const test = `import unittest

from base_case import Base
from shop import echo, render, run


def check(text, expected, message=None):
    """Compares."""
    html = render(text)
    assert isinstance(html, str)
    assert html == expected, message


def same(actual, expected):
    __tracebackhide__ = True
    assert actual == expected


def check_all(text, *, html, out):
    check(text, html)
    assert echo(text) + "!" == out
    assert run(text)["status"] == 0


def fed(text):
    assert echo(text) == text
    assert render("a") == text


def changing(text, expected):
    expected = expected.strip()
    assert render(text) == expected


def deep(text, expected):
    check_all(text, html=expected, out="x")


def test_position():
    check("a", "<b>a</b>")
    check("b", '<b>b</b>', "as bold")
    check("c", """<b>c</b>""")


def test_name():
    check(expected="<b>d</b>", text="d")


def test_actual():
    expected = {"status": 0, "out": "e read"}
    same(run("e"), expected)
    same(run("f"), {"status": 0, "out": "f read"})


def test_one_more():
    check_all("g", html="<b>g</b>", out="g!")


def test_loop():
    for text, expected in [("h", "<b>h</b>"), ("i", "<b>i</b>")]:
        check(text, expected)


def test_fed():
    fed("<b>a</b>")


def test_changing():
    changing("j", "<b>j</b>")


def test_deep():
    deep("k", "<b>k</b>")


def test_shadowed(check=None):
    def check(text, expected):
        assert render(text) == expected

    check("l", "<b>l</b>")


class Mixin:
    def assert_html(self, text, expected):
        self.assertEqual(render(text), expected, text)


class HtmlCase(Mixin, Base):
    def check(self, text, expected="x"):
        self.assert_html(text, expected)

    def test_method(self):
        self.check("m", "<b>m</b>")
        self.checkBase(render("n"), "<b>n</b>")
        self.assertEqual(render("o"), "<b>o</b>")

    def test_default(self):
        self.check("p")


class OddCase(Base):
    def assertEqual(self, first, second, msg=None):
        super().assertEqual(first, second, msg)

    def test_odd(self):
        self.assertEqual(render("q"), "<b>q</b>")


class TestPlain:
    def check(self, text, expected):
        assert render(text) == expected


class TestMore(TestPlain):
    def test_plain(self):
        self.check("r", "<b>r</b>")
        assert render("s") == "<b>s</b>"
`;

describe('values that Python tests hand to functions', () => {
  let report: CycleReport;
  const fixOf = (name: string): ReturnType<typeof fixIn> => fixIn(report, name);
  const written = (name: string): readonly string[] => writtenIn(report, name);
  const reasonOf = (name: string): string => reasonIn(report, name);
  const assertMended = (name: string, texts: readonly string[]): void => {
    assert.deepEqual(written(name), texts, reasonOf(name));
    assert.equal(fixOf(name)?.state, 'accepted');
  };

  before(async function () {
    // Each proof runs pytest three times.
    this.timeout(290_000);
    if (pythonWith() === undefined) return this.skip();
    report = await mendPython(
      {
        'shop.py': oldShop,
        'tests/base_case.py': base,
        'tests/test_shop.py': test,
        'conftest.py': '',
      },
      { 'shop.py': newShop },
      { assume: 'source-is-right' },
    );
  });

  it('are mended in the calls, by place and by name, all together', () => {
    assertMended('test_position', ['"<i>a</i>"', "'<i>b</i>'", '"""<i>c</i>"""']);
    assertMended('test_name', ['"<i>d</i>"']);
    assert.match(fixOf('test_name')?.evidence.join(' ') ?? '', /passed to a function that compares it/);
    assert.ok(!report.patch.includes('-    assert'), 'the helper stays');
  });

  it('are mended where the test hands in both sides, and where they have a name', () =>
    assertMended('test_actual', ['"e was read"', '"f was read"']));

  it('are mended through one more helper', () => assertMended('test_one_more', ['"<i>g</i>"']));

  it('are mended in the rows of a loop', () => assertMended('test_loop', ['"<i>h</i>"', '"<i>i</i>"']));

  it('are mended in methods, also of other classes of the tests, and beside them', () => {
    assertMended('test_method', ['"<i>m</i>"', '"<i>n</i>"', '"<i>o</i>"']);
    assertMended('test_plain', ['"<i>r</i>"', '"<i>s</i>"']);
  });

  for (const name of ['test_fed', 'test_changing', 'test_deep', 'test_shadowed', 'test_default'])
    it(`are left alone where they are not certain to be nothing but compared: ${name}`, () => {
      assert.deepEqual(written(name), []);
      assert.match(reasonOf(name), /a function that the test calls/);
    });

  it('are left alone in classes that compare in their own way', () => {
    assert.deepEqual(written('test_odd'), []);
    assert.match(reasonOf('test_odd'), /unclear whether its assertions count/);
  });
});
