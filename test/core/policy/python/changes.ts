// A Python test file and edits of it: what no fix may do, by the rule that says so, and what one may.

/** What is replaced in the file, and by what; `''` replaced stands for the end of the file. */
export type Edits = readonly (readonly [old: string, now: string])[];

export const file = `import pytest
from shop import Cart, load, parse, total


@pytest.fixture
def cart():
    return Cart(["tea", "milk"])


def test_total(cart):
    result = total(cart)
    assert result == 12
    assert parse("a=1") == {"a": 1, "b": ["x", None], "ok": True}


def test_text(cart):
    expected = "2 items"
    text = str(cart)
    assert text == expected
    assert "tea and milk" in text
    assert "sugar" not in text
    assert cart.size > 1
    assert cart.open is True
    assert cart.weight == pytest.approx(1.5, abs=0.1)


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("1", 1),
        ("2", 2),
        pytest.param("3", 3, id="three"),
    ],
)
def test_parse(given, value):
    assert parse(given) == value


def test_fails():
    with pytest.raises(ValueError, match="^no such file$"):
        load("missing")


class TestCart:
    def test_names(self, cart):
        assert cart.names() == ("tea", "milk")
`;

export function edited(edits: Edits, text = file): string {
  return edits.reduce((now, [old, after]) => {
    if (old === '') return now + after;
    if (now.split(old).length !== 2) throw new Error(`${old} is not once in the file`);
    return now.replace(old, () => after);
  }, text);
}

const result = '    assert result == 12\n';
const row = '        ("2", 2),\n';
const fails = `    with pytest.raises(ValueError, match="^no such file$"):\n        load("missing")\n`;

