// Three other ways to find an element again, to compare ours with: each gives the place of its choice, or nothing.
import { testIdOf, type ElementFingerprint } from '../../../src/core/scenario/healing/fingerprint.ts';
import { kindOf } from '../../../src/core/scenario/healing/elementKind.ts';
import { dice, letterSimilarity } from '../../../src/core/scenario/healing/similarity.ts';

export type Finder = (
  old: ElementFingerprint,
  candidates: readonly ElementFingerprint[],
) => number | undefined;

const placeOf = (
  candidates: readonly ElementFingerprint[],
  fits: (one: ElementFingerprint) => boolean,
): number | undefined => {
  const place = candidates.findIndex(fits);
  return place < 0 ? undefined : place;
};

export const absoluteXPath: Finder = (old, candidates) =>
  placeOf(candidates, (one) => one.path !== undefined && one.path === old.path);

/** CONTRACTS S4: the strategies in their order, the first that matches anything, its first match. */
export const seedLadder: Finder = (old, candidates) => {
  const testId = testIdOf(old)?.value;
  const label = /^(?:field|choice|checkbox|radio|slider)$/.test(kindOf(old)) ? old.accessibleName : undefined;
  const steps: ((one: ElementFingerprint) => boolean)[] = [];
  if (testId !== undefined) steps.push((one) => testIdOf(one)?.value === testId);
  if (old.role !== undefined && old.accessibleName !== undefined)
    steps.push((one) => one.role === old.role && one.accessibleName === old.accessibleName);
  if (old.text !== undefined) steps.push((one) => one.text === old.text);
  if (label !== undefined) steps.push((one) => one.accessibleName === label);
  const classes = old.classes ?? [];
  steps.push(
    old.id === undefined
      ? (one) =>
          classes.length > 0 && one.tag === old.tag && classes.every((name) => one.classes?.includes(name))
      : (one) => one.id === old.id,
    (one) => one.path !== undefined && one.path === old.path,
  );
  for (const step of steps) {
    const place = placeOf(candidates, step);
    if (place !== undefined) return place;
  }
  return undefined;
};

/** Similo with the weights and comparisons of its publication (TOSEM 2023); it always chooses. */
export const plainSimilo: Finder = (old, candidates) => {
  let best: number | undefined;
  let highest = -1;
  candidates.forEach((candidate, place) => {
    const score = similoScore(old, candidate);
    if (score > highest) [best, highest] = [place, score];
  });
  return best;
};

function similoScore(old: ElementFingerprint, candidate: ElementFingerprint): number {
  const equal = (one: string | undefined, other: string | undefined): number =>
    one !== undefined && one.toLowerCase() === other?.toLowerCase() ? 1 : 0;
  const letters = (one: string | undefined, other: string | undefined): number =>
    one === undefined || other === undefined ? 0 : letterSimilarity(one, other);
  const words = (one: ElementFingerprint): string[] =>
    (one.neighbours ?? []).join(' ').toLowerCase().split(/\s+/).filter(Boolean);
  const { position: from, size } = old;
  const { position: to, size: there } = candidate;
  const area = (one: { width: number; height: number }): number => one.width * one.height;
  const shape = (one: { width: number; height: number }): number =>
    (one.width * 100) / Math.max(one.height, 1);
  const ratio = (one: number, other: number): number => Math.min(one, other) / Math.max(one, other, 1e-9);
  return (
    1.5 * equal(old.tag, candidate.tag) +
    0.5 * letters(old.classes?.join(' '), candidate.classes?.join(' ')) +
    1.5 * equal(old.name, candidate.name) +
    1.5 * equal(old.id, candidate.id) +
    0.5 * letters(old.attributes?.['href'], candidate.attributes?.['href']) +
    0.5 * letters(old.attributes?.['alt'], candidate.attributes?.['alt']) +
    0.5 * letters(old.path, candidate.path) +
    0.5 * equal(String(kindOf(old) === 'button'), String(kindOf(candidate) === 'button')) +
    (from && to ? 0.5 * Math.max(0, 1 - Math.hypot(from.x - to.x, from.y - to.y) / 100) : 0) +
    (size && there ? 0.5 * ratio(area(size), area(there)) + 0.5 * ratio(shape(size), shape(there)) : 0) +
    1.5 * letters(old.text, candidate.text) +
    1.5 * dice(words(old), words(candidate))
  );
}
