// How often the engine may die before it is left alone, and what the user is told each time.

/** It is started again by itself at most so often within the window; ms. */
const maxRestarts = 3;
const windowMs = 5 * 60_000;

export class Deaths {
  #times: number[] = [];

  /** Notes a death; returns how long to wait before the next start, ms, or undefined when there should be none. */
  note(now: number): number | undefined {
    this.#times = [...this.#times.filter((time) => now - time < windowMs), now];
    const deaths = this.#times.length;
    return deaths > maxRestarts ? undefined : 100 * 4 ** (deaths - 1);
  }

  forget(): void {
    this.#times = [];
  }
}

/** One sentence for all that a death interrupted. */
export function deathMessage(work: {
  readonly runs: number;
  readonly cycles: number;
  /** Fixes are tried in the workspace itself. */
  readonly isInPlace: boolean;
}): string {
  const runs = work.runs === 1 ? 'a test run' : `${work.runs} test runs`;
  const interrupted = [...(work.runs > 0 ? [runs] : []), ...(work.cycles > 0 ? ['a fix cycle'] : [])];
  const where = interrupted.length === 0 ? '' : ` during ${interrupted.join(' and ')}`;
  const tests = work.runs > 0 ? ' Tests that had not finished are shown as errored.' : '';
  const isTrial = work.isInPlace && work.cycles > 0;
  const files = isTrial
    ? ' and restores the files in which fixes were tried.'
    : '; Testmend changed no files.';
  return `Testmend: the engine stopped${where}. It restarts automatically${files}${tests}`;
}
