// Whether a new name may mean something else than the old one, whatever the text behind it: one rule for all fixers that follow names.
import { isCloseName } from '../members/closeName.ts';
import { areOpposites } from '../members/oppositeName.ts';
import { unitIn } from '../members/unitInName.ts';

/**
 * Why only a person can tell that both names mean the same, as the rest of a sentence ("totalCents is of another unit"); undefined where
 * nothing speaks against it.
 */
export function mayMeanAnother(old: string, now: string): string | undefined {
  if (old === now) return undefined;
  if (areOpposites(old, now)) return `${now} says the opposite`;
  if (isPrivate(now) && !isPrivate(old)) return `${now} is private`;
  if (unitIn(old) !== unitIn(now)) return `${now} has another unit`;
  if (excludes(old, now)) return `${now} names another thing of the same kind`;
  return asksAnother(old, now) ? `${now} asks something else` : undefined;
}

const isPrivate = (name: string): boolean => /^[_#]/.test(name);

/** Things of one kind of which each is none of the others: who may do it, what went wrong, when, where, how it is summed up. */
const kinds: readonly ReadonlySet<string>[] = [
  'admin owner guest member visitor customer employee manager moderator editor viewer author reviewer staff superuser anonymous',
  'error errors warning warnings warn info debug success successes notice fatal',
  'notfound forbidden unauthorized conflict timeout badrequest',
  'hourly daily weekly monthly quarterly yearly annual',
  'sum average avg mean median variance product',
  'today yesterday tomorrow',
  'created updated deleted published archived',
  'billing shipping',
  'sender recipient receiver',
  'buyer seller',
  'source target destination origin',
  'email phone fax address',
  'north south east west',
  'red green blue',
  'x y z',
].map((line) => new Set(line.split(' ')));

function excludes(old: string, now: string): boolean {
  const [left, right] = [wordsOf(old), wordsOf(now)];
  const gone = left.filter((word) => !right.includes(word));
  const come = right.filter((word) => !left.includes(word));
  const isOf = (kind: ReadonlySet<string>, words: readonly string[]): boolean =>
    words.some((word) => kind.has(word)) || kind.has(words.filter((word) => !/^error$/.test(word)).join(''));
  return kinds.some((kind) => isOf(kind, gone) && isOf(kind, come));
}

const question =
  /^(?:is|are|was|were|has|have|had|can|could|may|might|should|must|will|does|did)(?=[A-Z_])_?/;

/** `isAdmin` and `isMember`: questions whose other words are not nearly the same. */
function asksAnother(old: string, now: string): boolean {
  if (!question.test(old) && !question.test(now)) return false;
  const [was, is] = [old.replace(question, ''), now.replace(question, '')];
  return !isCloseName(was, is) && !isBegun(was, is) && !isBegun(is, was);
}

/** `open` and `opened` */
const isBegun = (one: string, other: string): boolean =>
  one.length >= 3 && other.toLowerCase().startsWith(one.toLowerCase());

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase());
}
