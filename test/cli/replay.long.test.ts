import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  replayReportSchema,
  type CommitRecord,
  type ReplayReport,
} from '../../src/core/replay/replayReport.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { errorDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const manifest = '{ "type": "module", "scripts": { "test": "node --test" } }';
const shop = {
  'package.json': manifest,
  'shop.js':
    'export const greet = (name) => `Hi, ${name}`;\nexport const net = (cents) => cents / 1.2;\nexport const oldPrice = (cents) => `was ${cents}`;\n',
  'greet.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { greet } from './shop.js';\n\ntest('greets', () => {\n  assert.equal(greet('Ada'), 'Hi, Ada');\n});\n",
  'price.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { net, oldPrice } from './shop.js';\n\ntest('takes the tax off', () => {\n  assert.equal(net(120), 100);\n});\n\ntest('shows the old price', () => {\n  assert.equal(oldPrice(5), 'was 5');\n});\n",
};

type Changes = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;

/** A history as people make it: each commit replaces texts in files. */
const history: Readonly<Record<string, Changes>> = {
  'Greet with a full word': {
    'shop.js': [['`Hi, ', '`Hello, ']],
    'greet.test.js': [["'Hi, Ada'", "'Hello, Ada'"]],
  },
  'Say what net means': {
    'shop.js': [['export const net ', 'export const withoutTax ']],
    'price.test.js': [
      ['import { net, oldPrice }', 'import { withoutTax, oldPrice }'],
      ['net(120)', 'withoutTax(120)'],
    ],
  },
  'Word a test better': { 'greet.test.js': [["'greets'", "'greets by name'"]] },
  'Drop old prices': {
    'shop.js': [['export const oldPrice = (cents) => `was ${cents}`;\n', '']],
    'price.test.js': [
      [', oldPrice }', ' }'],
      ["\ntest('shows the old price', () => {\n  assert.equal(oldPrice(5), 'was 5');\n});\n", ''],
    ],
  },
  'Greet louder, and forget a test': {
    'shop.js': [['`Hello, ${name}`', '`HELLO, ${name}`']],
    'greet.test.js': [["'Hello, Ada'", "'HELLO Ada'"]],
  },
};

/** Stands in for a package manager: tells what it installed, and fails for a lockfile that is broken. */
const installer = `import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
const lock = readFileSync('package-lock.json', 'utf8');
appendFileSync(process.env.INSTALL_LOG, lock + '\\n');
mkdirSync('node_modules/left', { recursive: true });
if (lock === 'broken') {
  console.error('npm error no such package');
  process.exit(1);
}
`;

