// What our host tells of a real AVA: this repository's here, version 4, the first and last of versions 5 and 6 when TESTMEND_MATRIX=1.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const everything = `import test from 'ava';
test('passes', t => { t.log('logged', { a: 1 }); t.pass(); });
test('fails', t => { t.deepEqual({ a: 1, b: 3 }, { a: 2, b: 3 }); });
test('  spaced   title ', t => t.is(process.env.TESTMEND_CHANNEL, undefined));
test.skip('skipped', t => t.pass());
test.todo('later');
test.failing('known', t => t.fail());
const macro = (t, n) => t.is(n, 1);
macro.title = (given = '', n) => (given + ' macro ' + n).trim();
test(macro, 1);
test('named', macro, 2);
test('throws', () => { throw new TypeError('boom'); });
test('throws no error', () => { throw { odd: true }; });
test('asserts nothing', () => {});
test('slow', async t => { t.timeout(50); await new Promise(() => {}); });
for (const n of [1, 2]) test(\`case \${n}\`, t => t.is(process.env.ZONE, 'here'));
`;

const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "ZONE=here ava --serial" } }',
  'test/a.js': everything,
  'test/before.js': `import test from 'ava';
test.before(() => { throw new Error('before broke'); });
test('kept', t => t.pass());
`,
  'test/exit.js': `import test from 'ava';
test('first', t => t.pass());
test('exits', async () => { await new Promise(done => setTimeout(done, 50)); process.exit(0); });
`,
  'test/hooks.js': `import test from 'ava';
test.beforeEach(t => { if (t.title.endsWith('broken')) throw new Error('each broke'); });
test.afterEach('cleanup', t => { if (t.title.endsWith('dirty')) throw new Error('after broke'); });
test('broken', t => t.pass());
test('dirty', t => t.pass());
`,
  'test/helpers/leaves.js': 'process.reallyExit(0);\n',
  'test/leaves.js': `import test from 'ava';\nimport './helpers/leaves.js';\nfor (const n of [1]) test(\`case \${n}\`, t => t.fail());\n`,
  'test/lost.js': `import test from 'ava';\nimport '../gone.js';\ntest('x', t => t.pass());\n`,
  'test/none.js': `import test from 'ava';\nconsole.log('noise of ' + typeof test);\n`,
  'test/only.js': `import test from 'ava';\ntest('left out', t => t.fail());\ntest.only('alone', t => t.pass());\n`,
  'test/plain.js': 'export {};\n',
  'test/rejects.js': `import test from 'ava';\ntest('passes, but', t => { Promise.reject(new Error('nobody')); t.pass(); });\n`,
  'test/syntax.js': `import test from 'ava';\ntest('x', t => {\n  const = 3;\n});\n`,
  'test/uncaught.js': `import test from 'ava';
test('waits', async t => {
  setTimeout(() => { throw new Error('uncaught'); }, 20);
  await new Promise(done => setTimeout(done, 500));
  t.pass();
});
`,
};

const expected = [
  'passed ava:test/a.js#passes',
  'failed ava:test/a.js#fails',
  'passed ava:test/a.js#spaced title',
  'skipped ava:test/a.js#skipped',
  'skipped ava:test/a.js#later',
  'passed ava:test/a.js#known',
  'passed ava:test/a.js#macro::1',
  'failed ava:test/a.js#named',
  'failed ava:test/a.js#throws',
  'failed ava:test/a.js#throws no error',
  'failed ava:test/a.js#asserts nothing',
  'failed ava:test/a.js#slow',
  'passed ava:test/a.js#case ${n}::1',
  'passed ava:test/a.js#case ${n}::2',
  'errored ava:test/before.js#kept',
  'passed ava:test/exit.js#first',
  'errored ava:test/exit.js#exits',
  'errored ava:test/hooks.js',
  'failed ava:test/hooks.js#broken',
  'passed ava:test/hooks.js#dirty',
  'errored ava:test/leaves.js',
  'errored ava:test/lost.js',
  'errored ava:test/none.js',
  'skipped ava:test/only.js#left out',
  'passed ava:test/only.js#alone',
  'errored ava:test/plain.js',
  'passed ava:test/rejects.js#passes, but',
  'errored ava:test/rejects.js',
  'errored ava:test/syntax.js',
  'errored ava:test/uncaught.js#waits',
];

async function checkEverything(root: string, whyExited = /^process\.exit\(\) was called/): Promise<void> {
  const { summary } = await runWorkspace(root);
  assert.deepEqual(drawn(summary.tests), expected);
  assert.deepEqual(summary.notes, []);
  const result = (id: string) => resultOf(summary, `ava:test/${id}`);
  const failed = result('a.js#fails').failure;
  assert.deepEqual(failed?.location, { file: 'test/a.js', line: 3, column: 24 });
  assert.deepEqual([failed.expected, failed.actual], ['{\n  a: 2,\n  b: 3,\n}', '{\n  a: 1,\n  b: 3,\n}']);
  assert.equal(failed.message, 't.deepEqual() failed: expected { a: 2, b: 3 }, got { a: 1, b: 3 }');
  assert.match(result('a.js#passes').output ?? '', /^logged \{\n {2}a: 1,\n\}\n$/);
  assert.equal(result('a.js#throws').failure?.message, 'boom');
  assert.match(result('a.js#throws no error').failure?.message ?? '', /odd: true/);
  assert.equal(result('a.js#slow').failure?.kind, 'timeout');
  const places = ['a.js#named', 'a.js#case ${n}::2', 'before.js#kept', 'lost.js', 'rejects.js', 'syntax.js'];
  assert.deepEqual(
    places.map((id) => result(id).line),
    [11, 16, 3, 2, 2, 3],
  );
  assert.match(
    result('hooks.js').failure?.message ?? '',
    /^The hook "cleanup for dirty" failed: after broke$/,
  );
  assert.match(result('leaves.js').failure?.message ?? '', /^No tests found in leaves\.js/);
  assert.match(result('exit.js#exits').failure?.message ?? '', whyExited);
}

