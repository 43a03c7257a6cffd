// What a fix cycle costs beside the tests and the fixers, and against the loop that runs the suite after every fix.
import path from 'node:path';
import type { CycleRequest } from '../../src/core/cycle/cycleRequest.ts';
import type { FixProvider } from '../../src/core/fixes/fixProvider.ts';
import { fixProviders } from '../../src/core/fixes/providers.ts';
import { fileEdit } from '../../src/core/model/edit.ts';
import type { CycleReport } from '../../src/core/model/cycle.ts';
import { openCopySandbox } from '../../src/core/sandbox/copySandbox.ts';
import { mendWorkspace } from '../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../support/treeSnapshot.ts';
import { median, program, type BenchRow } from './measure.ts';
import { coveredBy, watchRuns, type Span } from './watchRuns.ts';

const rounds = 3;

export async function bench(): Promise<readonly BenchRow[]> {
  const runs = watchRuns(/mocha|vitest/);
  return [...(await costOfIterations(runs)), ...(await againstTheNaiveLoop()), ...(await rollback())];
}

/** 100 failing tests: an iteration that tries a fix for each of them, and iterations that try one. */
async function costOfIterations(runs: Span[]): Promise<readonly BenchRow[]> {
  const workspace = await mochaWorkspace(100);
  try {
    const measured = async (strategy: CycleRequest['strategy'], maxIterations: number): Promise<number> => {
      const each: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const costs = await ownCosts(workspace, runs, { strategy, maxIterations });
        // The first round loads the parser and what else waits until it is needed.
        if (round > 0) each.push(...costs);
      }
      return median(each);
    };
    const all = await measured('conservative', 1);
    const one = await measured('surgical', 10);
    const name = 'an iteration beside tests and fixers, 100 failing tests';
    return [
      { name: `${name}, 100 fixes`, value: all, unit: 'ms', limit: 50 },
      { name: `${name}, one fix`, value: one, unit: 'ms', limit: 50 },
    ];
  } finally {
    await workspace.dispose();
  }
}

/** Of each iteration the time, ms, in which no test process lived and no fixer was at work. */
async function ownCosts(
  workspace: TemporaryWorkspace,
  runs: Span[],
  request: Partial<CycleRequest>,
): Promise<readonly number[]> {
  runs.length = 0;
  const asked: Span[] = [];
  const costs: number[] = [];
  let started = 0;
  await mendWorkspace(
    workspace,
    { assume: 'source-is-right', providers: fixProviders.map((one) => timed(one, asked)), ...request },
    ({ type }) => {
      const now = performance.now();
      if (type === 'iterationStarted') started = now;
      if (type === 'iterationEnded') costs.push(now - started - coveredBy([...runs, ...asked], started, now));
    },
  );
  return costs;
}

function timed(provider: FixProvider, spans: Span[]): FixProvider {
  return {
    ...provider,
    propose: async (context) => {
      const span: Span = { start: performance.now() };
      spans.push(span);
      return provider.propose(context).finally(() => (span.end = performance.now()));
    },
  };
}

/** Test processes and time until 40 failing tests are mended, and what a full run after every fix would take. */
async function againstTheNaiveLoop(): Promise<readonly BenchRow[]> {
  const workspace = await shopOfFortyFailures();
  try {
    const [times, suites]: [number[], number[]] = [[], []];
    let report: CycleReport | undefined;
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      report = await mendWorkspace(workspace, { assume: 'source-is-right' });
      times.push(performance.now() - started);
      const before = performance.now();
      await program(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], workspace.root).catch(
        () => undefined,
      );
      suites.push(performance.now() - before);
    }
    const kept = report?.fixes.filter(({ state }) => state !== 'declined') ?? [];
    if (report?.failed !== 0) throw new Error(`${report?.failed} tests still fail.`);
    // One run to begin with, and one after each fix.
    const naiveRuns = kept.length + 1;
    const seconds = median(times) / (naiveRuns * median(suites));
    return [
      { name: '40 failing tests mended', value: median(times), unit: 'ms', note: `${kept.length} fixes` },
      {
        name: '  test processes against the naive loop',
        value: report.spent.testProcesses / naiveRuns,
        unit: '×',
        limit: 0.25,
        note: `${report.spent.testProcesses} against ${naiveRuns}`,
      },
      {
        name: '  time against the naive loop',
        value: seconds,
        unit: '×',
        limit: 0.25,
        note: `a full run takes ${Math.round(median(suites))} ms`,
      },
    ];
  } finally {
    await workspace.dispose();
  }
}

