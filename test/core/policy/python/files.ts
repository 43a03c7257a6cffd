// Python tests in which a changed literal is no certain expectation, and some in which it is one.
import type { Edits } from './changes.ts';

export interface Example {
  readonly text: string;
  readonly edits: Edits;
}

export const one = (text: string, ...edits: Edits): Example => ({ text, edits });
export const to13: Edits[number] = ['12', '13'];

export const untrustedFiles: Readonly<Record<string, Example>> = {
  'in a table of the module that something else uses': one(
    'ROWS = [12]\ng(ROWS)\n\n\n@pytest.mark.parametrize("value", ROWS)\ndef test_a(value):\n    assert f() == value\n',
    to13,
  ),
  'in a table of the module that is looked up by its name': one(
    'ROWS = [12]\ng(globals()["ROWS"])\n\n\n@pytest.mark.parametrize("value", ROWS)\ndef test_a(value):\n    assert f() == value\n',
    to13,
  ),
  'in a table of the module that is given to two names': one(
    'ROWS = X = [12]\ng(X)\n\n\n@pytest.mark.parametrize("value", ROWS)\ndef test_a(value):\n    assert f() == value\n',
    to13,
  ),
  'in a table of a condition': one(
    'if g():\n    ROWS = [12]\n\n\n@pytest.mark.parametrize("value", ROWS)\ndef test_a(value):\n    assert f() == value\n',
    to13,
  ),
  'in a helper': one('def check(x):\n    assert f(x) == 12\n', to13),
  'in a function inside of a test': one(
    'def test_a():\n    def inner():\n        assert f() == 12\n    g(inner)\n',
    to13,
  ),
  'in a condition': one('def test_a():\n    if g():\n        assert f() == 12\n', to13),
  'in a loop': one('def test_a():\n    for x in g():\n        assert f(x) == 12\n', to13),
  'in a try': one(
    'def test_a():\n    try:\n        assert f() == 12\n    except AssertionError:\n        pass\n',
    to13,
  ),
  'in raises': one(
    'def test_a():\n    with pytest.raises(AssertionError):\n        assert f() == 12\n',
    to13,
  ),
  'in suppress': one('def test_a():\n    with suppress(AssertionError):\n        assert f() == 12\n', to13),
  'after a return': one('def test_a():\n    return\n    assert f() == 12\n', to13),
  'after a conditional return': one(
    'def test_a():\n    if g():\n        return\n    assert f() == 12\n',
    to13,
  ),
  'after a skip': one('def test_a():\n    pytest.skip("x")\n    assert f() == 12\n', to13),
  'under xfail': one('@pytest.mark.xfail\ndef test_a():\n    assert f() == 12\n', to13),
  'under an unknown decorator': one('@given(st.text())\ndef test_a():\n    assert f() == 12\n', to13),
  'under xfail of the module': one(
    'pytestmark = pytest.mark.xfail\ndef test_a():\n    assert f() == 12\n',
    to13,
  ),
  'in a test that another one hides': one(
    'def test_a():\n    assert f() == 12\n\ndef test_a():\n    pass\n',
    to13,
  ),
  'in a class with a base': one(
    'class TestA(Base):\n    def test_a(self):\n        assert f() == 12\n',
    to13,
  ),
  'in a negated comparison': one('def test_a():\n    assert not f() == 12\n', to13),
  'in an or': one('def test_a():\n    assert f() == 12 or g()\n', to13),
  'in a chain': one('def test_a():\n    assert f() == 12 == g()\n', to13),
  'in a context that is given': one('def test_a(cm):\n    with cm:\n        assert f() == 12\n', to13),
  'in a context of another name': one(
    'r = pytest.raises\n\ndef test_a():\n    with r(AssertionError):\n        assert f() == 12\n',
    to13,
  ),
  'asked of a constant of the module': one('X = 13\n\ndef test_a():\n    assert X == 12\n', to13),
  'asked of a text of constants': one('def test_a():\n    x = 13\n    assert f"{x}" == "12"\n', to13),
  'a name that a context takes': one(
    'def test_a():\n    x = 12\n    with g() as x:\n        pass\n    assert f() == x\n',
    to13,
  ),
  'a name that an import takes': one(
    'def test_a():\n    x = 12\n    from m import x\n    assert f() == x\n',
    to13,
  ),
  'a name that a pattern takes': one(
    'def test_a():\n    x = 12\n    match g():\n        case x:\n            pass\n    assert f() == x\n',
    to13,
  ),
  'a name of two targets': one('def test_a():\n    x = y = 12\n    assert f(y) == x\n', to13),
  'an argument': one('def test_a():\n    assert f(12) == g()\n', to13),
  'an argument of what is expected': one('def test_a():\n    assert f() == Money(12)\n', to13),
  'an index': one('def test_a():\n    assert f()[12] == "a"\n', to13),
  'computed with': one('def test_a():\n    assert f() == 12 + g()\n', to13),
  'both sides written down': one('def test_a():\n    x = 11\n    assert x == 12\n', to13),
  'both sides written down, by way of another name': one(
    'def test_a():\n    x = 11\n    y = x\n    assert y == 12\n',
    to13,
  ),
  'a variable that is also an argument': one('def test_a():\n    x = 12\n    assert f(x) == x\n', to13),
  'a variable that is given twice': one(
    'def test_a():\n    x = 12\n    x = g()\n    assert f() == x\n',
    to13,
  ),
  'a variable that is changed': one(
    'def test_a():\n    x = [12]\n    x.append(1)\n    assert f() == x\n',
    to13,
  ),
  'a variable that a function inside uses': one(
    'def test_a():\n    x = 12\n    run(lambda: x)\n    assert f() == x\n',
    to13,
  ),
  'a variable of a loop': one('def test_a():\n    for x in [12]:\n        pass\n    assert f() == x\n', to13),
  'a variable that somebody may look up': one(
    'def test_a():\n    x = 12\n    assert f(**locals()) == x\n',
    to13,
  ),
  'a constant of the module that something else uses': one(
    'X = 12\n\ndef test_a():\n    assert f() == X\n\ndef test_b():\n    assert f(X) == 1\n',
    to13,
  ),
  'a constant of the module that is looked up by its name': one(
    'X = 12\ng("X")\n\ndef test_a():\n    assert f() == X\n',
    to13,
  ),
  'a constant of the module that is compared in two ways': one(
    'XY = "12"\n\ndef test_a():\n    assert f() == XY\n\ndef test_b():\n    assert XY in g()\n',
    to13,
  ),
  'a constant of the module that is given twice': one(
    'X = 12\nX = g(11)\n\ndef test_a():\n    assert f() == X\n',
    to13,
  ),
  'a constant of the module that a loop compares': one(
    'X = 12\n\ndef test_a():\n    for y in g():\n        assert f(y) == X\n',
    to13,
  ),
  'what is put into a text': one('def test_a(g):\n    assert f() == f"{g(12)} a"\n', to13),
  'how a value is put into a text': one('def test_a(g):\n    assert f() == f"{g:12} a"\n', to13),
  'a value that is put into a text more': one('def test_a(g):\n    assert f() == f"{g} 12"\n', [
    '12',
    '{f()}',
  ]),
  'a field that becomes a text': one('def test_a(g):\n    assert f() == f"{g} 12"\n', ['{g}', 'g']),
  'a field of a pattern with signs': one('def test_a(g):\n    assert f() == "12 %s" % g\n', ['12', '%s']),
  'a field of format': one('def test_a(g):\n    assert f() == "12 {}".format(g)\n', ['12', '{0}']),
  'the end of a text that is put together': one('def test_a(g):\n    assert f() == "12 " + g\n', [
    '12 "',
    '13 " or "',
  ]),
  'a text that is put together for the code': one('def test_a(g):\n    assert f("12 " + g) == g\n', to13),
  'a text that is put together out of a variable': one(
    'def test_a(g):\n    x = "a12"\n    assert f() == f"{x} b"\n    assert g() == x\n',
    to13,
  ),
  'a text that is put together on both sides': one(
    'def test_a(g):\n    assert f"12 {g}" == f"a {f()}"\n',
    to13,
  ),
  'a text of which less is looked for': one('def test_a(g):\n    assert f"no 12 {g}" in f()\n', [
    'no 12',
    'no',
  ]),
  'a text of which nothing is left': one('def test_a(g):\n    assert f() == f"12{g}"\n', ['12', '']),
  'a default of a parameter': one('def test_a(x=12):\n    assert f() == x\n', to13),
  'a cell that is also an argument': one(
    '@pytest.mark.parametrize("x", [12, 14])\ndef test_a(x):\n    assert f(x) == x\n',
    to13,
  ),
  'a cell that is an argument': one(
    '@pytest.mark.parametrize("x", [12])\ndef test_a(x):\n    assert f(x) == 1\n',
    to13,
  ),
  'a cell that goes through a fixture': one(
    '@pytest.mark.parametrize("x", [12], indirect=True)\ndef test_a(x):\n    assert f() == x\n',
    to13,
  ),
  'a cell that a fixture asks for': one(
    '@pytest.fixture(\n    scope="function"\n)\ndef g(x):\n    return x\n\n@pytest.mark.parametrize("x", [12])\ndef test_a(x, g):\n    assert f(g) == x\n',
    to13,
  ),
  'a cell of a row with marks': one(
    '@pytest.mark.parametrize("x", [pytest.param(12, marks=pytest.mark.slow)])\ndef test_a(x):\n    assert f() == x\n',
    to13,
  ),
  'a cell in a table of another name': one(
    '@pytest.mark.parametrize("x", ROWS)\ndef test_a(x):\n    assert f() == x\n\nROWS = [12]\n',
    to13,
  ),
  'a part of a text': one('def test_a():\n    assert f() == "a" % 12\n', to13),
  'a value that is infinite': one('def test_a():\n    assert f() == 12.5\n', ['12.5', '1e999']),
  'a text with what nobody sees': one('def test_a():\n    assert f() == "a12"\n', ['a12', 'a\u000012']),
  'an assertion put behind the value': one('def test_a():\n    assert f() == 12\n', [
    '12',
    '12 if g() else 13',
  ]),
  'another line put behind the value': one('def test_a():\n    assert f() == 12\n', ['12', '12\n    return']),
  'a comparison put behind the value': one('def test_a():\n    assert f() == 12\n', ['12', '12 or 1']),
  'a call put behind the value': one('def test_a():\n    assert f() == "a"\n', ['"a"', '"a".join(g())']),
  'a name in a text after a backslash': one(
    'def test_a():\n    y = 12\n    assert f(rf"\\{y}") == y\n',
    to13,
  ),
  'a name that a query looks up': one(
    'def test_a():\n    expected = 12\n    assert len(df.query("a > @expected")) == expected\n',
    to13,
  ),
  'a name in other letters': one(
    'def test_a():\n    expected = 12\n    assert f(ｅxpected) == expected\n',
    to13,
  ),
  'a cell that a fixture named like a test asks for': one(
    'import pytest\n\n@pytest.fixture\ndef test_app(config):\n    return App(config)\n\n@pytest.mark.parametrize("config", ["a12"])\ndef test_a(test_app, config):\n    assert test_app.config == config\n',
    to13,
  ),
  'a cell beside a fixture of another module': one(
    'from fixtures import app\n\n@pytest.mark.parametrize("config", ["a12"])\ndef test_a(app, config):\n    assert app.config == config\n',
    to13,
  ),
  'a cell beside a fixture that is no function': one(
    'app = pytest.fixture(lambda config: App(config))\n\n@pytest.mark.parametrize("config", ["a12"])\ndef test_a(app, config):\n    assert app.config == config\n',
    to13,
  ),
  'a cell beside a fixture whose parameters are hard to read': one(
    '@pytest.fixture\ndef app(a="):", *, config):\n    return App(config)\n\n@pytest.mark.parametrize("config", ["a12"])\ndef test_a(app, config):\n    assert app.config == config\n',
    to13,
  ),
  'a cell that is indirect by position': one(
    '@pytest.mark.parametrize("user", ["a12"], True)\ndef test_a(user):\n    assert current() == user\n',
    to13,
  ),
  'a cell that a fixture reads from the name of the case': one(
    '@pytest.fixture\ndef data(request):\n    return load(request.node.name)\n\n@pytest.mark.parametrize("config", ["a12"])\ndef test_a(data, config):\n    assert data == config\n',
    to13,
  ),
  'a cell that is handed to what names the cases': one(
    '@pytest.mark.parametrize("x", ["a12"], ids=IDS.append)\ndef test_a(x):\n    assert f() == x\n',
    to13,
  ),
  'a comparison of a comparison': one('def test_a():\n    assert (f() == 3) == 12\n', to13),
  'the number of a relative tolerance': one(
    'def test_a():\n    assert f() == pytest.approx(12, rel=0.5)\n',
    to13,
  ),
  'under marks of the module from elsewhere': one(
    'bug = pytest.mark.xfail\npytestmark = bug\ndef test_a():\n    assert f() == 12\n',
    to13,
  ),
  'under marks that are added to the module': one(
    'pytestmark = []\npytestmark += [pytest.mark.xfail]\ndef test_a():\n    assert f() == 12\n',
    to13,
  ),
  'in a test that is marked later': one(
    'def test_a():\n    assert f() == 12\n\ntest_a = pytest.mark.xfail(test_a)\n',
    to13,
  ),
  'in a test that is imported over': one(
    'def test_a():\n    assert f() == 12\n\nfrom other import test_a\n',
    to13,
  ),
  'in a test that a condition replaces': one(
    'def test_a():\n    assert f() == 12\n\nif X:\n    def test_a():\n        pass\n',
    to13,
  ),
  'in a test that is none': one('def test_a():\n    assert f() == 12\n\ntest_a.__test__ = False\n', to13),
  'in a context of which nothing is known': one(
    'def test_a():\n    with utils.quiet():\n        assert f() == 12\n',
    to13,
  ),
  'after a return in raises': one(
    'def test_a():\n    with pytest.raises(X):\n        return\n    assert f() == 12\n',
    to13,
  ),
  'after a return in suppress': one(
    'def test_a():\n    with suppress(X):\n        return\n    assert f() == 12\n',
    to13,
  ),
  'in a case of unittest that compares in its own way': one(
    'import unittest\n\n\nclass CartTest(unittest.TestCase):\n    def assertEqual(self, a, b):\n        pass\n\n    def test_a(self):\n        self.assertEqual(f(), 12)\n',
    to13,
  ),
  'in a case of unittest that fails with something else': one(
    'import unittest\n\n\nclass CartTest(unittest.TestCase):\n    failureException = Quiet\n\n    def test_a(self):\n        self.assertEqual(f(), 12)\n',
    to13,
  ),
  'in a case of something else': one(
    'from django.test import TestCase\n\n\nclass CartTest(TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 12)\n',
    to13,
  ),
  'in a case of two bases': one(
    'import unittest\n\n\nclass CartTest(Mixin, unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 12)\n',
    to13,
  ),
  'in a case whose module is another one': one(
    'import unittest\nimport quiet as unittest\n\n\nclass CartTest(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 12)\n',
    to13,
  ),
  'in a case of unittest that is expected to fail': one(
    'import unittest\n\n\nclass CartTest(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_a(self):\n        self.assertEqual(f(), 12)\n',
    to13,
  ),
  'a method of a class that is no case': one(
    'class TestCart:\n    def test_a(self):\n        self.assertEqual(f(), 12)\n',
    to13,
  ),
  'a method that compares nothing that is written down': one(
    'import unittest\n\n\nclass CartTest(unittest.TestCase):\n    def test_a(self):\n        self.assertAlmostEqual(f(), 12)\n',
    to13,
  ),
  'a message of a comparing method': one(
    'import unittest\n\n\nclass CartTest(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 14, "12")\n',
    to13,
  ),
  'under a patch of something else': one(
    'from quiet import patch\n\n\n@patch("a.b")\ndef test_a(b):\n    assert f() == 12\n',
    to13,
  ),
  'under a patch that is another one later': one(
    'from unittest.mock import patch\n\n\ndef patch(name):\n    return quiet\n\n\n@patch("a.b")\ndef test_a(b):\n    assert f() == 12\n',
    to13,
  ),
  'under another time that is another one later': one(
    'from freezegun import freeze_time\n\n\ndef freeze_time(time):\n    return quiet\n\n\n@freeze_time("2020-02-02")\ndef test_a():\n    assert f() == 12\n',
    to13,
  ),
  'a file that the grammar does not know': one('def test_a():\n    assert f() == 12\n\nprint "x" ?\n', to13),
};

