// A program by which all that another one starts stays below it, whatever it does to get away, and ends with it: where the system has that.
import { programOnPath } from './programOnPath.ts';

/**
 * Linux gives the children of a process that is gone to the nearest ancestor that asked for them (PR_SET_CHILD_SUBREAPER), which Node cannot.
 * So nobody gets away by leaving its session, its environment and its folder; but it runs with the user's rights, and may be ended first.
 */
const reaper = `
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
child = os.fork()
if child == 0:
    try:
        os.execv(sys.argv[1], sys.argv[1:])
    except OSError as error:
        print(error, file=sys.stderr)
    os._exit(127)
# Asked to end, it waits for the others; a handler, unlike an ignored signal, is not handed on.
for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(one, lambda *_: None)
status = 0
while True:
    pid, ended = os.waitpid(-1, 0)
    if pid == child:
        status = ended
        break
try:
    while True:
        with open(f'/proc/self/task/{os.getpid()}/children') as file:
            for pid in file.read().split():
                os.kill(int(pid), signal.SIGKILL)
        os.waitpid(-1, 0)
except OSError:
    pass # There is none left, or none that may be ended.
if os.WIFSIGNALED(status):
    if os.WTERMSIG(status) != signal.SIGKILL:
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
    os.kill(os.getpid(), os.WTERMSIG(status))
os._exit(os.WEXITSTATUS(status))
`;

/** What to start instead of `command` (absolute); undefined without a Python on a Linux. */
export function underReaper(
  command: string,
  args: readonly string[],
): { readonly command: string; readonly args: readonly string[] } | undefined {
  const python = process.platform === 'linux' ? programOnPath(['python3']) : undefined;
  // Isolated: nothing of the folder it is started in is imported.
  return python === undefined
    ? undefined
    : { command: python, args: ['-I', '-S', '-c', reaper, command, ...args] };
}
