// A secret that a file of a failure gives away is in no text of it: with other letters around it, cut short, as the other side, in titles.
import assert from 'node:assert/strict';
import { redactTold } from '../../../src/core/base/redactSecrets.ts';
import { toldBy } from '../../../src/core/diagnosis/toldSecrets.ts';
import type { RunSummary, TestResult } from '../../../src/core/model/testResult.ts';
import { fixJson } from '../../../src/core/engine/fixJson.ts';
import { jsonReport } from '../../../src/core/reports/jsonReporter.ts';
import { junitXml } from '../../../src/core/reports/junitReporter.ts';
import type { CycleFix } from '../../../src/core/model/cycle.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const [was, is, table, key] = ['heron-51a', 'osprey-62b', 'plover-73c', `rail'84d"é`] as const;
const file = 'tests/auth.test.js';

describe('secrets that files give away', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace({
      'tests/rows.js': `export const rows = [['ada', '${table}']];\n`,
      [file]: `import { rows } from './rows.js';
const apiKey = ${JSON.stringify(key)};
for (const [name, password] of rows) test('signs in ' + name + ' with ' + password, () => {});
test('has it', () => { assert.equal(user().apiToken, '${was}'); });
`,
      '.env': `DB_PASSWORD=${is}9\n`,
    });
  });
  after(() => workspace.dispose());
  const test = (more: Partial<TestResult>): TestResult => ({
    id: `${file}::has it`,
    file,
    line: 4,
    title: 'has it',
    suites: [],
    outcome: 'passed',
    durationMs: 1,
    ...more,
  });
  const fix: CycleFix = {
    id: 'f1',
    title: `expect user().apiToken '${is}' (was '${was}')`,
    provider: 'assertion',
    grade: 'conservative',
    trust: 'oracle',
    confidence: 1,
    failures: [`${file}::has it`],
    edits: [],
    evidence: [`It gave ${is} now.`],
    verdict: { verdict: 'verified', runs: 1, scope: 'affected', violations: [] },
    diff: `--- a/${file}\n+++ b/${file}\n@@ -4 +4 @@\n-test('has it', () => { assert.equal(user().apiToken, '${was}'); });\n+test('has it', () => { assert.equal(user().apiToken, '${is}'); });\n`,
    state: 'unreviewed',
  };
  fix.edits.push({ file, before: 'x', changes: [] });

  it('are in no title and no id of a run, and in no part of its messages', () => {
    const base64 = Buffer.from(table).toString('base64');
    const message = `${base64} line\\n${was} x${was}y ${was.toUpperCase()} ${encodeURIComponent(key)} ${JSON.stringify(key)} ${is}9`;
    const tests = [
      test({ id: `${file}::signs in ada with ${table}`, title: `signs in ada with ${table}` }),
      test({ outcome: 'failed', failure: { message, stack: [], kind: 'assertion', severity: 'high' } }),
    ];
    const told = toldBy(tests, workspace.root);
    const counts = { total: 2, passed: 1, failed: 1, errored: 0, skipped: 0, passRate: 50 };
    const summary: RunSummary = { ...counts, tests, durationMs: 1, notes: [], ended: 'complete' };
    for (const text of [
      JSON.stringify(jsonReport(summary, new Set(), told)),
      junitXml(summary, undefined, told),
    ]) {
      for (const one of [was, was.toUpperCase(), table, base64.slice(0, -3), `${is}9`, '84d'])
        assert.ok(!text.includes(one), text);
      assert.match(text, /signs in ada with \[redacted\]/);
    }
  });

  it('are on neither side of a fix, before it is written and after', async () => {
    const report = { fixes: [fix], remaining: [] };
    for (const state of [was, is]) {
      const text = (await workspace.read(file)).replace(was, state);
      await workspace.write(file, text);
      const told = toldBy(report, workspace.root);
      for (const one of [was, is]) assert.equal(redactTold(`It gave ${one}.`, told), 'It gave [redacted].');
    }
    const json = JSON.stringify(
      fixJson(
        {
          ...report,
          status: 'needs-attention',
          passRate: 0,
          passRateReviewed: 0,
          iterations: [],
          spent: { testProcesses: 1, asked: [] },
          patch: '',
          notes: [],
          ended: 'no-progress',
        },
        workspace.root,
      ),
    );
    for (const one of [was, is]) assert.ok(!json.includes(one), json);
  });

  for (const [name, text, reads] of [
    ['user.json', '{"password": "X"}', "readFileSync(new URL('./fixtures/user.json', import.meta.url))"],
    [
      'nested.json',
      '{"auth": {"basic": {"username": "a", "value": "X"}}}',
      "readFileSync('tests/fixtures/nested.json')",
    ],
    [
      'named.json',
      '[{"name": "DB_PASSWORD", "value": "X"}]',
      "readFileSync(path.join(__dirname, 'fixtures', 'named.json'))",
    ],
    ['a.yaml', 'db:\n  user: svc\n  password: X\n', "fixture(join(here, 'fixtures/a.yaml'))"],
    ['list.yml', 'tokens:\n  - X\n', "open('./fixtures/list.yml')"],
    ['x.ini', '[db]\npassword = X\n', 'load(`fixtures/x.ini`)'],
    ['users.csv', 'name,password\nada,X\n', "readFileSync(resolve('fixtures', 'users.csv'))"],
    ['creds.txt', 'ada:X\n', "readFileSync('fixtures/creds.txt')"],
    ['Dockerfile', 'ENV DB_PASSWORD=X\n', "readFileSync('fixtures/Dockerfile', 'utf8')"],
    [
      'credentials',
      'aws_secret_access_key = X\n',
      "readFile(path.join(__dirname, 'fixtures', 'credentials'))",
    ],
    ['über uns.yml', 'password: X\n', "readFileSync('fixtures/über uns.yml')"],
    ['a.test-data', 'password: X\n', 'readFileSync(`${__dirname}/fixtures/a.test-data`)'],
    ['a.mjs', "export const adminPassword = 'X';\n", "readFileSync('fixtures/a.mjs')"],
    ['a.jsx', "const a = <Login password='X' />;\n", "readFileSync('fixtures/a.jsx')"],
    ['a.py', "PASSWORD = 'X'\n", "readFileSync('fixtures/a.py')"],
    ['a.go', 'package x\nvar password = "X"\n', "readFileSync('fixtures/a.go')"],
  ] as const)
    it(`are found in ${name}, which a test reads`, async () => {
      await workspace.write(`tests/fixtures/${name}`, text.replace('X', was));
      await workspace.write('tests/reads.test.js', `${reads};\n`);
      await workspace.write('tests/reads_test.py', `open(HERE / "fixtures" / "${name}")\n`);
      for (const file of ['tests/reads.test.js', 'tests/reads_test.py'])
        assert.ok(toldBy({ file }, workspace.root).has(was), file);
      await workspace.write('tests/reads.test.js', '');
      assert.ok(!toldBy({ file: 'tests/reads.test.js' }, workspace.root).has(was));
    });

  it('are found where a value of many characters was cut', () => {
    const long = `kiwi-${'9a8b7c6d'.repeat(5)}`;
    assert.equal(
      redactTold(`expected '${long.slice(0, 20)}…' to be x`, new Set([long])),
      "expected '[redacted]…' to be x",
    );
  });
});
