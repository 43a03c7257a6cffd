"""What an object that a test compares consists of, in the words of the test, while a fix is sought. Beside testmend_pytest.py. PYTEST_DONT_REWRITE"""
import collections
import datetime
import decimal
import enum
import fractions
import inspect
import ipaddress
import pathlib
import re
import types
import uuid
from dataclasses import MISSING, fields, is_dataclass

VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
DAY = ("year", "month", "day")
TIME = ("hour", "minute", "second", "microsecond", "tzinfo", "fold")


def names_at(frame):
    """What the code of the frame can name."""
    return {**frame.f_globals, **frame.f_locals} if frame else {}


def described(value, names):
    """The class, the dotted names that reach the object or its class, and what its class would be called with to make it once more."""
    kind = type(value)
    said = {"type": f"{kind.__module__}.{kind.__qualname__}", "names": [], "callees": [], "params": [], "args": None, "key": hex(id(value))}
    if isinstance(value, type):
        key = f"{value.__module__}.{value.__qualname__}"
        return {**said, "type": "builtins.type", "names": reaching(value, names), "key": key}
    if isinstance(value, enum.Enum):
        paths = reaching(kind, names) if isinstance(value.name, str) and kind.__members__.get(value.name) is value else []
        return {**said, "names": [f"{path}.{value.name}" for path in paths], "key": str(value.name)}
    if value is datetime.timezone.utc:
        return {**said, "names": [f"{path}.utc" for path in reaching(kind, names)], "key": "utc"}
    made = standard(value, kind) if kind in STANDARD or kind.__module__ == "zoneinfo" else own(value, kind)
    if made is None:
        return said
    params, args = made
    callees = reaching(pathlib.Path if kind in PATHS else re.compile if kind is re.Pattern else kind, names)
    return {**said, "callees": callees, "params": list(params), "args": args, "key": ""}


KEYS = type({}.keys())
SAME = {str: str.__str__, bytes: bytes, int: int.__int__, float: float.__float__, list: list, tuple: tuple, dict: dict, set: set, frozenset: set}


def plain(value, kind):
    """The value without a class of its own, where that compares as the plain one does; None for everything else."""
    if kind is KEYS:
        return set(value)
    for base, made in SAME.items():
        if isinstance(value, base) and (kind.__eq__ is base.__eq__ or kind in (collections.OrderedDict, collections.Counter)):
            return made(value)
    return None


def reaching(thing, names):
    """`Cart`, `shop.Cart`, `Outer.Cart`, where they are in sight."""
    found = [name for name, one in names.items() if one is thing]
    path = getattr(thing, "__qualname__", "").split(".")
    module = str(getattr(thing, "__module__", "")).split(".")
    if module == ["builtins"] and path[0] not in names:
        found.append(path[0])
    for name, one in list(names.items()):
        if isinstance(one, types.ModuleType):
            base = str(getattr(one, "__name__", "")).split(".")
            inner = module[len(base):] if module[: len(base)] == base else []
            ways = [[*inner[:count], *path] for count in range(len(inner) + 1)]
        else:
            ways = [path[1:]] if isinstance(one, type) and len(path) > 1 and name == path[0] else []
        found += [".".join([name, *way]) for way in ways if followed(one, way) is thing]
    return found


def followed(one, way):
    for step in way:
        one = vars(one).get(step) if isinstance(one, (types.ModuleType, type)) else None
    return one


def of_attributes(value, names):
    return names, [(name, getattr(value, name), name in TIME and getattr(value, name) in (0, None)) for name in names]


def pairs(value):
    return [(key, one) for key, one in value.items()]


