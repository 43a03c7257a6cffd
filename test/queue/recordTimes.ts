// A plugin for mocha's processes: what each test file takes, of time and of the processor with all that it started.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Context, RootHookObject } from 'mocha';
import { z } from 'zod';

const fileTimeSchema = z.object({ file: z.string(), seconds: z.number(), cpuSeconds: z.number() });
export type FileTime = z.infer<typeof fileTimeSchema>;

const root = path.resolve(import.meta.dirname, '../..');
let start = now();

// With `--parallel` mocha calls these hooks for every file.
export const mochaHooks: RootHookObject = {
  beforeAll() {
    start = now();
  },
  afterAll(this: Context) {
    const log = process.env['QUEUE_TIMES'];
    const suite = this.test?.parent;
    const file = suite?.suites[0]?.file ?? suite?.tests[0]?.file;
    if (log === undefined || file === undefined) return;
    const end = now();
    const time: FileTime = {
      file: path.relative(root, file).replaceAll(path.sep, '/'),
      seconds: end.seconds - start.seconds,
      cpuSeconds: end.cpuSeconds - start.cpuSeconds,
    };
    appendFileSync(log, `${JSON.stringify(time)}\n`);
  },
};

/** What the files took whose processes had this log as QUEUE_TIMES. */
export function readTimes(log: string): readonly FileTime[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => fileTimeSchema.parse(JSON.parse(line)));
}

function now(): { readonly seconds: number; readonly cpuSeconds: number } {
  const { user, system } = process.cpuUsage();
  return { seconds: performance.now() / 1000, cpuSeconds: (user + system) / 1e6 + secondsOfChildren() };
}

/** Of all processes that were started from here and have ended; Node knows its own only, Linux tells in hundredths. */
function secondsOfChildren(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
