// Why work was interrupted: by a person, or by a time limit.
import { HumanError } from './humanError.ts';

/** Why the signal was aborted; undefined when it was not. */
export function reasonCode(signal: AbortSignal): 'cancelled' | 'timeout' | undefined {
  if (!signal.aborted) return undefined;
  const reason: unknown = signal.reason;
  return reason instanceof HumanError && reason.code === 'timeout' ? 'timeout' : 'cancelled';
}
