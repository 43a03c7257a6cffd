// The reporter and the runner inside real jests: this repository's here, every supported version when TESTMEND_MATRIX=1.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const everything = `describe('suite', () => {
  it('passes', () => { console.log('printed'); });
  it('fails', () => { expect({ a: 1 }).toEqual({ a: 2 }); });
  it.skip('is skipped', () => {});
  it.todo('is to do');
  it.each([1, 2])('case %i', () => {});
  it.each\`
    a    | b
    \${1} | \${2}
    \${3} | \${3}
  \`('$a is $b', ({ a, b }) => { expect(a).toBe(b); });
});
describe('before', () => { beforeAll(() => { throw new Error('before broke'); }); it('kept', () => {}); });
describe('after', () => { afterAll(() => { throw new Error('after broke'); }); it('ran', () => {}); });
test('slow', async () => { await new Promise(() => {}); }, 50);
test.concurrent('together', async () => {});
test('throws text', () => { throw 'text'; });
test('node assert', () => { require('node:assert').equal(1, 2); });
test('twice', () => {});
test('twice', () => { expect(1).toBe(2); });
`;

const files = {
  'package.json': '{ "private": true, "devDependencies": { "jest": "*" } }',
  'a.test.js': everything,
  'broken.test.js': `it('x', () => {\n  const = 3;\n});\n`,
  'empty.test.js': '',
  'hook.test.js': `beforeEach(() => { throw new Error('each broke'); });\nit('x', () => {});\n`,
  'lost.test.js': `const { x } = require('./x');\nconst { gone } = require('./gone');\nit('x', () => {});\n`,
  'retry.test.js': `jest.retryTimes(3);
let tries = 0;
it('passes later', () => { if (tries++ < 2) throw new Error('try'); });
it('never passes', () => { throw new Error('always'); });
`,
  'x.js': 'exports.x = 1;\n',
};

const expected = [
  'passed jest:a.test.js#suite › passes',
  'failed jest:a.test.js#suite › fails',
  'skipped jest:a.test.js#suite › is skipped',
  'skipped jest:a.test.js#suite › is to do',
  'passed jest:a.test.js#suite › case %25i::1',
  'passed jest:a.test.js#suite › case %25i::2',
  'failed jest:a.test.js#suite › $a is $b::1',
  'passed jest:a.test.js#suite › $a is $b::2',
  'errored jest:a.test.js#before › kept',
  'passed jest:a.test.js#after › ran',
  'errored jest:a.test.js',
  'failed jest:a.test.js#slow',
  'passed jest:a.test.js#together',
  'failed jest:a.test.js#throws text',
  'failed jest:a.test.js#node assert',
  'passed jest:a.test.js#twice',
  'failed jest:a.test.js#twice[2]',
  'errored jest:broken.test.js',
  'errored jest:empty.test.js',
  'failed jest:hook.test.js#x',
  'errored jest:lost.test.js',
  'passed jest:retry.test.js#passes later',
  'failed jest:retry.test.js#never passes',
];