export const forbidden: Readonly<Record<string, Readonly<Record<string, Edits>>>> = {
  skip: {
    'a mark skip': [['def test_total', '@pytest.mark.skip\ndef test_total']],
    'a mark skipif': [['def test_total', '@pytest.mark.skipif(True, reason="x")\ndef test_total']],
    'a mark xfail': [['def test_total', '@pytest.mark.xfail\ndef test_total']],
    'a call of skip': [[result, '    pytest.skip("later")\n' + result]],
    'a call of xfail': [[result, '    pytest.xfail("later")\n' + result]],
    'a call of importorskip': [['import pytest\n', 'import pytest\npytest.importorskip("nothing")\n']],
    'SkipTest raised': [[result, '    raise __import__("unittest").SkipTest\n' + result]],
    'a class that is no test': [['class TestCart:\n', 'class TestCart:\n    __test__ = False\n\n']],
    'a test that is none': [['', '\ntest_total.__test__ = False\n']],
    'a mark of the module': [['', '\npytestmark = pytest.mark.skip\n']],
    'a mark of a row': [[row, '        pytest.param("2", 2, marks=pytest.mark.skip),\n']],
    'a row that may fail': [[row, '        pytest.param("2", 2, marks=pytest.mark.xfail),\n']],
    'a skip by its name': [[result, '    getattr(pytest, "skip")("later")\n' + result]],
    'a skip in other letters': [[result, '    pytest.ｓkip("later")\n' + result]],
    'an expected failure': [['def test_total', '@unittest.expectedFailure\ndef test_total']],
    'files that are not collected': [['', '\ncollect_ignore = ["test_shop.py"]\n']],
  },
  'removed-test': {
    'a test renamed so that it is not collected': [['def test_total', 'def check_total']],
    'a test with another name': [['def test_total', 'def test_sum']],
    'a class renamed so that it is not collected': [['class TestCart', 'class CartTests']],
    'a deleted test': [[`def test_fails():\n${fails}`, '']],
    'a test moved into another': [
      ['def test_fails', '    def test_fails'],
      [fails, fails.replaceAll(/^/gm, '    ').trimEnd() + '\n'],
    ],
    'a second test of the name': [['', '\n\ndef test_total():\n    pass\n']],
  },
  'removed-fixture': {
    'a fixture that is gone': [['@pytest.fixture\ndef cart():\n    return Cart(["tea", "milk"])\n', '']],
  },
  'empty-test': { 'a test that passes': [[fails, '    pass\n']], 'a test of dots': [[fails, '    ...\n']] },
  'early-end': {
    'a return before the assertion': [[result, '    return\n' + result]],
    'a conditional return': [[result, '    if result != 12:\n        return\n' + result]],
    'a raise before the assertion': [[result, '    raise RuntimeError\n' + result]],
    'a yield, which makes a generator': [[result, '    yield\n' + result]],
  },
  'removed-rows': {
    'a row that is gone': [[row, '']],
    'a table that is empty': [[`        ("1", 1),\n${row}        pytest.param("3", 3, id="three"),\n`, '']],
    'a table that is gone': [
      [
        `@pytest.mark.parametrize(\n    ("given", "value"),\n    [\n        ("1", 1),\n${row}        pytest.param("3", 3, id="three"),\n    ],\n)\ndef test_parse(given, value):`,
        'def test_parse(given="1", value=1):',
      ],
    ],
  },
  'changed-table': {
    'another id': [['id="three"', 'id="four"']],
    'ids for all rows': [['    ],\n)', '    ],\n    ids=["a", "b", "c"],\n)']],
    'a way through a fixture': [['    ],\n)', '    ],\n    indirect=True,\n)']],
    'names in another order': [['("given", "value"),', '("value", "given"),']],
  },
  'fewer-assertions': {
    'an assertion that is gone': [[result, '']],
    'an assertion that is a comment': [[result, '    # assert result == 12\n']],
    'an assertion that is a text': [[result, '    "assert result == 12"\n']],
    'an expected exception that is gone': [[fails, '    load("missing")\n']],
    'an assertion without its assert': [[result, '    result == 12\n']],
  },
  'guarded-assertion': {
    'an assertion in a condition': [[result, '    if result == 12:\n    ' + result]],
    'an assertion in a loop': [[result, '    for _ in range(0):\n    ' + result]],
    'an assertion in an empty loop': [[result, '    while False:\n    ' + result]],
    'an assertion after a return': [[result, '    return\n' + result]],
    'an assertion in a function that nobody calls': [[result, '    def check():\n    ' + result]],
    'an assertion in a class inside': [
      [result, '    class Check:\n        def run(self):\n        ' + result],
    ],
    'an assertion in a try': [[result, `    try:\n    ${result}    except AssertionError:\n        pass\n`]],
    'an assertion in suppress': [[result, '    with suppress(AssertionError):\n    ' + result]],
    'an assertion in raises': [[result, '    with pytest.raises(AssertionError):\n    ' + result]],
    'an assertion in an except': [[result, `    try:\n        pass\n    except ValueError:\n    ${result}`]],
  },
  'swallowed-error': {
    'suppress around': [[result, '    with contextlib.suppress(Exception):\n    ' + result]],
    'raises around': [[result, '    with pytest.raises(AssertionError):\n    ' + result]],
  },
  'widened-exception': {
    'any exception': [['ValueError, match', 'Exception, match']],
    'several exceptions': [['ValueError, match', '(ValueError, TypeError), match']],
    'no text': [[', match="^no such file$"', '']],
    'any text': [['"^no such file$"', '".*"']],
    'an empty text': [['"^no such file$"', '""']],
    'an open end': [['"^no such file$"', '"^no such .*$"']],
    'less text': [['"^no such file$"', '"^no$"']],
    'one of two texts': [['"^no such file$"', '"^no such file$|other file"']],
    'no anchor': [['"^no such file$"', '"no such file"']],
    'a computed text': [['match="^no such file$"', 'match=str(1)']],
    'a sign in place of a dot': [['"^no such file$"', '"^no.such file$"']],
    'a comment in the pattern': [['"^no such file$"', '"^(?#no such) file$"']],
    'an alternative': [['"^no such file$"', '"^no such|file$"']],
    'a letter by its number': [['"^no such file$"', 'r"^\\x65\\x20 such file$"']],
    'a part that may be missing': [['"^no such file$"', '"^no such files?$"']],
    'a class': [['"^no such file$"', '"^[no such file]$"']],
  },
  'weaker-assertion': {
    'in instead of ==': [['assert result == 12', 'assert result in (12, 13)']],
    '>= instead of ==': [['assert result == 12', 'assert result >= 12']],
    'not None': [['assert result == 12', 'assert result is not None']],
    isinstance: [['assert result == 12', 'assert isinstance(result, int)']],
    truth: [['assert result == 12', 'assert result']],
    'anything at all': [['"ok": True}', '"ok": mock.ANY}']],
    'an approximation': [['result == 12', 'result == pytest.approx(12, abs=100)']],
    'a shorter text in a text': [['"tea and milk" in text', '"tea" in text']],
    'spaces in a text': [['"tea and milk" in text', '"             " in text']],
    'an equality of some part': [['assert result == 12', 'assert result == 12 or result == 13']],
  },
  inverted: {
    'a truth under another key': [['"ok": True}', '"okay": False}']],
    '!= instead of ==': [['assert result == 12', 'assert result != 12']],
    'in instead of not in': [['"sugar" not in text', '"sugar" in text']],
    'the other truth': [['cart.open is True', 'cart.open is False']],
    'is not': [['cart.open is True', 'cart.open is not True']],
    'a turned answer in a dictionary': [['"ok": True', '"ok": False']],
    'less instead of more': [['cart.size > 1', 'cart.size < 1']],
  },
  'lost-value': {
    'an empty list under another key': [['"b": ["x", None]', '"c": []']],
    'None expected': [['assert result == 12', 'assert result == None']],
    'None in a row': [['("2", 2)', '("2", None)']],
    'nothing in a tuple': [['("tea", "milk")', '()']],
    'an empty text': [['expected = "2 items"', 'expected = ""']],
    'a key twice': [['"b": ["x", None]', '"a": ["x", None]']],
  },
  'changed-type': {
    'a text for a number': [['result == 12', 'result == "12"']],
    'a list for a tuple': [['("tea", "milk")', '["tea", "milk"]']],
  },
  widened: {
    'another threshold': [['cart.size > 1', 'cart.size > 0']],
    'a larger tolerance': [['abs=0.1', 'abs=10']],
    'another text that is not there': [['"sugar" not in text', '"zzz" not in text']],
  },
  'vacuous-assertion': {
    'or True': [['assert result == 12', 'assert result == 12 or True']],
    'a tuple': [['assert result == 12', 'assert (result == 12, "no")']],
    'the same on both sides': [['assert result == 12', 'assert result == result']],
    'two literals': [['assert result == 12', 'assert 12 == 12']],
    True: [['assert result == 12', 'assert True']],
  },
  'computed-expectation': {
    'computed by the code under test': [['assert result == 12', 'assert result == total(cart)']],
    'a variable': [['assert result == 12', 'assert result == len(text)']],
    'an f-string': [['assert result == 12', 'assert result == f"{result}"']],
  },
  'rebound-value': {
    'the actual value given anew': [[result, '    result = 12\n' + result]],
    'the expected value given anew': [
      ['    assert text == expected', '    expected = text\n    assert text == expected'],
    ],
    'by a walrus': [[result, '    (result := 12)\n' + result]],
    'added to': [[result, '    result += 1\n' + result]],
  },
  'changed-input': {
    'another argument in the assertion': [['parse("a=1") ==', 'parse("a=2") ==']],
    'another argument before it': [['result = total(cart)', 'result = total(Cart([]))']],
    'another call that raises': [['load("missing")', 'load("other")']],
    'another fixture': [['def test_total(cart)', 'def test_total(other)']],
    'a fixture that gives something else': [['["tea", "milk"])', '["tea"])']],
  },
  'mocked-source': {
    'monkeypatch over the code': [
      [
        'def test_total(cart):\n',
        'def test_total(cart, monkeypatch):\n    monkeypatch.setattr("shop.total", lambda cart: 12)\n',
      ],
    ],
    'mock.patch over the code': [
      ['def test_total', '@mock.patch("shop.total", return_value=12)\ndef test_total'],
    ],
    'a double': [['result = total(cart)', 'result = Mock(return_value=12)()']],
  },
  'redirected-import': {
    'from another module': [['from shop import Cart', 'from fakes import Cart']],
    'another thing under the name': [['parse, total', 'parse, other as total']],
    'everything of a module': [['import pytest\n', 'import pytest\nfrom fakes import *\n']],
  },
  'new-decorator': {
    'one over a test': [['def test_total', '@retrying\ndef test_total']],
    'one over a class': [['    def test_names', '    @staticmethod\n    def test_names']],
  },
  'process-control': {
    'sys.exit': [[result, '    sys.exit(0)\n' + result]],
    'os._exit': [[result, '    os._exit(0)\n' + result]],
    'SystemExit raised': [[result, '    raise SystemExit\n' + result]],
  },
  'side-effect': {
    subprocess: [[result, '    subprocess.run(["true"])\n' + result]],
    'a file written': [[result, '    open("shop.py", "w").write("")\n' + result]],
    'a file written by its path': [[result, '    Path("shop.py").write_text("")\n' + result]],
    'the environment': [[result, '    os.environ["X"] = "1"\n' + result]],
  },
  sleep: { 'a pause': [['    result = total', '    time.sleep(5)\n    result = total']] },
  retry: { 'more tries': [['def test_total', '@pytest.mark.flaky(reruns=5)\ndef test_total']] },
  suppression: {
    'a type comment': [['assert result == 12', 'assert result == 12  # type: ignore']],
    noqa: [['assert result == 12', 'assert result == 12  # noqa']],
    'a pragma': [['def test_total(cart):', 'def test_total(cart):  # pragma: no cover']],
    'a comment in what is expected': [['("tea", "milk")', '("tea",  # noqa\n            "juice")']],
  },
  tampering: {
    eval: [['result = total(cart)', 'result = eval("12")']],
    exec: [[result, '    exec("result = 12")\n' + result]],
    'a class equal to everything': [
      ['', '\nclass Any:\n    def __eq__(self, other):\n        return True\n'],
    ],
    'a module put in the place of another': [['', '\nimport sys\nsys.modules["shop"] = 1\n']],
    'a hook of pytest': [['', '\ndef pytest_runtest_makereport(item, call):\n    pass\n']],
    'another AssertionError': [['', '\nAssertionError = ValueError\n']],
    global: [['    result = total', '    global parse\n    result = total']],
  },
  'suppressed-warning': {
    'a filter': [[result, '    warnings.simplefilter("ignore")\n' + result]],
    'a filter as a mark': [['def test_total', '@pytest.mark.filterwarnings("ignore")\ndef test_total']],
  },
  'syntax-error': { 'a broken line': [['assert result == 12', 'assert result == (12']] },
};

