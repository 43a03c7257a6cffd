// `testmend fix --session` with tasks of a coordinator, as real processes in real workspaces.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { MessageLog } from '../../src/core/session/messageLog.ts';
import { cli } from '../support/programs.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

const session = '.workflow/.team/S1';
const recordSchema = z.record(z.string(), z.unknown());
const sharedSchema = z.object({ execution_results: recordSchema });
const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** A skill test that holds when `condition` does; it waits while the file that HOLD names is there. */
const skill = (
  condition: string,
  message = 'as expected',
): string => `import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { price } from '../price.mjs';
export default async function () {
  const hold = process.env.HOLD ?? '';
  if (existsSync(hold)) writeFileSync(hold + '.reached', '');
  while (existsSync(hold)) await wait(20);
  assert.ok(${condition}, ${JSON.stringify(message)});
  return { passed: 1, failed: 0, errors: [] };
}
`;

describe('testmend fix --session with tasks', function () {
  this.timeout(240_000);
  let shop: TemporaryWorkspace;
  beforeEach(async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "name": "shop" }',
      'price.mjs': 'export const price = (n) => n * 2;\n',
      'tests/price.tests.mjs': skill('price(1) === 2'),
    });
  });
  afterEach(() => shop.dispose());

  const fix = (...args: string[]): Promise<CliResult> =>
    testmend(['fix', '--session', session, ...args], { cwd: shop.root });
  const task = (id: string, more: object = {}): Promise<void> =>
    shop.write(
      `${session}/tasks/${id}.json`,
      JSON.stringify(
        { id, subject: `Do ${id}`, owner: 'tester', status: 'pending', blockedBy: [], ...more },
        null,
        2,
      ),
    );
  const statuses = async (): Promise<Record<string, string>> => {
    const names = (await readdir(path.join(shop.root, session, 'tasks'))).toSorted();
    const all = names.map(async (name) => {
      const text = await shop.read(`${session}/tasks/${name}`);
      return [name.replace('.json', ''), /"status": "(\w+)"/.exec(text)?.[1] ?? ''];
    });
    return Object.fromEntries(await Promise.all(all));
  };
  const results = async (layer: string): Promise<Record<string, unknown>> =>
    recordSchema.parse(JSON.parse(await shop.read(`${session}/results/run-${layer}.json`)));
  const messages = async (): Promise<readonly string[]> =>
    (await new MessageLog(path.join(shop.root, session)).list()).map(
      ({ type, summary }) => `${type} ${summary}`,
    );
  const flat = ({ stdout, stderr }: CliResult): string => `${stdout}${stderr}`.replace(/\s+/g, ' ');

  it('does them in order, completes those that reach the target and leaves the others to the coordinator', async () => {
    await shop.write(
      'tests/order.e2e.tests.mjs',
      skill('price(1) === 3', 'token=abcdefghijklmnop was refused'),
    );
    await task('TEST-002', { description: 'Run it.\nlayer: L3', extra: { keep: 1 } });
    await task('TEST-003', { blockedBy: ['TEST-002'] });
    await task('TEST-010', { description: 'layer: L1' });
    await task('IMPL-001', { owner: 'executor' });
    await shop.write(`${session}/tasks/broken.json`, '{ "id": ');
    const memory =
      '{\n    "test_strategy": {"layers": [1.0]},\n    "execution_results": { "L2": {"old": 1} }\n}';
    await shop.write(`${session}/shared-memory.json`, memory);
    const told = await fix();
    assert.equal(told.code, 1, flat(told));
    assert.deepEqual(await statuses(), {
      'IMPL-001': 'pending',
      'TEST-002': 'in_progress',
      'TEST-003': 'pending',
      'TEST-010': 'completed',
      broken: '',
    });
    assert.match(flat(told), /broken\.json is no JSON.*Write it anew/);
    assert.match(
      flat(told),
      /Task TEST-002 Do TEST-002.*Results in \.workflow\/\.team\/S1\/results\/run-L3\.md: 0 of 1 pass.*TEST-002 is left in_progress.*Task TEST-010.*TEST-010 is completed/,
    );
    assert.match(flat(told), /1 of 2 tasks completed; left for the coordinator: TEST-002/);
    assert.deepEqual(await messages(), [
      'test_result TEST-002: NEEDS ATTENTION: 0 of 1 tests of L3 pass.',
      'test_result TEST-010: PASSED: 1 of 1 tests of L1 pass.',
    ]);

    const { notes, ...green } = await results('L1');
    assert.ok(Array.isArray(notes));
    assert.deepEqual(green, {
      layer: 'L1',
      framework: 'skill',
      iterations: 0,
      pass_rate: 100,
      coverage: 100,
      tests_passed: 1,
      tests_failed: 0,
      all_passed: true,
      max_iterations_reached: false,
    });
    const red = await results('L3');
    assert.deepEqual([red['tests_failed'], red['pass_rate'], red['all_passed']], [1, 0, false]);
    const markdown = await shop.read(`${session}/results/run-L3.md`);
    assert.match(markdown, /### Layer: L3\n\n### Framework: skill\n\n### Status: FAIL/);
    assert.match(markdown, /### Failure Details\n\n- `order\.e2e` .*was refused/);
    const output = await shop.read(`${session}/results/output-L3.txt`);
    assert.match(output, /1 of 1 test failed/);
    assert.ok(output.trimEnd().split('\n').length <= 30);
    assert.doesNotMatch(
      output + markdown + (await shop.read(`${session}/.msg/messages.jsonl`)),
      /abcdefghijkl/,
    );

    const shared = await shop.read(`${session}/shared-memory.json`);
    assert.ok(
      shared.startsWith(
        '{\n    "test_strategy": {"layers": [1.0]},\n    "execution_results": { "L2": {"old": 1}',
      ),
    );
    const { execution_results: shown } = sharedSchema.parse(JSON.parse(shared));
    assert.deepEqual([shown['L1'], shown['L3']], [{ ...green, notes }, red]);
    assert.deepEqual([shown['pass_rate'], shown['coverage']], [100, 100]);
  });

  it('takes a task that another one was in the way of in the same round', async () => {
    await task('TEST-2');
    await task('TEST-1', { blockedBy: ['TEST-2'] });
    const told = await fix();
    assert.equal(told.code, 0, flat(told));
    assert.deepEqual(await statuses(), { 'TEST-1': 'completed', 'TEST-2': 'completed' });
    assert.match(flat(told), /Task TEST-2 .*Task TEST-1 .*2 of 2 tasks completed\./);
  });

  it('completes nothing that only a fix in a patch would mend, and all that was written', async () => {
    await shop.write(
      'tests/price.tests.mjs',
      skill('price(1) === 2').replace('{ price }', '{ cost }').replaceAll('price(', 'cost('),
    );
    shop.git('init', '-q', '-b', 'main');
    shop.git('add', '-A');
    await shop.write('price.mjs', 'export const cost = (n) => n * 2;\n');
    shop.git('add', '-A');
    shop.git('commit', '-q', '-m', 'start');
    await shop.write('price.mjs', 'export const price = (n) => n * 2;\n');
    await task('TEST-1');
    assert.equal((await fix('--dry-run')).code, 1);
    assert.deepEqual(await statuses(), { 'TEST-1': 'in_progress' });
    assert.equal((await results('all'))['tests_failed'], 1);
    const told = await fix('--apply', '--task', 'TEST-1');
    assert.equal(told.code, 0, flat(told));
    assert.deepEqual(await statuses(), { 'TEST-1': 'completed' });
    assert.equal((await results('all'))['all_passed'], true);
  });

  it('lets generated tests follow their source under the preset qa', async () => {
    shop.git('init', '-q', '-b', 'main');
    shop.git('add', '-A');
    shop.git('commit', '-q', '-m', 'start');
    const fresh = skill('true').replace('assert.ok(true, "as expected")', 'assert.equal(price(2), 5)');
    await shop.write('tests/fresh.tests.mjs', fresh);
    const memory = { generated_tests: { L1: { files: ['tests/fresh.tests.mjs'] } } };
    await shop.write(`${session}/shared-memory.json`, JSON.stringify(memory));
    await task('TEST-1', { description: 'layer: L1' });
    const { code, stdout, stderr } = await fix('--preset', 'qa', '--apply', '--json');
    assert.equal(code, 0, stdout + stderr);
    assert.match(await shop.read('tests/fresh.tests.mjs'), /assert\.equal\(price\(2\), 4\)/);
    assert.deepEqual(await statuses(), { 'TEST-1': 'completed' });
    const { iterations, tests_passed, coverage } = await results('L1');
    assert.deepEqual([iterations, tests_passed, coverage], [1, 1, 100]);
    assert.deepEqual(recordSchema.parse(JSON.parse(stdout))['coverage'], { lines: 100 });
  });

  it('writes an empty report where there is no test, and goes on', async () => {
    await shop.write(`${session}/results/run-L2.json`, '{ "all_passed": true }');
    await task('TEST-1', { description: 'layer: L2' });
    await task('TEST-2');
    const told = await fix();
    assert.equal(told.code, 2, flat(told));
    assert.deepEqual(await statuses(), { 'TEST-1': 'in_progress', 'TEST-2': 'completed' });
    const { notes, ...empty } = await results('L2');
    assert.deepEqual(empty, {
      layer: 'L2',
      framework: 'skill',
      iterations: 0,
      pass_rate: 0,
      coverage: 0,
      tests_passed: 0,
      tests_failed: 0,
      all_passed: false,
      max_iterations_reached: false,
    });
    assert.match(String(notes), /No test file belongs to the layer.*this report is empty/s);
    assert.match((await messages())[0] ?? '', /^error TEST-1: No test file belongs to the layer/);
  });

  it('runs the generated tests of the layer, and tells names that are none or lead outside', async () => {
    await shop.write('tests/other.tests.mjs', skill('price(1) === 3'));
    await writeFile(path.join(shop.root, '../outside.tests.mjs'), skill('true'));
    const files = [
      'tests/price.tests.mjs',
      '../outside.tests.mjs',
      path.join(shop.root, 'tests/other.tests.mjs'),
      'tests/missing.tests.mjs',
      'price.mjs',
      `${'x/'.repeat(120)}a.tests.mjs`,
      'a\u0007.tests.mjs',
      null,
      { file: 1 },
    ];
    const memory = JSON.stringify({ generated_tests: { L1: { files } } });
    await shop.write(`${session}/shared-memory.json`, memory);
    await task('TEST-1', { description: 'layer: L1' });
    const told = await fix();
    assert.deepEqual(await statuses(), { 'TEST-1': 'completed' }, flat(told));
    assert.equal((await results('L1'))['tests_passed'], 1);
    assert.match(
      flat(told),
      /"\.\.\/outside\.tests\.mjs" is no path inside the workspace; .*other\.tests\.mjs" is no path inside the workspace; "tests\/missing\.tests\.mjs" is not a test file; "price\.mjs" is not a test file; .* is longer than 200 characters; and 3 more/,
    );

    await shop.write(`${session}/shared-memory.json`, memory.replace('"tests/price.tests.mjs",', ''));
    await task('TEST-1', { description: 'layer: L1' });
    const none = await fix();
    assert.equal(none.code, 2);
    assert.match(flat(none), /None of the generated tests can be run/);
    assert.equal((await results('L1'))['all_passed'], false);
  });

  it('runs only the framework of the session', async () => {
    await shop.write('package.json', '{ "name": "shop", "scripts": { "test": "node --test" } }');
    await shop.write(
      'add.test.mjs',
      "import test from 'node:test';\ntest('adds', () => {});\ntest('adds more', () => {});\n",
    );
    for (const [named, framework, passed] of [
      ['node:test', 'nodeTest', 2],
      ['jasmine', 'nodeTest, skill', 3],
      [NaN, 'nodeTest, skill', 3],
      ['unknown', 'nodeTest, skill', 3],
    ] as const) {
      await shop.write(
        `${session}/shared-memory.json`,
        JSON.stringify({ test_strategy: { test_framework: named } }),
      );
      const told = await fix();
      const { framework: used, tests_passed } = await results('all');
      assert.deepEqual(
        [String(used).split(', ').toSorted().join(', '), tests_passed],
        [framework, passed],
        flat(told),
      );
      assert.equal(/names the framework "jasmine", which is none of/.test(flat(told)), named === 'jasmine');
    }
  });

  it('leaves a shared memory alone that is none, and says so', async () => {
    await task('TEST-1', { description: 'layer: L1' });
    for (const text of ['{ "a": NaN }', '[]', '{ "execution_results": "none", "generated_tests": 7 }']) {
      await shop.write(`${session}/shared-memory.json`, text);
      const told = await fix('--task', 'TEST-1');
      assert.match(
        flat(told),
        /shared-memory\.json (?:is no JSON|can hold no execution_results)/,
        flat(told),
      );
      assert.equal(await shop.read(`${session}/shared-memory.json`), text);
      assert.deepEqual(await statuses(), { 'TEST-1': 'completed' });
      assert.equal((await results('L1'))['all_passed'], true);
      await task('TEST-1', { description: 'layer: L1' });
    }
  });

  it('is no pass when no task is free', async () => {
    await task('TEST-1', { status: 'completed' });
    await task('TEST-2', { status: 'in_progress' });
    await task('TEST-3', { blockedBy: ['TEST-2'] });
    const { code, stdout } = await fix('--json');
    assert.equal(code, 2);
    const { error } = errorSchema.parse(JSON.parse(stdout));
    assert.equal(error.code, 'no-task');
    assert.equal(
      error.message,
      'No task is free: TEST-1 is completed, TEST-2 is left in_progress for the coordinator, TEST-3 waits for TEST-2.',
    );
    assert.ok(!existsSync(path.join(shop.root, session, 'results')));
    assert.deepEqual(await messages(), []);
    await rm(path.join(shop.root, session, 'tasks'), { recursive: true });
    await shop.write(`${session}/tasks.json`, '[{ "id": "TEST-1"');
    const broken = await fix();
    assert.equal(broken.code, 2);
    assert.match(flat(broken), /No task can be read/);
  });

  it('does one task with --json, and the one that is named', async () => {
    await task('TEST-1');
    await task('TEST-2');
    const { code, stdout } = await fix('--json', '--dry-run');
    assert.equal(code, 0);
    const shown = recordSchema.parse(JSON.parse(stdout));
    assert.equal(shown['status'], 'nothing-to-do');
    assert.deepEqual(shown['task'], {
      id: 'TEST-1',
      name: 'TEST-1',
      subject: 'Do TEST-1',
      status: 'completed',
    });
    assert.deepEqual(shown['results'], await results('all'));
    assert.deepEqual(await statuses(), { 'TEST-1': 'completed', 'TEST-2': 'pending' });
    for (const [args, message] of [
      [['--task', 'TEST-1'], /No task is free: TEST-1 is completed/],
      [['--task', '../x'], /There is no task \.\.\/x for a tester\. .*The tasks are TEST-1, TEST-2/],
      [['--task', 'TEST-2', 'tests/price.tests.mjs'], /--task and files exclude each other/],
    ] as const) {
      const told = await fix(...args);
      assert.equal(told.code, 2, args.join(' '));
      assert.match(flat(told), message);
    }
    const alone = await testmend(['fix', '--task', 'TEST-2'], { cwd: shop.root });
    assert.deepEqual([alone.code, /--task needs a session/.test(alone.stderr)], [2, true]);
    await task('TEST-2', { status: 'in_progress' });
    assert.equal((await fix('--task', 'TEST-2')).code, 0, 'who names it takes what was left');
    assert.deepEqual(await statuses(), { 'TEST-1': 'completed', 'TEST-2': 'completed' });
  });

  it('does each task once when two testers start together', async () => {
    for (let n = 1; n <= 4; n++) await task(`TEST-${n}`);
    const both = await Promise.all([fix(), fix()]);
    assert.deepEqual(
      new Set(Object.values(await statuses())),
      new Set(['completed']),
      both.map(flat).join('\n'),
    );
    assert.deepEqual(
      (await messages()).toSorted(),
      [1, 2, 3, 4].map((n) => `test_result TEST-${n}: PASSED: 1 of 1 tests pass.`),
    );
    const done = both.flatMap(({ stdout }) =>
      [...stdout.matchAll(/^Task (TEST-\d)/gm)].map(([, name]) => name),
    );
    assert.equal(done.length, 4);
    assert.deepEqual(new Set(done), new Set(['TEST-1', 'TEST-2', 'TEST-3', 'TEST-4']));
  });

  describe('when it is stopped amid', () => {
    let hold = '';
    beforeEach(async () => {
      hold = path.join(shop.root, '../hold');
      await writeFile(hold, '');
      await task('TEST-1');
    });
    const isReached = (): Promise<boolean> => Promise.resolve(existsSync(`${hold}.reached`));

    it('by kill -9, leaves the task in progress, and the next tester takes it up again', async () => {
      const child = spawn(process.execPath, [...cli.options, cli.script, 'fix', '--session', session], {
        cwd: shop.root,
        env: {
          ...process.env,
          HOLD: hold,
          XDG_CACHE_HOME: path.join(shop.root, '../caches'),
          XDG_STATE_HOME: path.join(shop.root, '../state'),
          TESTMEND_SANDBOX_DIR: path.join(shop.root, '../sandboxes'),
        },
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      while (!(await isReached()) && child.exitCode === null) await wait(20);
      // In another folder a tester waits for nobody.
      const elsewhere = path.join(shop.root, '..');
      const busy = await testmend(['fix', '--session', path.join(shop.root, session)], { cwd: elsewhere });
      assert.match(flat(busy), /No task is free: TEST-1 is being worked on/);
      child.kill('SIGKILL');
      await ended;
      await rm(hold);
      assert.deepEqual(await statuses(), { 'TEST-1': 'in_progress' });
      const told = await fix();
      assert.equal(told.code, 0, flat(told));
      assert.deepEqual(await statuses(), { 'TEST-1': 'completed' });
    });

    it('by a fix cycle that somebody else runs in the folder, gives the task back', async () => {
      const other = testmend(['fix'], { cwd: shop.root, env: { HOLD: hold } });
      while (!(await isReached())) await wait(20);
      const told = await fix();
      await rm(hold);
      await other;
      assert.equal(told.code, 2, flat(told));
      assert.match(flat(told), /TEST-1 is released.*A fix cycle is already running for this folder/);
      assert.deepEqual(await statuses(), { 'TEST-1': 'pending' });
      assert.ok(!existsSync(path.join(shop.root, session, 'results')));
    });

    it('by ctrl-C, writes no results, and the next tester takes it up again', async () => {
      const { code } = await testmend(['fix', '--session', session], {
        cwd: shop.root,
        env: { HOLD: hold },
        interruptWhen: isReached,
      });
      assert.equal(code, 130);
      await rm(hold);
      assert.ok(!existsSync(path.join(shop.root, session, 'results')));
      assert.deepEqual(await statuses(), { 'TEST-1': 'in_progress' });
      assert.equal((await fix()).code, 0);
      assert.deepEqual(await statuses(), { 'TEST-1': 'completed' });
    });

    it('by the time limit, tells partial results, and leaves the task to the coordinator', async () => {
      await task('TEST-2');
      const told = await testmend(['fix', '--session', session, '--timeout', '5'], {
        cwd: shop.root,
        env: { HOLD: hold },
      });
      await rm(hold);
      assert.equal(told.code, 124, flat(told));
      const { all_passed, notes } = await results('all');
      assert.equal(all_passed, false);
      assert.match(String(notes), /Partial results|this report is empty/);
      assert.deepEqual(await statuses(), { 'TEST-1': 'in_progress', 'TEST-2': 'pending' });
      const next = await fix('--task', 'TEST-1');
      assert.equal(next.code, 0, flat(next));
    });
  });
});
