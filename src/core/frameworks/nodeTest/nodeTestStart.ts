// How a script starts node's test runner, whatever it starts it through.
import type { ShellWord } from '../shellWords.ts';

export interface NodeTestCommand {
  /** Flags of node that a test file needs, values joined by `=`. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of files, folders and patterns; what begins with `!` is left out of them. */
  readonly targets: readonly ShellWord[];
  /** Its files may not run beside each other. */
  readonly isSerial: boolean;
  /** Sentences for the user on what was left out. */
  readonly notes: readonly string[];
  /** What starts node's runner, where it is not node itself. */
  readonly runner?: 'borp';
}
