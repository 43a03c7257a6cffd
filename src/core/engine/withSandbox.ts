// Where fixes are tried: in a copy of the repository, or in the workspace itself.
import { whileReading } from '../sandbox/readWorkspace.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export type { Sandbox } from '../sandbox/sandbox.ts';

interface SandboxChoice {
  /** Absolute real path. */
  readonly root: string;
  readonly inPlace: boolean;
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
}

/**
 * Does the work with the sandbox that was asked for; in place, the workspace is as it was when this resolves. Throws what
 * `openInPlaceSandbox` throws, or, for a copy, `whileReading`.
 */
export async function withSandbox<T>(
  { root, inPlace, signal, onNote }: SandboxChoice,
  work: (chosen: { readonly sandbox?: Sandbox }) => Promise<T>,
): Promise<T> {
  if (!inPlace) return whileReading(root, onNote, () => work({}));
  const { openInPlaceSandbox } = await import('../sandbox/inPlaceSandbox.ts');
  const sandbox = await openInPlaceSandbox({ root, signal, onNote });
  try {
    return await work({ sandbox });
  } finally {
    await sandbox.dispose();
  }
}
