"""Values of a comparison that failed, as source, while a fix is sought. Beside testmend_pytest.py. PYTEST_DONT_REWRITE"""
import json
import math
import os
import re

import pytest
from testmend_pytest_failures import frames_of, is_internal
from testmend_pytest_mocks import compared_calls, missed_call

OUTPUT = os.environ.pop("TESTMEND_CAPTURE", None)
if OUTPUT:
    from testmend_pytest_objects import described, names_at, plain
LARGEST = 20000
DEEPEST = 40
NOTHING = object()


class NoLiteral(Exception):
    """Says what cannot be written down."""


class Sheet:
    """What is written of one value: how much may still be, in which words of the test, and the objects that the text calls `@0`, `@1`, …"""

    def __init__(self, names):
        self.left, self.names, self.objects = LARGEST, names, []

    def take(self, count):
        self.left -= count
        if self.left < 0:
            raise NoLiteral("a value that is too large")


def side(value, names):
    sheet = Sheet(names)
    try:
        text = literal(value, (), sheet)
    except NoLiteral as reason:
        return {"refused": str(reason)}
    except Exception as error:  # Whatever a value of the user's own does when it is looked at.
        return {"refused": f"a value that raises {type(error).__name__} when it is looked at"}
    if len(text) > LARGEST:
        return {"refused": "a value that is too large"}
    return {"text": text, "objects": sheet.objects} if sheet.objects else {"text": text}


