// Holds what a fix must prove in the sandbox, with real runs of node:test.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Fix } from '../../../src/core/model/fix.ts';
import type { RunSummary } from '../../../src/core/model/testResult.ts';
import { runTests } from '../../../src/core/run/runTests.ts';
import { openVerification, type OpenVerification } from '../../../src/core/verification/openVerification.ts';
import type { VerificationContext } from '../../../src/core/verification/verification.ts';
import { judgeFixes } from '../../../src/core/verification/verifyFix.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../../support/treeSnapshot.ts';
import { fixOf, replacing, requestFor, verifyFix, verifyFixes } from './request.ts';

const packageJson = '{"type":"module","scripts":{"test":"node --test"}}';
const oneTest = (title: string, body: string, imports = ''): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${imports}\ntest('${title}', () => {\n  ${body}\n});\n`;

const files = {
  'package.json': packageJson,
  'src/greet.js': "export const greet = (name) => 'Hello, ' + name;\n",
  'greet.test.js': oneTest(
    'greets',
    "assert.equal(greet('Ada'), 'Hi, Ada');",
    "import { greet } from './src/greet.js';\n",
  ),
  'moved.test.js': oneTest(
    'still greets',
    "assert.equal(greet('Bob'), 'Hello, Bob');",
    "import { greet } from './src/welcome.js';\n",
  ).concat("\ntest('shouts', () => {\n  assert.equal(greet('Bob'), 'HELLO');\n});\n"),
  'support/limit.js': 'export const limit = 3;\n',
  'limit.test.js': oneTest(
    'has a limit',
    'assert.equal(limit, 4);',
    "import { limit } from './support/limit.js';\n",
  ),
  'other.test.js': oneTest(
    'relies on the limit',
    'assert.equal(limit, 3);',
    "import { limit } from './support/limit.js';\n",
  ),
  'steps.test.js': oneTest(
    'has two limits',
    'assert.equal(limit, 4);\n  assert.equal(limit, 5);',
    "import { limit } from './support/limit.js';\n",
  ),
  'turn.test.js': oneTest(
    'counts its runs',
    `const turn = 1 + Number(existsSync('turn.txt') ? readFileSync('turn.txt', 'utf8') : 0);
  writeFileSync('turn.txt', String(turn));
  assert.equal(turn, -1);`,
    "import { existsSync, readFileSync, writeFileSync } from 'node:fs';\n",
  ),
  'writer.test.js': oneTest(
    'writes where it may not',
    "const file = 'out.txt';\n  writeFileSync(file, 'export {};');\n  assert.equal(file, 'nothing');",
    "import { writeFileSync } from 'node:fs';\n",
  ),
  'late.test.js': oneTest(
    'is late',
    "const panel = { text: 'first' };\n  setTimeout(() => (panel.text = 'second'), 60);\n  assert.equal(panel.text, 'second');",
  ),
  '.gitignore': 'node_modules\nturn.txt\nout.txt\n',
};
const id = (file: string, title: string): string => `nodeTest:${file}#${title}`;
const batchFiles = ['greet.test.js', 'moved.test.js', 'limit.test.js', 'other.test.js'];

