// The memory of a fix cycle over 5,000 tests and 500 failures: the command's own process, iteration by iteration, and its compiler's.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childrenOf } from '../support/processesIn.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import type { BenchRow } from './measure.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const files = 200;
const testsPerFile = 25;
const failingFiles = 20;
const iterations = 10;

/** Empty where the system does not tell the memory of a process. */
export async function bench(): Promise<readonly BenchRow[]> {
  if (process.platform !== 'linux') return [];
  return [...(await engine()), ...(await compiler())];
}

async function engine(): Promise<readonly BenchRow[]> {
  const workspace = await failingWorkspace();
  try {
    const { seen, most, lives } = await watch(workspace.root, iterations);
    if (seen.length !== iterations) throw new Error(`The cycle ended after ${seen.length} iterations.`);
    const [first = Number.NaN, last = Number.NaN] = [seen[0], seen.at(-1)];
    const [early = Number.NaN, late = Number.NaN] = lives;
    const name = `memory of a cycle, ${files * testsPerFile} tests, ${failingFiles * testsPerFile} failing`;
    return [
      { name, value: most, unit: 'MB', limit: 250, note: 'the most at any moment' },
      { name: '  after the first iteration', value: first, unit: 'MB' },
      {
        name: `  after the last of ${iterations}`,
        value: last,
        unit: 'MB',
        limit: first * 1.1,
        note: seen.map((one) => one.toFixed(0)).join(' '),
      },
      { name: '  alive in its heap after the first', value: early, unit: 'MB' },
      { name: '  alive in its heap after the last but one', value: late, unit: 'MB', limit: early * 1.1 },
    ];
  } finally {
    await workspace.dispose();
  }
}

/** A test that its compiler stops: it is asked what to do about that. */
async function compiler(): Promise<readonly BenchRow[]> {
  const compilerOptions = {
    strict: true,
    module: 'commonjs',
    moduleResolution: 'node10',
    ignoreDeprecations: '6.0',
    target: 'es2022',
    types: [],
  };
  const load = `(name: string): { name: string } {\n  return { name };\n}\n`;
  const workspace = await temporaryWorkspace(
    {
      'package.json': JSON.stringify({
        devDependencies: { jest: '29', 'ts-jest': '29' },
        jest: { preset: 'ts-jest', testEnvironment: 'node' },
      }),
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      'src/food.ts': `export function load${load}`,
      'test/food.test.ts': `import { load } from '../src/food';\n\ndeclare const it: (title: string, body: () => unknown) => void;\ndeclare const expect: (value: unknown) => { toBe(value: unknown): void };\n\nit('loads', () => {\n  expect(load('a').name).toBe('a');\n});\n`,
    },
    { git: true, packages: ['jest', 'ts-jest', 'typescript', '@babel', '@jest', 'babel-jest'] },
  );
  try {
    const later = load.replace('{ name: string }', 'Promise<{ name: string }>');
    await workspace.write('src/food.ts', `export async function load${later}`);
    const { workers } = await watch(workspace.root, 2);
    if (workers.most === 0) throw new Error('The compiler was not asked.');
    return [
      {
        name: "the compiler's process",
        value: workers.most,
        unit: 'MB',
        note: `apart from the engine; asked ${workers.asked}×, lived ${workers.livedMs.toFixed(0)} ms in all`,
      },
      { name: '  left at the end of an iteration', value: workers.left, unit: 'MB', limit: 0 },
    ];
  } finally {
    await workspace.dispose();
  }
}

interface Memory {
  /** Resident, MB, at the end of each iteration. */
  readonly seen: readonly number[];
  readonly most: number;
  /** MB that a collection leaves, after the first iteration and the last but one: no suite runs for the last time then. */
  readonly lives: readonly number[];
  readonly workers: Workers;
}

/** Of processes that ask the compiler. */
interface Workers {
  /** Resident, MB, of one. */
  most: number;
  asked: number;
  livedMs: number;
  /** Resident, MB, of those that lived when an iteration or the cycle ended. */
  left: number;
}

/** Answers every message with what lives in the heap, bytes. */
const tellHeap =
  "process.on('message', () => { globalThis.gc(); process.send(process.memoryUsage().heapUsed); }); process.channel?.unref();";

