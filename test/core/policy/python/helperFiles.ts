// Python tests that hand values to functions of theirs: where a changed literal is no certain expectation, and where it is one.
import { one, to13, type Example } from './files.ts';

const called = (helper: string, call = 'check("x", "a12")', more = ''): string =>
  `${more}def check(x, y):\n    ${helper}\n\n\ndef test_a():\n    ${call}\n`;
const compared = 'assert f(x) == y';
const inClass = (base: string, helper: string, call = 'self.check("x", "a12")'): string =>
  `import unittest\n\n\nclass CartTest(${base}):\n    ${helper}\n\n    def test_a(self):\n        ${call}\n`;
const method = 'def check(self, x, y):\n        self.assertEqual(f(x), y)';

export const untrustedHelpers: Readonly<Record<string, Example>> = {
  'a value that feeds the code in the helper': one(called(compared, 'check("a12", "y")'), to13),
  'a value that feeds the code besides': one(called('assert f(y) == y'), to13),
  'a value that the helper changes': one(called(`y = g(y)\n    ${compared}`), to13),
  'a value that the helper hands to something else': one(called(`g(y)\n    ${compared}`), to13),
  'a value that the helper does not compare': one(called('assert f(x)'), to13),
  'a value that is compared with another one of the call': one(called('assert x == y'), to13),
  'a value that is compared with a constant of the module': one(
    called('assert x == y', 'check(X, "a12")', 'X = "b"\n\n'),
    to13,
  ),
  'a value that the helper compares in a condition': one(called(`if g(x):\n        ${compared}`), to13),
  'a value that the helper compares behind its end': one(called(`if g(x): return\n    ${compared}`), to13),
  'a value that the helper compares where failures are caught': one(
    called(`try:\n        ${compared}\n    except AssertionError:\n        pass`),
    to13,
  ),
  'a value that must not be there': one(called('assert f(x) != y'), to13),
  'a helper that is only made': one(called(`${compared}\n    yield`), to13),
  'a helper that nobody waits for': one(called(compared).replace('def check', 'async def check'), to13),
  'a helper that is decorated': one(called(compared, undefined, '@quiet\n'), to13),
  'a helper that is defined twice': one(called(compared) + '\n\ndef check(x, y):\n    pass\n', to13),
  'a helper that a condition replaces': one(
    called(compared) + '\n\nif X:\n    def check(x, y):\n        pass\n',
    to13,
  ),
  'a helper that is given something else': one(called(compared) + '\n\ncheck = quiet(check)\n', to13),
  'a helper that is replaced by its name': one(
    called(compared).replace('    check(', '    patch("test_shop.check")\n    check('),
    to13,
  ),
  'a helper that is imported over': one(called(compared) + '\n\nfrom other import check\n', to13),
  'a helper that a fixture is named like': one(called(compared).replace('test_a()', 'test_a(check)'), to13),
  'a helper that the test replaces': one(
    called(compared).replace('    check(', '    check = quiet\n    check('),
    to13,
  ),
  'a helper that looks at all names': one(called(`g(locals())\n    ${compared}`), to13),
  'a helper that takes all that is left': one(
    called('assert f(x) == y[0]').replace('(x, y)', '(x, *y)'),
    to13,
  ),
  'a call with what is spread': one(called(compared, 'check(*g(), "a12")'), to13),
  'a call in a condition': one(called(compared, 'if g():\n        check("x", "a12")'), to13),
  'a call whose end is caught': one(
    called(compared, 'with suppress(AssertionError):\n        check("x", "a12")'),
    to13,
  ),
  'a call of what is not known': one('def test_a():\n    check("x", "a12")\n', to13),
  'a call of another object': one(called(compared, 'g.check("x", "a12")'), to13),
  'a default of the helper': one(
    'def check(x, y="a12"):\n    assert f(x) == y\n\n\ndef test_a():\n    check("x")\n',
    to13,
  ),
  'a literal of the helper': one(
    'def check(x):\n    assert f(x) == "a12"\n\n\ndef test_a():\n    check("x")\n',
    to13,
  ),
  'a helper that calls itself': one(called('check(x, y)'), to13),
  'a method that the class has twice': one(inClass('unittest.TestCase', `${method}\n\n    ${method}`), to13),
  'a method that is given something else': one(
    inClass('unittest.TestCase', `${method}\n\n    def setUp(self):\n        self.check = quiet`),
    to13,
  ),
  'a method that is decorated': one(inClass('unittest.TestCase', `@quiet\n    ${method}`), to13),
  'a method of a class that compares in its own way': one(
    inClass('unittest.TestCase', `def assertEqual(self, a, b):\n        pass\n\n    ${method}`),
    to13,
  ),
  'a method of a class with an unknown base': one(inClass('Other', method), to13),
  'a method of a base that compares in its own way': one(
    'class Base:\n    def assertEqual(self, a, b):\n        pass\n\n\n' +
      inClass('Base, unittest.TestCase', method),
    to13,
  ),
  'a base that a decorator changes': one(
    `@quiet\nclass Base:\n    pass\n\n\n${inClass('Base, unittest.TestCase', method)}`,
    to13,
  ),
  'a base with another kind of class': one(inClass('unittest.TestCase, metaclass=Quiet', method), to13),
  'a plain base that says what its objects are': one(
    'class Base:\n    def __getattribute__(self, name):\n        return quiet\n\n\nclass TestA(Base):\n    def test_a(self):\n        assert f() == 12\n',
    to13,
  ),
};

