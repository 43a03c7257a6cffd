// Ways to build a changed test file in one line.

export interface Case {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** A file with one test around the body. */
export const inTest = (body: string): string => `import { expect, test, vi } from 'vitest';
import { greet, save, cart } from '../src/shop.ts';

test('greets', async () => {
  ${body}
});
`;
export const hello = `expect(greet('Ada')).toBe('Hi, Ada');`;
export const body = (name: string, before: string, after: string): Case => ({
  name,
  before: inTest(before),
  after: inTest(after),
});
export const file = (name: string, before: string, after: string): Case => ({ name, before, after });
