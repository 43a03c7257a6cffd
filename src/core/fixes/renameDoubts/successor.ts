// Which new declaration has the place of one that is gone, and who else might: one measure for all fixers that follow names.
import { isCloseName } from '../members/closeName.ts';
import { similarityOf } from '../../workspace/similarity.ts';

export interface Declared {
  readonly name: string;
  /** Where it is declared, or exported; in one class, the same for all. */
  readonly place: string;
  /** Its text as words, its own name left out. */
  readonly shape: readonly string[];
  /** Its turn among what the place declares. */
  readonly order: number;
}

export interface Succession {
  /** What is gone, the one that is looked for among it. */
  readonly gone: readonly Declared[];
  /** What is new. */
  readonly come: readonly Declared[];
  /** Where the place is now; undefined when it is gone. */
  readonly placeNow: (place: string) => string | undefined;
}

/** Less of the same text is no sign of anything. */
const leastLikeness = 0.5;
/** So much more has to speak for one than for any other. */
const margin = 0.3;

/** Those that might have the place of `old` as well as the chosen one has: none of them stands clearly behind it. */
export function rivalsOf(
  old: Declared,
  chosen: Declared,
  { gone, come, placeNow }: Succession,
): readonly Declared[] {
  const home = placeNow(old.place);
  const standingOf = (one: Declared): number =>
    similarityOf(old.shape, one.shape) + nameLikeness(old.name, one.name) + (one.place === home ? 0.35 : 0);
  const least = standingOf(chosen) - margin;
  return come.filter((one) => {
    if (one === chosen || (one.name === chosen.name && one.place === chosen.place)) return false;
    const likeness = similarityOf(old.shape, one.shape);
    if (likeness < leastLikeness || standingOf(one) <= least + 1e-9) return false;
    return !gone.some((other) => other !== old && isRather(other, one, likeness));
  });
}

/** Another one that is gone explains it better. */
function isRather(other: Declared, one: Declared, likeness: number): boolean {
  const own = similarityOf(other.shape, one.shape);
  return own > likeness || (own >= leastLikeness && other.name === one.name);
}

const nameLikeness = (old: string, now: string): number =>
  old === now ? 0.5 : isCloseName(old, now) ? 0.2 : 0;

/**
 * Why the chosen one, although it has the text, may be what another one is now, as the rest of a sentence: it sounds like that one,
 * stands in its turn, or has its text as well. Undefined where the name is kept.
 */
export function takenFrom(
  old: Declared,
  chosen: Declared,
  { gone, come, placeNow }: Succession,
): string | undefined {
  if (old.name === chosen.name) return undefined;
  const isClose = isCloseName(old.name, chosen.name);
  for (const other of gone) {
    if (other === old || other.name === old.name) continue;
    if (!isClose && (other.name === chosen.name || isCloseName(other.name, chosen.name)))
      return `${chosen.name} resembles ${other.name}, which was removed as well`;
    const likeness = similarityOf(other.shape, chosen.shape);
    if (!isClose && likeness === 1 && similarityOf(old.shape, chosen.shape) === 1)
      return `${other.name}, which was removed as well, had the same code`;
    if (isClose || other.place !== old.place || placeNow(old.place) !== chosen.place) continue;
    // Where they changed their texts, each of them stands where the other one stood.
    const heir = come.find(
      (one) =>
        one !== chosen &&
        one.place === chosen.place &&
        similarityOf(other.shape, one.shape) === 1 &&
        one.order - chosen.order !== 0,
    );
    if (heir && Math.sign(heir.order - chosen.order) !== Math.sign(other.order - old.order))
      return `${chosen.name} is at the place of ${other.name}, which was removed as well`;
  }
  return undefined;
}
