// Python tests that compare in loops: where a changed literal is no certain expectation, and where it is one.
import { one, to13, type Example } from './files.ts';

const loop = (head: string, body: string, before = ''): string =>
  `${before}def test_a(self):\n    for ${head}:\n        ${body}\n`;
const compared = 'assert f(x) == y';

export const untrustedLoops: Readonly<Record<string, Example>> = {
  'what is given in the row': one(loop('x, y in [("a12", "b")]', compared), to13),
  'a value that also feeds the code': one(loop('y in ["a12"]', 'assert f(y) == y'), to13),
  'a value that feeds the code before': one(loop('y in ["a12"]', 'z = f(y); assert g() == y'), to13),
  'a value that feeds the code in a message': one(
    loop('x, y in [("a", "b12")]', 'assert f(x) == y, g(y)'),
    to13,
  ),
  'a value that a text names': one(loop('x, y in [("a", "b12")]', 'assert f(x, "@y") == y'), to13),
  'a value that the row before names in a text': one(
    loop('x, y in [("a > @y", "b12")]', 'assert f(x).query(x) == y'),
    to13,
  ),
  'a value that is given anew': one(loop('x, y in [("a", "b12")]', 'y = g(x); assert f(x) == y'), to13),
  'a value that is looked at behind the loop': one(
    loop('x, y in [("a", "b12")]', `${compared}\n    assert g() == y`),
    to13,
  ),
  'a value that a loop in the loop takes over': one(
    loop('x, y in [("a", "b12")]', 'for y in [1]:\n            assert f(x) == y'),
    to13,
  ),
  'a value that is a parameter as well': one(
    'def test_a(y):\n    for x, y in [("a", "b12")]:\n        assert f(x) == y\n',
    to13,
  ),
  'rows that are left out': one(
    loop('x, y in [("a", "b12")]', `if g(x): continue\n        ${compared}`),
    to13,
  ),
  'a loop that is left': one(loop('x, y in [("a", "b12")]', `${compared}\n        break`), to13),
  'a loop that another part follows': one(
    loop('x, y in [("a", "b12")]', `${compared}\n    else:\n        pass`),
    to13,
  ),
  'a condition in the loop': one(loop('x, y in [("a", "b12")]', `if g(x):\n            ${compared}`), to13),
  'what may be caught in the loop': one(
    loop('x, y in [("a", "b12")]', `try:\n            ${compared}\n        except AssertionError: pass`),
    to13,
  ),
  'a set, whose order is another each time': one(loop('y in {"a12", "b"}', 'assert f() == y'), to13),
  'rows that are put together': one(loop('x, y in [("a", "b12")] + g()', compared), to13),
  'rows that are chosen': one(loop('x, y in sorted([("a", "b12")])', compared), to13),
  'rows of which one is spread': one(loop('x, y in [("a", "b12"), *g()]', compared), to13),
  'names of which one takes the rest': one(loop('x, *y in [("a", "b12")]', 'assert f(x) == y'), to13),
  'a key, which may hide another': one(loop('y, x in {"b12": "a"}.items()', compared), to13),
  'a key that is there twice': one(loop('x, y in {"a": "b12", "a": "c"}.items()', compared), to13),
  'keys that are equal in other letters': one(loop('x, y in {1: "b12", True: "c"}.items()', compared), to13),
  'lists of another length side by side': one(loop('x, y in zip(["a"], ["b12", "c"])', compared), to13),
  'what something else calls zip': one(
    loop('x, y in zip(["a"], ["b12"])', compared, 'from other import zip\n\n'),
    to13,
  ),
  'a table of the module that something else uses': one(
    loop('x, y in ROWS', compared, 'ROWS = [("a", "b12")]\ng(ROWS)\n\n'),
    to13,
  ),
  'a table of the test that something else uses': one(
    'def test_a():\n    rows = [("a", "b12")]\n    g(rows)\n    for x, y in rows:\n        assert f(x) == y\n',
    to13,
  ),
  'a table of the test that may not be given': one(
    'def test_a():\n    if g():\n        rows = [("a", "b12")]\n    for x, y in rows:\n        assert f(x) == y\n',
    to13,
  ),
  'an asynchronous loop': one(
    'async def test_a():\n    async for x, y in [("a", "b12")]:\n        assert f(x) == y\n',
    to13,
  ),
  'a subtest that is none': one(
    'def test_a(subtests):\n    with self.subTest():\n        assert f() == 12\n',
    to13,
  ),
  'a subtest that the class has for something else': one(
    'import unittest\n\n\nclass CartTest(unittest.TestCase):\n    def subTest(self, **kw):\n        return quiet()\n\n    def test_a(self):\n        with self.subTest():\n            self.assertEqual(f(), 12)\n',
    to13,
  ),
  'an empty loop': one(loop('x in []', 'assert f(x) == 12'), to13),
  'a loop over what the code gives': one(loop('x in g()', 'assert f(x) == 12'), to13),
  'all that a test has by names': one(loop('x, y in [("a", "b12")]', 'assert f(locals()) == y'), to13),
};

export const trustedLoops: Readonly<Record<string, Example>> = {
  'a cell': one(loop('x, y in [("a", "b12"), ("c", "d")]', compared), to13),
  'a cell in a tuple of lists': one(loop('(x, y) in (["a", "b12"], ["c", "d"])', compared), to13),
  'cells of a display': one(loop('x, y in [("a", {"n": "b12", "m": g()})]', compared), to13),
  'a value of a dictionary': one(loop('x, y in {"a": "b12"}.items()', compared), to13),
  'a counted row': one(loop('i, (x, y) in enumerate([("a", "b12")], start=1)', compared), to13),
  'a row of lists side by side': one(loop('x, y in zip(["a"], ["b12"], strict=True)', compared), to13),
  'a row that is one value': one(loop('y in ["a12", "b"]', 'assert y in f()'), to13),
  'a row of the module': one(
    loop('x, y in ROWS', compared, 'ROWS: list = [\n    ("a", "b12"),\n]\n\n'),
    to13,
  ),
  'a row of the test': one(
    'def test_a():\n    rows = {"a": "b12"}\n    for x, y in rows.items():\n        assert f(x) == y\n',
    to13,
  ),
  'a literal in the loop': one(loop('x in ["a", "b"]', 'assert f(x) == 12'), to13),
  'behind the loop': one(loop('x in ["a", "b"]', 'g(x)\n    assert f() == 12'), to13),
  'behind a loop that counts': one(loop('x in range(2*3)', 'g(x)\n    assert f() == 12'), to13),
  'in a loop in a loop': one(
    loop('x, y in [("a", "b12")]', 'for z in [1, 2]:\n            assert f(x, z) == y'),
    to13,
  ),
  'with a message that names it': one(
    loop('x, y in [("a", "b12")]', `${compared}, f"{x} is not {y!r}: " + repr(y)`),
    to13,
  ),
  'names that several loops have': one(
    loop('x, y in [("a", "b12")]', `${compared}\n    for x, y in [("a", "c")]:\n        ${compared}`),
    to13,
  ),
  'in subtests': one(
    'import unittest\n\n\nclass CartTest(unittest.TestCase):\n    def test_a(self):\n        for x, y in [("a", "b12")]:\n            with self.subTest(x=x, y=y):\n                self.assertEqual(f(x), y, f"not {y}")\n',
    to13,
  ),
  'in subtests of pytest': one(
    'def test_a(subtests):\n    for x, y in [("a", "b12")]:\n        with subtests.test(msg=f"{x} {y}"):\n            assert f(x) == y\n',
    to13,
  ),
};
