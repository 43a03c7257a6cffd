// The tasks of a session as files: which are free, in which order, and that two testers never take the same.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { layerOf } from '../../../src/core/session/sessionTask.ts';
import { TaskList, type OwnTask, type PlacedTask } from '../../../src/core/session/taskList.ts';

const firstFree = (own: readonly OwnTask[]): PlacedTask | undefined => own.find(({ isFree }) => isFree)?.task;

describe('the tasks of a session', () => {
  let session = '';
  beforeEach(async () => {
    session = await mkdtemp(path.join(os.tmpdir(), 'testmend-tasks-'));
    await mkdir(path.join(session, 'tasks'));
  });
  afterEach(() => rm(session, { recursive: true, force: true }));

  const write = (file: string, value: unknown): Promise<void> =>
    writeFile(path.join(session, file), typeof value === 'string' ? value : JSON.stringify(value, null, 4));
  const task = (id: string, more: object = {}): Promise<void> =>
    write(`tasks/${id}.json`, {
      id,
      subject: `Do ${id}`,
      owner: 'tester',
      status: 'pending',
      blockedBy: [],
      ...more,
    });
  const read = (file: string): Promise<string> => readFile(path.join(session, file), 'utf8');
  const told = async (): Promise<readonly string[]> => {
    const list = new TaskList(session);
    const { tasks } = await list.read();
    return (await list.own(tasks)).map((one) => `${one.task.name} ${one.reason}`);
  };

  it('are those named TEST- of the owner tester, in natural order, by id or by the word their subject begins with', async () => {
    await task('TEST-10');
    await task('TEST-2');
    await task('IMPL-1');
    await task('TEST-3', { owner: 'reviewer' });
    await write('tasks/7.json', {
      id: '7',
      subject: 'TEST-001: unit tests',
      owner: 'tester',
      status: 'pending',
    });
    await write('tasks/8.json', {
      id: 8,
      title: 'TEST-004 by title',
      owner: 'tester',
      status: 'pending',
      blockedBy: [7],
    });
    assert.deepEqual(await told(), [
      'TEST-001 is free',
      'TEST-2 is free',
      'TEST-004 waits for 7',
      'TEST-10 is free',
    ]);
  });

  it('wait for blockers until every one is known to be completed', async () => {
    await task('IMPL-1', { owner: 'executor', status: 'in_progress' });
    await task('TEST-1', { blockedBy: ['IMPL-1'] });
    await task('TEST-2', { blockedBy: ['NOBODY'] });
    await task('TEST-3', { blockedBy: ['TEST-3'] });
    assert.deepEqual(await told(), [
      'TEST-1 waits for IMPL-1',
      'TEST-2 waits for NOBODY',
      'TEST-3 waits for TEST-3',
    ]);
    await task('IMPL-1', { owner: 'executor', status: 'completed' });
    assert.equal((await told())[0], 'TEST-1 is free');
  });

  it('are also read from one file, a list or an object with one', async () => {
    const one = { id: 'TEST-5', owner: 'tester', status: 'pending', note: { keep: 1 } };
    for (const value of [[{ id: 'X' }, one], { version: 2, tasks: [{ id: 'X' }, one] }]) {
      await write('tasks.json', value);
      const list = new TaskList(session);
      const taken = await list.take(firstFree);
      const before = JSON.stringify(value, null, 4);
      assert.equal(await read('tasks.json'), before.replace('pending', 'in_progress'));
      assert.ok(taken);
      // The coordinator puts another one in front meanwhile.
      await write('tasks.json', (await read('tasks.json')).replace('"X"\n', '"X"\n},{"id": "Y"\n'));
      assert.equal(await list.settle(taken, 'completed'), 'completed');
      assert.match(await read('tasks.json'), /"Y"[^]*"TEST-5"[^]*"status": "completed"[^]*"keep": 1/);
    }
  });

  it('change in nothing but their status', async () => {
    const text = '{ "id":"TEST-1",\r\n\t"owner": "tester", "status" : "pending", "metadata": { "n": 1.50 } }';
    await write('tasks/TEST-1.json', text);
    const list = new TaskList(session);
    const taken = await list.take(firstFree);
    assert.ok(taken);
    await list.settle(taken, 'completed');
    assert.equal(await read('tasks/TEST-1.json'), text.replace('pending', 'completed'));
  });

  it('that cannot be read are told with file and remedy, and stop nothing else', async () => {
    await write('tasks/TEST-1.json', '{ "id": "TEST-1", ');
    await write('tasks/TEST-2.json', { id: 'TEST-2', owner: 'tester', status: 7 });
    await write('tasks/TEST-3.json', {
      id: 'TEST-3',
      owner: 'tester',
      status: 'pending',
      blockedBy: 'IMPL-1',
    });
    await write('tasks/TEST-4.json', [1]);
    await write('tasks/TEST-5.json', `"${'x'.repeat(6 * 1024 * 1024)}"`);
    await write('tasks/TEST-6.json', { id: 'TEST-6', owner: ['tester'], status: 'pending' });
    await symlink('/etc/hostname', path.join(session, 'tasks/TEST-7.json'));
    await mkdir(path.join(session, 'tasks/TEST-8.json'));
    await write('tasks/TEST-9.json', { subject: 'TEST-9', owner: 'tester', status: 'pending' });
    await write('tasks.json', '"no list"');
    await task('TEST-99');
    const list = new TaskList(session);
    const { troubles } = await list.read();
    for (const part of [
      /TEST-1\.json is no JSON: .*left as it is/,
      /TEST-2\.json has a "status" that is no text\. Correct it/,
      /TEST-3\.json has a "blockedBy" that is no list of ids/,
      /TEST-4\.json is no task/,
      /TEST-5\.json is larger than 5 MB/,
      /TEST-6\.json has a "owner" that is no text/,
      /TEST-7\.json is no plain file/,
      /TEST-8\.json is no plain file/,
      /TEST-9\.json has no id/,
      /tasks\.json holds no list of tasks/,
    ])
      assert.equal(
        troubles.filter((text) => part.test(text)).length,
        1,
        `${String(part)}\n${troubles.join('\n')}`,
      );
    assert.equal(troubles.length, 10);
    assert.deepEqual(await told(), ['TEST-99 is free']);
  });

  it('may have any id: none leads to a file', async () => {
    await write('tasks/a.json', { id: 'TEST-../../x', owner: 'tester', status: 'pending' });
    await write('tasks/b.json', {
      id: '../x',
      subject: 'TEST-\u001b[31m',
      owner: 'tester',
      status: 'pending',
    });
    const list = new TaskList(session);
    for (let left = 2; left > 0; left--) {
      const taken = await list.take(firstFree);
      assert.ok(taken);
      assert.equal(await list.settle(taken, 'completed'), 'completed');
    }
    assert.equal(await list.take(firstFree), undefined);
  });

  it('are left to the coordinator who changed them meanwhile', async () => {
    await task('TEST-1');
    const list = new TaskList(session);
    const taken = await list.take(firstFree);
    assert.ok(taken);
    await task('TEST-1', { status: 'deleted' });
    assert.equal(await list.settle(taken, 'completed'), 'deleted');
    await rm(path.join(session, 'tasks/TEST-1.json'));
    await assert.rejects(list.settle(taken, 'completed'), /TEST-1 is no longer in tasks\/TEST-1\.json/);
  });

  it('are free again when their tester was killed, and not while it runs', async () => {
    await task('TEST-1');
    const module = new URL('../../../src/core/session/taskList.ts', import.meta.url).href;
    const program = `import { TaskList } from ${JSON.stringify(module)};
const taken = await new TaskList(${JSON.stringify(session)}).take((own) => own[0]?.task);
console.log(taken?.name);
setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      assert.match(await read('tasks/TEST-1.json'), /in_progress/);
      assert.deepEqual(await told(), ['TEST-1 is being worked on']);
      assert.equal(await new TaskList(session).take(firstFree), undefined);
    } finally {
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
    }
    assert.deepEqual(await told(), ['TEST-1 is free']);
    const again = await new TaskList(session).take(firstFree);
    assert.equal(again?.name, 'TEST-1');
  });

  it("in progress that no tester of ours holds are the coordinator's; so are those of another machine", async () => {
    await task('TEST-1', { status: 'in_progress' });
    assert.deepEqual(await told(), ['TEST-1 is left in_progress for the coordinator']);
    await mkdir(path.join(session, '.tester'));
    const claim = { file: 'tasks/TEST-1.json', id: 'TEST-1', host: 'elsewhere', pid: 1, startTime: '' };
    await write('.tester/claims.json', [claim, 'nonsense']);
    assert.deepEqual(await told(), ['TEST-1 is being worked on']);
    await task('TEST-1');
    assert.deepEqual(await told(), ['TEST-1 is free'], 'the coordinator took it away');
  });

  it('are taken once each by many at once', async () => {
    for (let n = 1; n <= 6; n++) await task(`TEST-${n}`);
    const taken = await Promise.all(Array.from({ length: 8 }, () => new TaskList(session).take(firstFree)));
    const names = taken.flatMap((one) => one?.name ?? []);
    assert.deepEqual(names.toSorted(), ['TEST-1', 'TEST-2', 'TEST-3', 'TEST-4', 'TEST-5', 'TEST-6']);
  });
});

describe('the layer in the text of a task', () => {
  it('is the first that it names; another word is told', () => {
    assert.deepEqual(layerOf('Run it\nlayer: L2, then layer: L1'), { layer: 'L2' });
    assert.deepEqual(layerOf('Layer:L3.'), { layer: 'L3' });
    assert.deepEqual(layerOf('- **Layer:** L2'), { layer: 'L2' });
    assert.deepEqual(layerOf('{ "layer": "L1" }'), { layer: 'L1' });
    assert.deepEqual(layerOf('layers of cake: L1'), {});
    assert.deepEqual(layerOf(`layer:${' '.repeat(1_000_000)}L1`), {});
    assert.deepEqual(layerOf('layer: L4'), { wrong: 'L4' });
    assert.deepEqual(layerOf('layer: L12'), { wrong: 'L12' });
  });
});
