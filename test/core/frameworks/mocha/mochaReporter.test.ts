// The reporter inside real mochas: this repository's here, every supported version when TESTMEND_MATRIX=1.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const everything = `const assert = require('node:assert');
describe('suite', () => {
  it('passes', () => { console.log('printed'); });
  it('fails', () => { assert.deepStrictEqual({ a: 1 }, { a: 2 }); });
  it.skip('is skipped', () => {});
  it('is pending');
  it('leaves', function () { this.skip(); });
  for (const n of [1, 2]) it(\`case \${n}\`, () => {});
});
describe('retry', function () {
  this.retries(3);
  let tries = 0;
  it('passes later', () => { if (tries++ < 2) throw new Error('try'); });
});
describe('before', () => {
  before(() => { throw new Error('before broke'); });
  it('kept', () => {});
  describe('inner', () => { it('kept too', () => {}); });
});
describe('each', () => {
  beforeEach(() => { throw new Error('each broke'); });
  it('first', () => {});
  it('second', () => {});
});
describe('after each', () => { afterEach(() => { throw new Error('after each broke'); }); it('ran', () => {}); });
describe('after', () => { after(() => { throw new Error('after broke'); }); it('ran', () => {}); });
it('slow', () => new Promise(() => {})).timeout(50);
it('twice', (done) => { done(); done(); });
it('rejects', () => { Promise.reject(new Error('nobody')); return new Promise((resolve) => setTimeout(resolve, 30)); });
it('throws later', (done) => { setImmediate(() => { throw new Error('uncaught'); }); });
`;

const files = {
  'package.json': '{ "scripts": { "test": "NODE_ENV=checked mocha --require ./setup.js" } }',
  'setup.js': 'globalThis.isSetUp = process.env.NODE_ENV;\n',
  'test/a.js': everything,
  'test/aa.js': `it('is set up', () => { if (globalThis.isSetUp !== 'checked') throw new Error('no'); });\n`,
  'test/broken.js': `it('x', () => {\n  const = 3;\n});\n`,
  'test/esm.mjs': `import assert from 'node:assert';\nit('is a module', () => assert.ok(true));\n`,
  'test/half.js': `describe('half', () => {\n  it('known', () => {});\n  throw new Error('load broke');\n});\n`,
  'test/helper.js': 'exports.help = 1;\n',
  'test/lost.js': `require('../gone');\nit('x', () => {});\n`,
};

const expected = [
  'passed mocha:test/a.js#suite › passes',
  'failed mocha:test/a.js#suite › fails',
  'skipped mocha:test/a.js#suite › is skipped',
  'skipped mocha:test/a.js#suite › is pending',
  'skipped mocha:test/a.js#suite › leaves',
  'passed mocha:test/a.js#suite › case ${n}::1',
  'passed mocha:test/a.js#suite › case ${n}::2',
  'passed mocha:test/a.js#retry › passes later',
  'errored mocha:test/a.js#before › kept',
  'errored mocha:test/a.js#before › inner › kept too',
  'failed mocha:test/a.js#each › first',
  'errored mocha:test/a.js#each › second',
  'failed mocha:test/a.js#after each › ran',
  'passed mocha:test/a.js#after › ran',
  'errored mocha:test/a.js',
  'failed mocha:test/a.js#slow',
  'failed mocha:test/a.js#twice',
  'passed mocha:test/a.js#rejects',
  'failed mocha:test/a.js#throws later',
  'passed mocha:test/aa.js#is set up',
  'errored mocha:test/broken.js',
  'passed mocha:test/esm.mjs#is a module',
  'errored mocha:test/half.js',
  'errored mocha:test/lost.js',
];

async function checkEverything(root: string): Promise<void> {
  const { summary } = await runWorkspace(root);
  assert.deepEqual(drawn(summary.tests), expected);
  assert.deepEqual(summary.notes, ['A rejection that nobody handles while "rejects" ran: nobody']);
  const failed = resultOf(summary, 'mocha:test/a.js#suite › fails');
  assert.deepEqual(failed.failure?.location, { file: 'test/a.js', line: 4, column: 30 });
  assert.deepEqual([failed.failure.expected, failed.failure.actual], ['{\n  "a": 2\n}', '{\n  "a": 1\n}']);
  assert.equal(resultOf(summary, 'mocha:test/a.js#suite › passes').output, 'printed\n');
  assert.match(
    resultOf(summary, 'mocha:test/a.js#before › inner › kept too').failure?.message ?? '',
    /^The "before all" hook .*failed: before broke$/,
  );
  assert.equal(resultOf(summary, 'mocha:test/a.js#slow').failure?.kind, 'timeout');
  assert.equal(resultOf(summary, 'mocha:test/broken.js').line, 2);
  assert.equal(resultOf(summary, 'mocha:test/lost.js').line, 1);
  assert.equal(resultOf(summary, 'mocha:test/half.js').failure?.message, 'load broke');
  const chosen = [path.join(root, 'test/a.js')];
  const tests = chosen.map((file) => ({ file, names: ['suite', 'passes'] }));
  const selections = [
    { tests },
    { files: chosen, filter: 'SUITE PASSES' },
    { files: chosen, nativeFilter: '^suite passes$' },
  ];
  for (const selection of selections) {
    const run = await runWorkspace(root, { selection });
    assert.deepEqual(drawn(run.summary.tests), [expected[0]]);
  }
}

describe('the mocha reporter', () => {
  it('tells what became of each test, and runs the other files when some do not load', async () => {
    const workspace = await temporaryWorkspace(files, { packages: ['mocha'] });
    await checkEverything(workspace.root);
    await workspace.dispose();
  });

  it('tells the same when mocha runs files in parallel', async () => {
    const parallel =
      '{ "scripts": { "test": "NODE_ENV=checked mocha --require ./setup.js --parallel --jobs 2" } }';
    const workspace = await temporaryWorkspace(
      { ...files, 'package.json': parallel },
      { packages: ['mocha'] },
    );
    const { summary } = await runWorkspace(workspace.root);
    const selection = { files: [path.join(workspace.root, 'test/aa.js')] };
    const one = await runWorkspace(workspace.root, { selection });
    await workspace.dispose();
    assert.deepEqual(drawn(summary.tests), expected);
    assert.equal(resultOf(summary, 'mocha:test/a.js#suite › passes').output, 'printed\n');
    assert.deepEqual(drawn(one.summary.tests), ['passed mocha:test/aa.js#is set up']);
  });

  it('keeps what would change the meaning of a run from doing so', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "mocha --watch --bail --dry-run -R dot -g keep" } }',
        '.mocharc.json':
          '{ "spec": "spec/**/*.js", "reporter": "tap", "dryRun": true, "pass-on-failing-test-suite": true }',
        'spec/a.js': `it('keeps failing', () => { throw new Error('no'); });\nit('keeps on', () => {});\nit('other', () => {});\nit('keeps pending');\n`,
        'spec/b.js': `it('keeps this out', () => {});\nit.only('keeps alone', () => {});\n`,
      },
      { packages: ['mocha'] },
    );
    const all = await runWorkspace(workspace.root);
    const file = path.join(workspace.root, 'spec/a.js');
    const one = await runWorkspace(workspace.root, { selection: { files: [file] } });
    await workspace.dispose();
    assert.deepEqual(drawn(all.summary.tests), [
      'skipped mocha:spec/a.js#keeps failing',
      'skipped mocha:spec/a.js#keeps on',
      'skipped mocha:spec/a.js#other',
      'skipped mocha:spec/a.js#keeps pending',
      'skipped mocha:spec/b.js#keeps this out',
      'passed mocha:spec/b.js#keeps alone',
    ]);
    assert.deepEqual(drawn(one.summary.tests), [
      'failed mocha:spec/a.js#keeps failing',
      'passed mocha:spec/a.js#keeps on',
      'skipped mocha:spec/a.js#other',
      'skipped mocha:spec/a.js#keeps pending',
    ]);
  });

  it('forbids what the script forbids in a run of everything, and not to those who ask for certain tests', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "mocha --forbid-only --forbid-pending *.js" } }',
        'a.js': `it.only('alone', () => {});\nit('waits', () => {});\n`,
        'b.js': `it('passes', () => {});\nit.skip('is pending', () => {});\n`,
      },
      { packages: ['mocha'] },
    );
    const all = await runWorkspace(workspace.root);
    const file = path.join(workspace.root, 'a.js');
    const one = await runWorkspace(workspace.root, { selection: { files: [file] } });
    await workspace.dispose();
    assert.deepEqual(drawn(all.summary.tests), [
      'errored mocha:a.js',
      'passed mocha:b.js#passes',
      'failed mocha:b.js#is pending',
    ]);
    assert.match(
      resultOf(all.summary, 'mocha:a.js').failure?.message ?? '',
      /`\.only` is not supported|forbid/i,
    );
    assert.deepEqual(drawn(one.summary.tests), ['passed mocha:a.js#alone', 'skipped mocha:a.js#waits']);
  });

  it('starts node with the flags of the user, and loads hooks that stand beside the tests', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json':
          '{ "type": "module", "scripts": { "test": "mocha" }, "mocha": { "extension": ["ts"], "node-option": ["import=tsx", "require=./spy.cjs"] } }',
        'spy.cjs': `globalThis.token = Object.values(process.env).find((value) => /^[0-9a-f]{32}$/.test(value));\n`,
        'test/hooks.ts': `beforeEach(() => { (globalThis as any).ready = true; });\n`,
        'test/a.ts': `enum Kind { One = 1 }
const { ready } = { get ready(): boolean { return (globalThis as any).ready; } };
it('is typed', () => {
  if (Kind.One as number === 2) throw new Error('never');
  if (!(globalThis as any).ready || ready) throw new Error('not ready');
});
it('has no secret', () => { if ((globalThis as any).token ?? process.env.TESTMEND_CHANNEL) throw new Error('told'); });
it('fails here', () => {
  throw new Error('no');
});
`,
      },
      { packages: ['mocha', 'tsx'] },
    );
    const selection = { files: [path.join(workspace.root, 'test/a.ts')] };
    const { summary } = await runWorkspace(workspace.root, { selection });
    await workspace.dispose();
    assert.deepEqual(drawn(summary.tests), [
      'passed mocha:test/a.ts#is typed',
      'passed mocha:test/a.ts#has no secret',
      'failed mocha:test/a.ts#fails here',
    ]);
    assert.equal(summary.tests[2]?.failure?.location?.line, 9);
  });

  it('ends a mocha that tests keep alive, and says so', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "mocha" } }',
        'test/a.js': `require('node:http').createServer(() => {}).listen(0);\nit('runs', () => {});\n`,
      },
      { packages: ['mocha'] },
    );
    const { summary } = await runWorkspace(workspace.root);
    await workspace.dispose();
    assert.deepEqual(drawn(summary.tests), ['passed mocha:test/a.js#runs']);
    assert.deepEqual(summary.notes, ['The tests left something open (a server, a timer): mocha was ended.']);
  });

  it('gives every queued test an end when the process dies, and tells errors after the end', async () => {
    const dies = {
      'package.json': '{ "scripts": { "test": "mocha" } }',
      'test/a.js': `it('dies', () => process.exit(3));\n`,
      'test/b.js': `it('waits', () => {});\n`,
    };
    const late = {
      'package.json': dies['package.json'],
      'test/a.js': `it('passes', () => {});\nafter(() => { setTimeout(() => { throw new Error('late'); }, 20); });\n`,
    };
    const [one, two] = [
      await temporaryWorkspace(dies, { packages: ['mocha'] }),
      await temporaryWorkspace(late, { packages: ['mocha'] }),
    ];
    const [died, ended] = [await runWorkspace(one.root), await runWorkspace(two.root)];
    await Promise.all([one.dispose(), two.dispose()]);
    assert.deepEqual(drawn(died.summary.tests), [
      'errored mocha:test/a.js#dies',
      'errored mocha:test/b.js#waits',
    ]);
    assert.match(died.summary.tests[0]?.failure?.message ?? '', /its process exited with code 3/);
    assert.deepEqual(drawn(ended.summary.tests), [
      'passed mocha:test/a.js#passes',
      'errored mocha:test/a.js',
    ]);
  });

  it('says why a configuration keeps mocha from running', async () => {
    const base = {
      'package.json': '{ "scripts": { "test": "mocha" } }',
      'test/a.js': `it('runs', () => {});\n`,
    };
    const configurations = {
      '.mocharc.cjs': `throw new Error('not today');\n`,
      '.mocharc.yml': 'a: [\n',
      '.mocharc.json': '{ "spec": "nothing/*.js" }',
    };
    const messages: string[] = [];
    for (const [name, text] of Object.entries(configurations)) {
      const workspace = await temporaryWorkspace({ ...base, [name]: text }, { packages: ['mocha'] });
      const { summary } = await runWorkspace(workspace.root);
      await workspace.dispose();
      assert.deepEqual(
        summary.tests.map(({ outcome, file }) => [outcome, file]),
        [['errored', name]],
      );
      messages.push(summary.tests[0]?.failure?.message ?? '');
    }
    assert.match(messages[0] ?? '', /did not load \(\.mocharc\.cjs:1\): Error: not today/);
    assert.match(messages[1] ?? '', /did not load \(\.mocharc\.yml:\d+\): YAMLException/);
    assert.match(messages[2] ?? '', /No test files found: "nothing\/\*\.js"/);
  });

  it('passes hostile names of files and tests through', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "mocha --recursive" } }',
        'test/a $(touch x) [id]/{b,c}(1)+.js': `it('tab\\t and › # א', () => {});\ndescribe('(a|b)', () => { it('$& "q"', () => { throw new Error('no'); }); });\n`,
        'test/-dash.js': `it('opens', () => {});\n`,
      },
      { packages: ['mocha'], name: 'sh op' },
    );
    const file = path.join(workspace.root, 'test/a $(touch x) [id]/{b,c}(1)+.js');
    const { summary } = await runWorkspace(workspace.root);
    const selection = { tests: [{ file, names: ['(a|b)', '$& "q"'] }] };
    const one = await runWorkspace(workspace.root, { selection });
    await workspace.dispose();
    const id = 'mocha:test/a $(touch x) [id]/{b,c}(1)+.js#';
    assert.deepEqual(drawn(summary.tests), [
      'passed mocha:test/-dash.js#opens',
      `passed ${id}tab%09 and %E2%80%BA %23 א`,
      `failed ${id}(a|b) › $& "q"`,
    ]);
    assert.deepEqual(drawn(one.summary.tests), [`failed ${id}(a|b) › $& "q"`]);
  });

  for (const version of ['8.4.0', '9.0.0', '9', '10', '11']) {
    it(`tells the same of the same tests in mocha ${version}`, async function () {
      if (process.env['TESTMEND_MATRIX'] !== '1') this.skip();
      this.timeout(300_000);
      const workspace = await temporaryWorkspace(files);
      try {
        const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', `mocha@${version}`];
        execFileSync('npm', npm, { cwd: workspace.root, stdio: 'ignore' });
        await checkEverything(workspace.root);
      } finally {
        await workspace.dispose();
      }
    });
  }
});
