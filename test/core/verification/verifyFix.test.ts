// Holds what a fix must prove in the sandbox, with real runs of vitest.
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

const oneTest = (title: string, body: string, imports = ''): string =>
  `import { expect, test } from 'vitest';\n${imports}\ntest('${title}', () => {\n  ${body}\n});\n`;

const files = {
  'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
  'vitest.config.ts': 'export default { test: { isolate: false, maxWorkers: 1 } };\n',
  'src/greet.ts': "export const greet = (name: string) => 'Hello, ' + name;\n",
  'greet.test.ts': oneTest(
    'greets',
    "expect(greet('Ada')).toBe('Hi, Ada');",
    "import { greet } from './src/greet.ts';\n",
  ),
  'moved.test.ts': oneTest(
    'still greets',
    "expect(greet('Bob')).toBe('Hello, Bob');",
    "import { greet } from './src/welcome.ts';\n",
  ).concat("\ntest('shouts', () => {\n  expect(greet('Bob')).toBe('HELLO');\n});\n"),
  'support/limit.ts': 'export const limit = 3;\n',
  'limit.test.ts': oneTest(
    'has a limit',
    'expect(limit).toBe(4);',
    "import { limit } from './support/limit.ts';\n",
  ),
  'other.test.ts': oneTest(
    'relies on the limit',
    'expect(limit).toBe(3);',
    "import { limit } from './support/limit.ts';\n",
  ),
  'steps.test.ts': oneTest(
    'has two limits',
    'expect(limit).toBe(4);\n  expect(limit).toBe(5);',
    "import { limit } from './support/limit.ts';\n",
  ),
  'turn.test.ts': oneTest(
    'counts its runs',
    `const turn = 1 + Number(existsSync('turn.txt') ? readFileSync('turn.txt', 'utf8') : 0);
  writeFileSync('turn.txt', String(turn));
  expect(turn).toBe(-1);`,
    "import { existsSync, readFileSync, writeFileSync } from 'node:fs';\n",
  ),
  'writer.test.ts': oneTest(
    'writes where it may not',
    "const file = 'out.txt';\n  writeFileSync(file, 'export {};');\n  expect(file).toBe('nothing');",
    "import { writeFileSync } from 'node:fs';\n",
  ),
  '.gitignore': 'node_modules\nturn.txt\nout.txt\n',
};
const id = (file: string, title: string): string => `vitest:${file}#${title}`;
const batchFiles = ['greet.test.ts', 'moved.test.ts', 'limit.test.ts', 'other.test.ts'];

