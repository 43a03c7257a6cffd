// `testmend messages` and `testmend fix --session`, as real processes.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { MessageLog } from '../../src/core/session/messageLog.ts';
import { spoiling } from '../support/spoiledFolder.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

const partsOf = (value: unknown): { tests_failed: number } =>
  z.object({ tests_failed: z.number() }).parse(value);

describe('testmend messages', function () {
  this.timeout(120_000);
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-messages-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const messages = (...args: string[]): Promise<CliResult> =>
    testmend(['messages', ...args, '--session', 'S1'], { cwd: folder });

  it('logs, lists, reads and deletes', async () => {
    const logged = await messages(
      'log',
      '--from',
      'planner',
      '--type',
      'note',
      '--summary',
      'Half\nof it',
      '--data',
      '{"done": 3}',
    );
    assert.equal(logged.code, 0, logged.stderr);
    assert.match(logged.stdout, /^MSG-001 {2}\S+ {2}planner → coordinator {2}note {2}Half of it\n/);
    assert.match((await messages('list')).stdout, /^MSG-001 .*\n$/);
    const { stdout } = await messages('read', 'MSG-001', '--json');
    assert.match(stdout, /^\{"message":\{"id":"MSG-001"/);
    assert.equal((await messages('delete', 'MSG-001')).code, 0);
    assert.equal((await messages('list')).stdout, 'No messages.\n');
  });

  it('goes on with a log in the older place, named as such or as the session', async () => {
    const old = path.join(folder, '.workflow/.team-msg/x/messages.jsonl');
    await mkdir(path.dirname(old), { recursive: true });
    const known = { from: 'planner', to: 'coordinator', type: 'note', summary: 'of old' };
    await writeFile(old, `${JSON.stringify({ id: 'MSG-007', ts: '2026-01-01T00:00:00Z', ...known })}\n`);
    for (const session of ['.workflow/.team-msg/x', '.workflow/.team/x']) {
      const { stdout, stderr } = await testmend(['messages', 'list', '--session', session], { cwd: folder });
      assert.match(stdout, /^MSG-007 .*of old\n$/, stderr);
    }
    const said = ['--from', 'tester', '--type', 'note', '--summary', 'of today'];
    await testmend(['messages', 'log', ...said, '--session', '.workflow/.team/x'], { cwd: folder });
    assert.match(await readFile(old, 'utf8'), /"MSG-008".*of today/);
  });

  it('says what is wrong', async () => {
    await mkdir(path.join(folder, 'S1'));
    for (const [args, message] of [
      [['shout'], /no operation "shout".*log, list/],
      [['read'], /needs the id/],
      [['read', 'MSG-9'], /There is no message MSG-9/],
      [['list', 'MSG-1'], /takes only options/],
      [['log', '--from', 'a'], /--from, --type and --summary/],
      [['log', '--from', 'a', '--type', 'b', '--summary', 'c', '--data', '[1]'], /not a JSON object/],
      [['list', '--last', '0'], /from 1 to 100, not "0"/],
      [['list', '--last', '101'], /from 1 to 100, not "101"/],
    ] as const) {
      const { code, stderr, stdout } = await messages(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match((stdout + stderr).replace(/\s+/g, ' '), message);
    }
    const { code, stderr } = await testmend(['messages', 'list'], { cwd: folder });
    assert.deepEqual([code, /The folder of the session is missing/.test(stderr)], [2, true]);
  });

  it('does not take a session that is not there for a quiet one, nor a file for one', async () => {
    for (const operation of ['list', 'status', 'get_state', 'clear', 'read']) {
      const { code, stderr } = await messages(operation, ...(operation === 'read' ? ['MSG-1'] : []));
      assert.equal(code, 2, operation);
      assert.match(stderr, /There is no session in\s+\S+S1\./);
    }
    assert.equal(existsSync(path.join(folder, 'S1')), false);
    await writeFile(path.join(folder, 'S1'), '');
    for (const args of [['list'], ['log', '--from', 'a', '--type', 'b', '--summary', 'c']]) {
      const { code, stderr } = await messages(...args);
      assert.deepEqual(
        [code, /cannot be a session:\s+\S+S1 is\s+not\s+a\s+folder\./.test(stderr)],
        [2, true],
        stderr,
      );
    }
  });

  describe('of a fix cycle', () => {
    let workspace: TemporaryWorkspace;
    before(async () => {
      workspace = await temporaryWorkspace(
        {
          'package.json': '{ "name": "shop" }',
          'price.mjs': 'export const price = (n) => n;\n',
          'tests/price.tests.mjs': `import assert from 'node:assert/strict';
import { price } from '../price.mjs';
export default function () {
  assert.equal(price(1), 1);
  return { passed: 1, failed: 0, errors: [] };
}
`,
        },
        { git: true },
      );
      await workspace.write('price.mjs', 'export const price = (n) => n / 0 - n / 0;\n');
    });
    after(() => workspace.dispose());

    const fix = (...args: string[]): Promise<CliResult> =>
      testmend(['fix', '--dry-run', ...args], { cwd: workspace.root });

    it('tell its result, and that the source is at fault; a command is told, too', async () => {
      const told = path.join(folder, 'told');
      const program = path.join(folder, 'program.cjs');
      await writeFile(
        program,
        `require('fs').appendFileSync(${JSON.stringify(told)}, JSON.stringify(process.argv.slice(2)) + '\\n')`,
      );
      const session = path.join(folder, 'S2');
      const { code } = await fix(
        '--session',
        session,
        '--message-command',
        `"${process.execPath}" "${program}" team log`,
      );
      assert.equal(code, 1);
      const all = await new MessageLog(session).list();
      assert.deepEqual(
        all.map(({ id, from, to, type }) => [id, from, to, type]),
        [
          ['MSG-001', 'tester', 'coordinator', 'test_result'],
          ['MSG-002', 'tester', 'coordinator', 'fix_required'],
        ],
      );
      assert.deepEqual(all[0]?.data, { passRate: 0, iterations: 1, total: 1, passed: 0, failed: 1 });
      const [first] = (await readFile(told, 'utf8')).split('\n');
      assert.match(
        first ?? '',
        /^\["team","log","--from","tester","--to","coordinator","--type","test_result","--summary",/,
      );
    });

    it('tell what passes on disk, not in the sandbox', async () => {
      await workspace.write('price.mjs', 'export const net = (n) => n;\n');
      const { code } = await testmend(['fix', '--dry-run', '--session', 'disk'], { cwd: workspace.root });
      assert.equal(code, 1);
      const session = path.join(workspace.root, 'disk');
      const [told] = await new MessageLog(session).list({ type: 'test_result' });
      assert.deepEqual(told?.data, { passRate: 0, iterations: 1, total: 1, passed: 0, failed: 1 });
      const results: unknown = JSON.parse(await readFile(path.join(session, 'results/run-all.json'), 'utf8'));
      assert.equal(partsOf(results).tests_failed, 1);
    });

    it('and results stay when a report cannot be written', async () => {
      const told = ['--events', 'ndjson=begun.ndjson', '--reporter', 'json=out/x.json'];
      const { code, stderr } = await testmend(['fix', '--dry-run', '--session', 'kept', ...told], {
        cwd: workspace.root,
        interruptWhen: spoiling(path.join(workspace.root, 'out'), path.join(workspace.root, 'begun.ndjson')),
      });
      assert.deepEqual([code, /The report cannot be written to/.test(stderr)], [2, true]);
      const text = await readFile(path.join(workspace.root, 'kept/results/run-all.json'), 'utf8');
      assert.doesNotMatch(text, /No test ran/);
      await workspace.write('price.mjs', 'export const price = (n) => n / 0 - n / 0;\n');
    });

    it('are refused before anything runs where a file has the place of the session', async () => {
      for (const session of ['package.json', 'package.json/S1']) {
        const { code, stdout, stderr } = await fix('--json', '--session', session);
        assert.equal(code, 2);
        assert.match(
          stdout,
          /^\{"error":\{"code":"usage","message":"\S+ cannot be a session: \S+package\.json is not a folder\."/,
        );
        assert.doesNotMatch(stderr, /Iteration/);
      }
    });

    it('hold when the command fails, and tell an error of the cycle', async () => {
      const session = path.join(folder, 'S3');
      const { stderr } = await fix('--session', session, '--message-command', 'no-such-program-here');
      assert.match(stderr, /The command for messages .*; the message is in the log/);
      assert.equal((await new MessageLog(session).list()).length, 2);
      await fix('--session', session, 'no-such-file.mjs');
      assert.equal((await new MessageLog(session).list()).at(-1)?.type, 'error');
    });
  });
});
