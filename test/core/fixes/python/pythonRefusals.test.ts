// Values of Python that are no literals are named and left alone; and what nothing in the history explains is only proposed.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendPython } from '../../../support/mendPython.ts';
import { pythonWith } from '../../../support/python.ts';
import { reasonIn } from '../../../support/reportOf.ts';

const values: readonly (readonly [name: string, code: string, reason: RegExp])[] = [
  ['object', 'object()', /class builtins\.object/],
  ['date', 'datetime.date(2020, 1, 2)', /class datetime\.date/],
  ['nan', '[1, float("nan")]', /the number nan/],
  ['cyclic', 'cyclic()', /holds itself/],
  ['large', '"x" * 100_000', /too large/],
  ['many', 'list(range(100_000))', /too large/],
  ['frozen', 'frozenset([1])', /class builtins\.frozenset/],
  ['deep', 'deep()', /too deep/],
  ['raising', 'Raising()', /class test_values\.Raising/],
  ['folder', 'os.getcwd()', /folder of this run/],
];
const test = `import datetime
import os
import pytest


class Raising:
    def __repr__(self):
        raise ValueError

    def __eq__(self, other):
        return False


def cyclic():
    one = []
    one.append(one)
    return one


def deep():
    one = []
    for _ in range(60):
        one = [one]
    return one


def plain():
    return 2


def same(value):
    return value


${values.map(([name, code]) => `def test_${name}():\n    assert same(${code}) == "a"\n\n\n`).join('')}def test_plain():
    assert plain() == 1


def test_not():
    assert plain() != 2


def test_in():
    assert "b" in str(plain())


@pytest.mark.xfail(reason="known")
def test_expected_to_fail():
    assert plain() == 1


class TestBase(object and object):
    def test_base(self):
        assert plain() == 1
`;

describe('values of Python that no literal has', () => {
  let report: CycleReport;
  const reasonOf = (name: string): string => reasonIn(report, `test_${name}`);

  before(async function () {
    this.timeout(280_000);
    if (pythonWith() === undefined) return this.skip();
    report = await mendPython(
      {
        // As on a server: messages are told whole.
        'pytest.ini': '[pytest]\naddopts = -vv\n',
        'test_values.py': test,
      },
      {},
    );
  });

  for (const [name, , reason] of values)
    it(`are left alone with the reason: ${name}`, () => assert.match(reasonOf(name), reason));

  it('are none of our business where the assertion is no equality, or no certain one', () => {
    assert.match(reasonOf('not'), /`!=` does not determine/);
    assert.match(reasonOf('in'), /too short/);
    assert.match(reasonOf('base'), /unclear whether its assertions count/);
  });

  it('come with a proposal only where no source changed', () => {
    const [fix] = report.fixes.filter(({ failures }) => failures.some((id) => id.endsWith('test_plain')));
    assert.deepEqual([fix?.trust, fix?.state], ['propose', 'declined']);
    assert.match(fix?.stops?.[0]?.reason ?? '', /^No source file that this test uses changed/);
    assert.equal(report.patch, '');
  });
});