/** One fix in each iteration, so that there are as many as asked for. */
async function watch(root: string, most: number): Promise<Memory> {
  const limits = ['--strategy', 'surgical', '--max-iterations', String(most)];
  const flags = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(tellHeap)}`];
  const child = spawn(
    process.execPath,
    [...flags, cli, 'fix', '--dry-run', '--assume', 'source-is-right', '--events', 'ndjson', ...limits],
    { cwd: root, stdio: ['ignore', 'pipe', 'ignore', 'ipc'] },
  );
  const pid = child.pid ?? 0;
  const memory = { seen: [] as number[], most: Number.NaN, lives: [] as number[] };
  const workers: Workers = { most: 0, asked: 0, livedMs: 0, left: 0 };
  const timer = watchWorkers(pid, workers);
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    const isIteration = line.startsWith('{"type":"iterationEnded"');
    if (isIteration) memory.seen.push(await memoryOf(pid, 'VmRSS'));
    if (!isIteration && !line.startsWith('{"type":"cycleEnded"')) continue;
    // Read now and not at the end, when there is no process to ask.
    memory.most = await memoryOf(pid, 'VmHWM').catch(() => memory.most);
    for (const worker of workersOf(pid)) workers.left += await memoryOf(worker, 'VmRSS').catch(() => 0);
    const { length } = memory.seen;
    if (isIteration && (length === 1 || length === most - 1)) memory.lives.push(await heapOf(child));
  }
  clearInterval(timer);
  return { ...memory, workers };
}

/** A look every so often: what lives shorter is not seen. */
function watchWorkers(pid: number, workers: Workers): NodeJS.Timeout {
  const known = new Set<number>();
  let last = performance.now();
  return setInterval(() => {
    const [now, before] = [performance.now(), last];
    last = now;
    for (const worker of workersOf(pid)) {
      if (!known.has(worker)) workers.asked++;
      known.add(worker);
      workers.livedMs += now - before;
      void memoryOf(worker, 'VmHWM')
        .then((size) => (workers.most = Math.max(workers.most, size || 0)))
        .catch(() => undefined);
    }
  }, 50);
}

const workersOf = (pid: number): readonly number[] =>
  childrenOf(pid)
    .filter(({ command }) => command.includes('typeChild'))
    .map((one) => one.pid);

async function heapOf(child: ChildProcess): Promise<number> {
  child.send('heap');
  const [bytes] = await once(child, 'message');
  return Number(bytes) / 1024 ** 2;
}

async function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
  return Number(kilobytes) / 1024;
}

/** Each test of the first files expects a word that its source no longer says. */
async function failingWorkspace(): Promise<TemporaryWorkspace> {
  const source = (word: string): string =>
    `exports.say = (name, n) => \`${word} \${n}, \${name}\`;\nexports.keep = (n) => n;\n`;
  const testFile = (file: number): string => {
    const tests = Array.from({ length: testsPerFile }, (_, n) =>
      file < failingFiles
        ? `  it('says ${n}', () => {\n    assert.equal(say('Ada', ${n}), 'Hi ${n}, Ada');\n  });\n`
        : `  it('keeps ${n}', () => {\n    assert.equal(keep(${n}), ${n});\n  });\n`,
    );
    const head = `const assert = require('node:assert/strict');\nconst { say, keep } = require('../src/say${file}.js');\n\n`;
    return `${head}describe('part ${file}', () => {\n${tests.join('')}});\n`;
  };
  const parts = Array.from({ length: files }, (_, file) => file);
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{"devDependencies":{"mocha":"11"}}',
      '.mocharc.json': '{"spec":"test/**/*.test.js"}',
      ...Object.fromEntries(
        parts.flatMap((file) => [
          [`src/say${file}.js`, source('Hi')],
          [`test/part${file}.test.js`, testFile(file)],
        ]),
      ),
    },
    { git: true, packages: ['mocha'] },
  );
  for (const file of parts.slice(0, failingFiles))
    await workspace.write(`src/say${file}.js`, source('Hello'));
  return workspace;
}
