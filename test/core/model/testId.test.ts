// What an id tells of its test, for names that hold what carries meaning in ids.
import assert from 'node:assert/strict';
import * as ids from '../../../src/core/model/testId.ts';

describe('the id of a test', () => {
  const file = 'test/#1 › a::2.test.js';
  const fileId = ids.fileTestId('vitest', 'chrome:beta/#2', file);
  const template = ids.testId(fileId, ['a#b', '50% › off'].map(ids.escapeName));
  const id = ids.caseId(template, 12);

  it('gives back its parts as they were', () => {
    assert.equal(ids.frameworkOfId(id), 'vitest');
    assert.equal(ids.isOfFramework(id, 'jest', 'vitest'), true);
    assert.equal(ids.isOfFramework(id, 'jest'), false);
    assert.equal(ids.projectOfId(id, file), 'chrome:beta/#2');
    assert.equal(ids.fileIdOf(id), fileId);
    assert.equal(ids.templateOf(id), template);
    assert.equal(ids.caseNumberOf(id), 12);
    assert.equal(ids.caseNumberOf(template), undefined);
    assert.equal(ids.namesOfId(template), 'a#b › 50% › off');
    assert.equal(ids.fileOfId(ids.fileTestId('jest', undefined, file)), file);
  });

  it('tells a file from what is in it, and follows it to another place', () => {
    assert.deepEqual([ids.isFileId(fileId), ids.isFileId(id)], [true, false]);
    assert.deepEqual([ids.isInFile(id, fileId), ids.isInFile(fileId, fileId)], [true, false]);
    const other = ids.fileTestId('vitest', 'chrome:beta/#2', 'b.test.js');
    assert.equal(ids.isInFile(ids.movedId(id, file, 'b.test.js'), other), true);
  });
});
