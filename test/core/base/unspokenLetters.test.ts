// A password of letters alone, known by its name, is blotted out where it stands as a word of its own, unless it is a word of a language.
import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../src/core/base/redactSecrets.ts';

describe('letters that no word has', () => {
  const told = (password: string, message: string): string =>
    withoutSecrets((hide) => [hide(`const password = '${password}';`), hide(message)]).at(-1) ?? '';

  for (const password of ['vujjfzrjfb', 'nqakenhjcz', 'HvtxwieKux', 'gpkrllvdkikcfdppbuevwqjzmxtn'])
    it(`are blotted out as a word of a message: ${password}`, () => {
      assert.equal(told(password, `login ada ${password} failed`), 'login ada [redacted] failed');
      assert.equal(told(password, `refused: ${password}`), 'refused: [redacted]');
    });

  for (const word of ['swordfish', 'dragonfly', 'correcthorse', 'sunshine', 'strawberry', 'mandatory'])
    it(`are none, and stay where people read them: ${word}`, () => {
      assert.equal(told(word, `the ${word} of a sentence`), `the ${word} of a sentence`);
    });
});
