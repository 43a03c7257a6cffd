// The workspace itself as the place where fixes are tried: what changed is told for good, and a file that cannot be given back ends it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { openInPlaceSandbox, type InPlaceSandbox } from '../../../src/core/sandbox/inPlaceSandbox.ts';
import { amidCall } from '../../support/amidCall.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const test = 'price.test.mjs';

describe('InPlaceSandbox', () => {
  const state = process.env['XDG_STATE_HOME'];
  let workspace: TemporaryWorkspace;
  let sandbox: InPlaceSandbox;
  beforeEach(async () => {
    workspace = await temporaryWorkspace({ [test]: 'before\n', 'price.mjs': 'wrong\n' }, { git: true });
    process.env['XDG_STATE_HOME'] = path.join(workspace.root, '../state');
    sandbox = await openInPlaceSandbox({ root: workspace.root });
    await sandbox.sync();
  });
  afterEach(async () => {
    await sandbox.dispose();
    await workspace.dispose();
    if (state === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = state;
  });

  it('tells each time again of a source that changed, and nothing of a file that was given back', async () => {
    const trial = await sandbox.write(new Map([[test, 'trial\n']]));
    await workspace.write('price.mjs', 'corrected\n');
    assert.deepEqual(await sandbox.restoreStrays(), ['price.mjs']);
    await trial.undo();
    assert.deepEqual(await sandbox.restoreStrays(), ['price.mjs']);
    await sandbox.sync();
    assert.deepEqual(await sandbox.restoreStrays(), []);
  });

  it('tries nothing more once a file could not be given back, and gives it back at the end', async () => {
    const trial = await sandbox.write(new Map([[test, 'trial\n']]));
    const refusal = {
      fits: (_: unknown, to: unknown) => String(to).endsWith('.aside'),
      deed: () => {
        throw new Error('EIO: the disk refuses');
      },
    };
    let undone: Promise<void> = Promise.resolve();
    assert.ok(amidCall('renameSync', refusal, () => (undone = trial.undo())));
    await assert.rejects(undone, /EIO/);
    await assert.rejects(sandbox.write(new Map([['price.mjs', 'trial\n']])), /EIO/);
    await assert.rejects(sandbox.sync(), /EIO/);
    await sandbox.dispose();
    assert.equal(await workspace.read(test), 'before\n');
  });
});
