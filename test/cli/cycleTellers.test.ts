// `testmend fix` tells its events and its report to programs: real processes on a small workspace.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cycleEventSchema } from '../../src/core/model/cycle.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

const files = {
  'package.json': '{ "name": "shop" }',
  'price.mjs': 'export const withoutTax = (gross) => gross / 1.2;\n',
  'tests/price.tests.mjs': `import assert from 'node:assert/strict';
import { withoutTax } from '../price.mjs';
export default function () {
  assert.equal(withoutTax(120), 100);
  return { passed: 1, failed: 0, errors: [] };
}
`,
};

describe('what testmend fix tells programs', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-tells-'));
    workspace = await temporaryWorkspace(files, { git: true });
    await workspace.write('price.mjs', 'export const withoutTax = (gross) => gross / 1.25;\n');
  });
  after(async () => {
    await workspace.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const fix = (args: readonly string[], env: Record<string, string> = {}): Promise<CliResult> =>
    testmend(['fix', '--dry-run', ...args], { cwd: workspace.root, env });
  const typesOf = (text: string): readonly string[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => cycleEventSchema.parse(JSON.parse(line)).type);

  it('is each event on a line of stdout, and the rest on stderr', async () => {
    const { code, stdout, stderr } = await fix(['--events', 'ndjson']);
    const types = typesOf(stdout);
    assert.deepEqual([types[0], types.at(-1), code], ['cycleStarted', 'cycleEnded', 1]);
    assert.ok(types.includes('fixJudged') && types.includes('iterationEnded'));
    assert.match(stderr, /NEEDS ATTENTION/);
  });

  it('tells the limits of a preset', async () => {
    const { stdout } = await fix(['--preset', 'qa', '--events', 'ndjson']);
    const [first] = stdout.split('\n');
    assert.match(first ?? '', /"preset":"qa","maxIterations":5,"targetPassRate":95/);
  });

  it('goes to a file beside a JSON document, and the report to another', async () => {
    const [events, report] = [path.join(folder, 'e.ndjson'), path.join(folder, 'deep', 'r.md')];
    const { stdout } = await fix([
      '--json',
      '--events',
      `ndjson=${events}`,
      '--reporter',
      `markdown=${report}`,
    ]);
    assert.match(stdout, /^\{"status":"needs-attention"/);
    JSON.parse(stdout);
    assert.equal(typesOf(await readFile(events, 'utf8')).at(-1), 'cycleEnded');
    assert.match(await readFile(report, 'utf8'), /^# Testmend: NEEDS ATTENTION\n/);
  });

  it('leaves an older recording alone where no cycle begins', async () => {
    const recording = path.join(folder, 'older.ndjson');
    await writeFile(recording, 'older\n');
    const { code } = await fix(['--events', `ndjson=${recording}`, 'no-such.tests.mjs']);
    assert.equal(code, 2);
    assert.equal(await readFile(recording, 'utf8'), 'older\n');
  });

  it('marks failures for GitHub, with a summary', async () => {
    const summary = path.join(folder, 'summary.md');
    await writeFile(summary, 'before\n');
    const { stdout } = await fix(['--reporter', 'github'], { GITHUB_STEP_SUMMARY: summary });
    assert.match(
      stdout,
      /^::notice file=tests\/price\.tests\.mjs,line=4,title=A proven fix needs your approval::expect 96/m,
    );
    assert.match(await readFile(summary, 'utf8'), /^before\n# Testmend: NEEDS ATTENTION\n/);
  });

  it('says what it does not know, before anything is run', async () => {
    for (const [args, message] of [
      [['--events', 'xml'], /no event format "xml"/],
      [['--events', 'ndjson', '--json'], /exclude each other/],
      [['--events', 'ndjson', '--reporter', 'github'], /exclude each other/],
      [['--reporter', 'html'], /no reporter "html" for fix/],
    ] as const) {
      const { code, stdout, stderr } = await fix(args);
      assert.equal(code, 2);
      assert.match(stdout + stderr, message);
    }
    const { code, stderr } = await fix(['--reporter', 'markdown=/dev/null/x.md']);
    assert.equal(code, 2);
    assert.match(stderr, /The report cannot be written to \/dev\/null\/x\.md/);
  });
});
