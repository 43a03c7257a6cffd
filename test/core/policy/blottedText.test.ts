// What stands for a secret is refused in whatever spelling an answer has it.
import assert from 'node:assert/strict';
import { blottedText } from '../../../src/core/policy/blottedText.ts';

const found = (after: string, before = "equal(f(), 'a');\n"): readonly unknown[] => [
  ...blottedText({ file: 'a.test.js', before, after }),
];

describe('blottedText', () => {
  it('finds it in capitals, with blanks, in escapes and in literals that are added', () => {
    for (const text of [
      '[redacted]',
      '[redacted:1]',
      '[Redacted:9]',
      '[REDACTED]',
      '[redacted : 3]',
      '[ redacted:1]',
      '[redacted:]',
      String.raw`\x5bredacted:9]`,
      String.raw`\u005bredacted:9\u{5D}`,
      String.raw`[red\141cted]`,
      "[red' + 'acted:9]",
    ])
      assert.equal(found(`\nequal(f(), '${text}');\n`).length, 1, text);
  });

  it('tells the line, and leaves what the file had and what is none', () => {
    assert.deepEqual(
      [...blottedText({ file: 'a.test.js', before: '', after: "a;\nf('\\x5bredacted:9]');" })].map(
        ({ line }) => line,
      ),
      [2],
    );
    const own = "equal(f(), '[Redacted]');\n";
    assert.deepEqual(found(`${own}equal(g(), '[Redacted]');\n`, own), []);
    assert.deepEqual(found("equal(f(), 'redacted [1], [redact]');\n"), []);
  });
});
