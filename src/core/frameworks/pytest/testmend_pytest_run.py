"""What is known of a run under testmend_pytest.py, and its line to Testmend: one JSON object a line, sealed as reporterChannel.cjs does it. PYTEST_DONT_REWRITE"""
import hashlib
import hmac
import json
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLACE = os.environ.pop("TESTMEND_CHANNEL", None)  # A descriptor, or a file where a debugger starts us.
IS_PIPE = PLACE is not None and len(PLACE) == 1
ORDER = json.loads(os.environ.pop("TESTMEND_PYTEST", "{}"))
PID = os.getpid()
FD = int(PLACE) if IS_PIPE else PLACE and os.open(PLACE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

if HERE in sys.path:  # Tests find what they would find without us; workers of xdist take over the path and need this file.
    sys.path.remove(HERE)
    sys.path.append(HERE)
if "pythonPath" in ORDER:
    os.environ.pop("PYTHONPATH", None)
    if ORDER["pythonPath"]:
        os.environ["PYTHONPATH"] = ORDER["pythonPath"]
if IS_PIPE and os.name == "posix":
    os.set_inheritable(FD, False)
    os.set_blocking(FD, True)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # Ends with its parent, also when a test hangs.


def channel(getpid=os.getpid, write=os.write, dumps=json.JSONEncoder(separators=(",", ":")).encode, digest=hmac.new, way=hashlib.sha256):
    """What tells a message. The key is gone from where it came before tests run, and natives are taken that tests may replace."""
    if not IS_PIPE:
        with open(PLACE + ".key", "rb") as file:
            key = file.read().strip()
        os.remove(PLACE + ".key")
    else:
        key = os.environ.pop("TESTMEND_CHANNEL_KEY", "").encode()
        while not key.endswith(b"\n") and os.name == "posix":
            key += os.read(FD, 1)
        key = key.strip()
    state = {"next": 0}

    def tell(kind, **message):
        """Blocking, so that everything said before a crash arrives. What a test forked is not the run."""
        if getpid() != PID:
            return
        if sys._getframe(1).f_globals.get("__file__") not in OURS or (kind in ENDS and is_in_test()):
            kind, message = "tampered", {"how": "Code under test spoke through the reporter."}
        text = ("%d %s" % (state["next"], dumps({"type": kind, **message}))).encode()
        state["next"] += 1
        rest = b"\ntestmend " + digest(key, text, way).hexdigest()[:32].encode() + b" " + text + b"\n"
        try:
            while rest:
                rest = rest[write(FD, rest) :]
        except OSError:  # Nobody reads any more.
            if os.name == "posix" and os.getpgid(0) == PID:
                os.killpg(PID, signal.SIGKILL)
            os._exit(70)

    return tell


def is_in_test():
    """Nothing ends while a test is being called: then it is the test that drives the hooks."""
    frame = sys._getframe(1)
    while frame and frame.f_code.co_name != "pytest_runtest_call":
        frame = frame.f_back
    return frame is not None


ENDS = {"testEnded", "fileEnded", "runFinished"}
OURS = {os.path.join(HERE, name) for name in os.listdir(HERE) if name.startswith("testmend_pytest")}
send = channel() if PLACE else lambda kind, **message: None


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
