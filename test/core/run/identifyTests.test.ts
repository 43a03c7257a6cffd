// The ids of reported tests when the framework does not tell where they stand, as vitest before 1.4 does not.
import assert from 'node:assert/strict';
import { assignIds, fileTestId } from '../../../src/core/model/testId.ts';
import type { ScannedTest } from '../../../src/core/model/testNode.ts';
import { TestIdentifier } from '../../../src/core/run/identifyTests.ts';

const scanned = (kind: ScannedTest['kind'], title: string, line: number, children: ScannedTest[] = []) => ({
  kind,
  title,
  mode: 'run' as const,
  range: { start: { line, column: 1 }, end: { line, column: 2 } },
  children,
});

function identify(
  tests: readonly ScannedTest[],
  reported: readonly (readonly string[])[],
  line?: number,
): string[] {
  const file = 'url.test.ts';
  const id = fileTestId('vitest', undefined, file);
  const known = { file, framework: 'vitest' as const, id, tests: assignIds(id, tests), warnings: [] };
  const refs = reported.map((names, index) => ({
    key: String(index),
    suites: names.slice(0, -1),
    title: names.at(-1) ?? '',
    ...(line !== undefined && { line }),
  }));
  return new TestIdentifier(id, known)
    .identify(refs)
    .map((test) => `${test.line} ${test.id.slice(test.id.indexOf('#') + 1)}`);
}

describe('identifying reported tests', () => {
  it('numbers the cases of a computed title, so that a retitled case stays the same test', () => {
    const tests = [scanned('suite', 'join', 2, [scanned('template', 'JSON.stringify(row)', 9)])];
    const before = identify(tests, [
      ['join', '["a"]'],
      ['join', '["b"]'],
    ]);
    assert.deepEqual(before, ['9 join › JSON.stringify(row)::1', '9 join › JSON.stringify(row)::2']);
    const after = identify(tests, [
      ['join', '["a"]'],
      ['join', '["c"]'],
    ]);
    assert.deepEqual(after, before);
  });

  it('prefers a written title and a title with text of its own to a computed one', () => {
    const tests = [
      scanned('template', 'row.name', 3),
      scanned('template', 'adds %i', 5),
      scanned('test', 'plain', 7),
    ];
    assert.deepEqual(identify(tests, [['adds 1'], ['plain'], ['other'], ['adds 2']]), [
      '5 adds %25i::1',
      '7 plain',
      '3 row.name::1',
      '5 adds %25i::2',
    ]);
  });

  it('knows tests of a suite that a helper declares by how their names end', () => {
    const tests = [
      scanned('suite', 'format', 1, [scanned('test', 'answers', 2)]),
      scanned('template', 'when nothing matches', 5, [
        scanned('test', 'answers', 6),
        scanned('template', 'row.name', 8),
      ]),
      scanned('template', 'row.title', 20),
    ];
    const reported = [
      ['format', 'answers'],
      ['format', 'as text', 'when nothing matches', 'answers'],
      ['format', 'as JSON', 'when nothing matches', 'answers'],
      ['format', 'as JSON', 'when nothing matches', 'a row'],
      ['format', 'as JSON', 'a test of another file'],
    ];
    assert.deepEqual(identify(tests, reported), [
      '2 format › answers',
      '6 when nothing matches › answers::1',
      '6 when nothing matches › answers::2',
      '8 when nothing matches › row.name::1',
      '1 format › as JSON › a test of another file',
    ]);
  });

  it('does not take a test of another suite for a case', () => {
    const tests = [scanned('suite', 'join', 2, [scanned('template', 'row.name', 3)])];
    assert.deepEqual(identify(tests, [['split', 'a'], ['alone']]), ['1 split › a', '1 alone']);
  });

  it('does not take a case of a template for a test that is written on the same line', () => {
    const tests = [scanned('template', 'macro', 14), scanned('test', 'given', 14)];
    assert.deepEqual(identify(tests, [['1+1=2'], ['given 2+1=4']], 14), ['14 macro::1', '14 given']);
    assert.deepEqual(identify([tests[1] ?? scanned('test', '', 1)], [['renamed by a macro']], 14), [
      '14 given',
    ]);
  });
});