describe('the ava host', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(files, { packages: ['ava'] });
  });
  after(() => workspace.dispose());
  const inFile = (name: string): string => path.join(workspace.root, 'test', name);

  it('tells what became of each test, at its place, with the variables of the script', () =>
    checkEverything(workspace.root));

  it('runs single tests, by line where a macro changes their titles', async () => {
    const file = inFile('a.js');
    const tests = ['named', 'passes', 'case ${n}'].map((name) => ({ file, names: [name] }));
    const { summary } = await runWorkspace(workspace.root, { selection: { tests } });
    const wanted = ['passes', 'named', 'case ${n}::1', 'case ${n}::2'];
    assert.deepEqual(
      summary.tests.map(({ id }) => id),
      wanted.map((name) => `ava:test/a.js#${name}`),
    );
  });

  it('filters by a part of the title, and in the patterns of ava', async () => {
    const one = [inFile('a.js')];
    for (const selection of [
      { files: one, filter: 'PASS' },
      { files: one, nativeFilter: 'pas*s' },
      { files: one, nativeFilter: '!*[^p]*', filter: 'asses' },
    ]) {
      const { summary } = await runWorkspace(workspace.root, { selection });
      assert.deepEqual(drawn(summary.tests), ['passed ava:test/a.js#passes'], JSON.stringify(selection));
    }
  });

  it('ends every test of a process that dies, and keeps the red of a file that nothing narrows', async () => {
    const dying = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "ava" } }',
        'test.js': `import test from 'ava';
test('ends', t => t.pass());
test('dies', async () => { await new Promise(done => setTimeout(done, 200)); process.kill(process.pid, 'SIGKILL'); });
`,
      },
      { packages: ['ava'] },
    );
    try {
      const { summary } = await runWorkspace(dying.root);
      assert.deepEqual(drawn(summary.tests), ['passed ava:test.js#ends', 'errored ava:test.js#dies']);
      const text = readFileSync(path.join(dying.root, 'test.js'), 'utf8');
      await dying.write(
        'test.js',
        text.replace(
          "process.kill(process.pid, 'SIGKILL')",
          'await new Promise(() => setInterval(() => {}, 9))',
        ),
      );
      // AVA itself gives up after ten seconds without news.
      const hung = await runWorkspace(dying.root, { limits: { timeoutMs: 8000 } });
      assert.equal(hung.summary.ended, 'timeout');
      assert.deepEqual(drawn(hung.summary.tests), ['passed ava:test.js#ends', 'errored ava:test.js#dies']);
    } finally {
      await dying.dispose();
    }
  });

  it('writes snapshots over only when asked for, and new ones not at all while a fix is tried', async () => {
    const text = (value: number): string =>
      `import test from 'ava';\ntest('shot', t => { t.snapshot({ value: ${value} }); });\n`;
    const shots = await temporaryWorkspace(
      { 'package.json': '{ "type": "module", "ava": { "files": ["shots/*"] } }', 'shots/s.js': text(1) },
      { packages: ['ava'] },
    );
    const outcome = async (updateSnapshots?: boolean): Promise<string | undefined> => {
      const selection = updateSnapshots === undefined ? {} : { updateSnapshots };
      // In CI, AVA stores no new ones.
      const { summary } = await runWorkspace(shots.root, { selection, env: { CI: 'false' } });
      return summary.tests[0]?.outcome;
    };
    const stored = path.join(shots.root, 'shots/s.js.snap');
    try {
      assert.equal(await outcome(false), 'failed');
      assert.equal(existsSync(stored), false);
      assert.equal(await outcome(), 'passed');
      const first = readFileSync(stored);
      await shots.write('shots/s.js', text(2));
      assert.equal(await outcome(), 'failed');
      assert.deepEqual(readFileSync(stored), first);
      assert.equal(await outcome(true), 'passed');
      assert.notDeepEqual(readFileSync(stored), first);
    } finally {
      await shots.dispose();
    }
  });

  for (const version of ['4.3.3', '5.0.1', '5.3.1', '6.0.1', '6.4.1']) {
    it(`tells the same in version ${version}`, async function () {
      if (process.env['TESTMEND_MATRIX'] !== '1') this.skip();
      this.timeout(300_000);
      const own = await temporaryWorkspace(files);
      try {
        const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', `ava@${version}`];
        execFileSync('npm', npm, { cwd: own.root, stdio: 'ignore' });
        // Version 4 has no word for it.
        await checkEverything(own.root, version.startsWith('4') ? /exited with code 1/ : undefined);
      } finally {
        await own.dispose();
      }
    });
  }
});
