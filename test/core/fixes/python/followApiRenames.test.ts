// What following renamed members, arguments and keys makes of a Python test file, and what it leaves alone: asked directly.
import assert from 'node:assert/strict';
import { followApiRenames } from '../../../../src/core/fixes/python/followApiRenames.ts';
import { renamedMembers } from '../../../../src/core/fixes/python/apiRenames.ts';
import { mayMeanAnother } from '../../../../src/core/fixes/renameDoubts/otherMeaning.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import { moduleApiOf } from '../../../../src/core/syntax/python/moduleApi.ts';
import { parsePython } from '../../../../src/core/syntax/python/parsePython.ts';
import { pythonHistoryOf, type Files } from '../../../support/pythonHistory.ts';

interface Followed {
  readonly text: string;
  readonly reasons: string;
  readonly doubts: string;
}

const sum = 'return sum(item.price for item in self.items) + self.fee';
const cart = `from dataclasses import dataclass


class Base:
    def base_name(self):
        return "base " + self.__class__.__name__

    def kept(self):
        return self


class Cart(Base):
    limit = 5

    def __init__(self, items, fee=0):
        self.items = items
        self.fee = fee

    @property
    def total(self):
        ${sum}

    @classmethod
    def load(cls, path) -> "Cart":
        return cls([path])

    def add(self, item, times=1):
        self.items = self.items + [item] * times
        return self

    def either(self, other):
        if other:
            return other
        return self

    def replaced(self):
        self = other_than(self)
        return self

    @classmethod
    def none(cls):
        return cls

    @logged
    def told(self):
        return self


@dataclass
class Line:
    price: float
    amount: int = 1

    def gross(self):
        return self.price * 1.2


def make(size):
    return Cart([Line(3.0)] * size)


def report(cart):
    return {"sum": cart.total, "count": len(cart.items)}


def shown(cart):
    return f"{report(cart)['sum']:.2f}"
`;

async function follow(
  test: string,
  edits: readonly (readonly [old: string, now: string])[],
  more: Files = {},
  doubtful = false,
  missed: readonly { readonly line: number; readonly name: string }[] = [],
): Promise<Followed> {
  let now = cart;
  for (const [old, to] of edits) {
    assert.ok(now.includes(old), old);
    now = now.replaceAll(old, to);
  }
  const others = { 'pkg/__init__.py': 'from .cart import Cart\n', ...more };
  const history = await pythonHistoryOf(
    { ...others, 'pkg/cart.py': cart },
    { ...others, 'pkg/cart.py': now },
  );
  const { changes, reasons, renames } = await followApiRenames('tests/test_a.py', test, history, {
    doubtful,
    missed,
  });
  return {
    text: applyChanges(changes, test),
    reasons: reasons.map(({ reason }) => reason).join('\n'),
    doubts: renames.flatMap(({ doubt }) => doubt ?? []).join('\n'),
  };
}

const renamedTotal = [
  ['def total', 'def amount'],
  ['cart.total', 'cart.amount'],
] as const;

describe('a member whose text says its own name', () => {
  const node = `class Node:
    def unwrap(self):
        return [one.unwrap() if hasattr(one, "unwrap") else one for one in self.all]
`;
  it('is known by its new one, which it says now', () => {
    const [before, now] = [node, node.replaceAll('unwrap', 'plain')].map((text) =>
      moduleApiOf(parsePython(text)).classes.get('Node'),
    );
    assert.ok(before && now);
    assert.deepEqual(renamedMembers(before, now), [{ old: 'unwrap', now: 'plain', by: 'same' }]);
  });
});

