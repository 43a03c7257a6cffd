// A workspace that built-in fixers cannot mend and a model or agent can: the expected value is computed.
import { edits } from './chatServer.ts';
import { greetingOf } from './greetingShop.ts';
import type { TemporaryWorkspace } from './temporaryWorkspace.ts';

export const outsideTest = 'tests/greet.test.js';

export const outsideTestText = `import { expect, it } from 'vitest';
import { greet } from '../src/greeting.js';

it('greets by name', () => {
  const word = ['H', 'i'].join('');
  expect(greet('Ada')).toBe(word.concat(', ', 'Ada'));
});
`;

/** The answer that mends it. */
export const rightAnswer = edits({
  file: outsideTest,
  search: "word.concat(', ', 'Ada')",
  replace: "'Hello, Ada'",
});

export const outsideShop = (): Promise<TemporaryWorkspace> => greetingOf({ [outsideTest]: outsideTestText });
