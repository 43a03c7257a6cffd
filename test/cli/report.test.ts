// The last run told again: each format whole and without secrets, from the command line of another process.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

describe('testmend report', () => {
  let shop: TemporaryWorkspace;
  const report = (...args: string[]): Promise<CliResult> => testmend(['report', ...args], { cwd: shop.root });

  before(async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
      'test/a.test.js': `const { describe, test } = require('node:test');
const assert = require('node:assert');
test('adds # \`up\`', () => {});
test.skip('later', () => {});
describe('account', () => {
  test('logs in', () => {
    const apiToken = 'tk-93hf83hfk2';
    assert.strictEqual(apiToken, 'none');
  });
});
`,
    });
  });
  after(() => shop.dispose());

  it('says what to do where no run is known', async () => {
    const { code, stderr } = await report();
    assert.equal(code, 2);
    assert.match(stderr, /No run is known here[^]*testmend run/);
  });

  it('has each format, with the counts of the run and without its secrets', async () => {
    assert.equal((await testmend(['run'], { cwd: shop.root })).code, 1);
    const told = new Map<string, string>();
    for (const format of ['markdown', 'json', 'junit', 'ctrf', 'tap']) {
      const { code, stdout } = await report('--format', format);
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /tk-93hf/, format);
      assert.match(stdout, /\[redacted\]/, format);
      told.set(format, stdout);
    }
    assert.match(
      told.get('markdown') ?? '',
      /\| 3 \| 1 \| 1 \| 0 \| 1 \| 50 % \|[^]*### `account › logs in`/,
    );
    const tap = told.get('tap') ?? '';
    assert.match(tap, /^TAP version 14\n1\.\.3\n/);
    assert.match(tap, /\nok \d - test\/a\.test\.js: adds \\# `up`\n/);
    assert.match(tap, /\nok \d - test\/a\.test\.js: later # SKIP\n/);
    assert.match(tap, /\nnot ok \d - .*logs in\n {2}---\n {2}message: ".*\n[^]* {2}\.\.\.\n/);
    const { results, ...head } = JSON.parse(told.get('ctrf') ?? '');
    assert.equal(head.reportFormat, 'CTRF');
    const { tests, passed, failed, skipped, start, stop, duration } = results.summary;
    assert.deepEqual([tests, passed, failed, skipped, stop - start], [3, 1, 1, 1, duration]);
    const red = results.tests.find(({ status }: { status: string }) => status === 'failed');
    assert.deepEqual([red.name, red.suite, red.filePath], ['logs in', ['account'], 'test/a.test.js']);
  });

  it('begins no history unasked', async () => {
    assert.ok(!(await readdir(shop.root)).includes('.testmend'));
    assert.equal((await testmend(['run', '--reporter', 'json'], { cwd: shop.root })).code, 1);
    assert.equal((await testmend(['run'], { cwd: shop.root })).code, 1);
    assert.ok((await readdir(path.join(shop.root, '.testmend/history'))).length > 0);
  });

  it('writes one page, says where, and opens it on request', async () => {
    const opened = path.join(shop.root, 'opened.txt');
    const bin = path.join(shop.root, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const { code, stdout } = await testmend(['report', '--open'], { cwd: shop.root, env });
    assert.equal(code, 0);
    const page = path.join(shop.root, '.testmend/report.html');
    assert.equal(stdout, `Written: ${page}\n`);
    const text = await readFile(page, 'utf8');
    assert.match(text, /"title":"logs in"/);
    assert.doesNotMatch(text, /tk-93hf/);
    const told = async (): Promise<string> => readFile(opened, 'utf8').catch(() => '');
    for (let times = 0; process.platform === 'linux' && (await told()) !== page; times++) {
      assert.ok(times < 200, 'it is opened');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const nothing = await testmend(['report', '--open'], { cwd: shop.root, env: { PATH: '/nowhere' } });
    assert.deepEqual(
      [nothing.code, /No browser can be opened[^]*Open the file yourself/.test(nothing.stderr)],
      [2, true],
    );
    const wrong = await report('--open', '--format', 'tap');
    assert.deepEqual([wrong.code, /--format tap is none/.test(wrong.stderr)], [2, true]);
  });

  it('writes a file, or the folder of results that allure reads', async () => {
    const { code } = await report('--format', 'junit', '--out', path.join(shop.root, 'out/tests.xml'));
    assert.equal(code, 0);
    assert.match(await shop.read('out/tests.xml'), /<testsuites name="testmend" tests="3" failures="1"/);
    for (let n = 0; n < 2; n++) assert.equal((await report('--format', 'allure')).code, 0);
    const folder = path.join(shop.root, '.testmend/allure-results');
    const files = await readdir(folder);
    const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
    assert.doesNotMatch(texts.join(), /tk-93hf/);
    const statuses = texts.map((text) => String(JSON.parse(text).status));
    assert.deepEqual(statuses.toSorted(), ['failed', 'passed', 'skipped']);
    assert.ok(files.every((file) => /^[\da-f-]{36}-result\.json$/.test(file)));
    const refused = await report('--format', 'allure', '--out', path.join(shop.root, 'test'));
    assert.deepEqual([refused.code, await readdir(path.join(shop.root, 'test'))], [2, ['a.test.js']]);
  });

  it('tells what the history says is broken, also as JSON', async () => {
    await testmend(['run'], { cwd: shop.root });
    const { stdout } = await report('--flaky');
    assert.match(
      stdout,
      /^1 test in 3 runs\.\nbroken +0\.00 +FFF +nodeTest:test\/a\.test\.js#account › logs in\n$/,
    );
    const { tests } = JSON.parse((await report('--flaky', '--json')).stdout);
    assert.deepEqual([tests.length, tests[0].category], [1, 'broken']);
    assert.equal((await report('--plan', '--out', path.join(shop.root, 'optimization-plan.md'))).code, 0);
    const plan = await shop.read('optimization-plan.md');
    assert.match(plan, /From 3 runs[^]*## Priority: high\n\n- `nodeTest:[^]*Evidence: `The last three runs/);
    assert.doesNotMatch(plan, /tk-93hf/);
  });

  it('makes the page with a run, too', async () => {
    const file = path.join(shop.root, 'out/run.html');
    assert.equal((await testmend(['run', '--reporter', `html=${file}`], { cwd: shop.root })).code, 1);
    assert.match(await readFile(file, 'utf8'), /"title":"logs in"/);
  });
});