/** Changes that nothing is known of: not forbidden, and never proven. */
export const unjudged: Readonly<Record<string, Edits>> = {
  'a step more': [['    result = total', '    cart.clear()\n    result = total']],
  'a new test': [['', '\n\ndef test_more():\n    assert load("a") == 1\n']],
  'a new import': [['import pytest\n', 'import pytest\nimport json\n']],
  'a comment outside': [['    result = total', '    # Here.\n    result = total']],
  'a doc string': [['def test_total(cart):\n', 'def test_total(cart):\n    """Sums."""\n']],
  'a message of an assertion': [['assert result == 12', 'assert result == 12, "sum"']],
  'what is given in a row': [['("2", 2)', '("5", 2)']],
  'another layout of the file': [['    result = total(cart)', '    result  =  total(cart)']],
  'a new row': [[row, row + '        ("4", 4),\n']],
};

/** Other expected values that broken code gives as well: for a person to let through. */
export const suspect: Readonly<Record<string, Edits>> = {
  'a value where None was': [['["x", None]', '["x", 5]']],
  'the other sign': [['result == 12', 'result == -12']],
  'nothing for a number': [['result == 12', 'result == 0']],
  'minus one for a number': [['result == 12', 'result == -1']],
  'a hole in a text': [['"2 items"', '"None items"']],
  'a hole in a text that is looked for': [['"tea and milk" in text', '"tea and None, None" in text']],
  'a lost key': [['"b": ["x", None], "ok"', '"ok"']],
  'a key that tells of trouble': [['"ok": True}', '"ok": True, "error": "gone"}']],
  'nothing in a row': [['("2", 2)', '("2", 0)']],
};

