// The same in jest: a mock that tests share forgets, and the clock goes on; what the changed source does is only offered.
import assert from 'node:assert/strict';
import { askedProviders } from '../../../../src/core/fixes/providers.ts';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const head = `const { put } = require('../src/put');\nconst { save } = require('../src/save');\n\njest.mock('../src/put');\n`;
const counts = `\ntest('saves one', () => {\n  save('Ada');\n  expect(put).toHaveBeenCalledTimes(1);\n});\n`;
const inserted = `\ntest('saves another', () => {\n  save('Bob');\n  expect(put).toHaveBeenCalledWith('Bob');\n});\n`;
const spied = `const { save } = require('../src/save');\nconst api = require('../src/put');\n\nconst put = jest.spyOn(api, 'put').mockImplementation(() => {});\n`;
const stamps = `const { stamp } = require('../src/stamp');\n\n`;
const still = `test('stands still', () => {\n  jest.useFakeTimers({ now: 0 });\n  expect(stamp()).toBe(0);\n});\n\n`;
const goesOn = `test('goes on', () => {\n  expect(stamp()).toBeGreaterThan(1e12);\n});\n`;

describe('what tests of jest share', () => {
  let report: CycleReport;
  const told = (name: string): readonly string[] =>
    report.fixes
      .filter(({ edits }) => edits.some(({ file }) => file.includes(name)))
      .map(({ trust, verdict, state, title }) => `${trust} ${verdict.verdict} ${state}: ${title}`);

  before(async function () {
    this.timeout(400_000);
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "devDependencies": { "jest": "*" } }',
        'src/put.js': `exports.put = () => { throw new Error('no database'); };\n`,
        'src/save.js': `const api = require('./put');\nexports.save = (name) => api.put(name);\n`,
        'src/stamp.js': `exports.stamp = () => Date.now();\n`,
        'src/check.js': `const { put } = require('./put');\nexports.save = (name) => {\n  if (name === '') throw new Error('no name');\n  put(name);\n};\n`,
        'test/mocked.test.js': head + counts,
        'test/spied.test.js': spied + counts,
        'test/stamp.test.js': stamps + goesOn,
        'test/check.test.js': `${head.replace('src/save', 'src/check')}\ntest('wants a name', () => {\n  expect(() => save('')).toThrow('no name');\n});\n${counts}`,
      },
      { git: true, packages: ['jest'] },
    );
    try {
      await workspace.write('test/mocked.test.js', head + inserted + counts);
      await workspace.write('test/spied.test.js', spied + inserted + counts);
      await workspace.write('test/stamp.test.js', stamps + still + goesOn);
      const early = `exports.save = (name) => {\n  put(name);\n  if (name === '') throw new Error('no name');\n};\n`;
      await workspace.write('src/check.js', `const { put } = require('./put');\n${early}`);
      report = await mendWorkspace(workspace, { providers: askedProviders(['mock-state', 'test-leaks']) });
    } finally {
      await workspace.dispose();
    }
  });

  it('is cleared and taken back', () => {
    const cleared = 'mechanical verified accepted: clear the recorded calls of put before each test';
    assert.deepEqual(told('mocked'), [cleared]);
    assert.deepEqual(told('spied'), [cleared]);
    assert.deepEqual(told('stamp'), [
      'mechanical verified accepted: restore the fake timers after each test',
    ]);
    assert.match(report.patch, /^\+beforeEach\(\(\) => \{\n\+ {2}put\.mockClear\(\);\n\+\}\);\n/m);
    assert.match(report.patch, /^\+afterEach\(\(\) => \{\n\+ {2}jest\.useRealTimers\(\);\n\+\}\);\n/m);
  });

  it('is only offered where the changed source did it', () => {
    const [clears] = told('check').filter((text) => text.includes('clear the recorded calls'));
    assert.equal(clears, 'propose verified declined: clear the recorded calls of put before each test');
    assert.doesNotMatch(report.patch, /check\.test\.js/);
  });
});
