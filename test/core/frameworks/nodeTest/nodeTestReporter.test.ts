// The reporter inside the real node: this one here, and with TESTMEND_MATRIX=1 those of the npm package `node`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const everything = `import test, { after, before, beforeEach, describe, it, suite } from 'node:test';
import assert from 'node:assert/strict';
describe('suite', () => {
  it('passes', () => { console.log('printed'); });
  it('fails', () => { assert.deepEqual({ a: 1 }, { a: 2 }); });
  it('is skipped', { skip: 'why' }, () => {});
  it.todo('is to do');
  it('leaves', (t) => t.skip());
  it('fails and is to do', { todo: true }, () => { throw new Error('not yet'); });
  for (const n of [1, 2]) it(\`case \${n}\`, () => {});
});
test('parent', async (t) => {
  await t.test('passes', () => {});
  await t.test('fails', () => { throw new Error('inner'); });
});
test('parent that fails', async (t) => {
  await t.test('passes', () => {});
  throw new Error('outer');
});
suite('before', () => {
  before(() => { throw new Error('before broke'); });
  it('kept', () => {});
  describe('inner', () => { it('kept too', () => {}); });
});
describe('each', () => {
  beforeEach(() => { throw new Error('each broke'); });
  it('first', () => {});
});
describe('after', () => { after(() => { throw new Error('after broke'); }); it('ran', () => {}); });
test('slow', { timeout: 50 }, () => new Promise((resolve) => setTimeout(resolve, 300)));
test('rejects', () => { Promise.reject(new Error('nobody')); return new Promise((resolve) => setTimeout(resolve, 20)); });
test('looks around', () => assert.deepEqual(
  [process.env.TESTMEND_CHANNEL, process.env.NODE_TEST_CONTEXT, process.execArgv], [undefined, 'child-v8', []]));
`;

const files = {
  'package.json': '{ "scripts": { "test": "MODE=checked node --test --test-reporter=dot" } }',
  'all.test.mjs': everything,
  'test/empty.js': `const test = require('node:test');\n`,
  'test/helper.js': 'exports.help = 1;\n',
  'exits.test.js': `const { test, describe, it } = require('node:test');
test('ends', () => {});
describe('first', () => { it('exits', () => process.exit(0)); it('after', () => {}); });
describe('second', () => { it('never', () => {}); });
`,
  'late.test.js': `const test = require('node:test');
test('early', () => { setTimeout(() => { throw new Error('too late'); }, 5); });
test('meanwhile', () => new Promise((resolve) => setTimeout(resolve, 40)));
`,
  'lost.test.mjs': `import test from 'node:test';\nimport '../gone.mjs';\ntest('x', () => {});\n`,
  'broken.test.js': `const test = require('node:test');\ntest('x', () => {\n  const = 3;\n});\n`,
  'script-test.js': `if (process.env.MODE !== 'checked') throw new Error('no mode');\n`,
  'bad-test.js': `console.log('so far');\nprocess.exit(3);\n`,
  'cleans.test.js': `const { test, after } = require('node:test');
require('node:net').createServer().listen(0);
test('is fine', () => {});
after(() => setTimeout(() => process.exit(0), 20));
`,
};

const expected = [
  'failed nodeTest:bad-test.js#bad-test.js',
  'errored nodeTest:broken.test.js',
  'passed nodeTest:cleans.test.js#is fine',
  'errored nodeTest:exits.test.js#first › after',
  'errored nodeTest:exits.test.js#first › exits',
  'errored nodeTest:exits.test.js#second › never',
  'errored nodeTest:late.test.js',
  'errored nodeTest:lost.test.mjs',
  'errored nodeTest:test/empty.js',
  'failed nodeTest:all.test.mjs#each › first',
  'failed nodeTest:all.test.mjs#parent that fails',
  'failed nodeTest:all.test.mjs#parent › fails',
  'failed nodeTest:all.test.mjs#rejects',
  'failed nodeTest:all.test.mjs#slow',
  'failed nodeTest:all.test.mjs#suite › fails',
  'errored nodeTest:all.test.mjs#before › inner › kept too',
  'errored nodeTest:all.test.mjs#before › kept',
  'errored nodeTest:all.test.mjs',
  'passed nodeTest:all.test.mjs#after › ran',
  'passed nodeTest:all.test.mjs#looks around',
  'passed nodeTest:all.test.mjs#parent',
  'passed nodeTest:all.test.mjs#parent that fails › passes',
  'passed nodeTest:all.test.mjs#parent › passes',
  'passed nodeTest:all.test.mjs#suite › case ${n}::1',
  'passed nodeTest:all.test.mjs#suite › case ${n}::2',
  'passed nodeTest:all.test.mjs#suite › passes',
  'passed nodeTest:exits.test.js#ends',
  'passed nodeTest:late.test.js#early',
  'passed nodeTest:late.test.js#meanwhile',
  'passed nodeTest:script-test.js#script-test.js',
  'skipped nodeTest:all.test.mjs#suite › fails and is to do',
  'skipped nodeTest:all.test.mjs#suite › is skipped',
  'skipped nodeTest:all.test.mjs#suite › is to do',
  'skipped nodeTest:all.test.mjs#suite › leaves',
].sort();

describe('the reporter of node:test', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async () => (workspace = await temporaryWorkspace(files)));
  after(() => workspace.dispose());

  it('tells every test what became of it', async () => {
    const { summary, events } = await runWorkspace(workspace.root);
    assert.deepEqual([...drawn(summary.tests)].sort(), expected);
    const message = (id: string): string => resultOf(summary, `nodeTest:${id}`).failure?.message ?? '';

    const fails = resultOf(summary, 'nodeTest:all.test.mjs#suite › fails');
    assert.equal(fails.failure?.kind, 'assertion');
    assert.equal(fails.failure?.expected, '{ a: 2 }');
    assert.equal(fails.failure?.actual, '{ a: 1 }');
    assert.deepEqual(fails.failure?.location, { file: 'all.test.mjs', line: 5, column: 30 });
    assert.equal(message('all.test.mjs#before › kept'), 'The before hook failed: before broke');
    assert.equal(message('all.test.mjs#each › first'), 'The beforeEach hook failed: each broke');
    assert.equal(message('all.test.mjs'), 'The after hook failed: after broke');
    assert.equal(resultOf(summary, 'nodeTest:all.test.mjs#slow').failure?.kind, 'timeout');
    assert.match(message('exits.test.js#second › never'), /^It did not end: its process exited with code 0/);
    assert.equal(message('late.test.js'), 'Test "early" threw after it had ended: too late');
    assert.equal(message('bad-test.js#bad-test.js'), 'It exited with code 3.');
    assert.equal(resultOf(summary, 'nodeTest:broken.test.js').failure?.location?.line, 3);
    assert.equal(resultOf(summary, 'nodeTest:lost.test.mjs').failure?.location?.line, 2);
    assert.ok(events.some((event) => event.type === 'output' && event.text.includes('printed')));
    assert.ok(events.some(({ type }) => type === 'testStarted'));
  });

  it('runs what is selected and nothing else', async () => {
    const file = path.join(workspace.root, 'all.test.mjs');
    const run = async (...names: string[]): Promise<readonly string[]> =>
      drawn((await runWorkspace(workspace.root, { selection: { tests: [{ file, names }] } })).summary.tests);
    assert.deepEqual(await run('parent', 'passes'), ['passed nodeTest:all.test.mjs#parent › passes']);
    assert.deepEqual([...(await run('after'))].sort(), [
      'errored nodeTest:all.test.mjs',
      'passed nodeTest:all.test.mjs#after › ran',
    ]);
    const { summary } = await runWorkspace(workspace.root, { selection: { filter: 'SUITE passes' } });
    assert.deepEqual(drawn(summary.tests), ['passed nodeTest:all.test.mjs#suite › passes']);
    const native = await runWorkspace(workspace.root, { selection: { nativeFilter: '^early$' } });
    assert.ok(native.summary.tests.some(({ title }) => title === 'early'));
    assert.ok(!native.summary.tests.some(({ title }) => title === 'meanwhile'));
  });

  it('tells the file whose process exits badly, one that never finishes loading, the place of a syntax error, and what a skipped suite holds', async () => {
    const odd = await temporaryWorkspace({
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
      'awaits.test.js': `import test from 'node:test';
process.on('exit', () => (process.exitCode = 0));
test('is there', () => {});
await new Promise(() => {});
test(\`is never \${'registered'}\`, () => { throw new Error('red'); });
`,
      'code.test.js': `import test from 'node:test';\ntest('is fine', () => {});\nprocess.exitCode = 7;\n`,
      'syntax.test.js': `import test from 'node:test';\ntest('x', () => { const = 1; });\n`,
      'skips.test.js': `import { describe, it } from 'node:test';
describe.skip('left out', () => {
  it('one', () => {});
  describe('inner', () => { it('two', () => {}); });
});
describe('taken', () => { it('three', () => {}); });
`,
    });
    const { summary } = await runWorkspace(odd.root);
    assert.deepEqual(drawn(summary.tests), [
      'errored nodeTest:awaits.test.js',
      'passed nodeTest:awaits.test.js#is there',
      'errored nodeTest:code.test.js',
      'passed nodeTest:code.test.js#is fine',
      'skipped nodeTest:skips.test.js#left out › one',
      'skipped nodeTest:skips.test.js#left out › inner › two',
      'passed nodeTest:skips.test.js#taken › three',
      'errored nodeTest:syntax.test.js',
    ]);
    assert.match(
      resultOf(summary, 'nodeTest:code.test.js').failure?.message ?? '',
      /^No test failed, but the process of node:test ended with exit code 7\./,
    );
    assert.match(
      resultOf(summary, 'nodeTest:awaits.test.js').failure?.message ?? '',
      /^The file did not finish loading: a top-level await never settled/,
    );
    const { location } = resultOf(summary, 'nodeTest:syntax.test.js').failure ?? {};
    assert.deepEqual([location?.file, location?.line], ['syntax.test.js', 2]);
    await odd.dispose();
  });

  it('passes no file that something it imports ended before it had loaded', async () => {
    const cut = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'leaves.js': 'process.exit(0);\n',
      'exiting.mjs': `export { test } from 'node:test';\nawait 1;\nprocess.exit(0);\n`,
      'main.mjs': `export const main = async () => { await 1; process.exit(0); };\n`,
      'asserts.test.js': `require('./leaves.js');\nrequire('node:assert').equal(1, 2);\n`,
      'decides.test.js': `if (process.platform !== 'none') process.exit(0);\nthrow new Error('red');\n`,
      'imports.test.mjs': `import { test } from './exiting.mjs';\nfor (const n of [1]) test(\`case \${n}\`, () => { throw new Error('red'); });\n`,
      'named.test.js': `require('./leaves.js');\nconst test = require('node:test');\ntest('named', () => { throw new Error('red'); });\n`,
      'runs.test.mjs': `import { main } from './main.mjs';\nawait main();\n`,
    });
    const { summary } = await runWorkspace(cut.root, { selection: { byRule: true } });
    await cut.dispose();
    assert.deepEqual(drawn(summary.tests), [
      'errored nodeTest:asserts.test.js#asserts.test.js',
      'passed nodeTest:decides.test.js#decides.test.js',
      'errored nodeTest:imports.test.mjs',
      'errored nodeTest:named.test.js#named',
      'passed nodeTest:runs.test.mjs#runs.test.mjs',
    ]);
    const { failure } = resultOf(summary, 'nodeTest:asserts.test.js#asserts.test.js');
    assert.match(failure?.message ?? '', /^It ended before it had finished loading/);
    assert.equal(failure?.location?.line, 1);
  });

  it('ends a file that hangs at the time limit, with an end for each test', async () => {
    const hanging = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'hangs.test.js': `const test = require('node:test');
test('ends', () => {});
test('hangs', () => new Promise(() => setInterval(() => {}, 1000)));
test('waits', () => {});
`,
      'open.test.js': `const test = require('node:test');
require('node:net').createServer().listen(0);
test('is fine', () => {});
`,
    });
    const { summary } = await runWorkspace(hanging.root, { limits: { timeoutMs: 2500, maxParallel: 4 } });
    assert.deepEqual(drawn(summary.tests), [
      'passed nodeTest:hangs.test.js#ends',
      'errored nodeTest:hangs.test.js#hangs',
      'errored nodeTest:hangs.test.js#waits',
      'errored nodeTest:open.test.js',
      'passed nodeTest:open.test.js#is fine',
    ]);
    assert.equal(summary.ended, 'timeout');
    assert.match(
      resultOf(summary, 'nodeTest:open.test.js').failure?.message ?? '',
      /Its tests had ended: something keeps its process alive/,
    );
    await hanging.dispose();
  });

  it('is loaded before what the script preloads, which could rewrite it', async () => {
    const rewriting = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "node --require ./rewrites.cjs --test" } }',
      'rewrites.cjs': `const { Module } = require('node:module');
const compile = Module.prototype._compile;
Module.prototype._compile = function (text, file, ...rest) {
  const told = file.includes('nodeTestReporter') ? text.replaceAll("'failed'", "'passed'") : text;
  return compile.call(this, told, file, ...rest);
};
globalThis.isPreloaded = true;
process.on('exit', () => { process.exitCode = 0; });
`,
      'a.test.js': `const assert = require('node:assert');
require('node:test')('is preloaded', () => { assert.equal(globalThis.isPreloaded, true); });
require('node:test')('fails', () => { assert.equal(1, 2); });
`,
    });
    const { summary } = await runWorkspace(rewriting.root);
    await rewriting.dispose();
    assert.deepEqual(drawn(summary.tests), [
      'passed nodeTest:a.test.js#is preloaded',
      'failed nodeTest:a.test.js#fails',
    ]);
  });

  it('hears of tests that fail in processes and workers which a file starts', () => hearsOfProcesses());

  it('gives no more time than the script does', () => keepsTimeLimit());

  it('takes nothing that a test prints for a pass', async () => {
    const printing = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'a.test.js': `const { test } = require('node:test');
const v8 = require('node:v8');
const frame = (type, data) => {
  const body = v8.serialize({ type, data });
  const head = Buffer.from([0xff, 0x0f, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
};
const put = (bytes) => require('node:fs').writeSync(1, bytes);
test('fails', () => {
  const passes = frame('test:pass', { name: 'fails', nesting: 0, testNumber: 1, details: {} });
  put(passes);
  put(frame('test:fail', { name: 'fails', nesting: 0, todo: true }));
  put(Buffer.concat([Buffer.from([0xff, 0x0f, 0, 1, 0, 0, 0xff, 0x0f]), passes.subarray(8)]));
  throw new Error('no');
});
`,
      'b.test.js': `require('node:test')('prints', () => {
  require('node:fs').writeSync(1, Buffer.from([0x61, 0xff, 0x0f, 0, 0, 0xff, 0x62, 0xff]));
  process.stdout.write('\u00ff and the rest');
});
`,
    });
    const { summary } = await runWorkspace(printing.root);
    await printing.dispose();
    assert.deepEqual(drawn(summary.tests).toSorted(), [
      'failed nodeTest:a.test.js#fails',
      'passed nodeTest:b.test.js#prints',
    ]);
  });

  const versions = process.env['TESTMEND_MATRIX'] === '1' ? ['20', '22', '24'] : [];
  for (const version of versions) {
    it(`tells the same in node ${version}`, async function () {
      this.timeout(300_000);
      const tools = await temporaryWorkspace({ 'package.json': '{}' });
      execFileSync('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], {
        cwd: tools.root,
        stdio: 'ignore',
      });
      const folder = path.join(tools.root, 'node_modules/node/bin');
      const { PATH = '' } = process.env;
      process.env['PATH'] = `${folder}${path.delimiter}${PATH}`;
      try {
        const { summary } = await runWorkspace(workspace.root);
        assert.deepEqual([...drawn(summary.tests)].sort(), expected);
        await hearsOfProcesses();
        await keepsTimeLimit();
      } finally {
        process.env['PATH'] = PATH;
        await tools.dispose();
      }
    });
  }
});