/** The same for what is asked by its name; `VALUE` is what changes. */
export const suspectByName: Readonly<Record<string, readonly [text: string, was: string, is: string]>> = {
  'another status': ['assert get("a").status_code == VALUE', '200', '500'],
  'another exit code': ['assert run([]).returncode == VALUE', '0', '2'],
  'an outcome in a dictionary': ['assert get("a") == {"status": VALUE, "id": ANY}', '200', '404'],
  'a status behind a name': ['want = VALUE\n    assert get("a").status_code == want', '200', '500'],
  'something for nothing': ['assert lint("x") == VALUE', '[]', '["line 1"]'],
  'a text for nothing': ['assert lint("x") == VALUE', '""', '"line 1"'],
  'a number of calls': ['assert send.call_count == VALUE', '1', '2'],
};

/** Only another expected value. */
export const allowed: Readonly<Record<string, Edits>> = {
  'a number': [['result == 12', 'result == 13']],
  'a negative number': [['result == 12', 'result == -13']],
  'a longer number': [['result == 12', 'result == 12_000']],
  'a number in parentheses': [['result == 12', 'result == (13)']],
  'a leaf of a dictionary': [['{"a": 1,', '{"a": 2,']],
  'a leaf in a list in a dictionary': [['["x", None]', '["y", None]']],
  'a key of a dictionary': [['{"a": 1,', '{"c": 1,']],
  'another key in a dictionary': [['"ok": True}', '"ok": True, "n": 3}']],
  'another item in a list': [['["x", None]', '["x", "z", None]']],
  'a text of a variable': [['"2 items"', '"two items"']],
  'a text in other quotes': [['"2 items"', '\'two "items"\'']],
  'a text of several parts': [['expected = "2 items"', 'expected = ("two "\n        "items")']],
  'a raw text': [['"2 items"', 'r"two\\items"']],
  'a text of several lines': [['"2 items"', '"""two\nitems"""']],
  'a longer text in a text': [['"tea and milk" in text', '"tea, milk and honey" in text']],
  'an approximate number': [['approx(1.5', 'approx(2.25']],
  'a cell of a row': [['("2", 2)', '("2", 22)']],
  'a cell of pytest.param': [['pytest.param("3", 3,', 'pytest.param("3", 33,']],
  'cells of two rows': [
    ['("1", 1)', '("1", 11)'],
    ['("2", 2)', '("2", 22)'],
  ],
  'a tuple in a class': [['("tea", "milk")', '("tea", "milk", "honey")']],
  'the text of an exception': [['"^no such file$"', '"^there is no such file$"']],
  'the text of an exception with what is escaped': [['"^no such file$"', 'r"^no such file \\(missing\\)$"']],
  'several values at once': [
    ['result == 12', 'result == 13'],
    ['"2 items"', '"3 items"'],
    ['("2", 2)', '("2", 3)'],
  ],
};
