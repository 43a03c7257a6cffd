// What node itself would say of a skill file, beside the counts that it returns.
import assert from 'node:assert/strict';
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
