// Reports of the same source are joined: counts are added, and a tool that divides it differently adds nothing to the totals.
import assert from 'node:assert/strict';
import { mergeCoverage } from '../../../src/core/coverage/mergeCoverage.ts';
import { createReportedCheck } from '../../../src/core/coverage/reportedSources.ts';
import { lineEnd, type FileCoverage } from '../../../src/core/model/coverage.ts';
import { drawFile } from '../../support/coverageSource.ts';

const fine = (count: number): FileCoverage => ({
  file: 'a.js',
  statements: [
    { span: [1, 3, 1, 9], count },
    { span: [1, 10, 1, 15], count: 0 },
    { span: [2, 1, 2, 9], count: 0 },
  ],
  functions: [{ name: 'f', span: [1, 1, 1, 2], count }],
  branches: [
    {
      span: [1, 3, 1, 9],
      arms: [
        { span: [1, 3, 1, 9], count },
        { span: [1, 3, 1, 9], count: 0 },
      ],
    },
  ],
});
const byLines: FileCoverage = {
  file: 'a.js',
  statements: [{ span: [2, 1, 2, lineEnd], count: 4 }],
  functions: [],
  branches: [],
};

describe('joined coverage', () => {
  it('adds the counts of the same places, arms by their order', () => {
    const { files, totals } = mergeCoverage([[fine(1)], [fine(2)], [{ ...fine(1), file: 'b.js' }]]);
    assert.deepEqual(
      files.map((file) => [file.file, drawFile(file)]),
      [
        ['a.js', { lines: '1:3 2:0', functions: '1:3', branches: '1:3,0' }],
        ['b.js', { lines: '1:1 2:0', functions: '1:1', branches: '1:1,0' }],
      ],
    );
    assert.deepEqual(totals, {
      lines: { covered: 2, total: 4 },
      statements: { covered: 2, total: 6 },
      branches: { covered: 2, total: 4 },
      functions: { covered: 2, total: 2 },
    });
  });

  it('counts nothing twice where two tools divide a source differently, whoever comes first', () => {
    for (const reports of [
      [[fine(1)], [byLines]],
      [[byLines], [fine(1)]],
    ]) {
      const { files, totals } = mergeCoverage(reports);
      assert.deepEqual(files.map(drawFile), [{ lines: '1:1 2:4', functions: '1:1', branches: '1:1,0' }]);
      assert.deepEqual(totals.statements, { covered: 2, total: 3 });
    }
  });

  it('tells the sources that the globs of the setting name, without those behind an exclamation mark', () => {
    const told = (...globs: string[]): string[] =>
      ['src/a.js', 'src/gen/b.js', 'lib/c.js'].filter(createReportedCheck(globs));
    assert.deepEqual(told(), ['src/a.js', 'src/gen/b.js', 'lib/c.js']);
    assert.deepEqual(told('src/**', '!**/gen/**'), ['src/a.js']);
    assert.deepEqual(told('!src/**'), ['lib/c.js']);
  });
});
