// Arguments that are added where a Python test expects a call of a mock: more is asked for there, and anywhere else it is another input.
import assert from 'node:assert/strict';
import { checkPython } from '../../../../src/core/policy/python/checkPython.ts';

const head = `import contextlib
from unittest import mock
from unittest.mock import call

import pytest
import shop
from shop import g


`;

/** What the gate says of the same file with `, 2` behind the `1` of each expected or given call. */
function judge(test: string): readonly string[] {
  const before = head + test;
  const after = before
    .replace(/(call|called_with)\(1\)/g, '$1(1, 2)')
    .replace('called_once_with()', 'called_once_with(1)');
  assert.notEqual(after, before);
  const { findings, unjudged } = checkPython({ file: 'test_shop.py', before, after });
  return [...findings.map(({ rule }) => rule), ...(unjudged === undefined ? [] : ['unjudged'])];
}

const expected: Readonly<Record<string, string>> = {
  'of a call that is asked for': 'def test_a(m):\n    m.assert_called_with(1)\n',
  'of a call without any': 'def test_a(m):\n    m.assert_called_once_with()\n',
  'of a call that is compared': 'def test_a(m):\n    assert m.call_args == call(1)\n',
  'of calls in a list': 'def test_a(m):\n    assert m.mock_calls == [call(1), mock.call(1)]\n',
  'of a mock in the place of what is imported':
    'def test_a(monkeypatch):\n    monkeypatch.setattr(shop, "send", mock.Mock())\n    shop.send.assert_called_with(1)\n',
  'in a method of a class': 'class TestA:\n    def test_a(self, m):\n        m.assert_called_with(1)\n',
};

const others: Readonly<Record<string, string>> = {
  'of a call that must not be there': 'def test_a(m):\n    assert call(1) not in m.mock_calls\n',
  'of a call that is one of several': 'def test_a(m):\n    assert call(1) in m.mock_calls\n',
  'of a call that is another one': 'def test_a(m):\n    assert m.call_args != call(1)\n',
  'of a comparison that is denied': 'def test_a(m):\n    assert not m.call_args == call(1)\n',
  'of a comparison that is false': 'def test_a(m):\n    assert (m.call_args == call(1)) == False\n',
  'of one of two': 'def test_a(m):\n    assert m.call_args == call(1) or m.called\n',
  'of a call that is counted': 'def test_a(m):\n    assert m.mock_calls.count(call(1)) == 0\n',
  'in a condition': 'def test_a(m):\n    if call(1) in m.mock_calls:\n        assert g() == 1\n',
  'in raises': 'def test_a(m):\n    with pytest.raises(AssertionError):\n        m.assert_called_with(1)\n',
  'in suppress':
    'def test_a(m):\n    with contextlib.suppress(AssertionError):\n        m.assert_called_with(1)\n',
  'in a try':
    'def test_a(m):\n    try:\n        m.assert_called_with(1)\n    except AssertionError:\n        pass\n',
  'under xfail': '@pytest.mark.xfail\ndef test_a(m):\n    m.assert_called_with(1)\n',
  'under xfail of the module':
    'pytestmark = pytest.mark.xfail\n\n\ndef test_a(m):\n    m.assert_called_with(1)\n',
  'of what is handed to the code': 'def test_a():\n    g(call(1))\n    assert g() == 1\n',
  'of what is asked of the code': 'def test_a():\n    assert g(call(1)) == 1\n',
  'of what a fixture gives':
    '@pytest.fixture\ndef m():\n    return g(call(1))\n\n\ndef test_a(m):\n    assert m.a == 1\n',
  'in a helper': 'def send(m):\n    m.send(call(1))\n\n\ndef test_a(m):\n    assert m.a == 1\n',
  'in a helper that asks':
    'def check(m):\n    m.assert_called_with(1)\n\n\ndef test_a(m):\n    assert m.a == 1\n',
  'of a row':
    '@pytest.mark.parametrize("calls", [[call(1)]])\ndef test_a(calls):\n    assert g(calls) == 1\n',
  'of something else that is imported': 'def test_a():\n    g.assert_called_with(1)\n    assert g.a == 1\n',
  'of a member of what is imported':
    'def test_a():\n    shop.send.assert_called_with(1)\n    assert g.a == 1\n',
  'behind something': 'def test_a(m):\n    m.a == 1 or m.assert_called_with(1)\n    assert m.a == 1\n',
};

describe('arguments added to calls in Python tests', () => {
  for (const [name, test] of Object.entries(expected))
    it(`pass the gate where the call is expected: ${name}`, () => assert.deepEqual(judge(test), []));

  for (const [name, test] of Object.entries(others))
    it(`do not pass the gate: ${name}`, () => assert.notDeepEqual(judge(test), []));
});
