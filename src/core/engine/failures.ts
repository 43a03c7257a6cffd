// What failed in the last runs of one root, by test and by line, for diagnostics and code actions.
import type { TestResult } from '../model/testResult.ts';

/** A failing test at one line of a file. */
interface FailurePlace {
  readonly result: TestResult;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export class Failures {
  readonly #results = new Map<string, TestResult>();

  /** Takes the newest result of a test. */
  add(result: TestResult): void {
    if (result.outcome === 'failed' || result.outcome === 'errored') this.#results.set(result.id, result);
    else this.#results.delete(result.id);
  }

  get(id: string): TestResult | undefined {
    return this.#results.get(id);
  }

  /** Forgets tests that a fix made pass, until they run again. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#results.delete(id);
  }

  clear(): void {
    this.#results.clear();
  }

  /** Failing tests of a test file. */
  ofFile(file: string): readonly TestResult[] {
    return [...this.#results.values()].filter((result) => result.file === file);
  }

  /** Places in a file where an assertion failed; a failure without a place is at its test's line. */
  at(file: string): readonly FailurePlace[] {
    const places: FailurePlace[] = [];
    for (const result of this.#results.values()) {
      const failures = [result.failure, ...(result.moreFailures ?? [])].filter(
        (failure) => failure !== undefined,
      );
      for (const failure of failures) {
        const place = failure.location ?? { file: result.file, line: result.line, column: 1 };
        if (place.file === file)
          places.push({
            result,
            line: Math.max(1, place.line),
            column: Math.max(1, place.column),
            message: failure.message,
          });
      }
    }
    return places;
  }

  /** Files with failures, relative to the root. */
  files(): ReadonlySet<string> {
    const files = new Set<string>();
    for (const result of this.#results.values()) {
      files.add(result.file);
      for (const failure of [result.failure, ...(result.moreFailures ?? [])])
        if (failure?.location !== undefined && !failure.location.file.startsWith('/'))
          files.add(failure.location.file);
    }
    return files;
  }
}
