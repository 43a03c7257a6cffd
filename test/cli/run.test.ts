import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isAlive } from '../support/isAlive.ts';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { errorDocument, runDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

/** vite itself loads no file whose path has a `#`: the skill file has it. */
const hostileFolder = "it's $(touch pwned) ünï";

describe('testmend run', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "4" } }',
        'test/good.test.ts':
          "import { expect, test } from 'vitest';\n\ntest('adds', () => {\n  expect(1 + 1).toBe(2);\n});\n",
        'test/bad.test.ts':
          "import { describe, expect, it } from 'vitest';\n\ndescribe('cart', () => {\n  it('has a login', () => {\n    expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });\n  });\n  it.skip('later', () => {});\n});\n",
        'test/flaky.test.ts':
          "import { existsSync, writeFileSync } from 'node:fs';\nimport { expect, test } from 'vitest';\n\ntest('sometimes', () => {\n  const second = existsSync('seen.txt');\n  writeFileSync('seen.txt', '');\n  expect(second).toBe(true);\n});\n",
        'test/endless.test.ts':
          "import { writeFileSync } from 'node:fs';\nimport { test } from 'vitest';\n\ntest('never ends', () => {\n  writeFileSync('pid.txt', String(process.pid));\n  for (;;);\n});\n",
        [`${hostileFolder}/a "b".test.ts`]:
          "import { test } from 'vitest';\n\ntest('hostile \\u001b[31m `name` $(x)', () => {});\n",

        'tests/wrap.tests.mjs': 'export default () => ({ passed: 2, failed: 0, errors: [] });\n',
        [`${hostileFolder} #1 %20/tests/"q".tests.mjs`]:
          'export default () => ({ passed: 2, failed: 0, errors: [] });\n',
        'notATest.ts': 'export {};\n',
      },
      { vitest: true },
    );
  });
  after(() => workspace.dispose());
  const run = (...args: string[]): ReturnType<typeof testmend> =>
    testmend(['run', ...args], { cwd: workspace.root });

  it('ends with 0 when all passed, and shows a line per file', async () => {
    const { code, stdout } = await run('test/good.test.ts', 'tests');
    assert.equal(code, 0);
    assert.match(stdout, /^✓ test\/good\.test\.ts {2}1 test {2}.*\n✓ tests\/wrap\.tests\.mjs {2}1 test/);
    assert.match(stdout, /2 passed · 2 tests · 100\.0 % · /);
  });

  it('ends with 1 when a test failed, and shows place, difference and code', async () => {
    const { code, stdout, stderr } = await run('test/bad.test.ts');
    assert.equal(code, 1);
    assert.match(stdout, / FAIL {2}test\/bad\.test\.ts:5 {2}critical\n {2}cart › has a login\n/);
    assert.match(stdout, /- {5}3,\n {4}\+ {5}2,\n/);
    assert.match(stdout, /> 5 │ {5}expect\(/);
    assert.match(stdout, /1 failed · 1 skipped · 2 tests · 0\.0 % · /);
    assert.equal(stderr, '');
    assert.ok(stdout.split('\n').every((line) => line.length <= 80));
  });

  it('prints exactly one document with --json', async () => {
    const result = await run('test/bad.test.ts', hostileFolder, `${hostileFolder} #1 %20`, '--json');
    const document = documentOf(runDocument, result);
    assert.equal(result.code, 1);
    assert.deepEqual(
      [document.total, document.passed, document.failed, document.skipped, document.passRate],
      [4, 2, 1, 1, 66.6],
    );
    const failed = document.tests.find((test) => test.outcome === 'failed');
    assert.deepEqual(failed?.failure?.location, { file: 'test/bad.test.ts', line: 5, column: 33 });
    assert.equal(failed?.failure?.severity, 'critical');
    assert.deepEqual(document.tests.find((test) => test.file.endsWith('.mjs'))?.counts, {
      passed: 2,
      failed: 0,
    });
    assert.ok(document.tests.some((test) => test.file === `${hostileFolder}/a "b".test.ts`));
    await assert.rejects(access(path.join(workspace.root, 'pwned')));
  });

  it('ends with 2 when no test ran', async () => {
    const result = await run('--filter', 'there is no such title', '--json');
    assert.equal(result.code, 2);
    const document = documentOf(runDocument, result);
    assert.deepEqual([document.total, document.passRate], [0, null]);
    assert.ok(document.notes.includes('no tests ran'));
  });

  it('selects tests by a part of their full title, in any case', async () => {
    const document = documentOf(
      runDocument,
      await run('test/good.test.ts', 'test/bad.test.ts', '--filter', 'CART has', '--json'),
    );
    assert.deepEqual(
      document.tests.filter((test) => test.outcome !== 'skipped').map((test) => test.title),
      ['has a login'],
    );
  });

  it('notes a flaky test over several runs, and judges it failed', async () => {
    const result = await run(
      'test/flaky.test.ts',
      '--repeat',
      '2',
      '--json',
      '--reporter',
      'json=out/r.json',
      '--reporter',
      'junit',
    );
    const document = documentOf(runDocument, result);
    assert.equal(result.code, 1);
    assert.deepEqual([document.total, document.failed], [1, 1]);
    assert.deepEqual(document.notes, ['Flaky: vitest:test/flaky.test.ts#sometimes failed in 1 of 2 runs.']);
    const report: unknown = JSON.parse(await workspace.read('out/r.json'));
    assert.ok(typeof report === 'object' && report !== null && 'summary' in report);
    assert.deepEqual(report.summary, { total: 1, passed: 0, failed: 1, skipped: 0, flaky_in_run: 1 });
    assert.match(
      await workspace.read('.testmend/junit.xml'),
      /<testsuites name="testmend" tests="1" failures="1"/,
    );
  });

  it('goes on when a report cannot be written, and says so', async () => {
    const before = await run('test/good.test.ts', '--reporter', 'junit=package.json/x.xml');
    assert.deepEqual([before.code, before.stdout], [2, ''], 'what can be known before anything runs is');
    const spoiling = await temporaryWorkspace({
      'tests/spoil.tests.mjs': `import { rmSync, writeFileSync } from 'node:fs';

export default () => {
  const out = new URL('../out', import.meta.url);
  rmSync(out, { recursive: true });
  writeFileSync(out, 'in the way');
  return { passed: 1, failed: 0, errors: [] };
};
`,
    });
    const args = ['run', '--reporter', 'junit=out/x.xml'];
    const { code, stdout, stderr } = await testmend(args, { cwd: spoiling.root });
    await spoiling.dispose();
    assert.equal(code, 0);
    assert.match(stdout, /1 passed/);
    assert.match(stderr, /^! Reporter junit failed: /m);
  });

  it('ends with 124 at the time limit, with what ended until then', async () => {
    const result = await run('test/endless.test.ts', 'tests/wrap.tests.mjs', '--timeout', '4', '--json');
    assert.equal(result.code, 124);
    const { tests } = documentOf(runDocument, result);
    assert.deepEqual(
      tests.map((test) => [test.file, test.outcome]),
      [
        ['test/endless.test.ts', 'errored'],
        ['tests/wrap.tests.mjs', 'passed'],
      ],
    );
    assert.ok(!isAlive(Number(await workspace.read('pid.txt'))));
  });

  it('ends with 130 on an interrupt and leaves no process behind', async () => {
    const pidFile = path.join(workspace.root, 'pid.txt');
    await workspace.write('pid.txt', '');
    const result = await testmend(['run', 'test/endless.test.ts', '--json'], {
      cwd: workspace.root,
      interruptWhen: async () => (await workspace.read('pid.txt')) !== '',
    });
    assert.equal(result.code, 130);
    // Nobody's failure: it was not run to its end.
    const { failed, errored, skipped, tests } = documentOf(runDocument, result);
    assert.deepEqual([failed, errored, skipped, tests[0]?.outcome], [0, 0, 1, 'skipped']);
    await access(pidFile);
    assert.ok(!isAlive(Number(await workspace.read('pid.txt'))));
    await workspace.write('pid.txt', '');
    const told = await testmend(['run', 'test/endless.test.ts'], {
      cwd: workspace.root,
      interruptWhen: async () => (await workspace.read('pid.txt')) !== '',
    });
    assert.match(told.stdout, /1 not run · 1 test · .*cancelled/);
    assert.doesNotMatch(told.stdout, /errored|failed|✗/);
  });

  /** Sends the interrupt as soon as somebody listens for it, or does so again. */
  const interruptedAt = (time: number): Readonly<Record<string, string>> => {
    const probe = `let left = ${time}; process.on('newListener', (name) => name === 'SIGINT' && --left === 0 && process.kill(process.pid, name))`;
    return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(probe)}` };
  };

  it('ends with 130 also when it is interrupted before it has loaded anything', async () => {
    const result = await testmend(['run'], { cwd: workspace.root, env: interruptedAt(1) });
    assert.deepEqual(result, { code: 130, stdout: '', stderr: '' });
    const options = { cwd: workspace.root, env: interruptedAt(1) };
    const file = await testmend(['run', '--', '--json'], options);
    assert.deepEqual(file, { code: 130, stdout: '', stderr: '' });
  });

  it('leaves one document on stdout whenever it is interrupted', async () => {
    const once = (time: number): Promise<CliResult> =>
      testmend(['run', 'tests', '--json'], { cwd: workspace.root, env: interruptedAt(time) });
    const [unloaded, began, over] = [await once(1), await once(2), await once(3)];
    const { error } = documentOf(errorDocument, unloaded);
    assert.deepEqual(
      [unloaded.code, unloaded.stderr, error.code, error.message],
      [130, '', 'cancelled', 'Cancelled.'],
    );
    assert.equal(began.code, 130);
    for (const result of [began, over]) documentOf(z.union([errorDocument, runDocument]), result);
  });

  it('runs beside another run of the same folder', async () => {
    const results = await Promise.all([1, 2].map(() => run('test/good.test.ts', 'tests', '--json')));
    assert.deepEqual(
      results.map((result) => [result.code, documentOf(runDocument, result).passed]),
      [
        [0, 2],
        [0, 2],
      ],
    );
  });

  for (const [what, args, code, message] of [
    ['a file that does not exist', ['nowhere.test.ts'], 'usage', 'There is no file nowhere.test.ts.'],
    ['a file outside the workspace', ['../..'], 'usage', '../.. is outside the workspace.'],
    ['a file that is no test', ['notATest.ts'], 'usage', 'notATest.ts is not a test file.'],
    ['a folder without tests', ['node_modules'], 'usage', 'There is no test file in node_modules.'],
    ['a filter that could be an option', ['--filter=-x'], 'bad-input', 'The filter starts with "-".'],
    [
      'a filter with control characters',
      ['--filter', 'a\nb'],
      'bad-input',
      'The filter contains control characters.',
    ],
    ['a filter that climbs', ['--native-filter', '../x'], 'bad-input', 'The filter contains "..".'],
    ['an unknown reporter', ['--reporter', 'pdf'], 'usage', 'There is no reporter "pdf".'],
    ['a root that is no folder', ['--root', 'notATest.ts'], 'usage', 'notATest.ts is not a folder.'],
    [
      'files together with --affected',
      ['test', '--affected'],
      'usage',
      'The affected tests are chosen without naming files.',
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const result = await run(...args, '--json');
      assert.equal(result.code, 2);
      const { error } = documentOf(errorDocument, result);
      assert.deepEqual([error.code, error.message], [code, message]);
    });
  }
});