describe('verifying fixes', () => {
  let workspace: TemporaryWorkspace;
  let verification: OpenVerification;
  let untouched: Readonly<Record<string, string>>;
  let greets: Fix;
  let moves: Fix;
  let breaks: Fix;
  let useless: Fix;

  before(async () => {
    workspace = await temporaryWorkspace(files, { git: true });
    const request = await requestFor(workspace);
    const original = await runTests({ ...request, selection: {} });
    untouched = await treeSnapshot(workspace.root);
    verification = await openVerification({ ...request, original });
    const make = async (file: string, old: string, now: string, failing: string, rest: Partial<Fix> = {}) =>
      fixOf([await replacing(workspace, file, old, now)], [failing], rest);
    greets = await make('greet.test.js', "'Hi, Ada'", "'Hello, Ada'", id('greet.test.js', 'greets'));
    moves = await make('moved.test.js', 'welcome', 'greet', 'nodeTest:moved.test.js', {
      trust: 'mechanical',
    });
    breaks = await make('support/limit.js', '3', '4', id('limit.test.js', 'has a limit'));
    useless = await make('limit.test.js', 'limit, 4', 'limit, 5', id('limit.test.js', 'has a limit'));
  });
  after(async () => {
    await verification.dispose();
    await workspace.dispose();
  });

  it('finds the sandbox to behave like the original', () => {
    assert.deepEqual([...(verification.unreproduced ?? [])], []);
    assert.equal(verification.baseline.get(id('other.test.js', 'relies on the limit'))?.outcome, 'passed');
  });

  it('runs a mechanical fix once and a changed expectation three times', async () => {
    assert.deepEqual(await verifyFix(moves, verification, { scope: 'file', files: ['moved.test.js'] }), {
      verdict: 'verified',
      runs: 1,
      scope: 'file',
      violations: [],
    });
    const { verdict, runs } = await verifyFix(greets, verification, {
      scope: 'test',
      files: ['greet.test.js'],
    });
    assert.deepEqual([verdict, runs], ['verified', 3]);
    assert.equal(await verification.sandbox.readText('greet.test.js'), files['greet.test.js']);
  });

  it('gives a value time after the first run already, and says which run is most likely the last', async () => {
    const lasts: unknown[] = [];
    const context: VerificationContext = {
      ...verification,
      run: (selection, signal, more): Promise<RunSummary> => {
        lasts.push(more?.isLast);
        return verification.run(selection, signal, more);
      },
    };
    const edit = await replacing(workspace, 'late.test.js', "panel.text, 'second'", "panel.text, 'first'");
    const late = fixOf([edit], [id('late.test.js', 'is late')]);
    const scope = { scope: 'file', isEnd: true } as const;
    const { verdict, reason, runs } = await verifyFix(late, context, { ...scope, files: ['late.test.js'] });
    assert.deepEqual([verdict, runs, lasts], ['rejected', 1, [false, undefined]]);
    assert.match(reason ?? '', /^The value was still changing: first at once, second a little later/);
    lasts.length = 0;
    assert.equal(
      (await verifyFix(greets, context, { ...scope, files: ['greet.test.js'] })).verdict,
      'verified',
    );
    assert.deepEqual(lasts, [false, false, true]);
  });

  it('rejects what leaves the target red, and what breaks another file', async () => {
    const red = await verifyFix(useless, verification, { scope: 'file', files: ['limit.test.js'] });
    assert.equal(red.verdict, 'rejected');
    assert.match(red.reason ?? '', /^"has a limit" still fails: .*: 3 !== 5/);
    const worse = await verifyFix(breaks, verification, { scope: 'suite', files: [] });
    assert.deepEqual(
      [worse.verdict, worse.reason],
      ['rejected', '"relies on the limit" passed before and fails now.'],
    );
  });

  it('lets a test get further only where nothing that passed fails for it', async () => {
    const steps = id('steps.test.js', 'has two limits');
    const fix: Fix = { ...breaks, failures: [steps] };
    const [alone] = await judgeFixes([fix], verification, { scope: 'file', files: ['steps.test.js'] });
    assert.deepEqual([alone?.advances, alone?.verdict.verdict], [true, 'rejected']);
    assert.match(alone?.verdict.reason ?? '', /^Its tests get further but do not pass. .*4 !== 5/);
    const [worse] = await judgeFixes([fix], verification, {
      scope: 'file',
      files: ['steps.test.js', 'other.test.js'],
    });
    assert.deepEqual([worse?.advances, worse?.verdict.verdict], [false, 'rejected']);
    // A fix is kept for the sake of what passes with it, not of what only gets further.
    const both = { ...fix, failures: [steps, id('limit.test.js', 'has a limit')] };
    const [proven] = await judgeFixes([both], verification, {
      scope: 'file',
      files: ['steps.test.js', 'limit.test.js'],
    });
    assert.deepEqual([proven?.verdict.verdict, proven?.fix.failures], ['verified', [both.failures[1]]]);
  });

  it('judges a batch in few runs, keeps what is verified when asked, and takes the rest back', async () => {
    let runs = 0;
    const context: VerificationContext = {
      ...verification,
      run: (selection, signal): Promise<RunSummary> => {
        runs++;
        return verification.run(selection, signal);
      },
    };
    const verdicts = await verifyFixes([greets, breaks, moves, useless], context, {
      scope: 'file',
      files: batchFiles,
      keep: true,
    });
    assert.deepEqual(
      verdicts.map(({ verdict }) => verdict),
      ['verified', 'rejected', 'verified', 'rejected'],
    );
    assert.ok(runs <= 8, `${runs} runs`);
    assert.match((await verification.sandbox.readText('greet.test.js')) ?? '', /'Hello, Ada'/);
    assert.equal(await verification.sandbox.readText('support/limit.js'), files['support/limit.js']);
    await verification.sandbox.reset();
    assert.equal(await verification.sandbox.readText('greet.test.js'), files['greet.test.js']);
  });

  it('rejects without any run what the gate forbids or what was made for another text', async () => {
    const skipped = await replacing(workspace, 'greet.test.js', "test('greets'", "test.skip('greets'");
    const context = { ...verification, run: () => Promise.reject(new Error('nothing may run')) };
    const scope = { scope: 'suite', files: [] } as const;
    const gate = await verifyFix(fixOf([skipped], greets.failures), context, scope);
    assert.deepEqual([gate.verdict, gate.runs], ['rejected', 0]);
    assert.equal(gate.violations[0]?.file, 'greet.test.js');
    const source = await replacing(workspace, 'src/greet.js', 'Hello', 'Hi');
    const outside = await verifyFix(fixOf([source], greets.failures), context, scope);
    assert.equal(outside.violations[0]?.rule, 'only-test-files');
    const stale = { ...skipped, before: 'another' };
    assert.match(
      (await verifyFix(fixOf([stale], greets.failures), context, scope)).reason ?? '',
      /changed after/,
    );
  });

  it('rejects a test that passes only sometimes', async () => {
    const edit = await replacing(workspace, 'turn.test.js', '-1', '2');
    await writeFile(path.join(verification.sandbox.root, 'turn.txt'), '1');
    const fix = fixOf([edit], [id('turn.test.js', 'counts its runs')]);
    const { verdict, runs, reason } = await verifyFix(fix, verification, {
      scope: 'file',
      files: ['turn.test.js'],
    });
    assert.deepEqual([verdict, runs], ['rejected', 2]);
    assert.match(reason ?? '', /^The test passes only sometimes. /);
  });

  it('rejects a test that writes a source file, and gives the sandbox its source again', async () => {
    const edit = await replacing(workspace, 'writer.test.js', "'out.txt'", "'src/greet.js'");
    const expects = await replacing(workspace, 'writer.test.js', "'nothing'", "'src/greet.js'");
    const fix: Fix = {
      ...fixOf([edit, expects], [id('writer.test.js', 'writes where it may not')]),
      trust: 'propose',
    };
    const { verdict, reason } = await verifyFix(fix, verification, {
      scope: 'file',
      files: ['writer.test.js'],
    });
    assert.deepEqual(
      [verdict, reason],
      ['rejected', 'The run changed src/greet.js, which is not a test file.'],
    );
    assert.equal(await verification.sandbox.readText('src/greet.js'), files['src/greet.js']);
  });

  it('left every byte of the original as it was', async () => {
    assert.deepEqual(await treeSnapshot(workspace.root), untouched);
  });
});

