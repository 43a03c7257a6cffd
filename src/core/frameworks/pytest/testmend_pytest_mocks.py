"""Calls of a mock that an assertion asked for, and those that were made, while a fix is sought. Beside testmend_pytest.py. PYTEST_DONT_REWRITE"""

WITH = ("assert_called_with", "assert_called_once_with", "assert_any_call", "assert_awaited_with", "assert_awaited_once_with", "assert_any_await")
LISTS = ("assert_has_calls", "assert_has_awaits")
NUMBERS = ("assert_called", "assert_called_once", "assert_not_called", "assert_awaited", "assert_awaited_once", "assert_not_awaited")
MOST = 30


def calls_of(value):
    """Of `call(…)`, `m.call_args`, and lists of them; None for everything else."""
    if type(value).__name__ == "_Call" and isinstance(value, tuple):
        parts = tuple(value)
        return [parts if len(parts) == 3 else ("", *parts)] if len(parts) in (2, 3) else None
    if isinstance(value, (list, tuple)) and value and len(value) <= MOST:
        calls = [calls_of(one) if isinstance(one, tuple) else None for one in value]
        return [call[0] for call in calls] if all(calls) else None
    return None


def told(made, wanted, side):
    """`same`: places and names of the arguments that are equal in both."""
    calls = []
    for index, (name, args, kwargs) in enumerate(made):
        other = wanted[index] if len(wanted) == len(made) else wanted[0] if len(wanted) == 1 else None
        same = [str(at) for at, one in enumerate(args) if other and at < len(other[1]) and equal(one, other[1][at])]
        same += [key for key, one in kwargs.items() if other and key in other[2] and equal(one, other[2][key])]
        calls.append({"name": name, "args": [side(one) for one in args], "kwargs": {key: side(one) for key, one in kwargs.items()}, "same": same})
    return calls


def equal(one, other):
    try:
        return (one == other) is True
    except Exception:
        return False


def compared_calls(left, right, side):
    """Of `m.call_args == call(…)` and `m.mock_calls == [call(…)]`."""
    made, wanted = calls_of(left), calls_of(right)
    return {"left": told(made, wanted, side), "right": told(wanted, made, side)} if made and wanted else None


def made_by(calls):
    return calls_of(list(calls)) if len(calls) else []


def missed_call(frames, side):
    """Of `m.assert_called_with(…)` and its like: what was asked for (right), and what was called (left)."""
    for frame in (entry.tb_frame for entry in frames):
        name, module, values = frame.f_code.co_name, str(frame.f_globals.get("__name__")), frame.f_locals
        if module in ("unittest.mock", "mock.mock") and "self" in values:
            mock, args, kwargs = values["self"], values.get("args"), values.get("kwargs")
        elif module.startswith("pytest_mock") and name == "assert_wrapper" and values.get("args"):
            name = getattr(values.get("__wrapped_mock_method__"), "__name__", "")
            (mock, *args), kwargs = values["args"], values.get("kwargs")
        else:
            continue
        if name in NUMBERS:
            return {"method": name, "left": [], "right": []}
        is_await = "await" in name
        if name in WITH and args is not None and kwargs is not None:
            made = made_by(mock.await_args_list if is_await else mock.call_args_list)
            wanted = [("", tuple(args), kwargs)]
        elif name in LISTS:
            made = made_by(mock.await_args_list if is_await else mock.mock_calls)
            wanted = calls_of(list(values["calls"] if "calls" in values else args[0])) if values.get("calls") or args else None
        else:
            continue
        return {"method": name, "left": told(made, wanted, side), "right": told(wanted, made, side)} if wanted and made is not None else None
    return None
