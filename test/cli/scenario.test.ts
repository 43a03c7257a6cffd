// `testmend scenario import` and `export`: what is written where, and the exit code when something is missing.
import assert from 'node:assert/strict';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const test = (title: string, ...lines: readonly string[]): string =>
  `test('${title}', async ({ page }) => {\n${lines.map((line) => `  ${line}\n`).join('')}});\n`;
const head = "import { test, expect } from '@playwright/test';\n";
const files = {
  'whole.spec.ts':
    head + test('Buys', "await page.goto('http://localhost/');", "await page.getByText('Buy').click();"),
  'partly.spec.ts': head + test('Buys', "await page.goto('http://localhost/');", 'await page.reload();'),
  'several.spec.ts':
    head + test('One', "await page.goto('http://a/');") + test('One', "await page.goto('http://b/');"),
};

describe('testmend scenario', function () {
  this.timeout(60_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(files);
  });
  after(() => workspace.dispose());
  const scenario = (...args: readonly string[]): Promise<CliResult> =>
    testmend(['scenario', ...args], { cwd: workspace.root });

  it('takes a test into a file and back, never over another one without --force', async () => {
    const taken = await scenario('import', 'whole.spec.ts', '--out', 'buy.scenario.yaml');
    assert.deepEqual(taken, { code: 0, stdout: 'Wrote buy.scenario.yaml.\n', stderr: '' });
    assert.match(
      await workspace.read('buy.scenario.yaml'),
      /^# Imported from whole\.spec\.ts\.\n\nid: buys\n/,
    );
    const back = await scenario('export', 'buy.scenario.yaml');
    assert.equal(back.code, 0, back.stderr);
    assert.match(
      back.stdout,
      /test\('Buys', async \(\{ page \}\) => \{\n {2}await page\.goto\('http:\/\/localhost\/'\);/,
    );

    await workspace.write('buy.scenario.yaml', 'mine');
    const refused = await scenario('import', 'whole.spec.ts', '--out', 'buy.scenario.yaml');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /already exists[^]*--force/);
    assert.equal(await workspace.read('buy.scenario.yaml'), 'mine');
    const forced = await scenario('import', 'whole.spec.ts', '--out', 'buy.scenario.yaml', '--force');
    assert.equal(forced.code, 0);
  });

  it('exits with 1 and tells the line where something is not carried over', async () => {
    const { code, stdout, stderr } = await scenario('import', 'partly.spec.ts');
    assert.equal(code, 1);
    assert.match(stdout, /^#   line 4: await page\.reload\(\); \(there is no step for it\)$/m);
    assert.equal(
      stderr,
      '! 1 statement not carried over:\n  line 4: await page.reload(); (there is no step for it)\n',
    );
    const json = (await scenario('import', 'partly.spec.ts', '--json')).stdout;
    assert.ok(
      json.includes(
        '"leftOut":[{"line":4,"text":"await page.reload();","reason":"there is no step for it"}]',
      ),
      json,
    );
  });

  it('writes several tests into a folder', async () => {
    const refused = await scenario('import', 'several.spec.ts');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /holds 2 tests[^]*--out F/);
    assert.equal((await scenario('import', 'several.spec.ts', '--out', 'scenarios')).code, 0);
    assert.match(await workspace.read('scenarios/one.scenario.yaml'), /http:\/\/a\//);
    assert.match(await workspace.read('scenarios/one-2.scenario.yaml'), /http:\/\/b\//);
  });

  it('says what is wrong with a scenario, at its line, and which operations there are', async () => {
    await workspace.write('broken.scenario.yaml', 'id: a\nname: b\nsteps:\n  - type: clik\n    config: {}\n');
    const broken = await scenario('export', 'broken.scenario.yaml');
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /broken\.scenario\.yaml:4:11 [^]*Did you mean "click"\?/);
    assert.match((await scenario('exprt')).stderr, /no operation "exprt"[^]*import, export/);
  });

  it('records over no file and into none of another kind, which it says before a browser opens', async () => {
    await workspace.write('mine.scenario.yaml', 'mine');
    const taken = await scenario('record', 'http://127.0.0.1:9/', '--out', 'mine.scenario.yaml');
    assert.equal(taken.code, 2);
    assert.match(taken.stderr, /already exists[^]*--force/);
    const other = await scenario('record', '--out', 'mine.txt');
    assert.match(other.stderr, /ends with \.scenario\.yaml/);
    assert.equal(await workspace.read('mine.scenario.yaml'), 'mine');
  });
});