const withoutTime = (state: string): string => state.replace(/ [\d.]+ /, ' ');

/** An edit of 100 files in the sandbox, taken back. */
async function rollback(): Promise<readonly BenchRow[]> {
  const names = Array.from({ length: 100 }, (_, index) => `tests/part${index}.test.js`);
  const text = `${'// a line of a test file, as long as most are\n'.repeat(200)}expect(1).toBe(1);\n`;
  const workspace = await temporaryWorkspace(Object.fromEntries(names.map((name) => [name, text])), {
    git: true,
  });
  try {
    const folder = path.join(workspace.root, '../sandboxes');
    const sandbox = await openCopySandbox({ root: workspace.root, folder });
    const times: number[] = [];
    for (let round = 0; round <= 10; round++) {
      const before = await treeSnapshot(sandbox.root);
      const undo = await sandbox.applyEdits(
        names.map((name) => fileEdit(name, text, [{ start: 0, end: 2, newText: '/* */ //' }])),
      );
      const started = performance.now();
      await undo.undo();
      if (round > 0) times.push(performance.now() - started);
      const after = await treeSnapshot(sandbox.root);
      for (const [file, state] of Object.entries(before))
        // Of mode, time and content; the time of a file may be rounded.
        if (withoutTime(after[file] ?? '') !== withoutTime(state))
          throw new Error(`${file} is not what it was.`);
    }
    await sandbox.dispose();
    return [{ name: '100 files taken back, byte by byte', value: median(times), unit: 'ms', limit: 100 }];
  } finally {
    await workspace.dispose();
  }
}

/** Each test expects a word that the source no longer says; ten of them are in a file. */
async function mochaWorkspace(failing: number): Promise<TemporaryWorkspace> {
  const source = (word: string): string =>
    Array.from(
      { length: failing },
      (_, n) => `exports.say${n} = (name) => \`${word} ${n}, \${name}\`;\n`,
    ).join('');
  const files = Array.from({ length: failing / 10 }, (_, file) => {
    const tests = Array.from({ length: 10 }, (_each, index) => {
      const n = file * 10 + index;
      return `  it('says ${n}', () => {\n    assert.equal(say.say${n}('Ada'), 'Hi ${n}, Ada');\n  });\n`;
    });
    const head = "const assert = require('node:assert/strict');\nconst say = require('../src/say.js');\n\n";
    return [`test/part${file}.test.js`, `${head}describe('part ${file}', () => {\n${tests.join('')}});\n`];
  });
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{"devDependencies":{"mocha":"11"}}',
      '.mocharc.json': '{"spec":"test/**/*.test.js"}',
      'src/say.js': source('Hi'),
      ...Object.fromEntries(files),
    },
    { git: true, packages: ['mocha'] },
  );
  await workspace.write('src/say.js', source('Hello'));
  return workspace;
}

/**
 * Twenty test files with 160 tests, 40 of which fail since the source changed: five files call a method by its old name, five
 * expect a former text, as in the demo.
 */
async function shopOfFortyFailures(): Promise<TemporaryWorkspace> {
  const parts = Array.from({ length: 20 }, (_, index) => index);
  const source = (part: number, isNew: boolean): string => {
    const method = isNew && part < 5 ? 'totalOf' : 'sum';
    const word = isNew && part >= 5 && part < 10 ? 'Total' : 'Sum';
    return `export const ${method} = (...numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);\nexport const label = (n: number): string => \`${word}: \${n}\`;\n`;
  };
  const testFile = (part: number): string => {
    const sums = [1, 2, 3, 4].map(
      (n) => `  it('adds ${n}', () => {\n    expect(cart.sum(${n}, ${part})).toBe(${n + part});\n  });\n`,
    );
    const labels = [1, 2, 3, 4].map(
      (n) => `  it('labels ${n}', () => {\n    expect(cart.label(${n})).toBe('Sum: ${n}');\n  });\n`,
    );
    return `import { describe, expect, it } from 'vitest';\nimport * as cart from '../src/cart${part}';\n\ndescribe('cart ${part}', () => {\n${sums.join('')}${labels.join('')}});\n`;
  };
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
      ...Object.fromEntries(
        parts.flatMap((part) => [
          [`src/cart${part}.ts`, source(part, false)],
          [`tests/cart${part}.test.ts`, testFile(part)],
        ]),
      ),
    },
    { git: true, vitest: true },
  );
  for (const part of parts.slice(0, 10)) await workspace.write(`src/cart${part}.ts`, source(part, true));
  return workspace;
}
