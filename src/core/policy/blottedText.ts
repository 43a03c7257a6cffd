// The gate's rule for edits from outside: what stands for a secret in a task or a report is no text of a test.
import { blots } from '../base/redactSecrets.ts';
import type { FileChange, Finding } from './fileFacts.ts';

/** Each `[redacted]` and `[redacted:N]` that the file did not have. */
export function* blottedText({ before = '', after = '' }: FileChange): Generator<Finding> {
  for (const { index, 0: text } of after.matchAll(blots))
    if (!before.includes(text))
      yield {
        rule: 'blotted-text',
        line: after.slice(0, index).split('\n').length,
        text: `It writes ${text}, which stands for a secret that its author was not told.`,
      };
}