STANDARD = {
    datetime.date: lambda value: of_attributes(value, DAY),
    datetime.time: lambda value: of_attributes(value, TIME),
    datetime.datetime: lambda value: of_attributes(value, DAY + TIME),
    datetime.timedelta: lambda value: ((), [("total", value // datetime.timedelta(microseconds=1), False)]),
    datetime.timezone: lambda value: (("offset", "name"), [("offset", value.utcoffset(None), False), ("name", value.tzname(None), value == datetime.timezone(value.utcoffset(None)) and value.tzname(None).startswith("UTC"))]),
    decimal.Decimal: lambda value: (("value",), [("value", str(value), False)]),
    fractions.Fraction: lambda value: (("numerator", "denominator"), [("numerator", value.numerator, False), ("denominator", value.denominator, value.denominator == 1)]),
    uuid.UUID: lambda value: (("hex",), [("hex", str(value), False)]),
    collections.OrderedDict: lambda value: (("pairs",), [("pairs", pairs(value), not value)]),
    collections.Counter: lambda value: (("mapping",), [("mapping", dict(value), not value)]),
    collections.defaultdict: lambda value: (("default_factory", "mapping"), [("default_factory", value.default_factory, value.default_factory is None), ("mapping", dict(value), not value)]),
    collections.deque: lambda value: (("items", "maxlen"), [("items", list(value), not value), ("maxlen", value.maxlen, value.maxlen is None)]),
    types.SimpleNamespace: lambda value: ((), [(name, one, False) for name, one in vars(value).items()]),
    frozenset: lambda value: (("items",), [("items", set(value), not value)]),
    bytearray: lambda value: (("source",), [("source", bytes(value), not value)]),
    complex: lambda value: (("real", "imag"), [("real", value.real, False), ("imag", value.imag, value.imag == 0)]),
    range: lambda value: (("start", "stop", "step"), [("start", value.start, False), ("stop", value.stop, False), ("step", value.step, False)]),
    re.Pattern: lambda value: (("pattern", "flags"), [("pattern", value.pattern, False), ("flags", value.flags, value.flags == re.compile(value.pattern).flags)]),
}
PATHS = (pathlib.PosixPath, pathlib.WindowsPath)
for path in (pathlib.PurePosixPath, pathlib.PureWindowsPath, *PATHS):
    STANDARD[path] = lambda value: (("path",), [("path", str(value), str(value) == ".")])
for address in (ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network, ipaddress.IPv4Interface, ipaddress.IPv6Interface):
    STANDARD[address] = lambda value: (("address",), [("address", str(value), False)])


def standard(value, kind):
    if kind.__module__ == "zoneinfo":
        return (("key",), [("key", value.key, False)]) if isinstance(getattr(value, "key", None), str) else None
    return STANDARD[kind](value)


BASES = (str, bytes, bytearray, int, float, complex, list, dict, set, frozenset, BaseException, types.ModuleType)


def own(value, kind):
    """Of a class whose parameters are its fields, and that says when two are equal; the last of each three: is it what it is by default?"""
    if kind.__eq__ is object.__eq__ or kind.__module__.startswith("unittest.mock") or isinstance(value, BASES):
        return None
    parameters = list(inspect.signature(kind).parameters.values())
    named = [one for one in parameters if one.kind not in VARIABLE]
    found = fields_of(value, kind, {one.name for one in named})
    if found is None or {one.name for one in named} != set(found):
        return None
    params = [one.name for one in named if one.kind is not inspect.Parameter.KEYWORD_ONLY]
    return params, [(one.name, found[one.name][0], is_default(found[one.name], one.default)) for one in named]


def fields_of(value, kind, wanted):
    """By parameter: the value, a function that gives the default, and whether it counts when two are compared."""
    if is_dataclass(kind):
        own = [one for one in fields(kind) if one.init]
        return {one.name: (getattr(value, one.name), None if one.default_factory is MISSING else one.default_factory, one.compare) for one in own}
    if hasattr(kind, "__attrs_attrs__"):
        own = [one for one in kind.__attrs_attrs__ if one.init]
        factories = [one.default.factory if hasattr(one.default, "factory") and not one.default.takes_self else None for one in own]
        return {getattr(one, "alias", None) or one.name.lstrip("_"): (getattr(value, one.name), make, bool(one.eq)) for one, make in zip(own, factories)}
    if isinstance(value, tuple):
        names = getattr(kind, "_fields", ())
        return {name: (one, None, True) for name, one in zip(names, value)} if len(names) == len(value) else None
    held = dict(getattr(value, "__dict__", {}))
    if set(held) != wanted:
        names = getattr(kind, "__match_args__", ()) or getattr(kind, "__slots__", ())
        held = {name: getattr(value, name) for name in names if name in wanted} if not isinstance(names, str) else {}
    return {name: (one, None, True) for name, one in held.items()}


def is_default(field, default):
    value, make, counts = field
    if not counts:
        return True
    if make is not None:
        default = make()
    return default is not inspect.Parameter.empty and type(default) is type(value) and bool(default == value)
