// Who made a sandbox or a journal: a process known by its id and start time, so that a pid used again is not taken for it.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { hasCode } from './readText.ts';

export const processOwnerSchema = z.object({ pid: z.number().int().positive(), startTime: z.string() });
export type ProcessOwner = z.infer<typeof processOwnerSchema>;

export async function thisProcess(): Promise<ProcessOwner> {
  return { pid: process.pid, startTime: await startTimeOf(process.pid) };
}

/** True while the very process runs that was recorded. */
export async function isOwnerRunning(owner: ProcessOwner): Promise<boolean> {
  return isRunning(owner.pid) && (await startTimeOf(owner.pid)) === owner.startTime;
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
      return `${boot.trim()}:${status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
    } catch {
      return '';
    }
  }
  if (process.platform === 'win32') return '';
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: 5_000 }, (_error, stdout) =>
      resolve(stdout.trim()),
    );
  });
}
