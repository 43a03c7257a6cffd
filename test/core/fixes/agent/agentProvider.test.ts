// Whole cycles with a coding agent, which is a script that edits the copy as a story wants it, on node:test, which starts fast.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CycleRequest } from '../../../../src/core/cycle/cycleRequest.ts';
import { agentProvider } from '../../../../src/core/fixes/agent/agentProvider.ts';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { isAlive } from '../../../support/isAlive.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const file = 'tests/greet.test.js';
const greetTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../src/greet.js';

test('greets Ada', () => {
  assert.equal(greet('Ada'), 'Hi, Ada');
});

test('greets Bob', () => {
  assert.equal(greet('Bob'), 'Hi, Bob');
});
`;
const shop = {
  'package.json': JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test' } }),
  'src/greet.js': 'export const greet = (name) => `Hi, ${name}`;\n',
  [file]: greetTest,
};
const changed = 'export const greet = (name) => `Hello, ${name}`;\n';

describe('an agent among the fixers', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  let folder = '';

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-agent-'));
    workspace = await temporaryWorkspace(shop, { git: true });
    await workspace.write('src/greet.js', changed);
  });
  after(async () => {
    await workspace.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** `script`: what the agent does in the present folder; it has `fs`, `replace(from, to)`, `task` and `folder`. */
  async function mend(
    script: string,
    { seconds = 20, ...more }: Partial<CycleRequest> & { readonly seconds?: number } = {},
  ): Promise<CycleReport> {
    const program = path.join(folder, 'agent.cjs');
    await writeFile(
      program,
      `const fs = require('node:fs');
