// `node --import tsx test/queue/main.ts PART…`: runs the test files of the parts as one queue for two processes, longest first, so that
// none of them idles at the end. `--record` renews the recorded times; all other options go to mocha.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { prepare } from './prepare.ts';
import { filesOf, isPart, partNames } from './parts.ts';
import { readTimes, type FileTime } from './recordTimes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const timesFile = path.join(import.meta.dirname, 'times.json');
/** One that was never recorded may be a long one. */
const unknownSeconds = 10;

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('-') && arg !== '--record');
const parts = args.filter((arg) => !arg.startsWith('-'));
const unknown = parts.filter((part) => !isPart(part));
if (unknown.length > 0 || parts.length === 0) {
  console.error(`Name parts of the suite: ${partNames.join(', ')}; not ${unknown.join(', ') || 'none'}.`);
  process.exitCode = 2;
} else process.exitCode = await main();

async function main(): Promise<number> {
  const wanted = parts.filter(isPart);
  prepare(wanted);
  const recorded = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(timesFile, 'utf8')));
  const secondsOf = (file: string): number => recorded[file] ?? unknownSeconds;
  const files = filesOf(wanted).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'testmend-queue-'));
  try {
    const log = path.join(folder, 'times');
    const code = await mocha(files, log);
    const times = readTimes(log);
    for (const { file, seconds, cpuSeconds } of times.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
      console.log(`slowest: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor: ${file}`);
    if (args.includes('--record')) record(recorded, times);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Mocha gives the files to its processes in this order. */
function mocha(files: readonly string[], log: string): Promise<number> {
  const script = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
  const recorder = path.join(import.meta.dirname, 'recordTimes.ts');
  const child = spawn(
    process.execPath,
    [script, '--parallel', '--jobs', '2', '--require', recorder, ...options, ...files],
    { cwd: root, stdio: 'inherit', env: { ...process.env, QUEUE_TIMES: log } },
  );
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Of files that are gone nothing is kept. */
function record(former: Readonly<Record<string, number>>, times: readonly FileTime[]): void {
  const measured = Object.fromEntries(
    times.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10]),
  );
  const all = { ...former, ...measured };
  const kept = filesOf(partNames)
    .toSorted()
    .flatMap((file) => (file in all ? [[file, all[file]]] : []));
  writeFileSync(timesFile, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}
