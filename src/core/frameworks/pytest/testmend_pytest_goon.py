"""Lets a test go on after a comparison that failed, while a fix is sought, so that all that fail are known. PYTEST_DONT_REWRITE"""
import ast
import builtins
import os
import re
import sys

from testmend_pytest_collection import names_of
from testmend_pytest_failures import failure_of
from testmend_pytest_run import run
from testmend_pytest_values import OUTPUT, values_met, write_down

GOES_ON = bool(os.environ.pop("TESTMEND_CAPTURE_ON", None)) and OUTPUT is not None
# Contexts that let every failure through (as in safeAssertions.ts).
PLAIN = re.compile(
    r"^open$|^self\.subTest$|^subtests\.test$|\.(?:open|isolated_filesystem|isolation|as_cwd|chdir|at_level|disabled|test_client|app_context|test_request_context)$"
    r"|^monkeypatch\.context$|^(?:mock\.|mocker\.)?patch(?:\.(?:object|dict|multiple))?$|^tempfile\.\w+$"
)
HELD = "@testmend_held"  # Names that no program can write.
ERROR = "@testmend_error"
MOST = 200  # Failures of one test.


def change(tree):
    """Each test of the module, and of its classes: what is compared in its own steps does not end it; at its end the first failure is raised."""
    for node in tree.body:
        tests = node.body if isinstance(node, ast.ClassDef) else [node]
        for test in tests:
            if isinstance(test, (ast.FunctionDef, ast.AsyncFunctionDef)) and test.name.startswith("test"):
                change_test(test, tree)
    ast.fix_missing_locations(tree)


def change_test(test, tree):
    if any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in ast.walk(test)):
        return
    first = test.body[0]
    has_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    doc, steps = (test.body[:1], test.body[1:]) if has_text else ([], test.body)
    if not steps:
        return
    new = "try:\n pass\nfinally:\n if __ended__(__held__):\n  raise __held__[0]"
    frame = made(new, steps[-1])
    frame.body = [held(step, (test, tree)) for step in steps]
    start = made("__held__ = __start__()", steps[0])
    test.body = [*doc, start, frame]


def held(step, around):
    """Steps of the test itself, of the contexts it opens, and of its loops over written tables; never what a condition or a `try` may be there for."""
    if isinstance(step, ast.For) and is_table(step.iter, around) and not ends(step):
        step.body = [held(inner, around) for inner in step.body]
        rows = made("__rows__(__held__, 0, None)", step.iter).value
        rows.args[1:] = [ast.copy_location(ast.Constant(step.lineno), step.iter), step.iter]
        step.iter = rows
        return step
    if isinstance(step, (ast.With, ast.AsyncWith)):
        calls = [called(item.context_expr) for item in step.items]
        if all(PLAIN.search(call) for call in calls):
            step.body = [held(inner, around) for inner in step.body]
        if calls not in (["pytest.raises"], ["self.assertRaisesRegex"], ["self.assertWarnsRegex"]):
            return step
    elif not (isinstance(step, ast.Assert) or is_call(step)):
        return step
    new = made("try:\n pass\nexcept Exception as __error__:\n if not __hold__(__held__, __error__):\n  raise", step)
    new.body = [step]
    return new


def is_table(expression, around):
    """Written in the loop, or under a name that nothing else mentions: it ends, whatever the loop does (as in loopTables.ts)."""
    call = called(expression) if isinstance(expression, ast.Call) else ""
    if call in ("enumerate", "zip"):
        return bool(expression.args) and all(is_table(one, around) for one in expression.args[: 1 if call == "enumerate" else None])
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute) and expression.func.attr == "items":
        expression = expression.func.value
    if isinstance(expression, ast.Name):
        for scope in around:
            uses = [one for one in ast.walk(scope) if isinstance(one, ast.Name) and one.id == expression.id]
            values = [one.value for one in scope.body if any(use in targets_of(one) for use in uses)]
            if len(uses) == 2 and len(values) == 1:
                expression = values[0]
                break
    return isinstance(expression, (ast.List, ast.Tuple, ast.Dict))


