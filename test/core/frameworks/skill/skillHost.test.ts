// What node itself would say of a skill file, beside the counts that it returns.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runTestFile } from '../../../../src/core/frameworks/skill/skills.ts';
import { drawn, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const green = '{ passed: 1, failed: 0, errors: [] }';
const skill = (body: string): string => `export default async () => { ${body} return ${green}; };\n`;

describe('a skill file that returns green counts', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace({
      'tests/rejects.tests.mjs': skill(`Promise.reject(new Error('unawaited'));`),
      'tests/late.tests.mjs': skill(`setTimeout(() => { throw new Error('late'); }, 50);`),
      'tests/lateRejection.tests.mjs': skill(`setTimeout(() => Promise.reject(new Error('late too')), 50);`),
      'tests/exitCode.tests.mjs': skill(`process.exitCode = 5;`),
      'tests/exitHandler.tests.mjs': skill(`process.on('exit', () => { process.exitCode = 6; });`),
      'tests/beforeExit.tests.mjs': skill(
        `process.on('beforeExit', () => { throw new Error('at the end'); });`,
      ),
      'tests/lateExit.tests.mjs': skill(`setTimeout(() => process.exit(7), 50);`),
      'tests/lateWork.tests.mjs': skill(`setTimeout(() => console.log('done'), 50);`),
      'tests/timer.tests.mjs': skill(`setInterval(() => undefined, 1000);`),
    });
  });
  after(() => workspace.dispose());

  it('is errored by each error and exit code that comes before its process has ended', async () => {
    const { summary } = await runWorkspace(workspace.root);

    assert.deepEqual(drawn(summary.tests), [
      'errored skill:tests/beforeExit.tests.mjs',
      'errored skill:tests/exitCode.tests.mjs',
      'errored skill:tests/exitHandler.tests.mjs',
      'errored skill:tests/late.tests.mjs',
      'errored skill:tests/lateExit.tests.mjs',
      'errored skill:tests/lateRejection.tests.mjs',
      'passed skill:tests/lateWork.tests.mjs',
      'errored skill:tests/rejects.tests.mjs',
      'passed skill:tests/timer.tests.mjs',
    ]);
    assert.deepEqual(
      summary.tests.flatMap(({ failure }) => (failure ? [failure.message.split('\n')[0]] : [])),
      [
        'at the end',
        'No test failed, but the process of Skill tests ended with exit code 5.',
        'No test failed, but the process of Skill tests ended with exit code 6.',
        'late',
        'No test failed, but the process of Skill tests ended with exit code 7.',
        'late too',
        'unawaited',
      ],
    );
    assert.deepEqual(summary.notes, [
      'timer.tests.mjs left something open (a server, a timer): it was ended.',
    ]);
  });

  it('is no success for scripts either when its exit code says otherwise', async () => {
    const file = path.join(workspace.root, 'tests/exitCode.tests.mjs');

    const { success, passed, errors } = await runTestFile(file);

    assert.deepEqual(
      { success, passed, errors },
      {
        success: false,
        passed: 0,
        errors: [`No check failed, but the process of ${file} exited with code 5.`],
      },
    );
  });
});

/** The files that `node --check` was asked about while the workspace ran; all of its tests fail. */
async function checkedWhile(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const workspace = await temporaryWorkspace(files);
  const log = path.join(workspace.root, '../checked');
  const { NODE_OPTIONS: former } = process.env;
  await workspace.write(
    '../log.cjs',
    `if (process.execArgv.includes('--check')) require('node:fs').appendFileSync(${JSON.stringify(log)}, require('node:path').basename(process.argv[1]) + '\\n');\n`,
  );
  process.env['NODE_OPTIONS'] = `--require=${path.join(workspace.root, '../log.cjs')}`;
  try {
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(
      drawn(summary.tests).filter((line) => !line.startsWith('errored ')),
      [],
    );
    const checked = await readFile(log, 'utf8').catch(() => '');
    return checked
      .split('\n')
      .filter((line) => line !== '')
      .toSorted();
  } finally {
    if (former === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = former;
    await workspace.dispose();
  }
}

describe('a skill file that an import breaks', () => {
  it('is not parsed once more for the place of a syntax error that it does not have', async () => {
    assert.deepEqual(
      await checkedWhile({
        'old.cjs': 'exports.kept = 1;\n',
        'tests/esm.tests.mjs': `import { gone } from 'node:path';\n${skill('gone();')}`,
        'tests/cjs.tests.mjs': `import { gone } from '../old.cjs';\n${skill('gone();')}`,
        'tests/broken.tests.mjs': skill('const = 1;'),
      }),
      ['broken.tests.mjs'],
    );
  });
});
