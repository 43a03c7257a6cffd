// Expected texts that a Python test puts together, and constants of its module: mended in real tests of pytest.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';
import { linesAdded, reasonIn } from '../../../support/reportOf.ts';

const oldShop = `def greet(name):
    return "Hi, " + name + "!"


def share(part):
    return "part: " + str(part) + "% {x}"


def label(name, size):
    return name + " has size " + str(size)


def lines(name):
    return "read " + name + "\\nError: no such file " + name + " in the shop\\n"


def missing(option):
    return "Error: No such option: " + option + "\\n"


def title():
    return "The shop"


def swap(a, b):
    return a + " and " + b


def entry(name):
    return {"text": greet(name)}


def upper(name):
    return "name: " + name
`;
const newShop = oldShop
  .replace('"Hi, "', '"Hello, "')
  .replace('part: ', 'share = ')
  .replace('% {x}', '% {y}')
  .replace('has size', "is 'of' size")
  .replace('no such file', 'no such text file')
  .replace('"Error: No such option: " + option + "', '"Error: No such option \'" + option + "\'')
  .replace('The shop', 'Our shop')
  .replace('a + " and " + b', 'b + " or " + a')
  .replace('"name: " + name', '"name: " + name.upper()');

const test = `import pytest
from shop import entry, greet, label, lines, missing, share, swap, title, upper

TITLE = "The shop"
USED = "Hi, Ada!"


def test_format_string():
    name = "Ada"
    assert greet(name) == f"Hi, {name}!"


def test_signs():
    assert share(5) == "part: %d%% {x}" % 5


@pytest.mark.parametrize("part", [7, 8])
def test_fields(part):
    assert share(part) == "part: {}% {{x}}".format(part)


def test_sum(tmp_path):
    name = tmp_path.name
    assert label(name, 3) == name + " has size " + str(3)


def test_variable():
    size = 4
    expected = (
        f"box has size "
        f"{size}"
    )
    assert label("box", size) == expected


def test_inside():
    name = "a.txt"
    assert f"no such file {name} in the shop" in lines(name)


@pytest.mark.parametrize("option", ["--foo", "-f"])
def test_quoted(option):
    assert f"No such option: {option}" in missing(option)


def test_leaf():
    name = "Eve"
    assert entry(name) == {"text": f"Hi, {name}!"}


def test_title():
    assert title() == TITLE


def test_title_too():
    assert TITLE == title()


def test_used():
    assert greet(USED[4:7]) == USED


def test_swapped():
    a, b = "tea", "milk"
    assert swap(a, b) == f"{a} and {b}"


def test_inserted():
    name = "Ada"
    assert upper(name) == f"name: {name}"
`;
const mended = test
  .replace('f"Hi, {name}!"\n', 'f"Hello, {name}!"\n')
  .replace('"part: %d%% {x}"', '"share = %d%% {y}"')
  .replace('"part: {}% {{x}}"', '"share = {}% {{y}}"')
  .replace('name + " has size "', 'name + " is \'of\' size "')
  .replace('f"box has size "', 'f"box is \'of\' size "')
  .replace('f"no such file', 'f"no such text file')
  .replace('f"No such option: {option}"', 'f"No such option \'{option}\'"')
  .replace('{"text": f"Hi, {name}!"}', '{"text": f"Hello, {name}!"}')
  .replace('"The shop"', '"Our shop"');

describe('expected texts that a Python test puts together', () => {
  let report: CycleReport;
  const reasonOf = (name: string): string => reasonIn(report, name);

  before(async function () {
    // Each proof runs pytest three times.
    this.timeout(280_000);
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

  it('are mended in what is written down of them, and constants where they are', () => {
    const lines = (text: string): readonly string[] => text.split('\n');
    const changed = lines(mended).filter((line) => !lines(test).includes(line));
    const shown = linesAdded(report);
    assert.deepEqual(shown, changed);
    assert.equal(changed.length, 9);
    assert.ok(
      report.fixes.every(({ state, verdict }) => state !== 'accepted' || verdict.verdict === 'verified'),
    );
  });

  it('are left alone where what is put in changed its place, or is another one', () => {
    for (const name of ['test_swapped', 'test_inserted'])
      assert.match(reasonOf(name), /do not each appear/, name);
  });

  it('are left alone where a constant is used for something else', () => {
    assert.match(reasonOf('test_used'), /not an equality check with a literal/);
  });
});
