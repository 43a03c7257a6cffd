// Whether a regular expression of JavaScript, with its flags, accepts more than the one it replaces.
import { plainText, widerPattern } from './widerPattern.ts';

export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** Why the pattern after says less than the one before; undefined when nothing shows it. */
export function weakerPattern(was: Pattern, is: Pattern): string | undefined {
  // `g` makes a pattern remember where it was; what `u` and `v` make of the signs is another pattern.
  const gained = is.flags.split('').find((flag) => !was.flags.includes(flag) && !/[dy]/.test(flag));
  const lost = was.flags.split('').find((flag) => !is.flags.includes(flag) && !/[dims]/.test(flag));
  if (gained !== undefined || lost !== undefined)
    return `The flag ${gained ?? lost} ${gained === undefined ? 'was removed' : 'was added'}: the pattern may match more.`;
  const wider = widerPattern(was.source, is.source, 'javascript');
  if (wider !== undefined) return wider;
  const [old, now] = [plainText(was.source, 'javascript'), plainText(is.source, 'javascript')];
  return now.length < old.length && old.includes(now)
    ? `${is.source} is only a part of ${was.source}.`
    : undefined;
}

/** Of the literal as it is written. */
export function patternIn(literal: string): Pattern {
  const end = literal.lastIndexOf('/');
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}
