// The seam for telling results: a reporter hears events and the end; a broken one never breaks the run it tells about.
import { errorMessage } from '../base/humanError.ts';
import type { CycleEvent, CycleReport } from '../model/cycle.ts';
import type { RunEvent, RunSummary } from '../model/testResult.ts';

export interface Reporter<Event, Result> {
  /** For the warning when it fails. */
  readonly name: string;
  onEvent?(event: Event): void;
  /** Called once, after the last event. */
  onEnd?(result: Result): void | Promise<void>;
}

export type RunReporter = Reporter<RunEvent, RunSummary>;
export type CycleReporter = Reporter<CycleEvent, CycleReport>;

/** Hands everything on to several reporters. The first error of each is told to `onTrouble`, and that reporter hears no more. */
export class ReporterGroup<Event, Result> implements Reporter<Event, Result> {
  readonly name = 'group';
  readonly #reporters: Set<Reporter<Event, Result>>;
  readonly #onTrouble: (message: string) => void;

  constructor(reporters: readonly Reporter<Event, Result>[], onTrouble: (message: string) => void) {
    this.#reporters = new Set(reporters);
    this.#onTrouble = onTrouble;
  }

  onEvent(event: Event): void {
    for (const reporter of this.#reporters) {
      try {
        reporter.onEvent?.(event);
      } catch (error) {
        this.#drop(reporter, error);
      }
    }
  }

  async onEnd(result: Result): Promise<void> {
    for (const reporter of this.#reporters) {
      try {
        await reporter.onEnd?.(result);
      } catch (error) {
        this.#drop(reporter, error);
      }
    }
  }

  #drop(reporter: Reporter<Event, Result>, error: unknown): void {
    this.#reporters.delete(reporter);
    this.#onTrouble(`Reporter ${reporter.name} failed: ${errorMessage(error)}`);
  }
}
