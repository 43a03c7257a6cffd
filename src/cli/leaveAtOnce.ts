// What ctrl-C does before a command can be cancelled, and after it: the exit code says so, whatever was going on.
import { exitCodes } from './command.ts';

export const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ends this process with the code for "cancelled". */
export const leaveAtOnce = (): never => process.exit(exitCodes.cancelled);

export function leaveOnInterrupt(): void {
  for (const name of interrupts) process.on(name, leaveAtOnce);
}