describe('testmend replay', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  const commit = async (subject: string): Promise<void> => {
    for (const [file, changes] of Object.entries(history[subject] ?? assert.fail(subject)))
      for (const [from, to] of changes) {
        const text = await workspace.read(file);
        assert.ok(text.includes(from), `${file} has no ${from}`);
        await workspace.write(file, text.replace(from, to));
      }
    workspace.git('add', '-A');
    workspace.git('commit', '-q', '-m', subject);
  };
  const replay = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> =>
    testmend(['replay', ...args], { cwd: workspace.root, limitMs: 280_000, env });
  const bySubject = (report: ReplayReport, subject: string): CommitRecord => {
    const found = report.commits.find((record) => record.subject === subject);
    return (
      found ?? assert.fail(`no commit "${subject}" in ${report.commits.map((one) => one.subject).join(', ')}`)
    );
  };
  /** Everything a replay keeps while it goes lies in here. */
  const leftovers = (): Promise<string[]> =>
    readdir(path.join(path.dirname(workspace.root), 'sandboxes')).catch(() => []);

  it('says of each commit what broke, what it would have done, and how that compares with the author', async () => {
    workspace = await temporaryWorkspace(shop, { git: true });
    for (const subject of Object.keys(history)) await commit(subject);
    const before = workspace.git('status', '--porcelain') + workspace.git('log', '-1', '--format=%H');
    const page = path.join(workspace.root, '..', 'replay.html');

    const result = await replay(['--json', '--html', page]);
    const report = documentOf(replayReportSchema, result);

    assert.equal(result.code, 0);
    assert.deepEqual(
      report.commits.map(({ subject, state }) => `${state}: ${subject}`),
      [
        'skipped: Greet louder, and forget a test',
        'case: Drop old prices',
        'irrelevant: Word a test better',
        'case: Say what net means',
        'case: Greet with a full word',
      ],
    );
    assert.match(
      bySubject(report, 'Greet louder, and forget a test').reason ?? '',
      /own tests fail: "greets/,
    );

    const renamed = bySubject(report, 'Say what net means');
    assert.deepEqual(
      [renamed.automatic?.sound, renamed.automatic?.likeness, renamed.automatic?.correct],
      [true, 'identical', true],
    );
    assert.equal(renamed.sourceIsRight?.correct, true);

    const worded = bySubject(report, 'Greet with a full word');
    assert.deepEqual(
      worded.broken.map(({ title }) => title),
      ['greets'],
    );
    assert.deepEqual([worded.automatic?.applied, worded.automatic?.passes], [[], null]);
    assert.deepEqual(
      [worded.sourceIsRight?.passes, worded.sourceIsRight?.clean, worded.sourceIsRight?.redOnOldSource],
      [true, true, true],
    );
    assert.equal(worded.sourceIsRight?.likeness, 'identical');

    const dropped = bySubject(report, 'Drop old prices');
    assert.equal(dropped.sourceIsRight?.applied.length, 0);
    assert.ok((dropped.sourceIsRight?.refused.length ?? 0) > 0);

    const { automatic, sourceIsRight, cases } = report.totals;
    assert.deepEqual([cases, automatic.correct, automatic.refused, automatic.wrong], [3, 1, 2, 0]);
    assert.deepEqual([sourceIsRight.correct, sourceIsRight.refused, sourceIsRight.wrong], [2, 1, 0]);
    assert.equal(workspace.git('status', '--porcelain') + workspace.git('log', '-1', '--format=%H'), before);
    assert.deepEqual(await leftovers(), []);
    const html = await readFile(page, 'utf8');
    assert.match(html, /<html lang="en">[\s\S]*3 broke tests/);
    assert.doesNotMatch(html, /<script|https?:/);
  });

  it('calls an automatic edit wrong that the author did not make, and ends with 1', async () => {
    workspace = await temporaryWorkspace(shop, { git: true });
    await workspace.write('shop.js', shop['shop.js'].replace('const net ', 'const withoutTax '));
    const theirs = shop['price.test.js']
      .replace('{ net,', '{ withoutTax,')
      .replace('net(120), 100', 'withoutTax(240), 200');
    await workspace.write('price.test.js', theirs);
    workspace.git('commit', '-aqm', 'Say what net means, and try another price');
    const result = await replay(['--commits', '1']);
    assert.equal(result.code, 1);
    assert.match(result.stdout, /applied 1 wrongly/);
    assert.match(
      result.stdout.replace(/\s+/g, ' '),
      /automatic: WRONG: 1 fix applied .*, sound, differs from what the author did\./,
    );
  });

  it('installs packages once for each lockfile, and skips commits whose packages cannot be had', async () => {
    workspace = await temporaryWorkspace(
      { ...shop, 'package-lock.json': 'one', 'tools/install.mjs': installer },
      { git: true },
    );
    await commit('Greet with a full word');
    await commit('Say what net means');
    await workspace.write('package-lock.json', 'broken');
    await commit('Drop old prices');
    const log = path.join(workspace.root, '..', 'installed.log');

    const result = await replay(['--json', '--install', 'node tools/install.mjs'], { INSTALL_LOG: log });

    const report = documentOf(replayReportSchema, result);
    const broken = bySubject(report, 'Drop old prices');
    assert.equal(broken.state, 'skipped');
    assert.match(
      broken.reason ?? '',
      /Installing packages failed \(node tools\/install\.mjs\): npm error no such package/,
    );
    assert.deepEqual([report.totals.cases, report.totals.skipped], [2, 1]);
    assert.equal(await readFile(log, 'utf8'), 'broken\none\n');
    assert.deepEqual(await leftovers(), []);
  });

  it('leaves nothing behind when it is interrupted, and tells what it knew until then', async () => {
    workspace = await temporaryWorkspace(shop, { git: true });
    await commit('Greet with a full word');
    const result = await testmend(['replay', '--json'], {
      cwd: workspace.root,
      interruptWhen: async () => (await leftovers()).length > 0,
    });
    assert.equal(result.code, 130);
    assert.deepEqual(await leftovers(), []);
    assert.equal(workspace.git('status', '--porcelain'), '');
  });

  it('gives up on a commit that takes too long, and says so', async () => {
    workspace = await temporaryWorkspace(
      { ...shop, 'slow.js': 'export const wait = () => undefined;\n' },
      { git: true },
    );
    await workspace.write(
      'shop.js',
      'await new Promise(() => setInterval(() => undefined, 1000));\n' + shop['shop.js'],
    );
    await workspace.write('greet.test.js', shop['greet.test.js'] + '// waits\n');
    workspace.git('commit', '-aqm', 'Wait for ever');
    const result = await replay(['--commit', 'HEAD', '--commit-timeout', '5']);
    assert.equal(result.code, 2);
    assert.match(result.stdout, /1 commit not replayed\n {2}The time limit of 5 s for one commit is over\./);
    assert.deepEqual(await leftovers(), []);
  });

  it('refuses what it cannot mean', async () => {
    workspace = await temporaryWorkspace({ 'package.json': manifest });
    const said = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout } = await replay(['--json', ...args]);
      return `${code} ${documentOf(errorDocument, { code, stdout, stderr: '' }).error.message}`;
    };
    assert.match(await said(), /^2 There is no history to replay in /);
    assert.equal(
      await said('--commits', '3', '--since', 'HEAD'),
      '2 --commits and --since exclude each other.',
    );
    assert.equal(await said('--install', 'npm ci | cat'), '2 --install "npm ci | cat" needs a shell.');
    workspace.git('init', '-q');
    workspace.git('add', '-A');
    workspace.git('commit', '-qm', 'start');
    assert.equal(await said('--commit', 'nope'), '2 There is no commit nope in this repository.');
    assert.equal(await said('--commit', 'HEAD'), '2 HEAD is a merge or the first commit.');
  });
});