describe('following a member of a Python class', () => {
  const head =
    'from unittest import mock\n\nimport pytest\nfrom pkg import Cart\nfrom pkg.cart import make, report\n\n\n';
  const uses: Readonly<Record<string, string>> = {
    'of an object that the test makes':
      'def test_a():\n    cart = Cart([])\n    assert cart.OLD == 0\n    assert Cart([], fee=1).OLD == 1\n',
    'of what a function gives':
      'def test_a():\n    assert make(2).OLD == 6\n    cart = make(size=1)\n    assert cart.OLD == 3\n',
    'of what a method gives':
      'def test_a():\n    assert Cart.load("x").add(1).OLD\n    assert Cart.load("x").OLD\n',
    'of what a method gives that gives itself':
      'def test_a():\n    cart = Cart([]).add(1).kept().add(2)\n    assert cart.OLD == 3\n',
    'of a fixture':
      '@pytest.fixture\ndef full():\n    yield Cart([1])\n\n\ndef test_a(full):\n    assert full.OLD == 1\n',
    'of a fixture of conftest.py': 'def test_a(cart):\n    assert cart.OLD == 1\n',
    'of what a class of tests keeps':
      'class TestA:\n    def setup_method(self):\n        self.cart = Cart([])\n\n    def test_a(self):\n        assert self.cart.OLD == 0\n',
    'of a double with its members':
      'def test_a():\n    cart = mock.Mock(spec=Cart)\n    cart.OLD = 3\n    assert report(cart)["sum"] == 3\n',
    'that is replaced':
      '@mock.patch.object(Cart, "OLD", 3)\ndef test_a(monkeypatch):\n    monkeypatch.setattr(Cart, "OLD", 4)\n    with mock.patch("pkg.cart.Cart.OLD", 5):\n        assert Cart([]).OLD == 5\n',
  };
  for (const [name, use] of Object.entries(uses))
    it(`does so where it is certainly one: ${name}`, async () => {
      const test = head + use;
      const found = await follow(test.replaceAll('OLD', 'total'), renamedTotal, {
        'tests/conftest.py':
          'import pytest\nimport pkg\n\n\n@pytest.fixture\ndef cart():\n    return pkg.Cart([1])\n',
      });
      assert.equal(found.text, test.replaceAll('OLD', 'amount'));
    });

  const others: Readonly<Record<string, string>> = {
    'what a method gives that gives something else, too':
      'def test_a():\n    assert Cart([]).either(None).total == 0\n    assert Cart([]).replaced().total == 0\n',
    'what a decorator may have replaced, and a class':
      'def test_a():\n    assert Cart([]).told().total == 0\n    assert Cart.none().total == 0\n',
    'a parameter of a helper': 'def check(cart):\n    return cart.total\n',
    'a value of a table': '@pytest.mark.parametrize("cart", [1])\ndef test_a(cart):\n    assert cart.total\n',
    'something else in one of two cases':
      'def test_a():\n    cart = Cart([])\n    cart = object()\n    assert cart.total\n',
    'a class of the test': 'class Cart:\n    total = 3\n\n\ndef test_a():\n    assert Cart().total == 3\n',
    'a loop': 'def test_a():\n    for cart in [object(), Cart([])]:\n        assert cart.total\n',
    'a double without members': 'def test_a():\n    cart = mock.Mock()\n    cart.total = 3\n',
  };
  for (const [name, use] of Object.entries(others))
    it(`leaves it alone where it may be one of something else: ${name}`, async () => {
      const test = (name.includes('class') ? head.replace('from pkg import Cart\n', '') : head) + use;
      assert.equal((await follow(test, renamedTotal)).text, test);
    });

  it('asks where nothing tells what it is, on the line that misses it alone', async () => {
    const helper = `${head}def check(one, other):\n    assert one.total\n    assert other.total\n`;
    const missed = [{ line: helper.split('\n').indexOf('    assert one.total') + 1, name: 'total' }];
    const asked = await follow(helper, renamedTotal, {}, true, missed);
    assert.equal(asked.text, helper.replace('one.total', 'one.amount'));
    assert.match(asked.doubts, /^The owner of the member total is unclear there: Cart, which had it, /);
    assert.equal((await follow(helper, renamedTotal, {}, false, missed)).text, helper);
    const alsoInBase = [...renamedTotal, ['def base_name', 'def total']] as const;
    assert.equal((await follow(helper, alsoInBase, {}, true, missed)).text, helper);
  });

  const test = `${head}def test_a():\n    assert Cart([]).total == 0\n`;
  const doubts: Readonly<Record<string, readonly [RegExp, readonly (readonly [string, string])[]]>> = {
    'another text': [
      /its code differs/,
      [
        ['def total', 'def total_sum'],
        [sum, 'return len(self.items)'],
      ],
    ],
    'the other unit': [
      /another unit/,
      [
        ['def total', 'def total_cents'],
        ['cart.total', 'cart.total_cents'],
      ],
    ],
    'the opposite': [
      /says the opposite/,
      [
        ['def total', 'def not_total'],
        ['cart.total', 'cart.not_total'],
      ],
    ],
    'a private one': [
      /is private/,
      [
        ['def total', 'def _total'],
        ['cart.total', 'cart._total'],
      ],
    ],
    'a name that the source still uses': [/still used/, [['def total', 'def amount']]],
  };
  for (const [name, [reason, edits]] of Object.entries(doubts))
    it(`asks where a new name is ${name}`, async () => {
      const found = await follow(test, edits);
      assert.equal(found.text, test);
      assert.match(found.reasons, reason);
      assert.match((await follow(test, edits, {}, true)).doubts, reason);
    });

  it('asks where a member became one of another unit, its opposite, or private', () => {
    const others = {
      'another unit':
        'price_usd price_eur, width_px width_em, size_pt size_rem, speed_kmh speed_mph, temp_c temp_f, months years, total total_yen',
      'the opposite':
        'deposit withdraw, deposit_to withdraw_from, buy sell, push pop, lock unlock, credit debit, add_item subtract_item, serialize deserialize',
      'is private': 'total _total',
    };
    for (const [reason, pairs] of Object.entries(others))
      for (const pair of pairs.split(', ')) {
        const [old = '', now = ''] = pair.split(' ');
        assert.match(mayMeanAnother(old, now) ?? '', new RegExp(reason), pair);
        if (reason !== 'is private') assert.match(mayMeanAnother(now, old) ?? '', new RegExp(reason), pair);
      }
    for (const pair of [
      'total amount',
      'price_usd cost_usd',
      '_total total',
      'deposit deposit_money',
      'f func',
    ]) {
      const [old = '', now = ''] = pair.split(' ');
      assert.equal(mayMeanAnother(old, now), undefined, pair);
    }
  });

  it('refuses where nothing or two have its place', async () => {
    const two = `    @property\n    def amount(self):\n        ${sum}\n\n    @property\n    def value(self):\n        ${sum}\n`;
    const one = `    @property\n    def total(self):\n        ${sum}\n`;
    for (const edits of [[[one, two]], [[one, '']]] as const)
      assert.match(
        (await follow(test, [...edits, ['cart.total', 'cart.items']], {}, true)).reasons,
        /Cart\.total was removed/,
      );
  });

  it('takes a field and an attribute for renamed where another line of the source went the same way', async () => {
    const fields =
      'from pkg.cart import Cart, Line\n\n\ndef test_a():\n    line = Line(price=2.0, amount=1)\n    assert line.price == 2.0\n    assert Cart([], fee=2).fee == 2\n';
    const price = await follow(fields, [
      ['price: float', 'cost: float'],
      ['self.price', 'self.cost'],
      ['item.price', 'item.cost'],
    ]);
    assert.equal(price.text, fields.replaceAll('price', 'cost'));
    const fee = await follow(fields, [['self.fee', 'self.costs']]);
    assert.equal(fee.text, fields.replace(').fee', ').costs'));
    const both = await follow(fields, [
      ['fee=0', 'costs=0'],
      ['self.fee = fee', 'self.costs = costs'],
      ['self.fee', 'self.costs'],
    ]);
    assert.equal(both.text, fields.replaceAll('fee', 'costs'));
    const amount = await follow(fields, [['amount: int', 'pieces: int']]);
    assert.equal(amount.text, fields);
    assert.match(amount.reasons, /too little code for certainty/);
  });
});