/** What every version must tell of the workspace above. */
async function checkEverything(root: string): Promise<void> {
  const { summary } = await runWorkspace(root);
  assert.deepEqual(drawn(summary.tests), expected);
  assert.deepEqual(summary.notes, []);
  const failure = (name: string) => resultOf(summary, `jest:${name}`).failure;
  assert.deepEqual(failure('a.test.js#suite › fails')?.location, { file: 'a.test.js', line: 3, column: 40 });
  assert.equal(failure('a.test.js#suite › fails')?.expected, '{\n  "a": 2,\n}');
  assert.equal(failure('a.test.js#suite › $a is $b::1')?.actual, '1');
  assert.equal(failure('a.test.js#slow')?.kind, 'timeout');
  assert.equal(failure('a.test.js#throws text')?.message, 'thrown: text');
  const { kind, expected: wanted, actual } = failure('a.test.js#node assert') ?? {};
  assert.deepEqual({ kind, wanted, actual }, { kind: 'assertion', wanted: '2', actual: '1' });
  assert.equal(failure('a.test.js#twice[2]')?.location?.line, 20);
  assert.equal(failure('a.test.js')?.message, 'after broke');
  assert.equal(failure('a.test.js#before › kept')?.message, 'before broke');
  assert.equal(failure('empty.test.js')?.kind, 'empty');
  // Babel and swc see the fault at different columns.
  assert.equal(failure('broken.test.js')?.location?.line, 2);
  assert.deepEqual(failure('lost.test.js')?.location, { file: 'lost.test.js', line: 2, column: 26 });
  assert.equal(resultOf(summary, 'jest:a.test.js#suite › passes').output, 'printed\n');

  const file = path.join(root, 'a.test.js');
  const one = (names: readonly string[]) => ({ tests: [{ file, names }] });
  const selections = [
    [one(['suite', 'passes']), [expected[0]]],
    [{ files: [file], filter: 'SUITE PASSES' }, [expected[0]]],
    [{ files: [file], nativeFilter: 'passes$' }, [expected[0]]],
    [one(['suite', '$a is $b']), expected.slice(6, 8)],
    [one(['suite', '3 is 3']), expected.slice(7, 8)],
    [one(['twice']), expected.slice(15, 17)],
  ] as const;
  for (const [selection, wantedTests] of selections) {
    const run = await runWorkspace(root, { selection });
    assert.deepEqual(drawn(run.summary.tests), wantedTests);
  }
}

