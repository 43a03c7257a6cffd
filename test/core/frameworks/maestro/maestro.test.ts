// Flows of Maestro: found by its own rules, and run by a stand-in for its program, which needs devices.
import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { listTestFiles } from '../../../../src/core/frameworks/discover.ts';
import { jsonReport } from '../../../../src/core/reports/jsonReporter.ts';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const flow = (standIn = '', head = ''): string =>
  `appId: com.example\n${head}---\n- launchApp\n# stand-in: ${standIn}\n`;

async function listed(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const workspace = await temporaryWorkspace(files);
  const limits = { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 };
  const found = await listTestFiles({ root: workspace.root, limits, frameworks: [], cacheFolder: '' });
  await workspace.dispose();
  return [...found.files.map(({ file }) => file), ...found.notes];
}

describe('listing maestro', () => {
  it('takes the flows at the top, and no files that are none', async () => {
    const files = {
      '.maestro/login.yaml': flow(),
      '.maestro/web.yml': 'url: https://example.com\n---\n- launchApp\n',
      '.maestro/sub/enter.yaml': flow(),
      '.maestro/data.yaml': 'users:\n  - one\n',
      '.maestro/script.js': '',
      'other/flow.yaml': flow(),
    };
    assert.deepEqual(await listed(files), ['.maestro/login.yaml', '.maestro/web.yml']);
  });

  it('goes by the patterns and tags of config.yaml', async () => {
    const files = {
      'maestro/config.yaml': 'flows:\n  - "*"\n  - "auth/**"\n  - "!auth/sub/*"\nexcludeTags:\n  - slow\n',
      'maestro/top.yaml': flow(),
      'maestro/slow.yaml': flow('', 'tags:\n  - slow\n'),
      'maestro/auth/login.yaml': flow(),
      'maestro/auth/sub/enter.yaml': flow(),
      'maestro/cart/add.yaml': flow(),
    };
    assert.deepEqual(await listed(files), ['maestro/auth/login.yaml', 'maestro/top.yaml']);
  });
});

describe('running maestro', () => {
  const { PATH = '', MAESTRO_RETRY } = process.env;
  let workspace: TemporaryWorkspace;
  afterEach(async () => {
    process.env['PATH'] = PATH;
    if (MAESTRO_RETRY === undefined) delete process.env['MAESTRO_RETRY'];
    else process.env['MAESTRO_RETRY'] = MAESTRO_RETRY;
    await workspace.dispose();
  });

  async function open(files: Readonly<Record<string, string>>): Promise<void> {
    workspace = await temporaryWorkspace(files);
    const bin = path.join(workspace.root, '..', 'bin');
    await mkdir(bin);
    await copyFile(
      path.resolve(import.meta.dirname, '../../../support/maestroStandIn.mjs'),
      path.join(bin, 'maestro'),
    );
    await chmod(path.join(bin, 'maestro'), 0o755);
    // A script without an ending is CommonJS unless a package.json says otherwise.
    await workspace.write('../bin/package.json', '{ "type": "module" }');
    process.env['PATH'] = `${bin}${path.delimiter}${PATH}`;
  }

  it('tells each flow, tries failed ones once more, and counts those that pass then', async () => {
    await open({
      '.maestro/a.yaml': flow('passes', 'name: Sign in\n'),
      '.maestro/b.yaml': flow('fails once'),
      '.maestro/c.yaml': flow('fails'),
    });
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'passed maestro:.maestro/a.yaml',
      'passed maestro:.maestro/b.yaml',
      'failed maestro:.maestro/c.yaml',
    ]);
    assert.deepEqual(
      summary.tests.map(({ title, durationMs }) => [title, durationMs]),
      [
        ['Sign in', 1500],
        ['b', 1500],
        ['c', 1500],
      ],
    );
    assert.equal(summary.tests[2]?.failure?.message, 'Assertion is false: "Cart <1>" is visible');
    assert.deepEqual(summary.notes, [
      'The flow "b" failed and passed when it was tried again: Assertion is false: "Cart <1>" is visible',
    ]);
    assert.equal(await workspace.read('starts.log'), 'a.yaml b.yaml c.yaml\nb.yaml c.yaml\n');
    const report = jsonReport(summary);
    assert.equal(report.summary.flaky_in_run, 1);
    assert.match(report.tests[1]?.original_failure_message ?? '', /^Assertion is false/);
  });

  it('tries as often as MAESTRO_RETRY says, and runs the flows whose names hold the filter', async () => {
    await open({ '.maestro/a.yaml': flow('passes', 'name: Sign in\n'), '.maestro/b.yaml': flow('fails') });
    process.env['MAESTRO_RETRY'] = '0';
    const { summary } = await runWorkspace(workspace.root, { selection: { filter: 'B' } });
    assert.deepEqual(drawn(summary.tests), ['failed maestro:.maestro/b.yaml']);
    await runWorkspace(workspace.root, { selection: { nativeFilter: 'sign' } });
    assert.equal(await workspace.read('starts.log'), 'b.yaml\na.yaml\n');
  });

  it('ends every flow when one is broken, when maestro hangs, and when there is no maestro', async () => {
    await open({ '.maestro/a.yaml': flow('passes'), '.maestro/b.yaml': flow('broken') });
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'passed maestro:.maestro/a.yaml',
      'errored maestro:.maestro/b.yaml',
    ]);
    await workspace.write('.maestro/b.yaml', flow('hangs'));
    const { TMPDIR } = process.env;
    process.env['TMPDIR'] = path.join(workspace.root, '..');
    const hung = (await runWorkspace(workspace.root, { limits: { timeoutMs: 2000 } })).summary;
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    assert.deepEqual([hung.errored, hung.ended], [2, 'timeout']);
    // What it would have removed at its own end is removed for it.
    const left = await readdir(path.join(workspace.root, '..'));
    assert.deepEqual(
      left.filter((name) => name.startsWith('testmend-maestro-')),
      [],
    );
    process.env['PATH'] = path.dirname(process.execPath);
    const without = (await runWorkspace(workspace.root)).summary;
    assert.match(
      resultOf(without, 'maestro:.maestro').failure?.message ?? '',
      /need Maestro, which is not on PATH/,
    );
  });
});