/** One that is too slow by itself: node has limits for files, later ones for tests. */
async function keepsTimeLimit(): Promise<void> {
  const limited = await temporaryWorkspace({
    'package.json': '{ "scripts": { "test": "node --test --test-timeout 1500" } }',
    'fast.test.js': `require('node:test')('x', () => {});\n`,
    'slow.test.js': `require('node:test')('x', () => new Promise((done) => setTimeout(done, 1800)));\n`,
  });
  const { summary } = await runWorkspace(limited.root);
  await limited.dispose();
  assert.equal(resultOf(summary, 'nodeTest:fast.test.js#x').outcome, 'passed');
  const slow = summary.tests.filter(({ file }) => file === 'slow.test.js');
  assert.match(slow.find(({ failure }) => failure)?.failure?.message ?? '', /1500 ?ms/);
}

async function hearsOfProcesses(): Promise<void> {
  const starts = (file: string): string => `const { test } = require('node:test');
const { spawnSync } = require('node:child_process');
test('starts it', () => { spawnSync(process.execPath, [__dirname + '/${file}'], { stdio: 'inherit' }); });
`;
  const starting = await temporaryWorkspace({
    'package.json': '{ "scripts": { "test": "node --test" } }',
    'a.test.js': starts('red.js'),
    'b.test.js': starts('green.js'),
    'forks.test.js': `const { fork } = require('node:child_process');
if (process.env.FORKED) {
  const { describe, it } = require('node:test');
  describe('in the fork', () => { it('is wrong', () => { require('node:assert').deepEqual({ todo: 'x'.repeat(1e5) }, {}); }); });
} else {
  fork(__filename, { env: { ...process.env, FORKED: '1' } });
  require('node:test')('goes on', () => {});
}
`,
    'threads.test.js': `const { test } = require('node:test');
const { Worker } = require('node:worker_threads');
test('starts both', async () => {
  for (const file of ['green.js', 'red.js']) {
    const worker = new Worker(__dirname + '/' + file);
    await new Promise((resolve) => worker.on('exit', resolve));
  }
});
`,
    'whole-test.js': `require('node:child_process').execFileSync(process.execPath, [__dirname + '/red.js'], { stdio: [0, 1, 2] });
`,
    'red.js': `require('node:test')('is wrong too', () => { throw new Error('no'); });
process.on('exit', () => { process.exitCode = 0; });
`,
    'green.js': `const test = require('node:test');
test('is right', () => {});
test('is left out', { skip: true }, () => {});
test('is to do', { todo: true }, () => { throw new Error('no'); });
`,
  });
  const { summary } = await runWorkspace(starting.root);
  await starting.dispose();
  assert.deepEqual(drawn(summary.tests).toSorted(), [
    'errored nodeTest:a.test.js',
    'errored nodeTest:forks.test.js',
    'errored nodeTest:threads.test.js',
    'errored nodeTest:whole-test.js',
    'passed nodeTest:a.test.js#starts it',
    'passed nodeTest:b.test.js#starts it',
    'passed nodeTest:forks.test.js#goes on',
    'passed nodeTest:threads.test.js#starts both',
    'passed nodeTest:whole-test.js#whole-test.js',
  ]);
  const told = (id: string): string | undefined => resultOf(summary, id).failure?.message;
  const sentence = (title: string): string =>
    `"${title}" failed in a process or worker that this file started.`;
  assert.equal(told('nodeTest:a.test.js'), sentence('is wrong too'));
  assert.equal(told('nodeTest:threads.test.js'), sentence('is wrong too'));
  assert.equal(told('nodeTest:forks.test.js'), sentence('is wrong'));
}
