import assert from 'node:assert/strict';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { replayReportSchema, type SettingScore } from '../../src/core/replay/replayReport.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { documentOf } from './schemas.ts';

const source = 'export const fee = (cents) => (cents > 1000 ? 0 : 300);\n';
const test = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fee } from './fee.js';

test('charges a fee', () => {
  assert.equal(fee(500), 300);
});
`;

describe('testmend replay --mutants', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'fee.js': source,
        'fee.test.js': test,
      },
      { git: true },
    );
  });
  afterEach(() => workspace.dispose());

  /** Commits these texts and replays the commit with the source taken as right. */
  const scoreOf = async (texts: Readonly<Record<string, string>>): Promise<SettingScore> => {
    for (const [file, text] of Object.entries(texts)) await workspace.write(file, text);
    workspace.git('commit', '-aqm', 'Charge more');
    const args = ['replay', '--json', '--commits', '1', '--mutants'];
    const result = await testmend(args, { cwd: workspace.root, limitMs: 280_000 });
    const report = documentOf(replayReportSchema, result);
    assert.equal(report.mutants, true);
    return report.commits[0]?.sourceIsRight ?? assert.fail(JSON.stringify(report));
  };
  const dearer = source.replace('300', '400');

  it("is content with tests that notice as many bugs as the author's", async () => {
    const { kills, sound } = await scoreOf({ 'fee.js': dearer, 'fee.test.js': test.replace('300', '400') });
    assert.ok(kills !== undefined && kills.mutants > 3 && kills.ours > 0, JSON.stringify(kills));
    assert.equal(kills.ours, kills.theirs);
    assert.equal(sound, true);
  });

  it("does not call a test sound that notices fewer than the author's own", async () => {
    const theirs = test.replace(
      'fee(500), 300);',
      'fee(500), 400);\n  assert.equal(fee(1000), 400);\n  assert.equal(fee(1001), 0);',
    );
    const score = await scoreOf({ 'fee.js': dearer, 'fee.test.js': theirs });
    assert.ok(
      score.kills !== undefined && score.kills.ours < score.kills.theirs,
      JSON.stringify(score.kills),
    );
    assert.equal(score.sound, false);
    assert.match(score.faults.join('\n'), /notice \d+ of \d+ bugs in the changed source, the author's \d+\./);
  });

  it('counts only tests that the author has too', async () => {
    const theirs = `${test.replace('300', '400')}\ntest('is free of charge above', () => {\n  assert.equal(fee(1001), 0);\n});\n`;
    const { kills, sound } = await scoreOf({ 'fee.js': dearer, 'fee.test.js': theirs });
    assert.equal(kills?.ours, kills?.theirs);
    assert.equal(sound, true);
  });

  it('says what to install where Stryker is missing', async () => {
    const copy = path.join(workspace.root, '..', 'installed');
    await cp(path.join(import.meta.dirname, '../../dist'), path.join(copy, 'dist'), { recursive: true });
    try {
      const cli = path.join(copy, 'dist', 'cli.js');
      const { status, stderr } = spawnSync(process.execPath, [cli, 'replay', '--mutants'], {
        cwd: workspace.root,
        encoding: 'utf8',
      });
      assert.equal(status, 2);
      assert.match(
        stderr,
        /Mutants need @stryker-mutator\/instrumenter, which is not installed\.[\s\S]*npm install --save-dev/,
      );
    } finally {
      await rm(copy, { recursive: true });
    }
  });
});
