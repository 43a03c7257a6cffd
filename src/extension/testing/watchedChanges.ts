// Which changes of files may start a continuous run: what somebody saves does, what tests write themselves at most once.

/** Changes that came together; files by root and path in it. */
export interface Changes {
  readonly saved: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
}

/** The watcher tells of what a test wrote a while after it happened, ms. */
const echoMs = 1_500;

export class WatchedChanges {
  readonly #saved = new Set<string>();
  readonly #written = new Set<string>();
  /** Written while tests ran: once is followed. */
  readonly #byTests = new Map<string, 'followed' | 'told'>();
  readonly #duringRun = new Set<string>();
  #running = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  runStarted(): void {
    this.#running++;
  }

  runEnded(now: number): void {
    this.#running--;
    this.#endedAt = now;
  }

  /** An editor saved the file: the user's wish, whatever tests did to it before. */
  saved(file: string): void {
    this.#saved.add(file);
    this.#written.delete(file);
    this.#duringRun.delete(file);
    this.#byTests.delete(file);
  }

  /** The file was written, made or deleted by whomever. */
  written(file: string, now: number): void {
    // The watcher tells of a save as well. Later echoes of it are found to have changed nothing.
    if (this.#saved.has(file)) return;
    if (this.#byTests.get(file) === 'told' && this.#isRunning(now)) return;
    this.#written.add(file);
    if (this.#isRunning(now)) this.#duringRun.add(file);
  }

  /** What came since the last call; undefined when nothing did. */
  take(): Changes | undefined {
    if (this.#saved.size + this.#written.size === 0) return undefined;
    const changes = { saved: new Set(this.#saved), written: new Set(this.#written) };
    this.#saved.clear();
    this.#written.clear();
    return changes;
  }

  /**
   * Of written files whose content did change: those to run tests for, and those to tell the user about, because tests wrote
   * them again after a run that followed them.
   */
  judge(files: readonly string[]): { readonly run: readonly string[]; readonly tell: readonly string[] } {
    const run: string[] = [];
    const tell: string[] = [];
    for (const file of files) {
      const isByTests = this.#duringRun.delete(file);
      const known = this.#byTests.get(file);
      if (!isByTests) run.push(file);
      else if (known === undefined) {
        this.#byTests.set(file, 'followed');
        run.push(file);
      } else if (known === 'followed') {
        this.#byTests.set(file, 'told');
        tell.push(file);
      }
    }
    return { run, tell };
  }

  #isRunning(now: number): boolean {
    return this.#running > 0 || now - this.#endedAt < echoMs;
  }
}
