"""A plugin for `pytest --collect-only`: writes what pytest lists, with lines, to LISTED_TESTS_FILE."""
import json
import os

import pytest

left_out = []
tests = []


def pytest_collectreport(report):
    file = report.nodeid.split("::")[0]
    if report.failed or (report.skipped and file.endswith(".py")):
        left_out.append({"file": os.path.abspath(file), "why": str(report.longrepr)[-200:]})


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Before options such as -m leave some of them out."""
    for item in items:
        classes = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
        here = os.path.realpath(os.path.join(str(item.config.rootpath), item.location[0])) == os.path.realpath(str(item.path))
        test = {"file": str(item.path), "names": [*classes, item.name]}
        if here and item.location[1] is not None:
            test["line"] = item.location[1] + 1
        if hasattr(item, "callspec"):
            test["template"] = item.originalname
        tests.append(test)


def pytest_sessionfinish():
    with open(os.environ["LISTED_TESTS_FILE"], "w", encoding="utf-8") as out:
        json.dump({"tests": tests, "leftOut": left_out}, out)
