"""The part of testmend_pytest.py that chooses tests and tells which there are. PYTEST_DONT_REWRITE"""
import os
import re

import pytest
from testmend_pytest_failures import cause_of, failure_of, failure_of_report
from testmend_pytest_run import IS_PIPE, ORDER, run, send, strange_module


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
    for name in (
        *("lf", "failedfirst", "newfirst", "stepwise", "stepwise_skip"),
        *("collectonly", "setuponly", "setupplan", "usepdb", "trace"),
    ):
        if getattr(config.option, name, False):
            setattr(config.option, name, False)
    run.stops = not config.option.continue_on_collection_errors
    config.option.continue_on_collection_errors = True
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
    if IS_PIPE and hasattr(writer, "_file"):  # Everything it says, we tell.
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
        run.broken += 1
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
    run.others = [item for item in items if not is_wanted(item)]
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
    collected([(str(item.path), told(item)) for item in [*session.items, *left_out, *run.others]])
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
