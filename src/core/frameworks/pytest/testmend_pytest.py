"""Tells what becomes of each test, one JSON object a line on fd 3. For pytest 7 and newer. PYTEST_DONT_REWRITE"""
import json
import os
import re
import signal
import sys

import pytest
from testmend_pytest_failures import cause_of, compared, failure_of, failure_of_report, is_internal

HERE = os.path.dirname(os.path.abspath(__file__))
TOKEN = os.environ.pop("TESTMEND_TOKEN", None)
REPORT_FILE = os.environ.pop("TESTMEND_REPORT_FILE", None)
ORDER = json.loads(os.environ.pop("TESTMEND_PYTEST", "{}"))
PID = os.getpid()
FD = 3 if REPORT_FILE is None else os.open(REPORT_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

if HERE in sys.path:  # Tests find what they would find without us; workers of xdist take over the path and need this file.
    sys.path.remove(HERE)
    sys.path.append(HERE)
if "pythonPath" in ORDER:
    os.environ.pop("PYTHONPATH", None)
    if ORDER["pythonPath"]:
        os.environ["PYTHONPATH"] = ORDER["pythonPath"]
if TOKEN and REPORT_FILE is None and os.name == "posix":
    os.set_inheritable(FD, False)
    os.set_blocking(FD, True)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # Ends with its parent, also when a test hangs.


def send(kind, **message):
    """Blocking, so that everything said before a crash arrives. What a test forked is not the run."""
    if TOKEN is None or os.getpid() != PID:
        return
    text = json.dumps({"token": TOKEN, "type": kind, **message}, separators=(",", ":"))
    rest = b"\n" + text.encode() + b"\n"
    try:
        while rest:
            rest = rest[os.write(FD, rest) :]
    except OSError:  # Nobody reads any more.
        if os.name == "posix" and os.getpgid(0) == PID:
            os.killpg(PID, signal.SIGKILL)
        os._exit(70)


class Run:
    def __init__(self):
        self.wanted = {}  # Names of suites and tests by real path of the file; none means all of the file.
        self.compared = None
        self.reports = {}
        self.deselected = []
        self.unhandled = []
        self.told = set()  # Files.
        self.collected = False
        self.red = False
        self.modules = 0


run = Run()


def names_of(item):
    return [node.name for node in item.listchain() if isinstance(node, pytest.Class)] + [item.name]


def template_of(item):
    return getattr(item, "originalname", None) if hasattr(item, "callspec") else None


def is_wanted(item):
    names = names_of(item)
    if ORDER.get("filter", "") not in " ".join(names).lower():
        return False
    wanted = run.wanted.get(os.path.realpath(str(item.path)))
    base = names[:-1] + [template_of(item) or item.name]
    return not wanted or any(one in (names[: len(one)], base[: len(one)]) for one in wanted)


def fail_files(files, failure):
    for file in dict.fromkeys(os.path.abspath(one) for one in files):
        if os.path.isfile(file):
            run.told.add(os.path.realpath(file))
            send("fileFailed", file=file, failure=failure)
            send("fileEnded", file=file, durationMs=0)


def strange_module():
    """In a sandbox: a sentence about a module that comes from the original and not from the copy."""
    if "original" not in ORDER or run.modules == len(sys.modules):
        return None
    run.modules = len(sys.modules)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if file.startswith(ORDER["original"] + os.sep) and not file.startswith(tuple(ORDER["besides"])):
            return f"The sandbox cannot prove anything here: the module {name} comes from the workspace ({file})."
    return None


# Collection


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(args):
    send("runStarted", framework="pytest", version=pytest.__version__)
    error = ((yield).excinfo or (None, None))[1]
    if type(error).__name__ == "ConftestImportFailure":
        failure = failure_of(cause_of(error))
        failure["message"] = f"conftest.py did not load. {failure['message']}"
        files = [arg.split("::")[0] for arg in args if not str(arg).startswith("-")]
        fail_files([str(error.path), *(file for file in files if file.endswith(".py"))], failure)
        send("runFinished")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Tests are asked for by their files: a name that is gone must not keep the others from running."""
    config.option.maxfail = 0
    for name in ("lf", "failedfirst", "newfirst", "stepwise", "stepwise_skip", "collectonly", "usepdb", "trace"):
        if getattr(config.option, name, False):
            setattr(config.option, name, False)
    run.root = str(config.rootpath)
    for arg in config.args:
        file, *names = str(arg).split("::")
        file = os.path.realpath(os.path.join(str(config.invocation_params.dir), file))
        run.wanted.setdefault(file, []).append(names)
    run.wanted = {file: [] if [] in wanted else wanted for file, wanted in run.wanted.items()}
    if any("::" in str(arg) for arg in config.args):
        config.args[:] = list(dict.fromkeys(str(arg).split("::")[0] for arg in config.args))
    ORDER.update(getattr(config, "workerinput", {}).get("testmend", {}))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["testmend"] = ORDER


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    writer = getattr(session.config.pluginmanager.getplugin("terminalreporter"), "_tw", None)
    if TOKEN and REPORT_FILE is None and hasattr(writer, "_file"):  # Everything it says, we tell.
        writer._file = open(os.devnull, "w", encoding="utf-8")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_make_collect_report(collector):
    report = (yield).get_result()
    error = getattr(getattr(report.call, "excinfo", None), "value", None) if report.failed else None
    if error is not None:
        report.testmend = failure_of(cause_of(error))


def pytest_collectreport(report):
    path = os.path.abspath(os.path.join(run.root, report.nodeid.split("::")[0])) if report.nodeid else run.root
    if report.failed:
        run.red = True
        failure = failure_of_report(report)
        # A folder whose conftest.py does not load takes the files in it with it.
        below = [file for file in run.wanted if file.startswith(os.path.realpath(path) + os.sep)]
        named = re.findall(r'File "(.+)", line', failure.get("stack", ""))
        fail_files([path] if os.path.isfile(path) else [*below, *named[-1:]], failure)
    elif report.skipped and os.path.isfile(path) and "::" not in report.nodeid:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        send("fileSkipped", file=path, reason=reason)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if is_wanted(item)]


def pytest_deselected(items):
    run.deselected.extend(items)


def told(item):
    file, line = str(item.location[0]), item.location[1]
    here = os.path.realpath(os.path.join(run.root, file)) == os.path.realpath(str(item.path))
    *suites, title = names_of(item)
    found = {"key": item.nodeid, "suites": suites, "title": title, "line": line + 1 if here and line is not None else None}
    found["template"] = template_of(item)
    return {name: value for name, value in found.items() if value is not None}


def collected(tests):
    """`tests`: pairs of a file and what is told of the test."""
    by_file = {}
    for file, test in tests:
        by_file.setdefault(file, []).append(test)
    send("filesQueued", files=[{"file": file} for file in by_file])
    for file, found in by_file.items():
        send("fileCollected", file=file, tests=found)
        run.told.add(os.path.realpath(file))
    run.collected = True


def pytest_collection_finish(session):
    if hasattr(session.config, "workerinput") or session.config.pluginmanager.hasplugin("dsession"):
        return  # xdist: workers collect, and their controller tells.
    leak = strange_module()
    if leak:
        fail_files([str(item.path) for item in session.items], {"message": leak})
        session.items[:] = []
    # Those that options of the user's own leave out; with a filter of that kind for this run nobody asked for them.
    left_out = [] if ORDER.get("native") else run.deselected
    collected([(str(item.path), told(item)) for item in [*session.items, *left_out]])
    for item in left_out:
        send("output", key=item.nodeid, stream="stdout", text="Left out by the options of pytest (-m, -k, --deselect).\n")
        send("testEnded", key=item.nodeid, outcome="skipped", durationMs=0)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids):
    if not run.collected:
        collected([told_by_id(one) for one in ids])


def told_by_id(nodeid):
    name, bracket, case = nodeid.partition("[")
    file, *suites, title = name.split("::")
    template = {"template": title} if bracket else {}
    return os.path.join(run.root, file), {"key": nodeid, "suites": suites, "title": title + bracket + case, **template}


# Tests


@pytest.hookimpl(tryfirst=True)
def pytest_assertrepr_compare(op, left, right):
    if op in ("==", "is"):
        frame = sys._getframe(1)
        while frame and is_internal(frame.f_code):
            frame = frame.f_back
        run.compared = frame and ((frame.f_code, frame.f_lineno), compared(left, right))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed and call.excinfo:
        missing = getattr(report.longrepr, "errorstring", None)  # A fixture that does not exist has no place of its own.
        report.testmend = failure_of(call.excinfo.value, missing, run.compared)
        if missing is not None:
            place = (report.longrepr.filename, report.longrepr.firstlineno + 1, item.name)
            report.testmend["stack"] = 'File "%s", line %d, in %s' % place
    if report.when == "teardown" and report.passed:
        leak = strange_module()
        if leak:
            report.outcome, report.longrepr, report.testmend = "failed", leak, {"message": leak}


def pytest_runtest_logstart(nodeid):
    send("testStarted", key=nodeid)


def pytest_runtest_logreport(report):
    if report.when == "setup":  # Another try starts anew.
        run.reports[report.nodeid] = []
    run.reports.setdefault(report.nodeid, []).append(report)
    if report.when == "???":  # A worker of xdist is gone.
        pytest_runtest_logfinish(report.nodeid)


def pytest_runtest_logfinish(nodeid):
    reports = run.reports.pop(nodeid, [])
    if not reports:
        return
    failed = [one for one in reports if one.failed]
    if any(hasattr(one, "context") for one in failed):  # Subtests speak for the test around them.
        failed = [one for one in failed if hasattr(one, "context") or not re.search(r"contains \d+ failed subtest", one.longreprtext)]
    broken = any(one.when in ("setup", "teardown", "???") for one in failed) and not any(one.when == "call" for one in failed)
    last = reports[-1]
    texts = {"stdout": last.capstdout, "stderr": last.capstderr + last.caplog}
    skipped = next((one for one in reports if one.skipped), None) if not failed else None
    if skipped is not None and not hasattr(skipped, "context"):
        reason = getattr(skipped, "wasxfail", None)
        longrepr = skipped.longrepr
        why = longrepr[2] if isinstance(longrepr, tuple) else f"Expected to fail{': ' if reason else ''}{reason or ''}"
        texts["stdout"] += why + "\n"
    for stream, text in texts.items():
        if text:
            send("output", key=nodeid, stream=stream, text=text)
    outcome = ("errored" if broken else "failed") if failed else "skipped" if skipped else "passed"
    run.red = run.red or bool(failed)
    failures = {"failures": [failure_of_report(one) for one in failed]} if failed else {}
    send("testEnded", key=nodeid, outcome=outcome, durationMs=sum(one.duration for one in reports) * 1000, **failures)


# The end


def pytest_keyboard_interrupt(excinfo):
    run.unhandled.append(failure_of(excinfo.value, "pytest was ended: " + excinfo.exconly()))


def pytest_internalerror(excinfo):
    run.unhandled.append(failure_of(excinfo.value))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    status = int(exitstatus)
    if hasattr(session.config, "workerinput") or status == 4:  # What is wrong with the options stands on stderr.
        return
    if status not in (0, 5) and not run.red and not run.unhandled:
        run.unhandled.append({"message": f"No test failed, but pytest ended with exit code {status}."})
    send("runFinished", **({"unhandled": run.unhandled} if run.unhandled else {}))