describe('the jest reporter', () => {
  it('tells what becomes of each test, and starts the chosen ones only', async function () {
    this.timeout(300_000);
    const workspace = await temporaryWorkspace(files, { packages: ['jest'] });
    await checkEverything(workspace.root);
    await workspace.dispose();
  });

  it('gives tests with computed titles the ids of the places that declare them', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': files['package.json'],
        'a.test.js': `for (const name of ['a', 'b']) it(name, () => {});
for (const other of ['c', 'd']) {
  it(other, () => { expect(other).toBe('c'); });
}
describe.each(['p', 'q'])('%s', (letter) => { it('same', () => { expect(letter).toBe('p'); }); });
`,
      },
      { packages: ['jest'] },
    );
    const { summary } = await runWorkspace(workspace.root);
    await workspace.dispose();
    assert.deepEqual(drawn(summary.tests), [
      'passed jest:a.test.js#name::1',
      'passed jest:a.test.js#name::2',
      'passed jest:a.test.js#other::1',
      'failed jest:a.test.js#other::2',
      'passed jest:a.test.js#%25s › same::1',
      'failed jest:a.test.js#%25s › same::2',
    ]);
  });

  it('names the project of a file when there are several, and both when both run it', async () => {
    const project = (name: string): string =>
      `{ displayName: '${name}', testMatch: ['**/both.test.js', '**/${name}/*.test.js'] }`;
    const workspace = await temporaryWorkspace(
      {
        'package.json': files['package.json'],
        'jest.config.js': `module.exports = { projects: [${project('unit')}, ${project('dom')}] };\n`,
        'both.test.js': `it('runs twice', () => {});\n`,
        'unit/a.test.js': `it('runs once', () => {});\n`,
      },
      { packages: ['jest'] },
    );
    const { summary } = await runWorkspace(workspace.root);
    const selection = { files: [path.join(workspace.root, 'unit/a.test.js')] };
    const one = await runWorkspace(workspace.root, { selection });
    await workspace.dispose();
    assert.deepEqual(drawn(summary.tests).toSorted(), [
      'passed jest/dom:both.test.js#runs twice',
      'passed jest/unit:both.test.js#runs twice',
      'passed jest/unit:unit/a.test.js#runs once',
    ]);
    assert.deepEqual(drawn(one.summary.tests), ['passed jest/unit:unit/a.test.js#runs once']);
  });

  it('gives every test an end when workers die, and never runs a file twice', async () => {
    const fine = Object.fromEntries(
      Array.from({ length: 22 }, (_, index) => [`fine${index}.test.js`, `it('is fine', () => {});\n`]),
    );
    const workspace = await temporaryWorkspace(
      {
        'package.json':
          '{ "scripts": { "test": "jest --maxWorkers=2" }, "devDependencies": { "jest": "*" } }',
        'exits.test.js': `it('before', () => {});\nit('exits', () => { process.exit(3); });\nit('after', () => {});\n`,
        'killed.test.js': `it('before', () => {});\nit('is killed', () => { process.kill(process.pid, 'SIGKILL'); });\n`,
        ...fine,
      },
      { packages: ['jest'] },
    );
    const { summary } = await runWorkspace(workspace.root);
    await workspace.dispose();
    assert.deepEqual(
      drawn(summary.tests).filter((line) => !line.includes('fine')),
      [
        'passed jest:exits.test.js#before',
        'errored jest:exits.test.js#exits',
        'errored jest:exits.test.js#after',
        'passed jest:killed.test.js#before',
        'errored jest:killed.test.js#is killed',
      ],
    );
    assert.equal(summary.passed, 24);
  });

  it('tells in words what keeps jest from starting, and what broke after the last test', async () => {
    const cases = [
      [`throw new Error('config broke');`, 'config broke'],
      ['module.exports = { testMatch: [ };', 'SyntaxError: Unexpected token'],
      [`module.exports = { preset: 'no-such-preset' };`, 'Preset no-such-preset not found'],
      [`module.exports = { globalSetup: './hook.js' };`, 'hook broke', 'hook.js'],
      [`module.exports = { globalTeardown: './hook.js' };`, 'hook broke'],
    ] as const;
    for (const [config, words, place = 'jest.config.js'] of cases) {
      const workspace = await temporaryWorkspace(
        {
          'package.json': files['package.json'],
          'jest.config.js': config,
          'hook.js': `module.exports = () => { throw new Error('hook broke'); };`,
          'a.test.js': `it('x', () => {});\n`,
        },
        { packages: ['jest'] },
      );
      const { summary } = await runWorkspace(workspace.root);
      await workspace.dispose();
      assert.equal(resultOf(summary, `jest:${place}`).outcome, 'errored');
      assert.match(resultOf(summary, `jest:${place}`).failure?.message ?? '', new RegExp(words));
    }
  });

  it('takes hostile names of files and tests for what they are, and is not held by open handles', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': files['package.json'],
        '-dash.test.js': `it('opens', () => { require('node:net').createServer().listen(0); });\n`,
        'a $(touch x) [id]/{b,c}(1)+.test.js': `it('tab\\tand › # \u05d0', () => {});\nit('(a|b) $& "q"', () => { expect(1).toBe(2); });\n`,
      },
      { packages: ['jest'] },
    );
    const file = path.join(workspace.root, 'a $(touch x) [id]/{b,c}(1)+.test.js');
    const { summary, events } = await runWorkspace(workspace.root);
    const selection = { tests: [{ file, names: ['(a|b) $& "q"'] }] };
    const one = await runWorkspace(workspace.root, { selection });
    await workspace.dispose();
    const id = 'jest:a $(touch x) [id]/{b,c}(1)+.test.js#';
    assert.deepEqual(drawn(summary.tests), [
      'passed jest:-dash.test.js#opens',
      `passed ${id}tab%09and %E2%80%BA %23 \u05d0`,
      `failed ${id}(a|b) $& "q"`,
    ]);
    assert.deepEqual(drawn(one.summary.tests), [`failed ${id}(a|b) $& "q"`]);
    const printed = events.flatMap((event) => (event.type === 'output' ? event.text : [])).join('');
    assert.doesNotMatch(printed, /Force exiting|did not exit/, 'a note says so');
  });

  it('lets no test pass whose error comes after the last test, and waits a second for it', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': files['package.json'],
        'late.test.js': `test('p', () => { setTimeout(() => { throw new Error('boo'); }, 30); });\n`,
        'open.test.js': `test('opens', () => { require('node:net').createServer().listen(0); });\n`,
        'teardown/package.json':
          '{ "jest": { "globalTeardown": "./slow.js" }, "devDependencies": { "jest": "*" } }',
        'teardown/slow.js': `module.exports = async () => { await new Promise((done) => setTimeout(done, 1500)); throw new Error('torn'); };\n`,
        'teardown/open.test.js': `test('opens', () => { setInterval(() => {}, 1000); });\n`,
      },
      { packages: ['jest'] },
    );
    const run = (file: string): ReturnType<typeof runWorkspace> =>
      runWorkspace(workspace.root, { selection: { files: [path.join(workspace.root, file)] } });
    const late = (await run('late.test.js')).summary;
    const open = (await run('open.test.js')).summary;
    const torn = (await run('teardown/open.test.js')).summary;
    await workspace.dispose();
    assert.deepEqual(drawn(late.tests), ['passed jest:late.test.js#p', 'errored jest:late.test.js']);
    const { message = '' } = resultOf(late, 'jest:late.test.js').failure ?? {};
    assert.match(message, /^No test failed, but the process of Jest ended with exit code 1\.[^]*Error: boo/);
    assert.deepEqual(drawn(open.tests), ['passed jest:open.test.js#opens']);
    assert.deepEqual(open.notes, ['The tests left something open (a server, a timer): jest was ended.']);
    assert.match(torn.tests.at(-1)?.failure?.message ?? '', /torn/);
  });

  it('fails what has no snapshot yet where the script says --ci, and stores none', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "jest --ci" }, "devDependencies": { "jest": "*" } }',
        'a.test.js': `test('new', () => { expect(1).toMatchSnapshot(); });\n`,
      },
      { packages: ['jest'] },
    );
    const { summary } = await runWorkspace(workspace.root);
    const isStored = existsSync(path.join(workspace.root, '__snapshots__'));
    await workspace.dispose();
    assert.deepEqual(drawn(summary.tests), ['failed jest:a.test.js#new']);
    assert.equal(isStored, false);
  });

  for (const [version, extra] of [
    ['27', []],
    ['28', []],
    ['29', ['@swc/jest', '@swc/core']],
    ['30', []],
  ] as const) {
    it(`tells the same of the same tests in jest ${version}`, async function () {
      if (process.env['TESTMEND_MATRIX'] !== '1') this.skip();
      this.timeout(300_000);
      const transform =
        extra.length > 0
          ? { 'jest.config.js': `module.exports = { transform: { '\\\\.jsx?$': '@swc/jest' } };\n` }
          : {};
      const workspace = await temporaryWorkspace({ ...files, ...transform });
      try {
        const npm = [
          'install',
          '--no-save',
          '--no-audit',
          '--no-fund',
          '--silent',
          `jest@${version}`,
          ...extra,
        ];
        execFileSync('npm', npm, { cwd: workspace.root, stdio: 'ignore' });
        await checkEverything(workspace.root);
      } finally {
        await workspace.dispose();
      }
    });
  }

  // Version 26 has no other by default.
  for (const packages of [['jest@29', 'jest-jasmine2@29'], ['jest@26']])
    it(`tells the same of whole files where another runner than jest-circus runs them (${packages.join(', ')})`, async function () {
      if (process.env['TESTMEND_MATRIX'] !== '1') this.skip();
      this.timeout(300_000);
      const workspace = await temporaryWorkspace({
        'package.json': files['package.json'],
        'jest.config.js': `module.exports = { testRunner: 'jest-jasmine2' };\n`,
        'a.test.js': `describe('suite', () => {
  it('passes', () => { console.log('printed'); });
  it('fails', () => { expect(1).toBe(2); });
  xit('is skipped', () => {});
  it.each([1, 2])('case %i', () => {});
});
`,
      });
      try {
        const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', ...packages];
        execFileSync('npm', npm, { cwd: workspace.root, stdio: 'ignore' });
        const { summary } = await runWorkspace(workspace.root);
        assert.deepEqual(drawn(summary.tests), [
          'passed jest:a.test.js#suite › passes',
          'failed jest:a.test.js#suite › fails',
          'skipped jest:a.test.js#suite › is skipped',
          'passed jest:a.test.js#suite › case %25i::1',
          'passed jest:a.test.js#suite › case %25i::2',
        ]);
        const { failure } = resultOf(summary, 'jest:a.test.js#suite › fails');
        assert.deepEqual([failure?.expected, failure?.actual, failure?.location?.line], ['2', '1', 3]);
      } finally {
        await workspace.dispose();
      }
    });
});
