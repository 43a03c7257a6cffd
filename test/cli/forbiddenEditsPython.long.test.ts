// Every kind of edit that the fix policy forbids in Python, tried as a patch from outside, with the rule that is told.
import assert from 'node:assert/strict';
import { unifiedDiff } from '../../src/core/workspace/unifiedDiff.ts';
import { edited, file, forbidden } from '../core/policy/python/changes.ts';
import { pythonWith } from '../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { rejectedRules, rulesTold, type JudgedFile } from './rejectedRules.ts';

describe('testmend verify, for what the fix policy forbids in Python', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async function () {
    if (pythonWith() === undefined) return this.skip();
    workspace = await temporaryWorkspace(
      { 'pytest.ini': '[pytest]\n', 'shop.py': 'size = 1\n', 'conftest.py': '', 'test_shop.py': file },
      { git: true },
    );
    return undefined;
  });
  after(() => workspace?.dispose());

  const judged = (): JudgedFile => ({ workspace, file: 'test_shop.py', text: file });
  const rulesOf = (patch: string): Promise<readonly string[]> => rejectedRules(judged(), patch);

  // One of each; all of them are tried on the gate itself in test/core/policy/python.
  for (const [rule, cases] of Object.entries(forbidden))
    for (const [name, edits] of Object.entries(cases).slice(0, 1))
      it(`rejects ${rule}: ${name}`, async () => {
        const rules = await rulesOf(unifiedDiff('test_shop.py', file, edited(edits)));
        assert.ok(rules.includes(rule), `${rules.join(', ')} instead of ${rule}`);
      });

  it('rejects an edit of the source and of conftest.py, and the removal of a test file', async () => {
    assert.deepEqual(await rulesTold(judged(), unifiedDiff('shop.py', 'size = 1\n', 'size = 2\n')), [
      'only-test-files',
    ]);
    assert.deepEqual(await rulesTold(judged(), unifiedDiff('conftest.py', '', 'import pytest\n')), [
      'only-test-files',
    ]);
    assert.ok(
      (await rulesTold(judged(), unifiedDiff('test_shop.py', file, undefined))).includes('removed-file'),
    );
  });
});