export const trustedHelpers: Readonly<Record<string, Example>> = {
  'a value that a helper compares': one(called(compared), to13),
  'by name': one(called(compared, 'check(y="a12", x="x")'), to13),
  'for a parameter that is only given by name': one(
    called(compared, 'check("x", y="a12")').replace('x, y', 'x, *, y: str'),
    to13,
  ),
  'with the other side': one(called('assert x == y', 'check(f(), "a12")'), to13),
  'with a message': one(called(`${compared}, f"{y} is missing"`), to13),
  'with a default for something else': one(called(compared).replace('x, y', 'x, y, z=1'), to13),
  'through one more': one(
    called('more(x, expected=y)', undefined, 'def more(x, expected):\n    assert f(x) == expected\n\n\n'),
    to13,
  ),
  'in a display': one(called(compared, 'check("x", {"n": "a12", "m": g()})'), to13),
  'under a name': one(called(compared, 'y = "a12"\n    check("x", y)'), to13),
  'in a row of a loop': one(called(compared, 'for x, y in [("x", "a12")]:\n        check(x, y)'), to13),
  'in a row of a table': one(
    called(compared, 'check("x", value)').replace(
      'def test_a()',
      '@pytest.mark.parametrize("value", ["a12"])\ndef test_a(value)',
    ),
    to13,
  ),
  'in a part of a text': one(called('assert y in f(x)'), to13),
  'where the test waits for it': one(
    called(compared, 'await check("x", "a12")').replaceAll('def ', 'async def '),
    to13,
  ),
  'in a method': one(inClass('unittest.TestCase', method), to13),
  'in a method with a name of its own': one(
    inClass('unittest.TestCase', method.replace('check', 'assertCart'), 'self.assertCart("x", "a12")'),
    to13,
  ),
  'in a method of a base': one(
    `import unittest\n\n\nclass Base(unittest.TestCase):\n    ${method}\n\n\nclass CartTest(Base):\n    def test_a(self):\n        self.check("x", "a12")\n`,
    to13,
  ),
  'in a case of a base that others are made of': one(
    `import unittest\n\n\nclass Mixin:\n    pass\n\n\nclass Base(Mixin, unittest.TestCase):\n    pass\n\n\nclass CartTest(Base):\n    def test_a(self):\n        self.assertEqual(f(), 12)\n`,
    to13,
  ),
  'in a plain class of a base': one(
    'class Base:\n    def check(self, x, y):\n        assert f(x) == y\n\n\nclass TestCart(Base):\n    def test_a(self):\n        self.check("x", "a12")\n',
    to13,
  ),
  'beside a function of the same name in another': one(
    called(compared) + '\n\ndef test_b():\n    def check(x, y):\n        pass\n\n    check(1, 2)\n',
    to13,
  ),
};
