// A change that nests without an end is refused by the name of its file, whatever it nests and in which language.
import assert from 'node:assert/strict';
import { checkPolicy } from '../../../src/core/policy/checkPolicy.ts';
import { vitestVocabulary } from '../../../src/core/frameworks/vitest/vocabulary.ts';
import { parseTests } from '../../../src/core/syntax/javascript/parseTests.ts';

const shapes: Readonly<Record<string, (levels: number) => string>> = {
  parentheses: (levels) => `${'('.repeat(levels)}1${')'.repeat(levels)}`,
  terms: (levels) => Array.from({ length: levels }, () => '1').join(' + '),
  lists: (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`,
  calls: (levels) => `x${'.a()'.repeat(levels / 2)}`,
};
const javascript = (value: string): string => `test('a', () => { expect(1).toBe(${value}); });\n`;
const python = (value: string): string => `def test_a():\n    assert 1 == ${value}\n`;

describe('a change that nests deeply', () => {
  for (const [file, write] of [
    ['a.test.js', javascript],
    ['a.test.ts', javascript],
    ['test_a.py', python],
  ] as const)
    it(`is refused in ${file}, and judged where people write so`, () => {
      for (const [name, shape] of Object.entries(shapes)) {
        // The grammar of Python breaks a long sum off, and so it is judged: as a syntax error.
        if (file.endsWith('.py') && name === 'terms') continue;
        const change = (levels: number) => ({ file, before: write('2'), after: write(shape(levels)) });
        assert.throws(
          () => checkPolicy(change(20_000)),
          { code: 'bad-input', message: `${file} nests deeper than 1000 levels.` },
          name,
        );
        checkPolicy(change(400));
      }
    });

  it('says so of a file whose tests are looked for', () => {
    const { tests, warnings } = parseTests(
      javascript(shapes['lists']?.(3_000) ?? ''),
      'a.test.js',
      vitestVocabulary,
    );
    assert.deepEqual([tests, warnings], [[], ['a.test.js nests deeper than 1000 levels.']]);
  });
});
