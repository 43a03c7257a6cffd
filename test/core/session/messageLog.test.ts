// The message log of a session, with many writers, broken lines and locks of dead processes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MessageLog, messageSchema } from '../../../src/core/session/messageLog.ts';

describe('the message log of a session', () => {
  let session = '';
  let log: MessageLog;
  beforeEach(async () => {
    session = await mkdtemp(path.join(os.tmpdir(), 'testmend-session-'));
    log = new MessageLog(session);
  });
  afterEach(() => rm(session, { recursive: true, force: true }));

  const note = (from: string, summary: string, type = 'note'): Promise<{ readonly id: string }> =>
    log.log({ from, type, summary });
  const ids = async (filter = {}): Promise<readonly string[]> => (await log.list(filter)).map(({ id }) => id);

  it('is a file of lines in the place that others know', async () => {
    const { id } = await log.log({
      from: 'tester',
      type: 'test_result',
      summary: 'ok',
      data: { passRate: 95 },
    });
    assert.equal(id, 'MSG-001');
    const text = await readFile(path.join(session, '.msg', 'messages.jsonl'), 'utf8');
    const { ts, ...rest } = messageSchema.parse(JSON.parse(text));
    assert.match(ts, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual(rest, {
      id: 'MSG-001',
      from: 'tester',
      to: 'coordinator',
      type: 'test_result',
      summary: 'ok',
      data: { passRate: 95 },
    });
  });

  it('lists by sender, receiver and type, the newest 20 unless told', async () => {
    for (let n = 0; n < 25; n++) await note(n % 2 === 0 ? 'a' : 'b', `n${n}`, n === 3 ? 'error' : 'note');
    await log.broadcast({ from: 'a', type: 'note', summary: 'to all' });
    assert.equal((await ids()).length, 20);
    assert.equal((await ids({ last: 1000 })).length, 26);
    assert.deepEqual(await ids({ type: 'error', from: 'b' }), ['MSG-004']);
    assert.deepEqual(await ids({ to: 'somebody' }), ['MSG-026']);
    assert.deepEqual(await ids({ last: 2 }), ['MSG-025', 'MSG-026']);
  });

  it('reads, deletes and clears, and gives no id twice', async () => {
    await note('a', 'one');
    await note('a', 'two');
    assert.equal((await log.read('MSG-002')).summary, 'two');
    await log.delete('MSG-002');
    await assert.rejects(log.read('MSG-002'), /There is no message MSG-002/);
    await assert.rejects(log.delete('MSG-002'), { code: 'bad-input' });
    assert.equal((await note('a', 'three')).id, 'MSG-003');
    assert.equal(await log.clear(), 2);
    assert.equal((await note('a', 'four')).id, 'MSG-004');
  });

  it('tells who did what, and what is known of each', async () => {
    await log.log({ from: 'a', type: 'x', summary: 's1', data: { done: 1, left: 2 } });
    await log.log({ from: 'a', type: 'y', summary: 's2', data: { done: 3 } });
    await note('b', 's3');
    const { total, members } = await log.status();
    assert.deepEqual(
      [total, members.map(({ member, messages, last }) => [member, messages, last.summary])],
      [
        3,
        [
          ['a', 2, 's2'],
          ['b', 1, 's3'],
        ],
      ],
    );
    assert.deepEqual(await log.state(), {
      a: { done: 3, left: 2, last_type: 'y' },
      b: { last_type: 'note' },
    });
  });

  it('is empty where there is none, and reading makes nothing', async () => {
    assert.deepEqual(await log.list(), []);
    assert.deepEqual((await log.status()).total, 0);
    await assert.rejects(readFile(path.join(session, '.msg', 'messages.jsonl')), { code: 'ENOENT' });
  });

  it('keeps broken and cut lines, and goes on behind them', async () => {
    await mkdir(path.join(session, '.msg'));
    const broken =
      '{"id":"MSG-041","ts":"t","from":"a","to":"b","type":"c","summary":"d"}\n{"id": 7}\nhello\n{"id":"MSG-0';
    await writeFile(log.file, broken);
    assert.equal((await note('a', 'next')).id, 'MSG-042');
    await log.delete('MSG-041');
    const text = await readFile(log.file, 'utf8');
    for (const kept of ['{"id": 7}', 'hello', '{"id":"MSG-0', 'MSG-042'])
      assert.ok(text.includes(kept), kept);
  });

  it('holds no secrets', async () => {
    await log.log({
      from: 'a',
      type: 'b',
      summary: 'token=abcdef123456',
      data: { deep: ['password: hunter22'] },
    });
    assert.doesNotMatch(await readFile(log.file, 'utf8'), /abcdef123456|hunter22/);
  });

  it('holds nothing under the name of a secret either', async () => {
    const data = { password: 'hunter2', api_key: 4711, nested: { token: 'abc' }, passed: 3 };
    await log.log({ from: 'a', type: 'b', summary: 'c', data });
    const text = await readFile(log.file, 'utf8');
    assert.doesNotMatch(text, /hunter2|4711|abc/);
    assert.match(text, /"passed":3/);
  });

  it('is not written through links', async () => {
    const outside = path.join(session, 'outside');
    await writeFile(outside, 'mine');
    for (const name of ['messages.jsonl', '.last-id']) {
      await mkdir(path.dirname(log.file), { recursive: true });
      const link = path.join(path.dirname(log.file), name);
      await symlink(outside, link);
      await assert.rejects(log.log({ from: 'a', type: 'b', summary: 'c' }), /is a link/);
      await rm(link);
    }
    assert.equal(await readFile(outside, 'utf8'), 'mine');
  });

  it('takes over the lock of a process that died', async () => {
    await mkdir(path.join(session, '.msg'));
    await writeFile(path.join(session, '.msg', '.lock'), '{"pid": 999999, "startTime": "x", "key": "k"}');
    assert.equal((await note('a', 'b')).id, 'MSG-001');
  });

  it('gives every message of many processes an id of its own', async function () {
    this.timeout(60_000);
    const module = path.resolve(import.meta.dirname, '../../../src/core/session/messageLog.ts');
    const script = `import { MessageLog } from ${JSON.stringify(module)};
for (let n = 0; n < 15; n++) await new MessageLog(${JSON.stringify(session)}).log({ from: String(process.pid), type: 'note', summary: 'n' + n });`;
    const file = path.join(session, 'writer.mts');
    await writeFile(file, script);
    const codes = await Promise.all(
      [1, 2, 3, 4].map(
        () =>
          new Promise((resolve) => {
            spawn(process.execPath, ['--import', 'tsx', file], {
              stdio: 'inherit',
              cwd: path.resolve(import.meta.dirname, '../../..'),
            }).on('close', resolve);
          }),
      ),
    );
    assert.deepEqual(codes, [0, 0, 0, 0]);
    const all = (await readFile(log.file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => messageSchema.parse(JSON.parse(line)).id);
    assert.deepEqual(
      all,
      Array.from({ length: 60 }, (_, index) => `MSG-${String(index + 1).padStart(3, '0')}`),
    );
  });
});
