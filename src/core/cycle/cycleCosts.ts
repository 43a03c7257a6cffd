// What a cycle takes, and whether it may take more: time, test processes, and what others were asked for.
import type { CycleReport } from '../model/cycle.ts';
import type { FixProvider } from '../fixes/fixProvider.ts';
import { AheadStarts } from '../run/aheadStarts.ts';
import type { RunRequest } from '../run/runTests.ts';

/** Looked at between the steps of a cycle: a step that has begun ends. */
export interface CycleBudget {
  readonly timeMs?: number;
  /** Test processes, those of the sandbox and of the original together. */
  readonly processes?: number;
}

export class CycleCosts {
  readonly #started = performance.now();
  readonly #budget: CycleBudget;
  readonly #providers: readonly FixProvider[];
  readonly #ahead = new AheadStarts();
  #processes = 0;
  /** Counts each test process; for every run of the cycle. */
  readonly start: NonNullable<RunRequest['start']>;

  constructor(
    { timeMs, processes }: CycleBudget,
    providers: readonly FixProvider[],
    start: RunRequest['start'],
  ) {
    this.#budget = { ...(timeMs !== undefined && { timeMs }), ...(processes !== undefined && { processes }) };
    this.#providers = providers;
    this.start = (request, launch) => {
      this.#processes++;
      return (start ?? this.#ahead.start)(request, launch);
    };
  }

  /** No run follows. */
  dispose(): void {
    this.#ahead.dispose();
  }

  get durationMs(): number {
    return Math.round(performance.now() - this.#started);
  }

  /** Which limit is reached, as a sentence; undefined while there is none. */
  exceeded(): string | undefined {
    const { timeMs, processes } = this.#budget;
    if (timeMs !== undefined && this.durationMs >= timeMs)
      return `The ${timeMs / 1000} s that the cycle may take are used up.`;
    if (processes !== undefined && this.#processes >= processes)
      return `The ${processes} test processes that the cycle may start are used up.`;
    return undefined;
  }

  spent(): CycleReport['spent'] {
    const asked = this.#providers.flatMap((provider) => {
      const spending = provider.spent?.();
      if (spending === undefined || spending.requests === 0) return [];
      const { author, ...asked } = spending;
      return [{ provider: author, ...asked }];
    });
    return { testProcesses: this.#processes, asked };
  }
}
