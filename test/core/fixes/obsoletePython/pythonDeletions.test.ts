// Python tests of what the source lost: offered for deletion, never deleted unasked; real tests of pytest.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';

const oldShop = `class Cart:
    def __init__(self, items=()):
        self.items = list(items)

    def add(self, price):
        if price < 0:
            raise ValueError("no negative price")
        self.items.append(price)

    def discount(self, percent):
        return [price * (100 - percent) / 100 for price in self.items]


def ship(total):
    if total > 100:
        raise OverflowError(f"too much: {total}")
    return 5


def legacy(total):
    return [total] * 2


def named(name):
    if not name.isalpha():
        raise KeyError(name)
    return name


def rounded(total):
    if total is None:
        raise TypeError("no total")
    return round(total, 2)
`;
const newShop = oldShop
  .replace('isalpha', 'isalnum')
  .replace('        if price < 0:\n            raise ValueError("no negative price")\n', '')
  .replace(/ {4}def discount[^]*?\n\n/, '')
  .replace('    if total > 100:\n        raise OverflowError(f"too much: {total}")\n', '')
  .replace(/def legacy[^]*?\n\n\n/, '')
  .replace('TypeError("no total")', 'ValueError("no total")');

const cart = `import pytest
from shop import Cart, named, rounded, ship


class TestCart:
    def test_adds(self):
        cart = Cart()
        cart.add(1)
        assert cart.items == [1]

    # A price is what somebody pays.
    def test_negative(self):
        with pytest.raises(ValueError):
            Cart().add(-1)


class TestDiscount:
    """Of all items."""

    def test_discount(self):
        assert Cart([10]).discount(10) == [9]


@pytest.mark.parametrize("total", [101, 1000])
def test_too_much(total):
    with pytest.raises(OverflowError, match="too much"):
        ship(total)


@pytest.mark.parametrize("total", [None, "5"])
def test_no_total(total):
    with pytest.raises(TypeError):
        rounded(total)


def test_named():
    with pytest.raises(KeyError):
        named("a1")


def test_ships():
    assert ship(3) == 5
`;
const old = `from shop import (
    legacy,
    ship,
)


def test_legacy():
    assert legacy(1) == [1, 1]


def test_ships():
    assert ship(1) == 5


def test_both():
    assert legacy(2) == [2, 2]
    assert ship(1) == 5
`;
const helped = `from shop import legacy, ship


def twice():
    return legacy(1)


def test_twice():
    assert twice() == [1, 1]


def test_ships():
    assert ship(1) == 5
`;

describe('Python tests of what was removed', () => {
  let report: CycleReport;
  const offered = (file: string): CycleReport['fixes'] =>
    report.fixes.filter(({ edits }) => edits.some((edit) => edit.file === file));

  before(async function () {
    if (pythonWith() === undefined) return this.skip();
    report = await mendPython(
      {
        'shop.py': oldShop,
        'test_cart.py': cart,
        'test_old.py': old,
        'test_helped.py': helped,
      },
      { 'shop.py': newShop },
      { assume: 'source-is-right' },
    );
  });

  it('are offered for deletion with all that is theirs, each with the reason, and proven', () => {
    const told = offered('test_cart.py').map(({ title, trust, verdict, evidence }) => ({
      title,
      trust,
      verdict: verdict?.verdict,
      evidence: evidence[0],
    }));
    told.sort((a, b) => (a.title < b.title ? -1 : 1));
    assert.deepEqual(told, [
      {
        title: 'delete the test "TestCart.test_negative"',
        trust: 'propose',
        verdict: 'verified',
        evidence:
          '`add` in shop.py no longer raises ValueError("no negative price") since the last commit, but the test still expects it.',
      },
      {
        title: 'delete the test "TestDiscount.test_discount"',
        trust: 'propose',
        verdict: 'verified',
        evidence:
          '`discount`, which the test calls, was removed from shop.py since the last commit, and no certain replacement was found.',
      },
      {
        title: 'delete the test "test_named"',
        trust: 'propose',
        verdict: 'verified',
        evidence:
          '`named` in shop.py no longer rejects the input of the test (since the last commit); for other input it still raises KeyError.',
      },
      {
        title: 'delete the test "test_too_much"',
        trust: 'propose',
        verdict: 'verified',
        evidence:
          '`ship` in shop.py no longer raises OverflowError("too much: …") since the last commit, but the test still expects it.',
      },
    ]);
    const sides = offered('test_cart.py').filter(({ otherSide }) => otherSide?.includes('another input'));
    assert.deepEqual(
      sides.map(({ title }) => title),
      ['delete the test "test_named"'],
    );
    const left = offered('test_cart.py')
      .flatMap(({ edits }) => edits[0]?.changes ?? [])
      .sort((a, b) => b.start - a.start)
      .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), cart);
    const expected = cart
      .replace(/\n {4}# A price[^]*?\.add\(-1\)\n/, '')
      .replace(/class TestDiscount[^]*?\[9\]\n\n\n/, '')
      .replace(/def test_named[^]*?"a1"\)\n\n\n/, '')
      .replace(/@pytest\.mark\.parametrize\("total", \[101[^]*?ship\(total\)\n\n\n/, '');
    assert.equal(left, expected);
  });

  it('of a file that cannot be loaded go with the import, and the others of it pass again', () => {
    const [fix, ...others] = offered('test_old.py');
    assert.deepEqual(
      [fix?.title, fix?.trust, fix?.verdict?.verdict, others.length],
      ['delete 2 tests of removed code', 'propose', 'verified', 0],
    );
    const [edit] = fix?.edits ?? [];
    assert.equal(
      edit && applyEdit(edit, old),
      'from shop import (\n    ship,\n)\n\n\ndef test_ships():\n    assert ship(1) == 5\n',
    );
  });

  it('stay where a helper uses what is gone, and where another error is raised instead', () => {
    assert.deepEqual(offered('test_helped.py'), []);
    assert.ok(!offered('test_cart.py').some(({ failures }) => failures.some((id) => /no_total/.test(id))));
  });

  it('are not deleted by anybody but a person', () => {
    assert.ok(report.fixes.every(({ state }) => state !== 'accepted'));
  });
});
