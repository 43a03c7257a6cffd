"""Pauses between the steps of tests, where Testmend wrote them into a copy: what is only late shows then. PYTEST_DONT_REWRITE"""
import threading

from testmend_pytest_run import run

MOST = 1200  # Milliseconds in all of one test: loops would else take too long.
SPENT = {"item": None, "ms": 0}


def pause(ms, event=threading.Event):
    """Not by `time.sleep`, which tests replace."""
    wait = share(ms)
    if wait > 0:
        event().wait(wait / 1000)


async def pause_async(ms, event=threading.Event):
    import asyncio  # Only where it is needed: it takes its time, at the start of each run.

    wait = share(ms)
    if wait > 0:
        await asyncio.get_running_loop().run_in_executor(None, event().wait, wait / 1000)


def share(ms):
    item = getattr(run.item, "nodeid", None)
    if SPENT["item"] != item:
        SPENT.update(item=item, ms=0)
    wait = min(ms, MOST - SPENT["ms"])
    SPENT["ms"] += wait
    return wait