describe('following an argument or a key of Python', () => {
  const test =
    'from pkg.cart import Cart, make, report\n\n\ndef test_a():\n    cart = make(size=2).add(item=1, times=3)\n    result = report(cart=cart)\n    assert result["sum"] == report(make(2))["sum"] == 9\n    assert len(cart.items) == result["count"]\n';

  it('takes the new name from the same place, where the text is the same but for it', async () => {
    assert.equal(
      (
        await follow(test, [
          ['def make(size)', 'def make(count)'],
          ['* size', '* count'],
        ])
      ).text,
      test.replace('size=', 'count='),
    );
    const times = await follow(test.replace('make(size=2)', 'Cart([])'), [
      ['times=1', 'often=1'],
      ['* times', '* often'],
    ]);
    assert.match(times.text, /item=1, often=3/);
  });

  const calls: Readonly<Record<string, readonly [signature: string, use: string]>> = {
    'of a function': ['make(size)', 'make(size=3)'],
    'of a function by another name': ['make(size)', 'partial(make, size=3)()'],
    'of a function by a key': ['make(size)', 'Thread(target=make, kwargs={"size": 3})'],
    'of a method': ['add(self, item, times=1)', 'Cart([]).add(1, times=3)'],
    'of a class': ['__init__(self, items, fee=0)', 'Cart([], fee=3)'],
    'of the class itself': ['__init__(self, items, fee=0)', 'type(cart)([], fee=3)'],
    'of a class of fields': ['price: float', 'Line(price=3.0)'],
  };
  for (const [name, [signature, use]] of Object.entries(calls))
    it(`asks where the source itself still gives the argument by its old name: ${name}`, async () => {
      const [argument = ''] = /size|times|fee|price/.exec(signature) ?? [];
      const given =
        'from pkg.cart import Cart, Line, make\n\n\ndef test_a():\n    assert make(size=1).add(1, times=2)\n    assert Cart([], fee=1).items == []\n    assert Line(price=1.0)\n';
      const rename = (text: string): string => text.replaceAll(new RegExp(`\\b${argument}\\b`, 'g'), 'other');
      const names = [signature, 'self.items = self.items + [item] * times', '* size'];
      if (argument === 'fee') names.push('self.fee = fee');
      if (argument === 'price') names.push('self.price', 'item.price');
      const edits = names
        .filter((text) => rename(text) !== text)
        .map((text) => [text, text === 'self.fee = fee' ? 'self.fee = other' : rename(text)] as const);
      assert.equal((await follow(given, edits)).text, rename(given));
      const more = [
        ['def report(cart):', `def checkout(cart):\n    return ${use}\n\n\ndef report(cart):`],
      ] as const;
      const asked = await follow(given, [...edits, ...more]);
      assert.deepEqual([asked.text, /still used/.test(asked.reasons)], [given, true], asked.reasons);
      assert.equal((await follow(given, [...edits, ...more], {}, true)).text, rename(given));
    });

  it('refuses where the function does something else with it, or the call gives both', async () => {
    const other = await follow(test, [
      ['def make(size)', 'def make(count)'],
      ['* size', '* (count + 1)'],
    ]);
    assert.equal(other.text, test);
    assert.match(other.reasons, /The argument size of make\(\) was removed/);
    const both = test.replace('size=2', 'size=2, count=1');
    const given = await follow(both, [
      ['def make(size)', 'def make(count)'],
      ['* size', '* count'],
    ]);
    assert.deepEqual([given.text, /but the call already passes/.test(given.reasons)], [both, true]);
  });

  it('follows a key where another line of the source reads it by the new name, and asks where none does', async () => {
    const read = await follow(test, [
      ['"sum":', '"total":'],
      ["['sum']", "['total']"],
    ]);
    assert.equal(read.text, test.replaceAll('["sum"]', '["total"]'));
    const unread = await follow(test, [['"count":', '"size":']]);
    assert.equal(unread.text, test);
    assert.match(unread.reasons, /too little code for certainty/);
  });
});
