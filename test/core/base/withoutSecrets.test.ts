// A document of many texts: whatever is looked through together loses no secret, and nothing else.
import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../src/core/base/redactSecrets.ts';

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `vitest:test/part${at % 7}.test.ts#cart › adds ${at}`);
const hidden = (texts: readonly string[]): string[] => withoutSecrets((hide) => texts.map(hide));

describe('a document without secrets', () => {
  it('blots them out wherever they stand among thousands of names', () => {
    const texts = names(1_000);
    texts[150] = "does what nobody's text says";
    texts[151] = 'signs in with password: hunter2-4711';
    texts[152] = 'it isn\'t so: token="tk-93hf83hfk2"';
    texts[153] = 'says `half a text';
    texts[990] = 'asks hunter2-4711 again';
    texts[3] = 'asks tk-93hf83hfk2 first';
    const left = hidden(texts);
    const changed = left.flatMap((text, at) => (text === texts[at] ? [] : [at]));
    assert.deepEqual(changed, [3, 151, 152, 990]);
    assert.doesNotMatch(left.join('\n'), /hunter2|93hf/);
  });

  it('learns the part of a value that stands elsewhere', () => {
    for (const text of ['TOKEN="${TOKEN:-X}"', 'req.Header.Set("Cookie", "sid=X")', 'Cookie: sid=X; Path=/'])
      assert.equal(
        hidden([text.replace('X', 'Kq7LmZ29xYpTr4'), 'got Kq7LmZ29xYpTr4'])[1],
        'got [redacted]',
        text,
      );
  });
});
