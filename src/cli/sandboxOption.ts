// `--sandbox`: where fixes are tried, in a copy or in the workspace itself.
import { HumanError } from '../core/base/humanError.ts';
import type { Workspace } from '../core/model/settings.ts';
import { plainLine } from '../core/reports/paint.ts';
import { withSandbox, type Sandbox } from '../core/engine/withSandbox.ts';
import type { CommandContext } from './command.ts';

/**
 * Does the work with the sandbox that was asked for, whose notes go to stderr; in place, the workspace is as it was when this resolves.
 * Throws what the engine throws.
 */
export async function inSandbox<T>(
  context: Pick<CommandContext, 'options' | 'terminal' | 'signal'>,
  { root }: Workspace,
  work: (chosen: { readonly sandbox?: Sandbox }) => Promise<T>,
): Promise<T> {
  const { onNote, told } = sandboxNotes(context);
  const choice = { root, inPlace: isInPlace(context), signal: context.signal, onNote };
  return withSandbox(choice, work).finally(told);
}

/** Tells notes of the sandbox on stderr; `told` resolves when they were handed over. */
export function sandboxNotes({ terminal }: Pick<CommandContext, 'terminal'>): {
  readonly onNote: (note: string) => void;
  readonly told: () => Promise<void>;
} {
  const told: Promise<void>[] = [];
  return {
    onNote: (note) => void told.push(terminal.err(`! ${plainLine(note)}\n`)),
    told: async () => void (await Promise.all(told)),
  };
}

export const isInPlace = ({ options }: Pick<CommandContext, 'options'>): boolean =>
  options.choice('sandbox', ['copy', 'in-place']) === 'in-place';

/** An agent may write anything anywhere: nobody could say which of it was the user's after a kill. */
export function refuseAgentInPlace({ options }: Pick<CommandContext, 'options'>): void {
  if (options.text('agent') === undefined || !isInPlace({ options })) return;
  throw new HumanError('usage', '--agent and --sandbox in-place exclude each other.', {
    remedy: 'An agent works only in a copy, which is deleted afterwards: leave out --sandbox in-place.',
  });
}