def literal(value, around, sheet):
    """Exact types only: what a class of its own says of itself is no literal."""
    kind = type(value)
    if kind in (str, bytes, int) and (len(value) if kind is not int else value.bit_length() // 4) > LARGEST:
        raise NoLiteral("a value that is too large")
    if value is None or kind in (bool, int, bytes):
        text = repr(value)
    elif kind is str:
        if any(0xD800 <= ord(one) <= 0xDFFF for one in value):
            raise NoLiteral("a text with half a character")
        text = json.dumps(value)
    elif kind is float:
        if not math.isfinite(value):
            raise NoLiteral(f"the number {value}")
        text = repr(value)
    elif kind in (list, tuple, set, dict):
        return display(value, kind, around, sheet)
    elif kind.__module__ in ("_pytest.approx", "_pytest.python_api") and kind.__name__.startswith("Approx"):
        return literal(value.expected, around, sheet)  # What is written in `pytest.approx(…)`.
    else:
        return made_of(value, kind, around, sheet)
    sheet.take(len(text) + 2)
    return text


def inside(value, around):
    if id(value) in around:
        raise NoLiteral("a value that holds itself")
    if len(around) >= DEEPEST:
        raise NoLiteral("a value that is too deep")
    return (*around, id(value))


def made_of(value, kind, around, sheet):
    """An object, by its class and what that would be called with; what cannot be made once more is told by where it is."""
    inner = inside(value, around)
    try:
        said = described(value, sheet.names)
        if said["args"] is not None:
            said["args"] = [[name, literal(one, inner, sheet), by_default] for name, one, by_default in said["args"]]
        same = plain(value, kind)
        if same is not None:
            said["plain"] = literal(same, inner, sheet)
    except Exception:  # Whatever a class of the user's own does when it is looked at.
        said = {"type": f"{kind.__module__}.{kind.__qualname__}", "names": [], "callees": [], "params": [], "args": None, "key": hex(id(value))}
    if not around and said["args"] is None and not said["names"] and "plain" not in said:
        raise NoLiteral(f"an object of the class {said['type']}")
    sheet.take(len(said["type"]) + 20)
    sheet.objects.append(said)
    return f"@{len(sheet.objects) - 1}"


def display(value, kind, around, sheet):
    inner = inside(value, around)
    sheet.take(2)
    if kind is set and not value:
        return "set()"
    if kind is dict:
        return "{%s}" % ", ".join(f"{literal(key, inner, sheet)}: {literal(one, inner, sheet)}" for key, one in value.items())
    items = [literal(one, inner, sheet) for one in value]
    if kind is set:  # Its order is another one in each run.
        return "{%s}" % ", ".join(sorted(items))
    if kind is list:
        return "[%s]" % ", ".join(items)
    return "(%s%s)" % (", ".join(items), "," if len(items) == 1 else "")


def met(op, left, right, frame):
    """`frame`: of the code that compares."""
    if not OUTPUT:
        return None
    names = names_at(frame)
    calls = compared_calls(left, right, lambda value: side(value, names)) if op == "==" else None
    return called(calls) if calls else {"operator": op, "left": side(left, names), "right": side(right, names)}


def called(calls):
    unsaid = {"refused": "a call"}
    return calls and {"operator": "called", "left": unsaid, "right": unsaid, "calls": calls}


def unmatched(frames):
    """Of `pytest.raises(match=…)` and its like, whose pattern did not fit: pattern and text; the class of the exception did fit."""
    for frame in (entry.tb_frame for entry in reversed(frames)):
        context, module = frame.f_locals.get("self"), str(frame.f_globals.get("__name__"))
        asked = ASKED.get((module.split(".")[0], type(context).__name__)) if frame.f_code.co_name == "__exit__" else None
        pattern, texts = asked(context, frame.f_locals) if asked else (None, ())
        if isinstance(pattern, re.Pattern) and pattern.flags == re.compile("").flags:
            pattern = pattern.pattern
        # Of several texts nobody knows which one was meant.
        if pattern is not None and len(set(texts)) == 1:
            return {"operator": "match", "left": side(pattern, {}), "right": side(texts[0], {})}
    return None


def raised(context, values):
    error = values.get("exc_val")
    kinds = getattr(context, "expected_exception", None) or getattr(context, "expected_exceptions", ())
    is_more = getattr(error, "__notes__", None) or getattr(context, "check", None)
    pattern = getattr(context, "match_expr", None) or getattr(context, "match", None)
    return pattern, [str(error)] if isinstance(error, BaseException) and isinstance(error, kinds) and not is_more else []


def raised_in_case(context, values):
    error = values.get("exc_value")
    return context.expected_regex, [str(error)] if isinstance(error, context.expected) else []


def warned(context, values):
    return context.match_expr, [str(one.message) for one in context if issubclass(one.category, context.expected_warning)]


def warned_in_case(context, values):
    return context.expected_regex, [str(one.message) for one in context.warnings if isinstance(one.message, context.expected)]


ASKED = {("_pytest", "RaisesContext"): raised, ("_pytest", "RaisesExc"): raised, ("_pytest", "WarningsChecker"): warned}
ASKED.update({("unittest", "_AssertRaisesContext"): raised_in_case, ("unittest", "_AssertWarnsContext"): warned_in_case})


# What methods of unittest.TestCase call the two values that they compare.
METHODS = {name: ("==", "first", "second") for name in ("assertEqual", "assertEquals", "assertMultiLineEqual")}
METHODS.update(assertSequenceEqual=("==", "seq1", "seq2"), assertListEqual=("==", "list1", "list2"), assertTupleEqual=("==", "tuple1", "tuple2"))
METHODS.update(assertDictEqual=("==", "d1", "d2"), assertSetEqual=("==", "set1", "set2"), assertIn=("in", "member", "container"))


def compared_by_method(frames):
    """Of `self.assertEqual(first, second)` and its like: what the test handed in."""
    for frame in (entry.tb_frame for entry in frames):
        if frame.f_globals.get("__name__") != "unittest.case" or frame.f_code.co_name not in METHODS:
            continue
        operator, *names = METHODS[frame.f_code.co_name]
        left, right = (frame.f_locals.get(name) for name in names)
        return met(operator, left, right, caller(frames))
    return None


def caller(frames):
    """The innermost code of the user's own."""
    own = [entry.tb_frame for entry in frames if not is_internal(entry.tb_frame.f_code)]
    return own[-1] if own else None


def values_met(error, last):
    """`last`: where a comparison failed last (code and line), and its values. Only what the error really tells of."""
    frames = frames_of(error)
    if not (OUTPUT and frames and isinstance(error, (AssertionError, pytest.fail.Exception))):
        return None
    found = unmatched(frames) or compared_by_method(frames) or called(missed_call(frames, lambda value: side(value, names_at(caller(frames)))))
    if found is None and last and last[0] == (frames[-1].tb_frame.f_code, frames[-1].tb_lineno):
        found = last[1]
    return found and {**found, "frames": [place(one) for one in frames if not is_internal(one.tb_frame.f_code)][-50:]}


def place(entry):
    code = entry.tb_frame.f_code
    return {"file": os.path.abspath(code.co_filename), "line": entry.tb_lineno, "name": code.co_name}


def rows_of(item):
    """The row of each name of a table. Where tables or fixtures multiply, pytest numbers the cases and not the rows: then by the values."""
    spec = getattr(item, "callspec", None)
    given = dict(getattr(spec, "params", None) or {})
    tables = [mark.args for mark in item.iter_markers("parametrize") if len(mark.args) > 1]
    rows = {}
    for names, table in (args[:2] for args in tables):
        is_text = isinstance(names, str)
        names = [name.strip() for name in names.split(",") if name.strip()] if is_text else list(names)
        if set(given) == set(names):
            indices = dict(getattr(spec, "indices", None) or {})
            return {name: row for name, row in indices.items() if type(row) is int}
        cells = [cells_of(row, is_text and len(names) == 1) for row in table] if isinstance(table, (list, tuple)) else []
        found = [index for index, row in enumerate(cells) if is_given(names, row, given)]
        if len(found) == 1:
            rows.update((name, found[0]) for name in names)
    return rows


def cells_of(row, is_one):
    inner = getattr(row, "values", None)  # Of `pytest.param(…)`; a dictionary has a method of that name.
    return inner if isinstance(inner, tuple) else [row] if is_one else row


def is_given(names, row, given):
    return isinstance(row, (list, tuple)) and len(row) == len(names) and all(given.get(name, NOTHING) is one for name, one in zip(names, row))


def write_down(item, names, values, failure, loops):
    rows = rows_of(item)
    unknown = {"kind": "opaque", "description": "a value of Python"}
    said = {"kind": "python", "testName": " > ".join(names), "file": os.path.realpath(str(item.path)), "matcher": values["operator"]}
    said.update(negated="!" in said["matcher"] or "not" in said["matcher"], actual=unknown, expected=unknown)
    said.update(message=failure["message"], stack=failure["stack"], python={**values, "rows": rows, "loops": {str(line): row for line, row in loops.items()}})
    # At once: workers of pytest-xdist write to the same file.
    file = os.open(OUTPUT, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, (json.dumps(said) + "\n").encode())
    finally:
        os.close(file)