describe('a sandbox that has to reproduce the original', () => {
  it('gets ignored files when a test needs them, and is unverifiable where it still differs', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': packageJson,
        'gen/made.js': 'export const made = 1;\n',
        '.gitignore': 'node_modules\ngen\n',
        'made.test.js': oneTest(
          'needs what was made',
          'assert.equal(made, 1);',
          "import { made } from './gen/made.js';\n",
        ),
        'place.test.js': oneTest(
          'knows its place',
          'assert.doesNotMatch(process.cwd(), /sandboxes/);\n  assert.equal(1, 2);',
        ),
        'here.test.js': oneTest('is here', "assert.equal(process.cwd().split('sandboxes').length, 1);"),
      },
      { git: true },
    );
    try {
      const verification = await openVerification(await requestFor(workspace));
      try {
        assert.equal(verification.baseline.get(id('made.test.js', 'needs what was made'))?.outcome, 'passed');
        const [[file, difference] = [], ...others] = verification.unreproduced ?? [];
        assert.deepEqual([file, others], ['here.test.js', []]);
        assert.match(
          difference ?? '',
          /^The sandbox does not reproduce "is here": passed in the workspace, failed in the copy: Expected values to be strictly equal.* To try fixes in the workspace itself/,
        );
        const edit = await replacing(workspace, 'here.test.js', ' 1)', ' 7)');
        const fix = fixOf([edit], [id('here.test.js', 'is here')]);
        const { verdict, reason } = await verifyFix(fix, verification, { scope: 'suite', files: [] });
        assert.equal(verdict, 'unverifiable');
        assert.match(reason ?? '', /"is here"/);
      } finally {
        await verification.dispose();
      }
    } finally {
      await workspace.dispose();
    }
  });

  it('says that nothing can be said when the run hits its time limit', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': packageJson,
        'slow.test.js': oneTest('waits', 'const limit = 2;\n  assert.equal(limit, 1);\n  while (limit < 3);'),
      },
      { git: true },
    );
    try {
      const verification = await openVerification(await requestFor(workspace, 3_000));
      try {
        const edit = await replacing(workspace, 'slow.test.js', 'limit, 1', 'limit, 2');
        const fix = fixOf([edit], [id('slow.test.js', 'waits')]);
        const { verdict, reason } = await verifyFix(fix, verification, { scope: 'suite', files: [] });
        assert.deepEqual(
          [verdict, reason],
          ['unverifiable', 'The run with the fix did not finish (timeout).'],
        );
        assert.match((await verification.sandbox.readText('slow.test.js')) ?? '', /limit, 1/);
      } finally {
        await verification.dispose();
      }
    } finally {
      await workspace.dispose();
    }
  });
});
