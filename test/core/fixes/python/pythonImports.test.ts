// Names that moved or were renamed in the Python source: followed in imports and in what tests patch, in real tests of pytest.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { pythonWith } from '../../../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const oldShop = {
  'shop/__init__.py': 'from .price import gross, net\n',
  'shop/price.py': `def net(value):
    return value * 10 // 12


def gross(value):
    return value * 12 // 10


def first_item(items):
    return items[0]


def add(one, other):
    return one + other
`,
  'shop/errors.py':
    'class MissingError(ValueError):\n    def __str__(self):\n        return "error: " + super().__str__()\n',
  'shop/stock.py': `from .errors import MissingError


def now():
    hour = 2 + 3
    return hour


def find(name):
    if name == "":
        raise MissingError("no name")
    return name + str(now())
`,
  'shop/rates.py': 'def rate(country):\n    return {"at": 20, "de": 19}[country]\n',
  'shop/tools.py': 'def trim(text):\n    return text.strip()\n\n\ndef twice(text):\n    return text + text\n',
};
const newShop = {
  'shop/__init__.py': 'from .price import gross\n',
  'shop/price.py': oldShop['shop/price.py']
    .replace('def net', 'def without_tax')
    .replace('def first_item', 'def last_item')
    .replace(
      'def add(one, other):\n    return one + other',
      'def plus(one, other):\n    return one - -other',
    ),
  'shop/errors.py': oldShop['shop/errors.py'].replace('MissingError', 'NotFoundError'),
  'shop/stock.py': oldShop['shop/stock.py']
    .replaceAll('MissingError', 'NotFoundError')
    .replaceAll('now()', 'current_time()'),
  'shop/rates.py': undefined,
  'shop/taxes/__init__.py': '',
  'shop/taxes/rates.py': oldShop['shop/rates.py'],
  'shop/texts.py': 'def trim(text):\n    return text.strip()\n',
  'shop/tools.py': 'def twice(text):\n    return text + text\n',
};

const tests: Readonly<Record<string, readonly [before: string, after: string | RegExp]>> = {
  'a function that was renamed': [
    'from shop.price import gross, net\n\n\ndef test_a():\n    assert net(gross(10)) == 10\n    assert str(net) != "net"\n',
    'from shop.price import gross, without_tax\n\n\ndef test_a():\n    assert without_tax(gross(10)) == 10\n    assert str(without_tax) != "net"\n',
  ],
  'a name that something else is given too': [
    'from shop.price import net\n\n\ndef test_a():\n    assert net(12) == 10\n\n\ndef test_b():\n    net = 3\n    assert net == 3\n',
    'from shop.price import without_tax as net\n\n\ndef test_a():\n    assert net(12) == 10\n\n\ndef test_b():\n    net = 3\n    assert net == 3\n',
  ],
  'a member of a module, and what a test patches by its name': [
    'from unittest import mock\n\nimport shop.stock as stock\n\n\n@mock.patch("shop.stock.now", return_value=7)\ndef test_a(now):\n    assert stock.find("a") == "a7"\n\n\ndef test_b(monkeypatch):\n    monkeypatch.setattr("shop.stock.now", lambda: 8)\n    assert stock.find("b") == "b8"\n    assert stock.now() == 8\n',
    'from unittest import mock\n\nimport shop.stock as stock\n\n\n@mock.patch("shop.stock.current_time", return_value=7)\ndef test_a(now):\n    assert stock.find("a") == "a7"\n\n\ndef test_b(monkeypatch):\n    monkeypatch.setattr("shop.stock.current_time", lambda: 8)\n    assert stock.find("b") == "b8"\n    assert stock.current_time() == 8\n',
  ],
  'a module as a name of its package, and its name as a text beside it': [
    'import unittest.mock\n\nfrom shop import rates, stock\n\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr(stock, "now", lambda: 9)\n    with unittest.mock.patch.object(stock, "now", lambda: 6):\n        assert stock.find("a") == "a6"\n    assert stock.find("a") == "a9"\n    assert rates.rate("at") == 20\n',
    'import unittest.mock\n\nfrom shop.taxes import rates\nfrom shop import stock\n\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr(stock, "current_time", lambda: 9)\n    with unittest.mock.patch.object(stock, "current_time", lambda: 6):\n        assert stock.find("a") == "a6"\n    assert stock.find("a") == "a9"\n    assert rates.rate("at") == 20\n',
  ],
  'what is replaced where nobody looks it up any more': [
    'import shop\n\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr("shop.net", lambda value: 1)\n    assert shop.gross(10) == 12\n',
    /no longer uses net/,
  ],
  'an error that is expected': [
    'import pytest\nfrom shop.stock import MissingError, find\n\n\ndef test_a():\n    with pytest.raises(MissingError, match="no name"):\n        find("")\n',
    'import pytest\nfrom shop.stock import NotFoundError, find\n\n\ndef test_a():\n    with pytest.raises(NotFoundError, match="no name"):\n        find("")\n',
  ],
  'a module that was moved': [
    'import shop.rates\nfrom shop.rates import rate\n\n\ndef test_a():\n    assert rate("at") == 20\n    assert shop.rates.rate("de") == 19\n',
    'import shop.taxes.rates\nfrom shop.taxes.rates import rate\n\n\ndef test_a():\n    assert rate("at") == 20\n    assert shop.taxes.rates.rate("de") == 19\n',
  ],
  'a function that went to another module': [
    'from shop.tools import (\n    trim,\n    twice,\n)\n\n\ndef test_a():\n    assert trim(" a") == "a"\n    assert twice("a") == "aa"\n',
    'from shop.texts import trim\nfrom shop.tools import twice\n\n\ndef test_a():\n    assert trim(" a") == "a"\n    assert twice("a") == "aa"\n',
  ],
  'a name that its package no longer passes on': [
    'from shop import net\n\n\ndef test_a():\n    assert net(12) == 10\n',
    'from shop.price import without_tax\n\n\ndef test_a():\n    assert without_tax(12) == 10\n',
  ],
  'a name that says the opposite now': [
    'from shop.price import first_item\n\n\ndef test_a():\n    assert first_item([1]) == 1\n',
    /means the opposite/,
  ],
  'a name whose text is another one': [
    'from shop.price import add\n\n\ndef test_a():\n    assert add(1, 2) == 3\n',
    /no changed file contains the same code/,
  ],
};

