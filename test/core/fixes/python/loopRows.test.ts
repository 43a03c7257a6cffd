// Rows of tables that a Python test goes through in a loop: all that no longer hold are mended, in real tests of pytest.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';
import { fixIn, reasonIn, writtenIn } from '../../../support/reportOf.ts';

const oldShop = `def render(text):
    return "<b>" + text + "</b>" if text.islower() else text


def names():
    return ["tea", "milk"]


def log(text):
    return [text + " read"]


def echo(text):
    return text
`;
const newShop = oldShop
  .replace('"<b>" + text + "</b>"', '"<i>" + text + "</i>"')
  .replace('" read"', '" was read"');

const test = `import unittest
from shop import echo, log, names, render

CASES = {
    "a": "<b>a</b>",
    "B": "B",
    "c": '<b>c</b>',  # Kept.
}
ROWS: list = [("d", "<b>d</b>"), ("E", "E")]
SHARED = [("k", "<b>k</b>")]
SHARED_TOO = SHARED


def test_display():
    for src, expected in [
        ("a", "<b>a</b>"),
        ("B", "B"),
        ("c", "<b>c</b>"),
    ]:
        assert render(src) == expected, f"{src} is not {expected}"


def test_items():
    for src, expected in CASES.items():
        assert render(src) == expected


def test_module_rows():
    for index, (src, expected) in enumerate(ROWS, 1):
        assert index > 0
        assert expected == render(src)


def test_local():
    rows = (
        ("f", {"html": "<b>f</b>", "n": 1}),
        ("g", {"html": "<b>g</b>", "n": 1}),
    )
    for src, expected in rows:
        result = {"html": render(src), "n": 1}
        assert result == expected


def test_zip():
    for src, expected in zip(["h", "I"], ["<b>h</b>", "I"]):
        assert render(src) == expected


def test_parts():
    lines = log("file") + log("mail")
    for part in ["file read", "mail read"]:
        assert part in "\\n".join(lines)


def test_two_loops():
    for src, expected in [("l", "<b>l</b>")]:
        assert render(src) == expected
    for src, expected in [("M", "M"), ("n", "<b>n</b>")]:
        assert render(src) == expected
    assert render("o") == "<b>o</b>"


def test_every_row():
    for src in ["p", "q"]:
        assert render(src)[0:3] == "<b>"


def test_input():
    for text in ["<b>r</b>"]:
        assert echo(text) == text
        assert render("r") == text


def test_twice():
    for src, expected in [("s", "<b>s</b>"), ("t", "<b>t</b>")]:
        for end in ["", "x"]:
            assert render(src + end)[: -4 - len(end)] == expected[:-4]


def test_same_cell():
    for expected in ["<b>u</b>"]:
        for src in ["u", "v"]:
            assert render(src) == expected


def test_shared():
    for src, expected in SHARED:
        assert render(src) == expected


def test_skipping():
    for src, expected in [("w", "<b>w</b>"), ("X", "Y")]:
        if src == "X":
            continue
        assert render(src) == expected


def test_inverted():
    for src, expected in [("y", True), ("Z", False)]:
        assert render(src).startswith("<b>") == expected


class RenderCase(unittest.TestCase):
    def test_subtests(self):
        for src, expected in (("a", "<b>a</b>"), ("B", "B"), ("c", "<b>c</b>")):
            with self.subTest(src=src, expected=expected):
                self.assertEqual(render(src), expected, f"not {expected}")
        self.assertEqual(render("d"), "<b>d</b>")
`;

describe('rows of loops in Python tests', () => {
  let report: CycleReport;
  const written = (name: string): readonly string[] => writtenIn(report, name);
  const reasonOf = (name: string): string => reasonIn(report, name);
  const assertMended = (name: string, texts: readonly string[]): void => {
    assert.deepEqual(written(name), texts);
    assert.equal(fixIn(report, name)?.state, 'accepted');
  };

  before(async function () {
    // Each proof runs pytest three times.
    this.timeout(290_000);
    if (pythonWith() === undefined) return this.skip();
    report = await mendPython(
      {
        'shop.py': oldShop,
        'test_shop.py': test,
      },
      { 'shop.py': newShop },
      { assume: 'source-is-right' },
    );
  });

  it('are mended together where they are written in the loop, also with a message that names them', () => {
    assertMended('test_display', ['"<i>a</i>"', '"<i>c</i>"']);
    assert.match(fixIn(report, 'test_display')?.evidence.join(' ') ?? '', /row 1 .* row 3 /);
    assert.ok(report.patch.includes('\n+        ("c", "<i>c</i>"),\n'));
  });

  it('are mended in a dictionary of the module, which stays as it is written', () => {
    assertMended('test_items', ['"<i>a</i>"', "'<i>c</i>'"]);
    assert.ok(report.patch.includes(`\n+    "c": '<i>c</i>',  # Kept.\n`));
  });

  it('are mended in a list that is counted, and in one of the test', () => {
    assertMended('test_module_rows', ['"<i>d</i>"']);
    assertMended('test_local', ['"<i>f</i>"', '"<i>g</i>"']);
  });

  it('are mended where two lists are gone through side by side', () =>
    assertMended('test_zip', ['"<i>h</i>"']));

  it('are mended where each is a part of a text', () =>
    assertMended('test_parts', ['"file was read"', '"mail was read"']));

  it('are mended in loops with the same names, each in its own, and behind them', () =>
    assertMended('test_two_loops', ['"<i>l</i>"', '"<i>n</i>"', '"<i>o</i>"']));

  it('are mended together where a literal of the loop holds for every row', () =>
    assertMended('test_every_row', ['"<i>"']));

  it('are mended in subtests', () =>
    assertMended('test_subtests', ['"<i>a</i>"', '"<i>c</i>"', '"<i>d</i>"']));

  it('are left alone where they feed the code under test, or are used for something else', () => {
    assert.deepEqual(written('test_input'), []);
    assert.match(reasonOf('test_input'), /not an equality check with a literal/);
    assert.deepEqual(written('test_twice'), []);
  });

  it('are left alone where one cell would need two values', () => {
    assert.deepEqual(written('test_same_cell'), []);
    assert.match(reasonOf('test_same_cell'), /different values for one literal/);
  });

  it('are left alone where the table has another use, or rows are left out', () => {
    assert.deepEqual(written('test_shared'), []);
    assert.deepEqual(written('test_skipping'), []);
  });

  it('are only proposed where an answer is turned around', () => {
    assert.equal(fixIn(report, 'test_inverted')?.state, 'declined');
    assert.deepEqual(written('test_inverted'), ['False']);
  });
});
