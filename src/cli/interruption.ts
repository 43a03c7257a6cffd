// Ctrl-C and --timeout as one AbortSignal: the first ctrl-C cancels cleanly, the second leaves at once.
import { CutOff } from '../core/base/cutOff.ts';
import { HumanError } from '../core/base/humanError.ts';
import { reasonCode } from '../core/base/reasonCode.ts';
import { interrupts, leaveAtOnce, leaveOnInterrupt } from './leaveAtOnce.ts';

/** Runs `work` with a signal; `limitMs` is for the whole of it. Afterwards an interrupt leaves at once again. */
export async function withInterruption<T>(
  limitMs: number | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onInterrupt = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted && reasonCode(controller.signal) === 'cancelled') leaveAtOnce();
    const remedy = 'Start it again when you are ready.';
    // Only ctrl-C is a person's wish: a terminal that closes or a machine that goes down is not.
    const isWished = name === 'SIGINT';
    controller.abort(isWished ? new HumanError('cancelled', 'Cancelled.', { remedy }) : new CutOff());
  };
  for (const name of interrupts) process.on(name, onInterrupt).off(name, leaveAtOnce);
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          controller.abort(
            new HumanError('timeout', `The time limit of ${limitMs / 1000} s was reached.`, {
              value: String(limitMs / 1000),
              remedy: 'Allow more time with --timeout, or name fewer files.',
            }),
          );
        }, limitMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    leaveOnInterrupt();
    for (const name of interrupts) process.off(name, onInterrupt);
  }
}
