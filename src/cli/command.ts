// What every command is given and what it gives back; main.ts does the printing of JSON and the exit.
import type { Options } from './options.ts';
import type { Terminal } from './terminal.ts';

export interface CommandContext {
  readonly options: Options;
  /** Files given after the command's name, as typed. */
  readonly files: readonly string[];
  readonly terminal: Terminal;
  /** Aborted by ctrl-C (reason: HumanError `cancelled`) and by --timeout (reason: HumanError `timeout`). */
  readonly signal: AbortSignal;
}

export interface CommandResult {
  readonly exitCode: number;
  /** The document for --json; nobody looks at it without. */
  readonly json: unknown;
  /** The same document as text with its line end, in pieces to be written one after the other, where it is there already. */
  readonly document?: readonly (string | Uint8Array)[];
}

/** Prints for people unless `terminal.json`; throws HumanError for what the user can mend. */
export type Command = (context: CommandContext) => Promise<CommandResult>;

/** INTERFACES, CLI: 130 cancelled > 124 time limit > 2 usage error, broken project, no test ran > 1 failures remain > 0. */
export const exitCodes = { ok: 0, failures: 1, usage: 2, timeout: 124, cancelled: 130 } as const;
