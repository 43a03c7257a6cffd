// What is left of a file of tests when some of them are deleted.
import assert from 'node:assert/strict';
import { deletionOf } from '../../../../src/core/fixes/obsolete/deleteTests.ts';
import { subjectOf } from '../../../../src/core/fixes/obsolete/testSubject.ts';
import { applyChanges } from '../../../../src/core/model/edit.ts';
import type { TestResult } from '../../../../src/core/model/testResult.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';

const test = (title: string): string => `  it('${title}', () => {\n    run('${title}');\n  });\n`;

function without(titles: readonly string[], text: string): string {
  const tree = parseTree('a.test.js', text);
  const subjects = titles.flatMap((title) => {
    const result: TestResult = {
      id: title,
      file: 'a.test.js',
      line: text.slice(0, text.indexOf(`it('${title}'`)).split('\n').length,
      title,
      suites: [],
      outcome: 'failed',
      durationMs: 1,
    };
    return subjectOf(result, tree, []) ?? [];
  });
  assert.equal(subjects.length, titles.length);
  const changes = deletionOf(subjects, []);
  assert.ok(changes);
  return applyChanges(changes, text);
}

describe('deleting tests', () => {
  it('takes two beside each other at the end of a suite, with the blank line that both could take', () => {
    const text = `describe('all', () => {\n${test('a')}\n${test('b')}\n${test('c')}});\n`;
    assert.equal(without(['b', 'c'], text), `describe('all', () => {\n${test('a')}\n});\n`);
  });
});