export const otherFiles: Readonly<Record<string, Example>> = {
  'a row of a table of the module': one(
    'ROWS = [12]\n\n\n@pytest.mark.parametrize("value", ROWS)\ndef test_a(value):\n    assert f() == value\n',
    to13,
  ),
  'a row of a table of the module with a type': one(
    'ROWS: list[tuple[int, int]] = [\n    (1, 12),\n]\n\n\n@pytest.mark.parametrize("given, value", ROWS)\ndef test_a(given, value):\n    assert f(given) == value\n',
    to13,
  ),
  'a row of a test that uses fixtures by name': one(
    '@pytest.fixture\ndef _patched(monkeypatch):\n    pass\n\n\n@pytest.mark.parametrize("value", [12])\n@pytest.mark.usefixtures("_patched")\ndef test_a(value):\n    assert f() == value\n',
    to13,
  ),
  'under a patch': one(
    'from unittest.mock import Mock, patch\n\n\n@patch("a.b", return_value=1)\n@patch.dict("os.environ", {"A": "1"})\ndef test_a(b):\n    assert f() == 12\n',
    to13,
  ),
  'under a patch of a module': one(
    'from unittest import mock\n\n\n@mock.patch.object(a, "b")\ndef test_a(b):\n    assert f() == 12\n',
    to13,
  ),
  'under another time': one(
    'from freezegun import freeze_time\n\n\n@freeze_time("2020-02-02")\ndef test_a():\n    assert f() == 12\n',
    to13,
  ),
  'under another time of a module': one(
    'import time_machine\n\n\n@time_machine.travel(0, tick=False)\ndef test_a():\n    assert f() == 12\n',
    to13,
  ),
  'in a case of unittest': one(
    'import unittest\n\n\nclass CartTest(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 12, "as many")\n',
    to13,
  ),
  'in a case of unittest, by the name of its class': one(
    'from unittest import TestCase, mock\n\n\nclass CartTest(TestCase):\n    def test_a(self):\n        expected = [12]\n        self.assertListEqual(expected, f())\n',
    to13,
  ),
  'a constant of the module': one('X = 12\n\ndef test_a():\n    assert f() == X\n', to13),
  'a part of an f-string': one('def test_a():\n    assert f() == f"{g} 12"\n', to13),
  'a constant of the module that several tests expect': one(
    'X: int = 12\n\ndef test_a():\n    assert f() == X\n\ndef test_b():\n    assert X == g()\n',
    to13,
  ),
  'a part of a text with signs': one('def test_a(g):\n    assert f() == "12 %s, %d%%" % (g, 1)\n', to13),
  'a part of a text with fields': one('def test_a(g):\n    assert f() == "12 {} {{}}".format(g)\n', to13),
  'a part of a sum': one('def test_a(g):\n    assert f() == "a " + g + " 12"\n', to13),
  'a part of a text in several lines': one(
    'def test_a(g):\n    assert f() == (\n        f"a {g}"\n        " 12"\n    )\n',
    to13,
  ),
  'a part of a text of a variable': one(
    'def test_a(g):\n    expected = f"{g} 12"\n    assert f() == expected\n',
    to13,
  ),
  'a part of a text that is looked for': one('def test_a(g):\n    assert f"no 12 {g}" in f()\n', to13),
  'the expected side first': one('def test_a():\n    assert 12 == f()\n', to13),
  'one part of an and': one('def test_a():\n    assert f() == 12 and g() == 1\n', to13),
  'in a plain context': one(
    'def test_a(runner):\n    with runner.isolated_filesystem():\n        assert f() == 12\n',
    to13,
  ),
  'in an asynchronous test': one('async def test_a():\n    assert await f() == 12\n', to13),
  'with an attribute': one('def test_a(x):\n    result = x.run()\n    assert result.output == "12"\n', to13),
  'beside names in a list': one('def test_a(x):\n    assert f() == [x, 12, g()]\n', to13),
  'a cell that is a list': one(
    '@pytest.mark.parametrize(("x", "expect"), [(True, ["a12"]), (False, [])])\ndef test_a(x, expect):\n    words = f(x)\n    assert words == expect\n',
    to13,
  ),
  'the only cell of a row': one(
    '@pytest.mark.parametrize("x", [12, 14])\ndef test_a(x):\n    assert f() == x\n',
    to13,
  ),
  'under marks that change nothing': one(
    '@pytest.mark.slow\n@pytest.mark.usefixtures("db")\ndef test_a():\n    assert f() == 12\n',
    to13,
  ),
  'a cell beside fixtures that can be read': one(
    'import pytest\n\n@pytest.fixture\ndef runner(request):\n    return Runner()\n\n@pytest.mark.parametrize(("x", "expect"), [(1, 12)])\ndef test_a(runner, tmp_path, x, expect):\n    assert runner.run(x) == expect\n',
    to13,
  ),
  bytes: one('def test_a():\n    assert f() == b"a12"\n', to13),
  'a set': one('def test_a():\n    assert f() == {12, 14}\n', to13),
};