describe('names that moved in the Python source', () => {
  let workspace: TemporaryWorkspace;
  let report: CycleReport;
  const fileOf = (index: number): string => `tests/test_${index}.py`;

  before(async function () {
    this.timeout(280_000);
    if (pythonWith() === undefined) return this.skip();
    workspace = await temporaryWorkspace(
      {
        'pytest.ini': '[pytest]\npythonpath = .\n',
        '.gitignore': '__pycache__/\n.pytest_cache/\n',
        ...oldShop,
        ...Object.fromEntries(Object.values(tests).map(([text], index) => [fileOf(index), text])),
      },
      { git: true },
    );
    for (const [file, text] of Object.entries(newShop))
      await (text === undefined ? rm(path.join(workspace.root, file)) : workspace.write(file, text));
    report = await mendWorkspace(workspace);
  });
  after(() => workspace?.dispose());

  for (const [index, [name, [was, now]]] of Object.entries(tests).entries())
    it(`are followed, or left alone with the reason: ${name}`, () => {
      const fixes = report.fixes.filter(({ edits }) => edits.some(({ file }) => file === fileOf(index)));
      if (typeof now !== 'string') {
        assert.deepEqual(fixes, []);
        const left = report.remaining.find(({ id }) => id.includes(fileOf(index)));
        return assert.match(left?.reason ?? 'nothing', now);
      }
      const [fix, ...others] = fixes;
      assert.deepEqual(
        [fix?.trust, fix?.state, fix?.verdict.verdict, others.length],
        [
          ...(name.includes('no longer passes on') ? ['oracle', 'unreviewed'] : ['mechanical', 'accepted']),
          'verified',
          0,
        ],
        fix?.verdict.reason ?? report.remaining.find(({ id }) => id.includes(fileOf(index)))?.reason,
      );
      const [edit] = fix?.edits ?? [];
      let text = was;
      for (const { start, end, newText } of edit?.changes.toReversed() ?? [])
        text = text.slice(0, start) + newText + text.slice(end);
      assert.equal(text, now);
    });
});
