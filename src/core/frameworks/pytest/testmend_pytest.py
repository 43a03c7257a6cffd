"""Tells what becomes of each test. For pytest 7 and newer, without dependencies. PYTEST_DONT_REWRITE"""
import re
import sys

import pytest
import testmend_pytest_pause  # noqa: F401 (for tests with pauses, which find it by its name)
from testmend_pytest_collection import *  # noqa: F403 (its hooks are part of this plugin)
from testmend_pytest_collection import names_of
from testmend_pytest_failures import compared, failure_of, failure_of_report, is_internal
from testmend_pytest_goon import start
from testmend_pytest_run import run, send, strange_module
from testmend_pytest_values import met, values_met, write_down

start()


@pytest.hookimpl(tryfirst=True)
def pytest_assertrepr_compare(op, left, right):
    frame = sys._getframe(1)
    while frame and is_internal(frame.f_code):
        frame = frame.f_back
    place = frame and (frame.f_code, frame.f_lineno)
    run.met = place and (place, met(op, left, right, frame))
    if op in ("==", "is"):
        run.compared = place and (place, compared(left, right))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    run.item, run.met, run.held, run.loops = item, None, None, {}


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed and call.excinfo:
        missing = getattr(report.longrepr, "errorstring", None)  # A fixture that does not exist has no place of its own.
        report.testmend = failure_of(call.excinfo.value, missing, run.compared)
        if report.when == "call" and call.excinfo.value is not run.held:
            values = values_met(call.excinfo.value, run.met)
            if values:
                write_down(item, names_of(item), values, report.testmend, run.loops)
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
    run.ended += 1
    failures = {"failures": [failure_of_report(one) for one in failed]} if failed else {}
    send("testEnded", key=nodeid, outcome=outcome, durationMs=sum(one.duration for one in reports) * 1000, **failures)


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
    if run.stops and run.broken and run.ended:
        errors = "this collection error" if run.broken == 1 else f"these {run.broken} collection errors"
        others = "the other test was" if run.ended == 1 else f"the other {run.ended} tests were"
        send("note", text=f"pytest alone would stop at {errors}; {others} run.")
    send("runFinished", **({"unhandled": run.unhandled} if run.unhandled else {}))
