// The process of a run that starts while another one runs: it is what would be started then, and nobody in it can tell the difference.
import assert from 'node:assert/strict';
import path from 'node:path';
import { detectProjects } from '../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../src/core/frameworks/registry.ts';
import type { RunSummary } from '../../../src/core/model/testResult.ts';
import { runProcess } from '../../../src/core/process/runProcess.ts';
import { AheadStarts } from '../../../src/core/run/aheadStarts.ts';
import type { StartProcess } from '../../../src/core/run/runLaunch.ts';
import { runTests } from '../../../src/core/run/runTests.ts';
import { childrenOf } from '../../support/processesIn.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const seen = `{
  argv: process.argv,
  execArgv: process.execArgv,
  cwd: process.cwd(),
  env: Object.entries(process.env).filter(([name]) => !/^(?:TESTMEND_RUN|MAIN)$/.test(name)).sort(),
}`;

describe('the process that starts while another one runs', function () {
  this.timeout(60_000);
  let workspace: TemporaryWorkspace;
  let starts: AheadStarts;

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(async () => {
    starts = new AheadStarts();
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
        'vitest.config.mjs': `import { writeFileSync } from 'node:fs';
writeFileSync('main.json', JSON.stringify(${seen}));
export default { test: { env: { MAIN: String(process.pid) } } };
`,
        'a.test.js': `import { expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
test('a', () => {
  writeFileSync('worker.json', JSON.stringify(${seen}));
  console.log(process.env.MAIN, process.env.TESTMEND_TOLD ?? 'nothing');
  expect(1).toBe(1);
});
test('b', () => expect(1).toBe(2));
`,
      },
      { vitest: true },
    );
  });
  afterEach(async () => {
    starts.dispose();
    await workspace.dispose();
  });

  async function run(start: StartProcess, env: Readonly<Record<string, string>> = {}): Promise<RunSummary> {
    const { root } = workspace;
    return runTests({
      workspace: {
        root,
        limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 },
        frameworks: [],
        cacheFolder: path.join(path.dirname(root), 'cache'),
      },
      projects: (await detectProjects(root)).projects,
      selection: { files: [path.join(root, 'a.test.js')] },
      frameworks: (framework) => frameworkOf({ framework }),
      start,
      env,
    });
  }
  /** As in a cycle: another run follows in the same folder. */
  const followed: StartProcess = (request, { spare, ...launch }) =>
    starts.start(request, { ...launch, ...(spare && { spare: { ...spare, nextFolder: request.cwd } }) });
  const waiting = (): readonly number[] =>
    childrenOf(process.pid)
      .filter(({ command }) => command.includes('vitestHost.mjs'))
      .map(({ pid }) => pid);
  /** The process that vitest itself was, and what our environment told it. */
  const told = ({ tests }: RunSummary): readonly string[] => {
    assert.deepEqual(
      tests.map(({ title, outcome }) => [title, outcome]),
      [
        ['a', 'passed'],
        ['b', 'failed'],
      ],
    );
    return tests[0]?.output?.trim().split(' ') ?? [];
  };
  async function known(): Promise<string> {
    const parts = await Promise.all(['main.json', 'worker.json'].map((file) => workspace.read(file)));
    return parts.join('\n');
  }

  it('runs the next one, which is told of it what our own code is to know', async () => {
    const [first] = told(await run(followed));
    const [pid] = waiting();
    assert.notEqual(String(pid), first);
    assert.deepEqual(told(await run(followed, { TESTMEND_TOLD: 'later' })), [String(pid), 'later']);
  });

  it('sees the arguments, the folder and the environment that it would see otherwise, in its main process and in its workers', async () => {
    await run(runProcess, { TESTMEND_TOLD: 'x', SHOWN: 'y' });
    const plain = await known();
    told(await run(followed, { SHOWN: 'y' }));
    const [pid] = waiting();
    assert.equal(told(await run(followed, { TESTMEND_TOLD: 'x', SHOWN: 'y' }))[0], String(pid));
    assert.equal(await known(), plain);
  });

  it('does not run in another environment or folder, and waits on for what it was started for', async () => {
    told(await run(followed));
    const [pid] = waiting();
    assert.notEqual(told(await run(followed, { SHOWN: 'other' }))[0], String(pid));
    const elsewhere: StartProcess = (request, launch) =>
      starts.start({ ...request, cwd: `${request.cwd}/.` }, launch);
    assert.notEqual(told(await run(elsewhere))[0], String(pid));
    assert.deepEqual([waiting(), told(await run(followed))[0]], [[pid], String(pid)]);
  });

  it('is not there where nothing follows, nor after the last run', async () => {
    told(await run(starts.start));
    assert.deepEqual(waiting(), []);
    told(await run(followed));
    assert.equal(waiting().length, 1);
    starts.dispose();
    while (waiting().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    told(await run(followed));
    assert.deepEqual(waiting(), []);
  });
});
