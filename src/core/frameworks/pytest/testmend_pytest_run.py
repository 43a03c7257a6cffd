"""What is known of a run under testmend_pytest.py, and its line to Testmend: one JSON object a line on fd 3. PYTEST_DONT_REWRITE"""
import json
import os
import signal
import sys

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
        self.met = None  # The same as source, while a fix is sought.
        self.item = None
        self.held = None  # The failure that a test ended with after it went on; told already.
        self.loops = {}  # By line: which row each loop of the test was in when it ended.
        self.reports = {}
        self.deselected = []
        self.others = []  # Nobody asked for them; told, so that it is known that their files were looked into.
        self.unhandled = []
        self.told = set()  # Files.
        self.collected = False
        self.red = False
        self.stops = False  # Would pytest alone run no test where a file does not load?
        self.broken = 0  # What did not load.
        self.ended = 0  # Tests.
        self.modules = 0


run = Run()


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
