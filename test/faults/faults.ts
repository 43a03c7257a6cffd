// `npm run check:faults`: kills fix cycles at random moments (`--kills N`, `--seed N`) and tells what the next start did not make good.
import { parseArgs } from 'node:util';
import { loadavg } from 'node:os';
import { killCycles } from './killedCycles.ts';

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const kills = Number(values.kills ?? 200);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Seed ${seed}: ${kills} kills. Load ${loadavg()[0]?.toFixed(1)}.`);
const startedAt = performance.now();
const found = await killCycles({ kills, seed, onKill: (line) => console.log(line) });
for (const problem of found.problems) console.error(`PROBLEM ${problem}`);
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(
  `${found.kills} kills, ${found.amidTrials} amid a trial, ${found.orphaning} with test processes left running: after the next start ${found.problems.length} problems. Seed ${seed}, ${minutes} min.`,
);
process.exitCode = found.problems.length === 0 && found.amidTrials > 0 ? 0 : 1;
