// The gate for imports of Python: what follows the history passes, and whatever else is put in the place of a name does not.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { followedMoves } from '../../../../src/core/policy/python/followedMoves.ts';
import { whyUnjudged } from '../../../../src/core/policy/unjudged.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const shop = `def net(value):
    return value * 10 // 12


def fake(value):
    return 10


def kept(value):
    return value


def now():
    hour = 2 + 3
    return hour
`;
const test = `from unittest import mock

from shop import kept, net
from rates import rate


@mock.patch("shop.now", return_value=1)
def test_a(clock):
    assert net(12) == 10
    assert kept(1) == 1
    assert rate("at") == 20
`;
const mended = test
  .replace('kept, net', 'kept, without_tax')
  .replace('assert net', 'assert without_tax')
  .replace('from rates', 'from taxes')
  .replace('"shop.now"', '"shop.clock"');

const refused: Readonly<Record<string, readonly (readonly [old: string, now: string])[]>> = {
  'another function in the place of the one that was renamed': [
    ['kept, without_tax', 'kept, fake'],
    ['assert without_tax', 'assert fake'],
  ],
  'another function under the old name': [
    ['kept, without_tax', 'kept, fake as net'],
    ['assert without_tax', 'assert net'],
  ],
  'another one in the place of a name that is still there': [['import kept,', 'import fake as kept,']],
  'a helper of the tests': [['from taxes', 'from tests.fakes']],
  'a turned answer beside it': [['== 20', 'is not 20']],
  'what is no longer written down beside it': [['== 20', '== rate("at")']],
  'another argument beside it': [['without_tax(12)', 'without_tax(10)']],
  'another name that is replaced': [['shop.clock', 'shop.without_tax']],
  'what a name is replaced by': [['return_value=1', 'return_value=2']],
  'an assertion less': [['    assert kept(1) == 1\n', '']],
  'a skip': [['@mock', '@pytest.mark.skip\n@mock']],
  'one of two names only': [['from taxes', 'from rates']],
};

describe('the gate for names that moved in Python', () => {
  let workspace: TemporaryWorkspace;
  const isTestFile = (file: string): boolean => file.startsWith('tests/');
  const judged = async (after: string): Promise<readonly string[]> => {
    const change = { file: 'tests/test_a.py', before: test, after };
    const followed = await followedMoves([change], { root: workspace.root, isTestFile });
    const unjudged = whyUnjudged([change], { followed });
    const rules = checkPolicyOfEdits([change], isTestFile, { followed }).map(({ rule }) => rule);
    return [...rules, ...(unjudged === undefined ? [] : ['unjudged'])];
  };

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'shop.py': shop,
        'rates.py': 'def rate(country):\n    return {"at": 20}[country]\n',
        'tests/fakes.py': 'def rate(country):\n    return 20\n',
        'tests/test_a.py': test,
      },
      { git: true },
    );
    await workspace.write(
      'shop.py',
      shop.replace('def net', 'def without_tax').replace('def now', 'def clock'),
    );
    await rm(path.join(workspace.root, 'rates.py'));
    await workspace.write('taxes.py', 'def rate(country):\n    return {"at": 20}[country]\n');
  });
  after(() => workspace?.dispose());

  it('lets them follow to where the history shows them', async () =>
    assert.deepEqual(await judged(mended), []));

  it('lets another expected value stand beside them', async () =>
    assert.deepEqual(await judged(mended.replace('== 20', '== 21')), []));

  for (const [name, edits] of Object.entries(refused))
    it(`proves nothing of ${name}`, async () => {
      let text = mended;
      for (const [old, now] of edits) {
        assert.equal(text.split(old).length, 2, old);
        text = text.replace(old, now);
      }
      assert.notDeepEqual(await judged(text), []);
    });

  it('knows the history of who has just committed', async () => {
    workspace.git('add', '-A');
    workspace.git('commit', '-qm', 'Move');
    assert.deepEqual(await judged(mended), []);
    assert.notDeepEqual(await judged(mended.replace('from taxes', 'from tests.fakes')), []);
    workspace.git('reset', '-q', 'HEAD~1');
  });

  it('proves nothing where the name had two new homes, or its text changed with it', async () => {
    await workspace.write('more.py', 'def rate(country):\n    return {"at": 20}[country]\n');
    const onlyRate = test.replace('from rates', 'from taxes');
    assert.notDeepEqual(await judged(onlyRate), []);
    await workspace.write('more.py', '');
    await workspace.write('taxes.py', 'def rate(country):\n    return 20\n');
    assert.notDeepEqual(await judged(onlyRate), []);
  });
});
