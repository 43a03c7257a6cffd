// What ctrl-C does before a command can be cancelled, and after it: exit code and document say so, whatever was going on.
import { writeSync } from 'node:fs';
import type { HumanError } from '../core/base/humanError.ts';
import { exitCodes } from './command.ts';

export const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isDocumentTold = false;

/** Stdout has the document of --json: nothing may follow it. */
export const documentTold = (): void => void (isDocumentTold = true);

/** Is this option among the arguments? What follows `--` are names of files. */
export function asksFor(option: '--json' | '--no-color', args: readonly string[]): boolean {
  return args.slice(0, args.includes('--') ? args.indexOf('--') : args.length).includes(option);
}

/** Ends this process with the code for "cancelled", and with --json with the document for it unless stdout has one. */
export function leaveAtOnce(): never {
  if (asksFor('--json', process.argv) && !isDocumentTold) tellCancelled();
  process.exit(exitCodes.cancelled);
}

/** As `HumanError` has it, without waiting for that or for the stream. */
function tellCancelled(): void {
  const error: ReturnType<HumanError['toJSON']> = {
    code: 'cancelled',
    message: 'Cancelled.',
    remedy: 'Start it again when you are ready.',
  };
  try {
    writeSync(1, `${JSON.stringify({ error })}\n`);
  } catch {
    // Whoever read it went away.
  }
}

export function leaveOnInterrupt(): void {
  for (const name of interrupts) process.on(name, leaveAtOnce);
}
