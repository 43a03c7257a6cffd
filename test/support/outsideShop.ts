// A workspace of node:test that built-in fixers cannot mend and a model or agent can: the expected value is computed.
import { edits } from './chatServer.ts';
import { greetingOf, nodeManifest } from './greetingShop.ts';
import type { TemporaryWorkspace } from './temporaryWorkspace.ts';

export const outsideTest = 'tests/greet.test.js';

export const outsideTestText = `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { greet } from '../src/greeting.js';

it('greets by name', () => {
  const word = ['H', 'i'].join('');
  assert.equal(greet('Ada'), word.concat(', ', 'Ada'));
});
`;

/** The answer that mends it. */
export const rightAnswer = edits({
  file: outsideTest,
  search: "word.concat(', ', 'Ada')",
  replace: "'Hello, Ada'",
});

export const outsideShop = (): Promise<TemporaryWorkspace> =>
  greetingOf({ [outsideTest]: outsideTestText }, nodeManifest);