def targets_of(step):
    return step.targets if isinstance(step, ast.Assign) else [step.target] if isinstance(step, ast.AnnAssign) else []


def ends(loop):
    """May it leave out a row, or end the test?"""
    return bool(loop.orelse) or any(isinstance(one, (ast.Break, ast.Continue, ast.Return)) for one in ast.walk(loop))


def called(expression):
    """`monkeypatch.context` of `monkeypatch.context()`; nothing of what is no call."""
    names, inner = [], getattr(expression, "func", None)
    while isinstance(inner, ast.Attribute):
        names, inner = [inner.attr, *names], inner.value
    return ".".join([inner.id, *names]) if isinstance(inner, ast.Name) else "".join("." + name for name in names)


def is_call(step):
    """`self.assertEqual(…)`, and what may be a helper: `check(…)`, `await self.check(…)`."""
    call = step.value if isinstance(step, ast.Expr) else None
    call = call.value if isinstance(call, ast.Await) else call
    function = getattr(call, "func", None)
    is_assertion = isinstance(function, ast.Attribute) and function.attr.startswith("assert")
    return is_assertion or isinstance(function, ast.Name) or isinstance(getattr(function, "value", None), ast.Name)


def made(source, place):
    statement = ast.parse(source).body[0]
    names = {"__held__": HELD, "__error__": ERROR}
    names.update({f"__{name}__": f"@testmend_{name}" for name in ("start", "rows", "hold", "ended")})
    for inner in ast.walk(statement):
        if isinstance(inner, ast.Name):
            inner.id = names.get(inner.id, inner.id)
        if isinstance(inner, ast.ExceptHandler) and inner.name:
            inner.name = names[inner.name]
        ast.copy_location(inner, place)
        if hasattr(inner, "end_lineno"):
            inner.end_lineno, inner.end_col_offset = inner.lineno, inner.col_offset
    return statement


class Held(list):
    """The failures of a test so far; `loops`: by line, which row each of its loops is in."""

    def __init__(self):
        self.loops = {}


def rows(so_far, line, table):
    for index, row in enumerate(table):
        so_far.loops[line] = index
        yield row
    so_far.loops.pop(line, None)


def hold(so_far, error):
    """Was it a comparison of the running test whose values are known? Then the test goes on."""
    frame = sys._getframe(1)
    item = run.item
    if item is None or len(so_far) >= MOST or frame.f_code.co_name != (getattr(item, "originalname", None) or item.name):
        return False
    values = values_met(error, run.met)
    if values is None or values["operator"] not in ("==", "is", "in", "match", "called"):
        return False
    write_down(item, names_of(item), values, failure_of(error, None, run.compared), so_far.loops)
    so_far.append(error)
    return True


def ended(so_far):
    """With what the test ends by itself counts as well, where it is a comparison."""
    error = sys.exc_info()[1]
    run.loops = dict(so_far.loops)
    if not so_far or isinstance(error, (KeyboardInterrupt, GeneratorExit)):
        return False
    values = isinstance(error, AssertionError) and run.item and values_met(error, run.met)
    if values:
        write_down(run.item, names_of(run.item), values, failure_of(error, None, run.compared), so_far.loops)
    run.held = so_far[0]
    return True


def start():
    """Before the first module of tests is loaded. Without what pytest has inside, tests end as they do."""
    rewrite = sys.modules.get("_pytest.assertion.rewrite")
    original = getattr(rewrite, "rewrite_asserts", None)
    if not GOES_ON or original is None or not hasattr(rewrite, "_read_pyc"):
        return
    builtins.__dict__.update({"@testmend_start": Held, "@testmend_rows": rows, "@testmend_hold": hold, "@testmend_ended": ended})

    def rewrite_asserts(tree, *args, **kwargs):
        change(tree)
        return original(tree, *args, **kwargs)

    rewrite.rewrite_asserts = rewrite_asserts
    rewrite._read_pyc = lambda *args, **kwargs: None  # What was compiled before, or is now, is of no use to the other.
    rewrite._write_pyc = lambda *args, **kwargs: False
