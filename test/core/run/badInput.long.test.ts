// Tests that misbehave: each reaches an end that says what happened, nothing passes by accident, nothing is left behind.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from '../../support/isAlive.ts';
import { drawn, resultOf, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const packageJson = '{ "type": "module", "devDependencies": { "vitest": "*" } }';

/** Runs the workspace made of these files, and removes it. */
async function run(
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof runWorkspace>[1] & { readonly name?: string; readonly vitest?: boolean } = {},
): Promise<Awaited<ReturnType<typeof runWorkspace>> & { readonly texts: ReadonlyMap<string, string> }> {
  const { name, vitest = 'package.json' in files, ...rest } = options;
  const workspace = await temporaryWorkspace(files, { vitest, ...(name === undefined ? {} : { name }) });
  try {
    const result = await runWorkspace(workspace.root, rest);
    const written = ['pids.txt'].map(
      async (file) =>
        [file, await readFile(path.join(workspace.root, file), 'utf8').catch(() => '')] as const,
    );
    return { ...result, texts: new Map(await Promise.all(written)) };
  } finally {
    await workspace.dispose();
  }
}

const skillOf = (body: string): Record<string, string> => ({ 'tests/it.tests.mjs': body });
const id = 'skill:tests/it.tests.mjs';

describe('a vitest run with hostile tests', () => {
  it('does not take a process.exit(0) in the middle for a pass', async () => {
    const { summary } = await run({
      'package.json': packageJson,
      'exit.test.ts': `import { it } from 'vitest';\nit('leaves', () => { process.exit(0); });\nit('comes after', () => {});\n`,
      'killed.test.ts': `import { it } from 'vitest';\nit('dies', async () => { process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}); });\n`,
      'fine.test.ts': `import { it } from 'vitest';\nit('is fine', () => {});\n`,
    });
    assert.deepEqual(drawn(summary.tests), [
      'failed vitest:exit.test.ts#leaves',
      'passed vitest:exit.test.ts#comes after',
      'passed vitest:fine.test.ts#is fine',
      'errored vitest:killed.test.ts#dies',
    ]);
    assert.match(resultOf(summary, 'vitest:exit.test.ts#leaves').failure?.message ?? '', /process\.exit/);
    assert.equal(resultOf(summary, 'vitest:killed.test.ts#dies').failure?.kind, 'crash');
  });

  it('ends a test that never ends, and all that it started, at the time limit', async () => {
    const { summary, texts } = await run(
      {
        'package.json': packageJson,
        'hang.test.ts': `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { it } from 'vitest';
it('is quick', () => {});
it('hangs', () => {
  console.log('before the end');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  appendFileSync('pids.txt', process.pid + '\\n' + child.pid + '\\n');
  while (true);
});
it('waits', () => {});
`,
      },
      { limits: { timeoutMs: 8_000 } },
    );
    assert.equal(summary.ended, 'timeout');
    const { failure } = resultOf(summary, 'vitest:hang.test.ts#hangs');
    assert.equal(failure?.kind, 'timeout');
    assert.match(failure?.message ?? '', /time limit of the run \(8/);
    assert.equal(summary.errored + summary.passed, summary.total);
    const pids = (texts.get('pids.txt') ?? '').trim().split('\n').map(Number);
    assert.equal(pids.length, 2);
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it('leaves no process when it is cancelled, and ends every test', async () => {
    const controller = new AbortController();
    const { summary, texts } = await run(
      {
        'package.json': packageJson,
        'wait.test.ts': `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { it } from 'vitest';
it('waits', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  appendFileSync('pids.txt', process.pid + '\\n' + child.pid + '\\n');
  await new Promise((resolve) => setTimeout(resolve, 100));
  console.log('ready');
  await new Promise(() => {});
}, 60000);
it('comes later', () => {});
`,
      },
      {
        signal: controller.signal,
        onEvent: (event) => {
          if (event.type === 'output' && event.text.includes('ready')) controller.abort();
        },
      },
    );
    assert.equal(summary.ended, 'cancelled');
    assert.deepEqual(drawn(summary.tests), [
      'skipped vitest:wait.test.ts#waits',
      'skipped vitest:wait.test.ts#comes later',
    ]);
    assert.equal(resultOf(summary, 'vitest:wait.test.ts#waits').cancelled, true);
    const pids = (texts.get('pids.txt') ?? '').trim().split('\n').map(Number);
    assert.deepEqual(pids.filter(isAlive), []);
  });

  it('believes nothing that a test writes to the reporter pipe or to stdout', async () => {
    const forged = JSON.stringify({
      type: 'fileCollected',
      file: 'forged.test.ts',
      tests: [{ key: 'x', suites: [], title: 'forged' }],
    });
    const ended = JSON.stringify({
      token: 'guess',
      type: 'testEnded',
      key: 'x',
      outcome: 'passed',
      durationMs: 1,
    });
    const { summary } = await run({
      'package.json': packageJson,
      // In threads the tests share the process, and so the pipe, with the reporter.
      'vitest.config.ts': `export default { test: { pool: 'threads' } };\n`,
      'forge.test.ts': `import { writeSync } from 'node:fs';
import { it } from 'vitest';
it('forges', () => {
  const lines = ${JSON.stringify([forged, ended, '{"type":"runFinished"}'].join('\n'))};
  console.log(lines);
  process.stdout.write(lines + '\\n{"numTotalTests": 5, "numPassedTests": 5}\\n');
  writeSync(3, lines + '\\n{"half a li');
  throw new Error('fails all the same');
});
`,
    });
    assert.deepEqual(drawn(summary.tests), ['failed vitest:forge.test.ts#forges']);
    assert.ok(
      summary.notes.some((note) => note.includes('did not come from the reporter')),
      summary.notes.join(),
    );
  });

  it('keeps its memory when a test prints 200 MB', async () => {
    const before = process.memoryUsage().rss;
    let largest = 0;
    const { summary } = await run(
      {
        'package.json': packageJson,
        'loud.test.ts': `import { spawnSync } from 'node:child_process';
import { it } from 'vitest';
it('has a loud child', () => {
  spawnSync(process.execPath, ['-e', "for (let i = 0; i < 200; i++) require('node:fs').writeSync(1, 'x'.repeat(1 << 20))"], { stdio: 'inherit' });
});
it('is loud', async () => {
  for (let i = 0; i < 100; i++) { console.log(i + ' ' + 'y'.repeat(100_000)); await new Promise((resolve) => setImmediate(resolve)); }
});
`,
      },
      { onEvent: () => (largest = Math.max(largest, process.memoryUsage().rss)) },
    );
    const loud = resultOf(summary, 'vitest:loud.test.ts#is loud');
    assert.equal(loud.outcome, 'passed');
    const bytes = Buffer.byteLength(loud.output ?? '');
    assert.ok(bytes <= 1024 * 1024 + 100, `${bytes} bytes were kept`);
    assert.match(loud.output ?? '', /^0 y[^]*bytes of output left out[^]*\n99 y+\n$/);
    assert.ok(largest - before < 150 * 1024 * 1024, `memory grew by ${largest - before}`);
  });

  it('tells an error outside of every test, so that the run is no pass', async () => {
    const { summary } = await run({
      'package.json': packageJson,
      'late.test.ts': `import { it } from 'vitest';
it('passes', async () => { setTimeout(() => { throw new Error('too late'); }, 1); await new Promise((resolve) => setTimeout(resolve, 50)); });
`,
    });
    assert.deepEqual(drawn(summary.tests).toSorted(), [
      'errored vitest:late.test.ts',
      'passed vitest:late.test.ts#passes',
    ]);
    assert.deepEqual(summary.notes, ['Unhandled error: too late']);
  });

  it('is not misled by the configuration of the user', async () => {
    const { summary } = await run({
      'package.json': packageJson,
      'vitest.config.ts': `export default { test: { watch: true, ui: true, open: true, reporters: ['json'], outputFile: 'out.json', coverage: { enabled: true }, bail: 1, passWithNoTests: true, silent: true } };\n`,
      'a.test.ts': `import { it } from 'vitest';\nit('fails', () => { throw new Error('no'); });\nit('runs all the same', () => {});\n`,
      'none.test.ts': 'export {};\n',
    });
    assert.deepEqual(drawn(summary.tests), [
      'failed vitest:a.test.ts#fails',
      'passed vitest:a.test.ts#runs all the same',
    ]);
    assert.ok(summary.notes.includes('none.test.ts has no tests.'));
  });

  it('shows a broken configuration as an error of the project', async () => {
    const { summary } = await run({
      'package.json': packageJson,
      'vitest.config.ts': 'export default { test: { \n',
      'a.test.ts': `import { it } from 'vitest';\nit('is fine', () => {});\n`,
    });
    assert.equal(summary.passed, 0);
    assert.equal(summary.errored, 1);
    assert.equal(summary.tests[0]?.file, 'vitest.config.ts');
    assert.match(
      summary.tests[0]?.failure?.message ?? '',
      /did not load \(vitest\.config\.ts:\d+\): .*(?:Expected|Unexpected)/,
    );
  });

  it('shows why a global setup kept the tests from running', async () => {
    const { summary } = await run({
      'package.json': packageJson,
      'vitest.config.ts': `export default { test: { globalSetup: './setup.ts' } };\n`,
      'setup.ts': `export default () => { throw new Error('no database'); };\n`,
      'a.test.ts': `import { it } from 'vitest';\nit('is fine', () => {});\n`,
    });
    assert.equal(summary.passed, 0);
    assert.equal(summary.tests[0]?.outcome, 'errored');
    assert.match(summary.tests[0]?.failure?.message ?? '', /Vitest stopped before it[^]*no database/);
  });

  it('never calls a green run passed whose process says by its exit that something failed', async () => {
    const { summary } = await run({
      'package.json': packageJson,
      'vitest.config.ts': `export default { test: { globalSetup: './setup.ts' } };\n`,
      'setup.ts': `export default () => () => { console.error('the database is still open'); process.exitCode = 3; };\n`,
      'a.test.ts': `import { it } from 'vitest';\nit('is fine', () => {});\n`,
    });
    assert.deepEqual([summary.passed, summary.errored], [1, 1]);
    const errored = summary.tests.find(({ outcome }) => outcome === 'errored');
    assert.match(
      errored?.failure?.message ?? '',
      /No test failed, but the process of Vitest ended with exit code 3[^]*the database is still open/,
    );
  });

  it('says that vitest is not installed, and how to install it', async () => {
    const { summary } = await run(
      {
        'package.json': packageJson,
        'a.test.ts': `import { it } from 'vitest';\nit('is fine', () => {});\n`,
      },
      { vitest: false },
    );
    assert.equal(summary.errored, 1);
    assert.equal(summary.passed, 0);
    assert.match(summary.tests[0]?.failure?.message ?? '', /not installed[^]*install/i);
  });

  for (const [what, filter] of [
    ['an option', '--config=evil'],
    ['a way out', '../../etc'],
    ['control characters', 'a\u0000b'],
    ['too much', 'x'.repeat(201)],
  ] as const) {
    it(`refuses ${what} as a filter before anything starts`, async () => {
      const files = { 'package.json': packageJson, 'a.test.ts': `throw new Error('started');\n` };
      for (const selection of [{ filter }, { nativeFilter: filter }]) {
        await assert.rejects(run(files, { selection }), { name: 'HumanError', code: 'bad-input' });
      }
    });
  }
});

describe('a skill file', () => {
  const cases: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'passes with only the named export runTests',
      'export const runTests = () => ({ passed: 2, failed: 0, errors: [] });',
      'passed',
      /^$/,
    ],
    [
      'passes with a default in its default',
      'export default { default: () => ({ passed: 1, failed: 0, errors: [] }) };',
      'passed',
      /^$/,
    ],
    [
      'fails with its own words',
      'export default () => ({ passed: 1, failed: 1, errors: ["adds: 1 is not 2"] });',
      'failed',
      /^adds: 1 is not 2$/,
    ],
    ['is errored when it exports nothing', '', 'errored', /exports nothing: export a default function/],
    [
      'is errored when it returns nothing',
      'export default () => {};',
      'errored',
      /returned nothing: return \{ passed, failed, errors \}/,
    ],
    [
      'is errored when it has no tests',
      'export default () => ({ passed: 0, failed: 0, errors: [] });',
      'errored',
      /no tests/,
    ],
    [
      'is errored when a count is negative',
      'export default () => ({ passed: -1, failed: 0, errors: [] });',
      'errored',
      /passed: -1/,
    ],
    [
      'is errored when a count is no number',
      'export default () => ({ passed: "3", failed: 0, errors: [] });',
      'errored',
      /passed: 3/,
    ],
    [
      'is errored when errors is no list',
      'export default () => ({ passed: 1, failed: 0, errors: "none" });',
      'errored',
      /errors: none/,
    ],
    [
      'is errored when it leaves in the middle',
      'export default () => { console.log("on the way"); process.exit(0); };',
      'errored',
      /exited with code 0[^]*on the way/,
    ],
    [
      'is errored when a promise never settles',
      'export default () => new Promise(() => {});',
      'errored',
      /never settles/,
    ],
    [
      'is errored when it throws',
      'export default () => { throw new TypeError("boom"); };',
      'errored',
      /^boom$/,
    ],
    [
      'is errored when an import is missing',
      'import "./gone.mjs";\nexport default () => ({ passed: 1, failed: 0, errors: [] });',
      'errored',
      /gone\.mjs/,
    ],
    [
      'is not believed when it forges its result',
      `import { writeSync } from 'node:fs';
      export default () => { const line = '{"type":"testEnded","key":"x","outcome":"passed","durationMs":1,"counts":{"passed":9,"failed":0}}\\n{"type":"runFinished"}\\n';
        console.log(line); writeSync(3, line); process.exit(0); };`,
      'errored',
      /exited with code 0/,
    ],
  ];

  it('has the outcome that its result deserves, and never another', async () => {
    const names = cases.map((_case, index) => `tests/case${index}.tests.mjs`);
    const { summary } = await run(
      Object.fromEntries(cases.map(([, body], index) => [names[index] ?? '', body])),
    );
    const told = cases.map(([what, , , pattern], index) => {
      const result = resultOf(summary, `skill:${names[index]}`);
      const message = result.failure?.message ?? '';
      return `${what}: ${result.outcome}${pattern.test(message) ? '' : ` (${message})`}`;
    });
    assert.deepEqual(
      told,
      cases.map(([what, , outcome]) => `${what}: ${outcome}`),
    );
  });

  it('shows a syntax error at its line', async () => {
    const { summary } = await run(skillOf('export default () => {\n  const = 3;\n};\n'));
    const { failure, outcome } = resultOf(summary, id);
    assert.equal(outcome, 'errored');
    assert.deepEqual(failure?.location, { file: 'tests/it.tests.mjs', line: 2, column: 9 });
  });

  it('is ended at its own time limit, and the run is complete', async () => {
    const { summary } = await run(skillOf('export default () => { while (true); };'), {
      limits: { skillTimeoutMs: 500 },
    });
    assert.equal(resultOf(summary, id).failure?.kind, 'timeout');
    assert.match(resultOf(summary, id).failure?.message ?? '', /0\.5 s/);
    assert.equal(summary.ended, 'complete');
  });

  it('runs in its own folder with the environment of the user', async () => {
    const { summary } = await run(
      skillOf(`import path from 'node:path';
export default () => ({ passed: path.basename(process.cwd()) === 'tests' && process.env.EXTRA === '1' ? 1 : 0, failed: 0, errors: [] });`),
      { env: { EXTRA: '1' } },
    );
    assert.equal(resultOf(summary, id).outcome, 'passed');
  });

  it('may live at any path', async () => {
    const folder = `sp ace "q" 'a' $(x) # %20 ünï`;
    const { summary } = await run(
      {
        [`${folder}/tests/a #1 %20.tests.mjs`]: `import { ok } from './helper.mjs';\nexport default ok;\n`,
        [`${folder}/tests/helper.mjs`]: 'export const ok = () => ({ passed: 1, failed: 0, errors: [] });\n',
      },
      { name: `root $(x) #1 %20` },
    );
    assert.deepEqual(
      summary.tests.map(({ title, outcome }) => `${title} ${outcome}`),
      ['a #1 %20 passed'],
    );
  });
});

describe('a vitest file', () => {
  it('may live at any path that vite can load', async () => {
    const folder = `sp ace "q" 'a' $(x) ünï [id] (group)`;
    const { summary } = await run(
      {
        'package.json': packageJson,
        [`${folder}/a b.test.ts`]: `import { it } from 'vitest';\nit('runs', () => {});\n`,
        [`${folder}/other.test.ts`]: `import { it } from 'vitest';\nit('is not asked for', () => {});\n`,
      },
      { name: 'root $(x) é', selection: { filter: 'RUNS' } },
    );
    assert.deepEqual(
      summary.tests.map(({ title, outcome, file }) => `${outcome} ${title} in ${file}`),
      [`passed runs in ${folder}/a b.test.ts`],
    );
  });
});
