import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BugDecisions } from '../../../src/core/workspace/bugDecisions.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('what the user called a bug', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-state-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('holds until the test or the source changes', async () => {
    const workspace = await temporaryWorkspace({
      'a.test.ts': 'test',
      'a.ts': 'source',
      'b.test.ts': 'other',
    });
    try {
      const decisions = new BugDecisions(workspace.root, folder);
      await decisions.add('vitest:a.test.ts#a › b', ['a.test.ts', 'a.ts']);
      await decisions.add('vitest:b.test.ts#b', ['b.test.ts', 'gone.ts']);
      const again = new BugDecisions(workspace.root, folder);
      assert.deepEqual([...(await again.current())].sort(), ['vitest:a.test.ts#a › b', 'vitest:b.test.ts#b']);
      await workspace.write('a.ts', 'source, mended');
      await workspace.write('gone.ts', 'is there now');
      assert.deepEqual([...(await again.current())], []);
      await workspace.write('a.ts', 'source');
      assert.deepEqual([...(await again.current())], [], 'a forgotten decision does not come back');
    } finally {
      await workspace.dispose();
    }
  });

  it('can be taken back, and survives broken files', async () => {
    const workspace = await temporaryWorkspace({ 'a.test.ts': 'test' });
    try {
      const decisions = new BugDecisions(workspace.root, folder);
      await decisions.add('one', ['a.test.ts']);
      await decisions.add('two', ['a.test.ts']);
      await decisions.remove('one');
      await writeFile(path.join(folder, 'bugs', 'broken.json'), '{ "testId": 3');
      assert.deepEqual([...(await decisions.current())], ['two']);
      assert.equal((await readdir(path.join(folder, 'bugs'))).length, 1);
    } finally {
      await workspace.dispose();
    }
  });

  it('keeps no file outside the root in a decision', async () => {
    const workspace = await temporaryWorkspace({});
    try {
      const decisions = new BugDecisions(workspace.root, folder);
      await decisions.add('one', ['../secret.txt']);
      await writeFile(path.join(path.dirname(workspace.root), 'secret.txt'), 'changed');
      assert.deepEqual([...(await decisions.current())], ['one']);
    } finally {
      await workspace.dispose();
    }
  });
});
