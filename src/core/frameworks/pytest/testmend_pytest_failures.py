"""What an exception of a test says: message, values that were compared, frames. Beside testmend_pytest.py. PYTEST_DONT_REWRITE"""
import ast
import functools
import linecache
import os
import pprint

import pytest

PARTS = (("_pytest", ""), ("pluggy", ""), ("unittest", "case.py"), ("unittest", "mock.py"), ("pytest_mock", ""), ("importlib", "__init__.py"))
INTERNAL = tuple(os.sep + os.path.join(*part) for part in PARTS)


def shown(value):
    try:
        text = repr(value)
    except Exception as error:
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return pprint.pformat(value) if 80 < len(text) < 20000 and not isinstance(value, str) else text[:50000]


def compared(left, right):
    """What was found, what was expected: texts of several lines as they are, everything else as its repr."""
    if isinstance(left, str) and isinstance(right, str) and "\n" in left + right:
        return left, right
    return shown(left), shown(right)


@functools.lru_cache(maxsize=4)
def comparisons_in(file):
    """Of each `a == b` and `self.assertEqual(a, b)`: the lines of the statement, and its sides."""
    try:
        statements = [node for node in ast.walk(ast.parse("".join(linecache.getlines(file)))) if isinstance(node, (ast.Assert, ast.Expr))]
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = []
    for statement in statements:
        for node in ast.walk(statement):
            sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.Is)) else ()
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith("assert"):
                sides = node.args[:2]
            if len(sides) == 2:
                found.append((range(statement.lineno, statement.end_lineno + 1), sides))
    return found


def is_written(node):
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def is_turned(entry):
    """Of `assert 8 == total()`, whose expected value is written first."""
    sides = [sides for lines, sides in comparisons_in(entry.tb_frame.f_code.co_filename) if entry.tb_lineno in lines]
    told = {is_written(left) for left, right in sides if is_written(left) != is_written(right)}
    return told == {True}


def is_internal(code):
    return any(part in code.co_filename for part in INTERNAL) or code.co_filename.startswith("<frozen")


def frames_of(error):
    found = []
    entry = error.__traceback__
    while entry:
        found.append(entry)
        entry = entry.tb_next
    return found


def failure_of(error, text=None, comparison=None):
    """`comparison`: where a comparison of an assert failed last (code and line), and its values."""
    frames = frames_of(error)
    own = [f for f in frames if not is_internal(f.tb_frame.f_code) and not f.tb_frame.f_locals.get("__tracebackhide__")]
    places = [(f.tb_frame.f_code.co_filename, f.tb_lineno, f.tb_frame.f_code.co_name) for f in own[-50:]]
    if isinstance(error, SyntaxError) and error.filename:
        places = [(error.filename, error.lineno or 1, "<module>")]
    is_assertion = isinstance(error, (AssertionError, pytest.fail.Exception))
    if text is None:
        said = str(error)
        text = said if is_assertion and said else ": ".join(filter(None, [type(error).__name__, said]))
    failure = {"message": text, "name": "AssertionError" if is_assertion else type(error).__name__}
    failure["stack"] = "\n".join(f'File "{os.path.abspath(file)}", line {line}, in {name}' for file, line, name in places)
    if is_assertion and frames and comparison and comparison[0] == (frames[-1].tb_frame.f_code, frames[-1].tb_lineno):
        failure["actual"], failure["expected"] = comparison[1]
    for frame in [f.tb_frame for f in frames] if is_assertion else ():
        values = frame.f_locals
        is_equal = "Equal" in frame.f_code.co_name and "Not" not in frame.f_code.co_name
        if is_equal and frame.f_globals.get("__name__") == "unittest.case" and {"first", "second"} <= set(values):
            failure["actual"], failure["expected"] = compared(values["first"], values["second"])
            break
    if "actual" in failure and own and is_turned(own[-1]):
        failure["actual"], failure["expected"] = failure["expected"], failure["actual"]
    return failure


def failure_of_report(report):
    failure = getattr(report, "testmend", None) or {"message": report.longreprtext or "It failed without giving a reason."}
    context = getattr(report, "context", None)  # Of a subtest.
    if context is None:
        return failure
    values = ", ".join(f"{name}={value}" for name, value in dict(context.kwargs).items())
    label = " ".join(filter(None, [f"[{context.msg}]" if context.msg else "", f"({values})" if values else ""]))
    return {**failure, "message": f"{label or '<subtest>'}: {failure['message']}"}


def cause_of(error):
    """What kept a file from being loaded, without what pytest says about it."""
    if type(error).__name__ == "ConftestImportFailure":
        return getattr(error, "cause", None) or error.excinfo[1]
    return error.__cause__ if type(error).__name__ == "CollectError" and error.__cause__ else error