const folder = ${JSON.stringify(folder)};
const task = fs.readFileSync(process.argv[2], 'utf8');
const replace = (from, to) => fs.writeFileSync('${file}', fs.readFileSync('${file}', 'utf8').replaceAll(from, to));
fs.appendFileSync(folder + '/starts', 'x');
${script}`,
    );
    await rm(path.join(folder, 'starts'), { force: true });
    const agent = { name: 'scribe', command: process.execPath, words: [program, '{taskFile}'] };
    const report = await mendWorkspace(workspace, {
      providers: [
        agentProvider({ agent, timeoutMs: seconds * 1000, access: { reads: [], writes: [folder] } }),
      ],
      assume: 'source-is-right',
      ...more,
    });
    assert.equal(await readFile(path.join(workspace.root, file), 'utf8'), greetTest);
    assert.equal(await readFile(path.join(workspace.root, 'src/greet.js'), 'utf8'), changed);
    return report;
  }
  const starts = async (): Promise<number> => (await readFile(path.join(folder, 'starts'), 'utf8')).length;
  const verdicts = ({ fixes }: CycleReport): readonly string[] =>
    fixes.map(({ verdict, state }) => `${verdict.verdict} ${state} ${verdict.reason ?? ''}`.trim());

  it('mends all tests of a file at once, and is told the rules and the failures', async () => {
    const report = await mend(`fs.writeFileSync(folder + '/task', task); replace("'Hi", "'Hello");`);
    assert.deepEqual(verdicts(report), ['verified accepted']);
    assert.equal(report.status, 'passed');
    assert.deepEqual(report.spent.asked, [
      { provider: 'agent', requests: 1, inputTokens: 0, outputTokens: 0 },
    ]);
    const task = await readFile(path.join(folder, 'task'), 'utf8');
    assert.match(task, /Delete no test and no assertion/);
    assert.match(task, /"greets Ada"[^]*"greets Bob"/);
  });

  it('keeps the good part where another part is no good', async () => {
    const report = await mend(`replace("'Hi, Ada'", "'Hello, Ada'"); replace("'Hi, Bob'", "'Hey, Bob'");`);
    assert.match(report.patch, /\+ {2}assert\.equal\(greet\('Ada'\), 'Hello, Ada'\);/);
    assert.doesNotMatch(report.patch, /Hey/);
    assert.equal(report.passed, 1);
  });

  it('is asked again as long as it mends one test at a time', async () => {
    const report = await mend(
      `const text = fs.readFileSync('${file}', 'utf8'); fs.writeFileSync('${file}', text.replace("'Hi", "'Hello"));`,
    );
    assert.deepEqual(verdicts(report), ['verified accepted', 'verified accepted']);
    assert.equal(report.status, 'passed');
    assert.equal(await starts(), 2);
  });

  it('changes nothing but test files: the rest is told and dropped', async () => {
    const report = await mend(
      `fs.writeFileSync('src/greet.js', 'export const greet = () => "Hi"'); fs.rmSync('package.json'); fs.writeFileSync('more.js', '');
       replace("'Hi", "'Hello");`,
    );
    assert.equal(report.status, 'passed');
    assert.match(
      report.notes.join('\n'),
      /scribe also wrote src\/greet\.js, more\.js; these changes were dropped/,
    );
    assert.doesNotMatch(report.patch, /more\.js|[ab]\/src\//);
  });

  it('writes into no file what stood for a secret in its task', async () => {
    const report = await mend(`replace("'Hi, Ada'", "'[redacted:1]'"); replace("Hi, Bob", "Hello, Bob");`);
    assert.match(
      verdicts(report).join('\n'),
      /rejected .*writes \[redacted:1\], the placeholder of a redacted secret/,
    );
    assert.doesNotMatch(report.patch, /redacted/);
  });

  it('is told when it rewrote more than anybody looks at', async () => {
    const report = await mend(
      `fs.writeFileSync('${file}', Array.from({ length: 50_000 }, (_, i) => 'expect(' + i + ');').join('\\n'));`,
    );
    assert.equal(report.patch, '');
    const refusals = report.remaining.flatMap(({ handOver }) => handOver?.refusals ?? []).join('\n');
    assert.match(
      refusals,
      /scribe rewrote more than 2000 lines of tests\/greet\.test\.js: the change was not judged/,
    );
  });

  it('gains nothing by skipping', async () => {
    const report = await mend(`replace("test('greets", "test.skip('greets");`, { maxIterations: 2 });
    assert.equal(report.patch, '');
    assert.match(verdicts(report).join('\n'), /rejected declined .*skip/);
  });

  it('is started once more when it fails, and told with its last lines, without secrets', async () => {
    const report = await mend(`console.error('no quota, token=abcdef123456'); process.exit(3);`, {
      maxIterations: 2,
    });
    assert.equal(await starts(), 2);
    assert.match(report.notes.join('\n'), /The agent scribe ended with 3: no quota, token=\[redacted\]/);
  });

  it('is stopped with all it started when it does not end', async () => {
    const report = await mend(
      `fs.writeFileSync(folder + '/pid', String(require('node:child_process').spawn('sleep', ['100']).pid)); setInterval(() => {}, 1000);`,
      { seconds: 2, maxIterations: 2 },
    );
    assert.equal(await starts(), 1);
    assert.match(report.notes.join('\n'), /did not finish within 2 s and was stopped/);
    assert.ok(!isAlive(Number(await readFile(path.join(folder, 'pid'), 'utf8'))));
  });

  it('is told when it is not there', async () => {
    const agent = { name: 'no-such-agent', command: 'no-such-agent', words: ['{task}'] };
    const providers = [agentProvider({ agent, timeoutMs: 5_000 })];
    const report = await mendWorkspace(workspace, { providers, maxIterations: 1 });
    assert.match(report.notes.join('\n'), /The agent no-such-agent cannot be started/);
  });

  it('does not go on when the cycle is cancelled', async () => {
    const stop = new AbortController();
    const cycle = mend(
      `setInterval(() => fs.existsSync(folder + '/x'), 100); fs.writeFileSync(folder + '/runs', '');`,
      {
        signal: stop.signal,
      },
    );
    const watch = setInterval(() => existsSync(path.join(folder, 'runs')) && stop.abort(), 50);
    try {
      assert.equal((await cycle).ended, 'cancelled');
    } finally {
      clearInterval(watch);
    }
  });
});
