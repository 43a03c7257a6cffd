// Secrets in what a model is asked: each has a number for as long as that question lives, and its answer gets back what it may.
import { blots } from './namedSecrets.ts';
import { apart, replacePlaces, secretPlaces } from './redactSecrets.ts';
import { placesOf } from './secretSpellings.ts';

export interface SecretMask {
  /** The text with `[redacted:N]` for each secret, the same N for the same one. To be called once for a text. */
  hide(text: string): string;
  /** Puts back the secrets that are in `known` anyway: an answer moves none from elsewhere. What it does not put back stays. */
  restore(text: string, known: string): string;
}

/**
 * Writes a text out of parts that `hide` goes over. It is written twice: a secret that a name gives away in one part has none beside it in
 * another, as in the message of a failed comparison. `told`: those that something beside it tells of.
 */
export async function masked(
  write: (hide: SecretMask['hide']) => Promise<string>,
  told: ReadonlySet<string> = new Set(),
): Promise<{ readonly text: string; readonly mask: SecretMask }> {
  const mask = secretMask(told);
  await write((text) => mask.hide(text));
  return { text: await write((text) => mask.hide(text)), mask };
}

/** The arguments of a login are a user's name, too, which other texts are full of. */
const leastWeak = 6;

function secretMask(known: ReadonlySet<string>): SecretMask {
  const numbers = new Map<string, number>();
  /** Those to be looked for where nothing else tells of them. */
  const told = new Set(known);
  const numberOf = (secret: string): number => {
    const known = numbers.get(secret) ?? numbers.size + 1;
    numbers.set(secret, known);
    return known;
  };
  return {
    hide: (text) => {
      // A text of the user that reads like ours is one of them, or it would come back as something else.
      const own = Array.from(text.matchAll(blots), ({ index, 0: all }) => ({
        start: index,
        end: index + all.length,
      }));
      const elsewhere = [...told].flatMap((secret) => [...placesOf(secret, text)]);
      const found = secretPlaces(text, 'any');
      const places = apart([...found, ...own, ...elsewhere]);
      for (const { start, end, isWeak } of places)
        if (isWeak !== true || end - start >= leastWeak) told.add(text.slice(start, end));
      return replacePlaces(text, places, (secret) => `[redacted:${numberOf(secret)}]`);
    },
    restore: (text, known) => {
      const secrets = [...numbers.keys()];
      return text.replaceAll(/\[redacted:(\d+)\]/g, (all, number: string) => {
        const secret = secrets[Number(number) - 1];
        return secret !== undefined && known.includes(secret) ? secret : all;
      });
    },
  };
}
