// What Python tests expect mocks to be called with, mended in real tests of pytest, and the gate for that.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { checkPython } from '../../../../src/core/policy/python/checkPython.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';
import { linesAdded } from '../../../support/reportOf.ts';

const oldShop = `class Marker:
    pass


def send(mail, to, marker=None):
    mail("old " + to, {"from": "me", "to": to}, marker=marker)


def both(mail):
    mail.send(1, kind="a")
    mail.send(2, kind="b")


def often(mail):
    mail(1)


def less(mail):
    mail(1, 2)


def odd(mail):
    mail(1)


async def later(mail):
    await mail("old", retries=1)
`;
const newShop = oldShop
  .replace('"old " + to, {"from": "me"', '"new " + to, {"from": "us"')
  .replace('marker=marker)', 'marker=marker, urgent=True)')
  .replace('2, kind="b"', '3, kind="b"')
  .replace('    mail(1)\n', '    mail(1)\n    mail(1)\n')
  .replace('mail(1, 2)', 'mail(1)')
  .replace('def odd(mail):\n    mail(1)', 'def odd(mail):\n    mail(Marker())')
  .replace('"old", retries=1', '"new", retries=2');

const test = `import asyncio
from unittest import mock
from unittest.mock import call

import pytest
import shop


def test_once():
    mail = mock.Mock()
    marker = object()
    shop.send(mail, "a", marker)
    mail.assert_called_once_with("old a", {"from": "me", "to": "a"}, marker=marker)


def test_variable():
    mail = mock.create_autospec(lambda text, data, marker=None, urgent=None: None)
    expected = {"from": "me", "to": "b"}
    shop.send(mail, "b")
    mail.assert_called_with("old b", expected, marker=None)


@pytest.mark.parametrize("to, text", [("c", "old c"), ("d", "old d")])
def test_rows(to, text):
    mail = mock.Mock()
    shop.send(mail, to)
    mail.assert_any_call(text, mock.ANY, marker=None)


def test_list():
    mail = mock.Mock()
    shop.both(mail)
    assert mail.send.call_args_list == [call(1, kind="a"), call(2, kind="b")]
    assert mail.send.call_args == call(2, kind="b")
    mail.assert_has_calls([call.send(1, kind="a"), call.send(2, kind="b")])
    mail.send.assert_any_call(2, kind="b")


def test_awaited():
    mail = mock.AsyncMock()
    asyncio.run(shop.later(mail))
    mail.assert_awaited_once_with(
        "old",
        retries=1,
    )


def test_often():
    mail = mock.Mock()
    shop.often(mail)
    mail.assert_called_once_with(1)


def test_count():
    mail = mock.Mock()
    shop.often(mail)
    assert mail.call_count == 1


def test_less():
    mail = mock.Mock()
    shop.less(mail)
    mail.assert_called_with(1, 2)


def test_odd():
    mail = mock.Mock()
    shop.odd(mail)
    mail.assert_called_with(1)


def test_not_called():
    mail = mock.Mock()
    shop.often(mail)
    mail.assert_called_once()


def test_order():
    mail = mock.Mock()
    shop.both(mail)
    mail.send.assert_called_with(1, kind="a")
`;
const mended = test
  .replace(
    '"old a", {"from": "me", "to": "a"}, marker=marker',
    '"new a", {"from": "us", "to": "a"}, marker=marker, urgent=True',
  )
  .replace('expected = {"from": "me"', 'expected = {"from": "us"')
  .replace('"old b", expected, marker=None', '"new b", expected, marker=None, urgent=True')
  .replace('"old c"), ("d", "old d"', '"new c"), ("d", "new d"')
  .replace('mock.ANY, marker=None', 'mock.ANY, marker=None, urgent=True')
  .replaceAll('call(2, kind="b")', 'call(3, kind="b")')
  .replace('call.send(2, kind="b")', 'call.send(3, kind="b")')
  .replace('any_call(2', 'any_call(3')
  .replace('        "old",\n        retries=1', '        "new",\n        retries=2');

describe('calls of mocks that Python tests expect', () => {
  let report: CycleReport;
  const reasonOf = (name: string): string =>
    report.remaining.find(({ id }) => id.includes(name))?.reason ?? 'nothing';

  before(async function () {
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

  it('get the arguments that differ, and new ones behind, and nothing else of the file changes', () => {
    const lines = (text: string): readonly string[] => text.split('\n');
    const changed = lines(mended).filter((line) => !lines(test).includes(line));
    const shown = linesAdded(report);
    assert.deepEqual(shown, changed, report.remaining.map(({ id, reason }) => `${id}: ${reason}`).join('\n'));
    for (const { state, trust, verdict } of report.fixes.filter((fix) => fix.state === 'accepted'))
      assert.deepEqual([state, trust, verdict.verdict, verdict.runs], ['accepted', 'oracle', 'verified', 3]);
  });

  it('are left alone, with the reason, where another number of calls, fewer arguments or no literal would be expected', () => {
    assert.match(reasonOf('test_often'), /called 2 times, but one call was expected/);
    assert.match(reasonOf('test_less'), /now called without argument 2/);
    assert.match(reasonOf('test_odd'), /an object of the class shop\.Marker/);
    assert.match(reasonOf('test_order'), /at another position: the order of the calls changed/);
    assert.match(
      reasonOf('test_not_called'),
      /must decide whether and how often a mock is called \(assert_called_once\)/,
    );
    const count = report.fixes.find(({ failures }) => failures.some((id) => id.includes('test_count')));
    assert.deepEqual([count?.trust, count?.state], ['propose', 'declined']);
  });
});

describe('the gate for calls of mocks that Python tests expect', () => {
  const judged = (after: string): readonly string[] => {
    const { findings, unjudged } = checkPython({ file: 'test_shop.py', before: test, after });
    return [...findings.map(({ rule }) => rule), ...(unjudged === undefined ? [] : ['unjudged'])];
  };

  it('lets other arguments through, and more of them', () => assert.deepEqual(judged(mended), []));

  const tricks: Readonly<Record<string, readonly [old: string, now: string]>> = {
    'anything for an argument': ['"new a", {', 'mock.ANY, {'],
    'an argument left out': [', marker=None, urgent=True)\n\n\n@', ', urgent=True)\n\n\n@'],
    'that it was called at all': [
      'mail.assert_called_once_with("new a", {"from": "us", "to": "a"}, marker=marker, urgent=True)',
      'mail.assert_called()',
    ],
    'any of several calls': ['mail.assert_called_once_with("new a"', 'mail.assert_any_call("new a"'],
    'a call less': ['[call(1, kind="a"), call(3, kind="b")]\n    assert', '[call(3, kind="b")]\n    assert'],
    'any order': ['call.send(3, kind="b")]', 'call.send(3, kind="b")], any_order=True'],
    'an argument that is computed': [
      'urgent=True)\n\n\ndef test_variable',
      'urgent=mail.call_args[1]["urgent"])\n\n\ndef test_variable',
    ],
    'None for a value': ['retries=2', 'retries=None'],
    'another mock': ['mail.send.assert_any_call', 'mail.other.assert_any_call'],
    'the mock called by the test': [
      '    mail.send.assert_any_call(3',
      '    mail.send(3, kind="b")\n    mail.send.assert_any_call(3',
    ],
    'another number of calls': ['call_count == 1', 'call_count >= 1'],
  };
  for (const [name, [old, now]] of Object.entries(tricks))
    it(`does not let through: ${name}`, () => {
      assert.equal(mended.split(old).length, 2, old);
      assert.notDeepEqual(judged(mended.replace(old, now)), []);
    });
});
