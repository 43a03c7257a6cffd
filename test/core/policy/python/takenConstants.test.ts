// Constants of a Python test file that other files take from it: their values are input there.
import assert from 'node:assert/strict';
import { whyUnjudged } from '../../../../src/core/policy/unjudged.ts';
import { readSourceIn } from '../../../../src/core/policy/readSourceIn.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const test = 'from shop import limit\n\nEXPECTED = 10\n\n\ndef test_a():\n    assert limit() == EXPECTED\n';
const change = { file: 'tests/test_a.py', before: test, after: test.replace('= 10', '= 5') };

const judge = async (files: Readonly<Record<string, string>>): Promise<string | undefined> => {
  const workspace = await temporaryWorkspace({ 'tests/test_a.py': test, ...files });
  try {
    return whyUnjudged([change], { readSource: readSourceIn(workspace.root) });
  } finally {
    await workspace.dispose();
  }
};

describe('the gate for constants of Python tests', () => {
  it('knows them as expectations where nobody else takes them', async () => {
    assert.equal(await judge({}), undefined);
    assert.equal(await judge({ 'tests/test_b.py': 'EXPECTED = 3\n' }), undefined);
    assert.equal(await judge({ 'tests/test_b.py': 'from test_a import limit\n' }), undefined);
    assert.equal(await judge({ '.venv/test_b.py': 'from test_a import EXPECTED\n' }), undefined);
  });

  for (const other of [
    'from test_a import EXPECTED\n',
    'from tests.test_a import (\n    limit,\n    EXPECTED as ten,\n)\n',
    'from .test_a import *\n',
    'import test_a\n\nprint(test_a.EXPECTED)\n',
  ])
    it(`proves nothing where another file takes them: ${other.split('\n', 1)[0]}`, async () =>
      assert.match((await judge({ 'other/test_b.py': other })) ?? '', /cannot judge/));
});
