// Tests that are to be run with pauses between their steps: which ones, and how long each pause is.

export interface PausedTest {
  /** Its suites and its title. */
  readonly names: readonly string[];
  /** Lines (from 1) of the text that are known to be in it. */
  readonly lines: readonly number[];
}

/** A step of a test, by the lines it stands on; `of`: how many steps the test has. */
export interface PausedStep {
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

/** Milliseconds before a step; 0: none. */
export type PauseBefore = (step: PausedStep) => number;

/** In all of one call of a test: loops would else take too long. */
export const mostPausedMs = 1200;
