// Tests that wait for an error that is thrown still, but not for their input any more: rows and whole tests, in real tests of vitest.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const source = `export function serialize(name, value) {
  if (!/^[a-z]+$/.test(name)) throw new TypeError('option name is invalid');
  if (value === undefined) throw new TypeError('value is missing');
  return name + '=' + value;
}
`;
const test = `import { expect, it } from 'vitest';
import { serialize } from './serialize.js';

it.each([['a b'], ['a1'], ['a;'], ['a2']])('refuses the name %s', (name) => {
  expect(() => serialize(name, 1)).toThrow(/name is invalid/);
});

it('refuses a number', () => {
  expect(() => serialize('1', 1)).toThrow(TypeError);
});

it('refuses no value', () => {
  expect(() => serialize('a')).toThrow('value is missing');
});
`;

describe('tests of input that is taken now', () => {
  let report: CycleReport;

  before(async function () {
    this.timeout(280_000);
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{"name":"shop","type":"module","devDependencies":{"vitest":"4"}}',
        'serialize.js': source,
        'serialize.test.js': test,
      },
      { git: true, packages: ['vitest'] },
    );
    try {
      await workspace.write('serialize.js', source.replace('[a-z]', '[a-z0-9]'));
      report = await mendWorkspace(workspace, { assume: 'source-is-right' });
    } finally {
      await workspace.dispose();
    }
  });

  it('are offered for deletion row by row, proven, with the other side, and applied by nobody', () => {
    const [rows, ...others] = report.fixes.filter(({ title }) => title.includes('row'));
    const gone = rows?.edits.flatMap(({ changes }) =>
      changes.map(({ start, end }) => test.slice(start, end)),
    );
    assert.equal(rows?.title, 'delete 2 rows of removed code');
    assert.deepEqual([gone, others.length], [["['a1'], ", ", ['a2']"], 0]);
    assert.deepEqual(
      [rows?.verdict.verdict, rows?.trust, rows?.state, rows?.failures.length],
      ['verified', 'propose', 'declined', 2],
    );
    assert.match(rows?.otherSide ?? '', /another input/);
    assert.match(
      rows?.evidence.join() ?? '',
      /`serialize` in serialize\.js no longer rejects the input of the test/,
    );
  });

  it('are left without one where it cannot be told which error they meant', () => {
    const left = report.remaining.find(({ title }) => title === 'refuses a number');
    assert.equal(left?.fault === 'test', false);
    assert.ok(report.fixes.every(({ failures }) => !failures.some((id) => id.includes('a number'))));
  });
});
