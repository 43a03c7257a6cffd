// `--sandbox`: where fixes are tried, in a copy or in the workspace itself.
import { HumanError } from '../core/base/humanError.ts';
import type { Workspace } from '../core/model/settings.ts';
import { plainLine } from '../core/reports/paint.ts';
import { whileReading } from '../core/sandbox/readWorkspace.ts';
import type { Sandbox } from '../core/sandbox/sandbox.ts';
import type { CommandContext } from './command.ts';

/**
 * Does the work with the sandbox that was asked for; in place, the workspace is as it was when this resolves. Throws what
 * `openInPlaceSandbox` throws, or, for a copy, `whileReading`.
 */
export async function withSandbox<T>(
  { options, terminal, signal }: Pick<CommandContext, 'options' | 'terminal' | 'signal'>,
  { root }: Workspace,
  work: (chosen: { readonly sandbox?: Sandbox }) => Promise<T>,
): Promise<T> {
  const told: Promise<void>[] = [];
  const onNote = (note: string): void => void told.push(terminal.err(`! ${plainLine(note)}\n`));
  if (options.choice('sandbox', ['copy', 'in-place']) !== 'in-place')
    return whileReading(root, onNote, () => work({}));
  const { openInPlaceSandbox } = await import('../core/sandbox/inPlaceSandbox.ts');
  const sandbox = await openInPlaceSandbox({ root, signal, onNote });
  try {
    return await work({ sandbox });
  } finally {
    await sandbox.dispose();
    await Promise.all(told);
  }
}

/** An agent may write anything anywhere: nobody could say which of it was the user's after a kill. */
export function refuseAgentInPlace({ options }: Pick<CommandContext, 'options'>): void {
  if (options.text('agent') === undefined || options.choice('sandbox', ['copy', 'in-place']) !== 'in-place')
    return;
  throw new HumanError('usage', '--agent and --sandbox in-place exclude each other.', {
    remedy: 'An agent works in a copy only, which is thrown away: leave --sandbox in-place out.',
  });
}
