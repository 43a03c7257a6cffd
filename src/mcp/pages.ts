// Long answers in parts: agents pay for each word.
import { z } from 'zod';

/** Of a text in a short answer, characters. */
const longest = 2_000;

/** Cut in the middle of nothing but the text; the length says how much is missing. */
export function cut(text: string, most = longest): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}

export const pageArguments = (usual: number, most: number) => ({
  offset: z.number().int().min(0).max(1_000_000).optional().describe('How many to leave out (0).'),
  limit: z.number().int().min(1).max(most).optional().describe(`How many to give (${usual}).`),
});

export const nextOffsetSchema = z.number().int().optional().describe('Ask with this offset for more.');

interface Page<T> {
  readonly items: readonly T[];
  readonly nextOffset?: number;
}

export function pageOf<T>(all: readonly T[], offset = 0, limit: number): Page<T> {
  const end = offset + limit;
  return { items: all.slice(offset, end), ...(end < all.length && { nextOffset: end }) };
}
