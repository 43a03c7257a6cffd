// Watches the test processes that this process starts, whoever in it starts them, so that their time can be taken out of a measurement.
import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/** A span of time, ms; without an end it still goes on. */
export interface Span {
  readonly start: number;
  end?: number;
}

/** Every start of a program whose arguments match, from now on. */
export function watchRuns(argument: RegExp): Span[] {
  const runs: Span[] = [];
  const original = childProcess.spawn;
  const watched = (...given: readonly unknown[]): ChildProcess => {
    const child: ChildProcess = Reflect.apply(original, childProcess, given);
    if (!argument.test(JSON.stringify(given[1]))) return child;
    const run: Span = { start: performance.now() };
    runs.push(run);
    child.once('close', () => (run.end = performance.now()));
    return child;
  };
  Object.assign(childProcess, { spawn: watched });
  syncBuiltinESMExports();
  return runs;
}

/** Time between two moments in which at least one of the spans went on, ms. */
export function coveredBy(spans: readonly Span[], from: number, until: number): number {
  let [sum, reached] = [0, from];
  for (const { start, end = until } of spans.toSorted((a, b) => a.start - b.start)) {
    sum += Math.max(0, Math.min(end, until) - Math.max(start, reached));
    reached = Math.max(reached, Math.min(end, until));
  }
  return sum;
}
