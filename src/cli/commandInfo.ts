// The entries of the command table: commands, their options, and the options that several commands share.
import type { Command } from './command.ts';

export interface OptionInfo {
  readonly name: string;
  /** flag: no value · text · seconds: above 0 · count: a whole number from 1 · percent: 0 to 100 · choice: one of `choices`. */
  readonly kind: 'flag' | 'text' | 'seconds' | 'count' | 'amount' | 'percent' | 'choice';
  /** Name of the value in help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** The meaning of the choices, told to whoever types another one. */
  readonly choiceHelp?: string;
  /** A value that starts with a dash is refused for good: what to do instead. */
  readonly noDash?: string;
  /** The value that a count takes when it is left out. */
  readonly usually?: string;
  /** The largest count allowed; 1000 by default. */
  readonly most?: number;
  /** May be given several times. */
  readonly repeatable?: boolean;
  readonly about: string;
}

export interface CommandInfo {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  /** Takes test files after its name. */
  readonly takesFiles: boolean;
  readonly options: readonly OptionInfo[];
  readonly exitCodes: string;
  /** It goes on until somebody ends it: `--timeout` is for each run. */
  readonly stays?: true;
  /** Loads the command's own code, so that no command pays for another. */
  load(): Promise<Command>;
}

export const layerOption: OptionInfo = {
  name: 'layer',
  kind: 'choice',
  value: 'L',
  choices: ['L1', 'L2', 'L3'],
  choiceHelp:
    'L1 holds unit tests and all tests that fit no other layer; L2 holds integration tests, recognised by folders and names such as integration, functional and contract; L3 holds end-to-end tests (e2e, playwright, cypress, acceptance).',
  about: 'only unit (L1), integration (L2) or end-to-end tests (L3)',
};

export const sandbox: OptionInfo = {
  name: 'sandbox',
  kind: 'choice',
  value: 'S',
  choices: ['copy', 'in-place'],
  about: 'where fixes are tried: copy (the default), or in-place, in the workspace itself',
};
