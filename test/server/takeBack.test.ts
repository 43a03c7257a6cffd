// Fixes that an editor applied and that do not help in the workspace itself: the engine takes them out of the files, and says why.
import assert from 'node:assert/strict';
import path from 'node:path';
import { applyEdit } from '../../src/core/model/edit.ts';
import type { CycleFix } from '../../src/core/model/cycle.ts';
import { plainFix } from '../../src/extension/webview/offeredFixes.ts';
import { requests } from '../../src/server/messages.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

/** Git ignores it, so that no copy has it. */
const held = "existsSync(new URL('../held.lock', import.meta.url))";
const test = (name: string, body: string): string => `import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { net } from '../src/shop.js';

test('${name}', () => {
  ${body}
});
`;
const files = {
  'tests/held.test.js': test(
    'is held',
    `assert.equal(net(240), 200);\n  assert.ok(!${held}, 'somebody holds the shop');`,
  ),
  'tests/net.test.js': test('takes the tax off', 'assert.equal(net(120), 100);'),
};
const source = (name: string): string => `export const ${name} = (cents) => cents / 1.2;\n`;

describe('applied fixes that do not help on disk', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  let fixes: readonly CycleFix[];
  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }',
        '.gitignore': 'held.lock\n',
        'src/shop.js': source('net'),
        ...files,
      },
      { git: true },
    );
    await workspace.write('src/shop.js', source('netOf'));
    await workspace.write('held.lock', '');
    engine = await startEngine('ipc', {
      initializationOptions: {
        roots: [{ root: workspace.root }],
        trusted: true,
        storageFolder: path.join(path.dirname(workspace.root), 'storage'),
        hasOwnUi: true,
      },
    });
    const { root } = workspace;
    const report = await engine.request(requests.startCycle, { cycleId: '1', root });
    fixes = report.fixes.filter(({ verdict }) => verdict.verdict === 'verified');
    assert.equal(fixes.length, 2, report.notes.join());
    const accepted = fixes.map((fix) => plainFix(fix));
    const { edits } = await engine.request(requests.composeFixes, {
      root,
      kept: accepted,
      applied: [],
      accepted,
    });
    for (const edit of edits)
      await workspace.write(edit.file, applyEdit(edit, await workspace.read(edit.file)));
    assert.match(await workspace.read('tests/held.test.js'), /netOf/);
  });
  afterEach(async () => {
    await engine.end();
    await workspace.dispose();
  });
  const idOf = (file: string): string => fixes.find(({ edits }) => edits[0]?.file === file)?.id ?? '';
  const takeBack = (judged = fixes.map(({ id }) => id)) =>
    engine.request(requests.takeBackFixes, {
      root: workspace.root,
      kept: fixes.map((fix) => plainFix(fix)),
      applied: fixes.map((fix) => plainFix(fix)),
      judged,
      bases: files,
    });

  it('are taken back, with the reason; those that help stay', async () => {
    const { reasons, notes } = await takeBack();
    assert.equal(await workspace.read('tests/held.test.js'), files['tests/held.test.js']);
    assert.match(await workspace.read('tests/net.test.js'), /netOf/);
    assert.deepEqual(Object.keys(reasons), [idOf('tests/held.test.js')]);
    assert.match(
      reasons[idOf('tests/held.test.js')] ?? '',
      /^its test still fails on disk: [^]*somebody holds the shop/,
    );
    assert.match(
      notes.join('\n'),
      /^Taken back: .*\(tests\/held\.test\.js\): its test still fails on disk: .*$/m,
    );
    const { results } = await engine.request(requests.lastResults, { root: workspace.root });
    const known = results.map(({ result }) => `${result.file} ${result.outcome}`).sort();
    assert.deepEqual(known, ['tests/held.test.js errored', 'tests/net.test.js passed']);
  });

  it('stay where they help, and where their file changed since, which is said', async () => {
    const alone = await takeBack([idOf('tests/net.test.js')]);
    assert.deepEqual(alone, { reasons: {}, notes: [] });
    const now = `${await workspace.read('tests/held.test.js')}// mine\n`;
    await workspace.write('tests/held.test.js', now);
    const { reasons, notes } = await takeBack();
    assert.deepEqual(reasons, {});
    assert.match(notes.join('\n'), /does not help on disk .* stays: tests\/held\.test\.js changed since/);
    assert.equal(await workspace.read('tests/held.test.js'), now);
  });
});
