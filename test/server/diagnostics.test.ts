// What failed, as an editor and all who read its diagnostics are told: without the secrets that the test files give away.
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { Failures } from '../../src/core/engine/failures.ts';
import { Diagnostics } from '../../src/server/diagnostics.ts';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';

const secret = ['plover', '73c'].join('-');
const file = 'test/a.test.js';

describe('diagnostics', () => {
  it('name no secret of the test file, and stay in order', async () => {
    const workspace = await temporaryWorkspace({ [file]: `const password = '${secret}';\n` });
    const shown: unknown[][] = [];
    const diagnostics = new Diagnostics({
      sendDiagnostics: async (params) => void shown.push(params.diagnostics.map(({ message }) => message)),
    });
    const failures = new Failures();
    failures.add({
      id: `nodeTest:${file}#a`,
      file,
      line: 1,
      title: 'a',
      suites: [],
      outcome: 'failed',
      durationMs: 1,
      failure: { message: `refused ${secret}`, stack: [], kind: 'assertion', severity: 'high' },
    });
    diagnostics.publish(workspace.root, failures, (one) => one, true);
    failures.clear();
    diagnostics.publish(workspace.root, failures, (one) => one, true);
    for (let tries = 0; tries < 100 && shown.length < 2; tries++) await later(20);
    await workspace.dispose();
    assert.deepEqual(shown, [['a: refused [redacted]'], []]);
  });
});
