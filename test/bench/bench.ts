// The runner of `npm run bench`: loads every *.bench.ts beside it and prints one table of medians, ratios and budgets.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchRow } from './measure.ts';

const only = process.argv.slice(2);
const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.bench.ts')).sort();
let missed = 0;
for (const name of names.filter((name) => only.length === 0 || only.some((part) => name.includes(part)))) {
  const loaded: unknown = await import(pathToFileURL(path.join(import.meta.dirname, name)).href);
  if (!isBench(loaded)) throw new Error(`${name} exports no function bench()`);
  const rows = await loaded.bench();
  console.log(`\n${name.replace('.bench.ts', '')}`);
  for (const row of rows) console.log(line(row));
  missed += rows.filter((row) => row.limit !== undefined && row.value > row.limit).length;
}
console.log(missed === 0 ? '\nEvery budget is kept.' : `\n${missed} over budget.`);
process.exitCode = missed === 0 ? 0 : 1;

function isBench(loaded: unknown): loaded is { readonly bench: () => Promise<readonly BenchRow[]> } {
  return (
    typeof loaded === 'object' && loaded !== null && 'bench' in loaded && typeof loaded.bench === 'function'
  );
}

function line({ name, value, unit, limit, note }: BenchRow): string {
  const digits = unit === 'ms' ? 0 : 2;
  const budget =
    limit === undefined ? '' : `${value <= limit ? 'ok  ' : 'OVER'} ≤ ${limit.toFixed(digits)} ${unit}`;
  return `  ${name.padEnd(52)} ${value.toFixed(digits).padStart(8)} ${unit.padEnd(2)}  ${budget.padEnd(20)} ${note ?? ''}`.trimEnd();
}
