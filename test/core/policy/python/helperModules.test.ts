// Helpers and classes of other files that Python tests hand values to: known as far as they are files of the tests.
import assert from 'node:assert/strict';
import { readSourceIn } from '../../../../src/core/policy/readSourceIn.ts';
import { whyUnjudged } from '../../../../src/core/policy/unjudged.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const base =
  'import unittest\n\n\nclass Base(unittest.TestCase):\n    def check(self, x, y):\n        self.assertEqual(f(x), y)\n';
const testOf = (imported: string, name: string): string =>
  `${imported}\n\n\nclass CartTest(${name}):\n    def test_a(self):\n        self.check("x", 10)\n`;

const judge = async (test: string, files: Readonly<Record<string, string>>): Promise<string | undefined> => {
  const workspace = await temporaryWorkspace({ 'tests/test_a.py': test, ...files });
  try {
    const change = { file: 'tests/test_a.py', before: test, after: test.replace('10', '5') };
    return whyUnjudged([change], { readSource: readSourceIn(workspace.root) });
  } finally {
    await workspace.dispose();
  }
};

describe('the gate for helpers of Python tests in other files', () => {
  it('knows bases that stand beside the tests, under every form of their import', async () => {
    for (const [imported, name] of [
      ['from base import Base', 'Base'],
      ['from .base import Base as Case', 'Case'],
      ['from tests.base import Base', 'Base'],
      ['from tests import base', 'base.Base'],
      ['import base', 'base.Base'],
    ] as const)
      assert.equal(await judge(testOf(imported, name), { 'tests/base.py': base }), undefined, imported);
  });

  it('knows functions that stand beside the tests', async () => {
    const helpers = 'def check(x, y):\n    assert f(x) == y\n';
    const test = 'from helpers import check\n\n\ndef test_a():\n    check("x", 10)\n';
    assert.equal(await judge(test, { 'tests/helpers.py': helpers }), undefined);
    assert.match((await judge(test, { 'helpers.py': helpers })) ?? '', /cannot judge/);
  });

  for (const [what, files] of Object.entries({
    'are not there': {},
    'are no files of the tests': { 'base.py': base },
    'compare in their own way': {
      'tests/base.py': `${base}\n    def assertEqual(self, a, b):\n        pass\n`,
    },
    'have fixtures': { 'tests/base.py': `${base}\n    @pytest.fixture\n    def a(self):\n        pass\n` },
    'are given something else': { 'tests/base.py': `${base}\n\nBase = quiet(Base)\n` },
  }))
    it(`proves nothing where the bases ${what}`, async () =>
      assert.match((await judge(testOf('from base import Base', 'Base'), files)) ?? '', /cannot judge/));
});
