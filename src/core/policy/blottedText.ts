// The gate's rule for edits from outside: what stands for a secret in a task or a report is no text of a test.
import type { FileChange, Finding } from './fileFacts.ts';

/** As an answer may write it: in capitals, with blanks, with any number. */
const blots = /\[[^\S\n]*redacted[^\S\n]*(?::[^\S\n]*\d*[^\S\n]*)?\]/gi;

/** Each `[redacted]` and `[redacted:N]` that the file did not have, also where only the value of a literal reads so. */
export function* blottedText({ before = '', after = '' }: FileChange): Generator<Finding> {
  const plain = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();
  const had = new Set(Array.from(evaluated(before).matchAll(blots), ([text]) => plain(text)));
  const read = evaluated(after);
  for (const { index, 0: text } of read.matchAll(blots))
    if (!had.has(plain(text)))
      yield {
        rule: 'blotted-text',
        line: read.slice(0, index).split('\n').length,
        text: `The change writes ${text}, the placeholder of a redacted secret.`,
      };
}

/** Escapes of visible characters and the joints of literals that are added are resolved; lines stay. */
function evaluated(text: string): string {
  const escape =
    /\\(?:x([\da-f]{2})|u00([\da-f]{2})|u\{0*([\da-f]{2})\}|U000000([\da-f]{2})|([01][0-7]{2}))/gi;
  return text
    .replaceAll(escape, (all, ...groups: (string | undefined)[]) => {
      const [octal, ...hex] = groups.slice(0, 5).toReversed();
      const code =
        octal === undefined ? parseInt(hex.find((one) => one !== undefined) ?? '', 16) : parseInt(octal, 8);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : all;
    })
    .replaceAll(/["'`][^\S\n]*\+[^\S\n]*["'`]/g, '');
}
