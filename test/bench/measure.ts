// Wall times measured side by side: the variants take turns, so that a noisy moment hits all of them alike.
import { spawn } from 'node:child_process';

export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | '×' | 'MB';
  /** The budget; a higher value is over it. */
  readonly limit?: number;
  readonly note?: string;
}

/** Median wall time of each variant in ms over `rounds` turns, after one turn that does not count. */
export async function medians<Name extends string>(
  variants: Readonly<Record<Name, () => Promise<unknown>>>,
  rounds: number,
): Promise<(name: Name) => number> {
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries<() => Promise<unknown>>(variants)) {
      const started = performance.now();
      await run();
      if (round > 0) times.set(name, [...(times.get(name) ?? []), performance.now() - started]);
    }
  }
  return (name) => median(times.get(name) ?? []);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Runs a program to its end; rejects when it exits with another code than 0. */
export function program(command: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output.slice(-2000)}`)),
    );
  });
}