describe('verifying fixes', () => {
  let workspace: TemporaryWorkspace;
  let verification: OpenVerification;
  let untouched: Readonly<Record<string, string>>;
  let greets: Fix;
  let moves: Fix;
  let breaks: Fix;
  let useless: Fix;

  before(async () => {
    workspace = await temporaryWorkspace(files, { git: true, vitest: true });
    const request = await requestFor(workspace);
    const original = await runTests({ ...request, selection: {} });
    untouched = await treeSnapshot(workspace.root);
    verification = await openVerification({ ...request, original });
    const make = async (file: string, old: string, now: string, failing: string, rest: Partial<Fix> = {}) =>
      fixOf([await replacing(workspace, file, old, now)], [failing], rest);
    greets = await make('greet.test.ts', "'Hi, Ada'", "'Hello, Ada'", id('greet.test.ts', 'greets'));
    moves = await make('moved.test.ts', 'welcome', 'greet', 'vitest:moved.test.ts', { trust: 'mechanical' });
    breaks = await make('support/limit.ts', '3', '4', id('limit.test.ts', 'has a limit'));
    useless = await make('limit.test.ts', 'toBe(4)', 'toBe(5)', id('limit.test.ts', 'has a limit'));
  });
  after(async () => {
    await verification.dispose();
    await workspace.dispose();
  });

  it('finds the sandbox to behave like the original', () => {
    assert.deepEqual([...(verification.unreproduced ?? [])], []);
    assert.equal(verification.baseline.get(id('other.test.ts', 'relies on the limit'))?.outcome, 'passed');
  });

  it('runs a mechanical fix once and a changed expectation three times', async () => {
    assert.deepEqual(await verifyFix(moves, verification, { scope: 'file', files: ['moved.test.ts'] }), {
      verdict: 'verified',
      runs: 1,
      scope: 'file',
      violations: [],
    });
    const { verdict, runs } = await verifyFix(greets, verification, {
      scope: 'test',
      files: ['greet.test.ts'],
    });
    assert.deepEqual([verdict, runs], ['verified', 3]);
    assert.equal(await verification.sandbox.readText('greet.test.ts'), files['greet.test.ts']);
  });

  it('rejects what leaves the target red, and what breaks another file', async () => {
    const red = await verifyFix(useless, verification, { scope: 'file', files: ['limit.test.ts'] });
    assert.equal(red.verdict, 'rejected');
    assert.match(red.reason ?? '', /^"has a limit" still fails: expected 3 to be 5/);
    const worse = await verifyFix(breaks, verification, { scope: 'suite', files: [] });
    assert.deepEqual(
      [worse.verdict, worse.reason],
      ['rejected', '"relies on the limit" passed before and fails now.'],
    );
  });

  it('lets a test get further only where nothing that passed fails for it', async () => {
    const steps = id('steps.test.ts', 'has two limits');
    const fix: Fix = { ...breaks, failures: [steps] };
    const [alone] = await judgeFixes([fix], verification, { scope: 'file', files: ['steps.test.ts'] });
    assert.deepEqual([alone?.advances, alone?.verdict.verdict], [true, 'rejected']);
    assert.match(
      alone?.verdict.reason ?? '',
      /^Its tests get further, and do not pass\. .*expected 4 to be 5/,
    );
    const [worse] = await judgeFixes([fix], verification, {
      scope: 'file',
      files: ['steps.test.ts', 'other.test.ts'],
    });
    assert.deepEqual([worse?.advances, worse?.verdict.verdict], [false, 'rejected']);
    // A fix is kept for the sake of what passes with it, not of what only gets further.
    const both = { ...fix, failures: [steps, id('limit.test.ts', 'has a limit')] };
    const [proven] = await judgeFixes([both], verification, {
      scope: 'file',
      files: ['steps.test.ts', 'limit.test.ts'],
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
    assert.match((await verification.sandbox.readText('greet.test.ts')) ?? '', /'Hello, Ada'/);
    assert.equal(await verification.sandbox.readText('support/limit.ts'), files['support/limit.ts']);
    await verification.sandbox.reset();
    assert.equal(await verification.sandbox.readText('greet.test.ts'), files['greet.test.ts']);
  });

  it('rejects without any run what the gate forbids or what was made for another text', async () => {
    const skipped = await replacing(workspace, 'greet.test.ts', "test('greets'", "test.skip('greets'");
    const context = { ...verification, run: () => Promise.reject(new Error('nothing may run')) };
    const scope = { scope: 'suite', files: [] } as const;
    const gate = await verifyFix(fixOf([skipped], greets.failures), context, scope);
    assert.deepEqual([gate.verdict, gate.runs], ['rejected', 0]);
    assert.equal(gate.violations[0]?.file, 'greet.test.ts');
    const source = await replacing(workspace, 'src/greet.ts', 'Hello', 'Hi');
    const outside = await verifyFix(fixOf([source], greets.failures), context, scope);
    assert.equal(outside.violations[0]?.rule, 'only-test-files');
    const stale = { ...skipped, before: 'another' };
    assert.match(
      (await verifyFix(fixOf([stale], greets.failures), context, scope)).reason ?? '',
      /changed after/,
    );
  });

  it('rejects a test that passes only sometimes', async () => {
    const edit = await replacing(workspace, 'turn.test.ts', '-1', '2');
    await writeFile(path.join(verification.sandbox.root, 'turn.txt'), '1');
    const fix = fixOf([edit], [id('turn.test.ts', 'counts its runs')]);
    const { verdict, runs, reason } = await verifyFix(fix, verification, {
      scope: 'file',
      files: ['turn.test.ts'],
    });
    assert.deepEqual([verdict, runs], ['rejected', 2]);
    assert.match(reason ?? '', /^It passes only sometimes\. /);
  });

  it('rejects a test that writes a source file, and gives the sandbox its source again', async () => {
    const edit = await replacing(workspace, 'writer.test.ts', "'out.txt'", "'src/greet.ts'");
    const expects = await replacing(workspace, 'writer.test.ts', "'nothing'", "'src/greet.ts'");
    const fix: Fix = {
      ...fixOf([edit, expects], [id('writer.test.ts', 'writes where it may not')]),
      trust: 'propose',
    };
    const { verdict, reason } = await verifyFix(fix, verification, {
      scope: 'file',
      files: ['writer.test.ts'],
    });
    assert.deepEqual([verdict, reason], ['rejected', 'The run changed src/greet.ts, which is no test file.']);
    assert.equal(await verification.sandbox.readText('src/greet.ts'), files['src/greet.ts']);
  });

  it('left every byte of the original as it was', async () => {
    assert.deepEqual(await treeSnapshot(workspace.root), untouched);
  });
});

describe('a sandbox that has to reproduce the original', () => {
  it('gets ignored files when a test needs them, and is unverifiable where it still differs', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
        'gen/made.ts': 'export const made = 1;\n',
        '.gitignore': 'node_modules\ngen\n',
        'made.test.ts': oneTest(
          'needs what was made',
          'expect(made).toBe(1);',
          "import { made } from './gen/made.ts';\n",
        ),
        'place.test.ts': oneTest(
          'knows its place',
          "expect(process.cwd()).not.toContain('sandboxes');\n  expect(1).toBe(2);",
        ),
        'here.test.ts': oneTest('is here', "expect(process.cwd()).not.toContain('sandboxes');"),
      },
      { git: true, vitest: true },
    );
    try {
      const verification = await openVerification(await requestFor(workspace));
      try {
        assert.equal(verification.baseline.get(id('made.test.ts', 'needs what was made'))?.outcome, 'passed');
        const [[file, difference] = [], ...others] = verification.unreproduced ?? [];
        assert.deepEqual([file, others], ['here.test.ts', []]);
        assert.match(
          difference ?? '',
          /^The sandbox does not reproduce "is here": passed in the workspace, failed in the copy: expected '.*' not to contain 'sandboxes'\. Fixes can be tried in the workspace itself/,
        );
        const edit = await replacing(workspace, 'here.test.ts', 'sandboxes', 'elsewhere');
        const fix = fixOf([edit], [id('here.test.ts', 'is here')]);
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
        'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
        'slow.test.ts': oneTest('waits', 'const limit = 2;\n  expect(limit).toBe(1);\n  while (limit < 3);'),
      },
      { git: true, vitest: true },
    );
    try {
      const verification = await openVerification(await requestFor(workspace, 5_000));
      try {
        const edit = await replacing(workspace, 'slow.test.ts', 'toBe(1)', 'toBe(2)');
        const fix = fixOf([edit], [id('slow.test.ts', 'waits')]);
        const { verdict, reason } = await verifyFix(fix, verification, { scope: 'suite', files: [] });
        assert.deepEqual(
          [verdict, reason],
          ['unverifiable', 'The run with the fix in place did not complete (timeout).'],
        );
        assert.match((await verification.sandbox.readText('slow.test.ts')) ?? '', /toBe\(1\)/);
      } finally {
        await verification.dispose();
      }
    } finally {
      await workspace.dispose();
    }
  });
});
