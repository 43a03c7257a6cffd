// What a proposal with its verdict costs beyond the framework's own runs: whole cycles in this process, with those runs taken out.
import { mendWorkspace } from '../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { median, type BenchRow } from './measure.ts';
import { coveredBy, watchRuns, type Span } from './watchRuns.ts';

const rounds = 3;

export async function bench(): Promise<readonly BenchRow[]> {
  const runs = watchRuns(/vitest/);
  const rows: BenchRow[] = [];
  for (const failing of [1, 10]) {
    const workspace = await wordsWorkspace(failing);
    try {
      const measured: Measured[] = [];
      for (let round = 0; round <= rounds; round++) measured.push(await measure(workspace, runs));
      // The first round loaded the parser and what else waits until it is needed.
      rows.push(...rowsOf(measured.slice(1), failing));
    } finally {
      await workspace.dispose();
    }
  }
  return rows;
}

interface Measured {
  readonly proposals: number;
  readonly runs: number;
  /** Wall time in which no run of the framework was alive, ms. */
  readonly ownMs: number;
  /** Processor time of this process, ms. */
  readonly cpuMs: number;
}

function rowsOf(measured: readonly Measured[], failing: number): readonly BenchRow[] {
  const name = `a proposal with its verdict, ${failing === 1 ? 'alone' : `of ${failing}`}`;
  const each = (pick: (one: Measured) => number): number =>
    median(measured.map((one) => pick(one) / Math.max(1, one.proposals)));
  const runs = median(measured.map((one) => one.runs));
  return [
    {
      name,
      value: each(({ ownMs }) => ownMs),
      unit: 'ms',
      limit: 1_000,
      note: `beside ${runs} runs of vitest`,
    },
    { name: '  processor time of the cycle', value: each(({ cpuMs }) => cpuMs), unit: 'ms' },
  ];
}

async function measure(workspace: TemporaryWorkspace, runs: Span[]): Promise<Measured> {
  runs.length = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const { fixes } = await mendWorkspace(workspace, { assume: 'source-is-right' });
  const ended = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const proposals = fixes.filter(({ verdict }) => verdict.verdict === 'verified').length;
  if (proposals === 0) throw new Error('Nothing was proposed.');
  return {
    proposals,
    runs: runs.length,
    ownMs: ended - started - coveredBy(runs, started, ended),
    cpuMs: (user + system) / 1_000,
  };
}

/** Each test expects a word that the source no longer says. */
async function wordsWorkspace(failing: number): Promise<TemporaryWorkspace> {
  const numbers = Array.from({ length: failing }, (_, index) => index);
  const source = (word: string): string =>
    numbers.map((n) => `export const say${n} = (name) => \`${word} ${n}, \${name}\`;\n`).join('');
  const tests = numbers.map((n) => [
    `tests/say${n}.test.js`,
    `import { expect, test } from 'vitest';\nimport { say${n} } from '../src/say.js';\n\ntest('says ${n}', () => {\n  expect(say${n}('Ada')).toBe('Hi ${n}, Ada');\n});\n`,
  ]);
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
      'src/say.js': source('Hi'),
      ...Object.fromEntries(tests),
    },
    { git: true, vitest: true },
  );
  await workspace.write('src/say.js', source('Hello'));
  return workspace;
}
