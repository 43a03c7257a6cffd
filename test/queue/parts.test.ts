// No test file is forgotten by the commands of the suite, and none runs twice.
import assert from 'node:assert/strict';
import path from 'node:path';
import glob from 'fast-glob';
import { filesOf, partNames } from './parts.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('the parts of the suite', () => {
  it('have every test file, each once', () => {
    const all = glob.sync('test/**/*.test.ts', { cwd: root, ignore: ['test/fixtures/**'] });
    assert.deepEqual(filesOf(partNames).toSorted(), all.toSorted());
  });
});
