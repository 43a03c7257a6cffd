// Ends a process with everything it started: its group, its descendants, and whoever carries the mark of its run.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const markName = 'TESTMEND_RUN';

/** Carried by every process that this one starts: when this one was killed, the next start finds them by it. */
export const ownMark = randomBytes(8).toString('hex');

/** The environment mark of a run. A run inside a run keeps the outer marks too, so that the outer one finds it. */
export function runMark(id: string): Record<string, string> {
  const outer = process.env[markName];
  return { [markName]: [...(outer ? [outer] : []), ownMark, id].join(',') };
}

/** SIGTERM to the group, `graceMs`, then SIGKILL to group, walked descendants and marked processes. */
export async function endTree(
  pid: number,
  id: string,
  graceMs: number,
  exited: Promise<unknown>,
): Promise<void> {
  if (process.platform === 'win32') {
    await run('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  // Taken before the first signal: a process whose parent is gone can no longer be found by walking.
  const before = descendantsOf(pid, await processes());
  sendSignal(-pid, 'SIGTERM');
  for (const member of before.keys()) sendSignal(member, 'SIGTERM');
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([exited, new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))]);
  clearTimeout(timer);
  const now = await processes();
  sendSignal(-pid, 'SIGKILL');
  for (const member of descendantsOf(pid, now).keys()) sendSignal(member, 'SIGKILL');
  // An id may have passed to somebody else's process since.
  for (const [member, startTime] of before)
    if (now.get(member)?.startTime === startTime) sendSignal(member, 'SIGKILL');
  await endMarked(id);
}

/** SIGKILLs the groups at once, and on Linux whatever else this process has started: it exits, and has no time to ask for more. */
export function endAtExit(pids: readonly number[]): void {
  if (pids.length === 0) return;
  for (const pid of pids) sendSignal(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  if (process.platform === 'linux') for (const pid of markedOnLinux(ownMark)) sendSignal(pid, 'SIGKILL');
}

/** SIGKILLs what a process that ended by itself left behind in its group or under its mark. */
export async function endLeftovers(pid: number, id: string): Promise<void> {
  if (process.platform !== 'win32') sendSignal(-pid, 'SIGKILL');
  await endMarked(id);
}

/**
 * SIGKILLs every process that carries the mark, until none is left: one may start another meanwhile, and on a busy machine it takes
 * a while until a killed process is gone. Gives up after a second. On Windows nothing is looked up: environments of other
 * processes cannot be read there.
 */
export async function endMarked(id: string): Promise<void> {
  for (let round = 0; round < 100; round++) {
    const found = await markedProcesses(id);
    if (found.length === 0) return;
    for (const pid of found) sendSignal(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * SIGKILLs every process that works in a folder (absolute): it stands there, runs a program of it, or has a file of it open. Finds them
 * on Linux only; our own is never among them.
 */
export async function endWorkingIn(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < 100; round++) {
    const found = processFolders().filter((pid) =>
      linksOf(pid).some((link) => `${link}/`.startsWith(`${folder}/`)),
    );
    if (found.length === 0) return;
    for (const pid of found) sendSignal(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Where a process stands, its program, and its open files. */
function linksOf(pid: number): readonly string[] {
  const read = (name: string): readonly string[] => {
    try {
      return [readlinkSync(`/proc/${pid}/${name}`)];
    } catch {
      return []; // gone meanwhile, or another user's
    }
  };
  const files = (): readonly string[] => {
    try {
      return readdirSync(`/proc/${pid}/fd`).map((name) => `fd/${name}`);
    } catch {
      return [];
    }
  };
  return ['cwd', 'exe', 'root', ...files()].flatMap(read);
}

/** Pids of live processes whose environment carries the mark of the run; our own is never among them. */
async function markedProcesses(id: string): Promise<number[]> {
  if (process.platform === 'linux') return markedOnLinux(id);
  if (process.platform === 'win32') return [];
  const marked = new RegExp(`\\b${markName}=[0-9a-f,]*${id}\\b`);
  const lines = (await run('ps', ['eww', '-A', '-o', 'pid=,command='])).split('\n');
  return lines.filter((line) => marked.test(line)).flatMap((line) => pidOf(line) ?? []);
}

function markedOnLinux(id: string): number[] {
  return processFolders().filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      if (!environment.includes(id)) return false;
      const mark = environment.split('\0').find((entry) => entry.startsWith(`${markName}=`));
      // A process that was killed but not yet waited for by its parent still has a folder, with an empty environment.
      return (
        mark
          ?.slice(markName.length + 1)
          .split(',')
          .includes(id) ?? false
      );
    } catch {
      return false; // gone meanwhile, or another user's
    }
  });
}

function processFolders(): number[] {
  return readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) && name !== String(process.pid) ? Number(name) : [],
  );
}

interface RunningProcess {
  readonly parent: number;
  /** As the system tells it; of two processes with one id it differs. */
  readonly startTime: string;
}

/** The children of a process, their children and so on: start times by id. */
function descendantsOf(pid: number, all: ReadonlyMap<number, RunningProcess>): Map<number, string> {
  const children = new Map<number, number[]>();
  for (const [child, { parent }] of all) {
    const known = children.get(parent);
    if (known) known.push(child);
    else children.set(parent, [child]);
  }
  const found = new Map<number, string>();
  const queue = [pid];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const child of children.get(next) ?? []) {
      found.set(child, all.get(child)?.startTime ?? '');
      queue.push(child);
    }
  }
  return found;
}

/** What runs on this machine, by id. */
async function processes(): Promise<ReadonlyMap<number, RunningProcess>> {
  if (process.platform === 'linux') {
    return new Map(
      processFolders().flatMap((pid) => {
        try {
          // `pid (name) state ppid …`; the name may hold spaces and brackets, so count from the last bracket.
          const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
          const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          return [[pid, { parent: Number(fields[1]), startTime: fields[19] ?? '' }] as const];
        } catch {
          return [];
        }
      }),
    );
  }
  const lines = (await run('ps', ['-A', '-o', 'pid=,ppid=,lstart='])).split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [pid, parent, ...startTime] = line.trim().split(/\s+/);
      return pid && parent
        ? [[Number(pid), { parent: Number(parent), startTime: startTime.join(' ') }] as const]
        : [];
    }),
  );
}

function pidOf(line: string): number | undefined {
  const pid = Number.parseInt(line, 10);
  return Number.isInteger(pid) && pid > 1 && pid !== process.pid ? pid : undefined;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
}

/** Output of a system tool, empty when it fails. */
function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { maxBuffer: 64 * 1024 * 1024, timeout: 5_000, windowsHide: true },
      (_error, stdout) => resolve(stdout),
    );
  });
}
