// Who made a sandbox or a journal: a process known by its id and start time, so that a pid used again is not taken for it.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { endMarked, ownMark } from '../process/processTree.ts';
import type { ProcessOwner } from './processOwnerSchema.ts';
import { hasCode } from '../workspace/readText.ts';

export async function thisProcess(): Promise<ProcessOwner> {
  return { pid: process.pid, startTime: await startTimeOf(process.pid), mark: ownMark };
}

/** Ends the processes that a killed owner left running; those of an owner that runs, or may run, are left alone. */
export async function endOrphans(owner: ProcessOwner): Promise<void> {
  if (owner.mark === undefined || (await isOwnerRunning(owner))) return;
  await endMarked(owner.mark);
}

/**
 * True while the very process runs that was recorded. Where the system does not tell when a process started, one with its id counts
 * as it: nothing is taken from a process that lives.
 */
export async function isOwnerRunning(owner: ProcessOwner): Promise<boolean> {
  if (!isRunning(owner.pid)) return false;
  const startTime = await startTimeOf(owner.pid);
  // It may have ended while it was asked about.
  if (startTime === '') return isRunning(owner.pid);
  return owner.startTime === '' || isSameStart(startTime, owner.startTime);
}

/** The same, but never of this process itself. */
export async function isOtherOwnerRunning(owner: ProcessOwner): Promise<boolean> {
  return !(owner.pid === process.pid && owner.mark === ownMark) && (await isOwnerRunning(owner));
}

/** Where the boot of the machine is known of both, it has to be the same. */
function isSameStart(one: string, other: string): boolean {
  const [[boot, ...start], [otherBoot, ...otherStart]] = [one.split(':'), other.split(':')];
  const mayBeSameBoot = boot === otherBoot || boot === '' || otherBoot === '';
  return mayBeSameBoot && start.join(':') === otherStart.join(':');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Empty where the system does not tell. */
async function startTimeOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    try {
      const [status, boot] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'latin1'),
        readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => ''),
      ]);
      // `pid (name) state …`: the start time is field 22; the name may hold spaces, so count from the bracket that closes it.
      const start = status.slice(status.lastIndexOf(')') + 2).split(' ')[19];
      return start === undefined ? '' : `${boot.trim()}:${start}`;
    } catch {
      return '';
    }
  }
  if (process.platform === 'win32') return '';
  return new Promise((resolve) => {
    // Its times are told in the language and the zone of who asks: everybody asks in the same.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: 5_000, env }, (_error, stdout) =>
      resolve(stdout.trim()),
    );
  });
}
