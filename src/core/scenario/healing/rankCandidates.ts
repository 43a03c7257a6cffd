// Which element of a page is the one that was remembered: candidates ranked by likeness, each with its reasons.
import type { ElementFingerprint } from './fingerprint.ts';
import { testIdOf } from './fingerprint.ts';
import { kindOf } from './elementKind.ts';
import {
  addressSimilarity,
  contextSimilarity,
  dice,
  identifierSimilarity,
  normalized,
  pathSimilarity,
  textSimilarity,
} from './similarity.ts';

type Property =
  | 'kind'
  | 'tag'
  | 'type'
  | 'testId'
  | 'id'
  | 'name'
  | 'accessibleName'
  | 'text'
  | 'address'
  | 'attributes'
  | 'classes'
  | 'neighbours'
  | 'heading'
  | 'path'
  | 'position'
  | 'size';

/**
 * What each property counts. The family is Similo: Nass, Alégroth, Feldt, Leotta, Ricca, «Similarity-based Web Element Localization for
 * Robust Test Automation», TOSEM 2023, whose weights are 1.5 for tag, id, name, visible text and neighbours' texts, and 0.5 for class,
 * href, alt, XPaths, place, size and shape; Kluge and Stocco, «Web Element Relocalization in Evolving Web Applications» (arXiv 2505.16424),
 * found comparisons of sets for classes and attributes, and tuned weights, better. Ours start from those and were tuned on the training
 * half of the pages in docs/benchmarks.md.
 */
export const weights: Readonly<Record<Property, number>> = {
  kind: 1.25,
  tag: 0.9,
  type: 0.5,
  testId: 3,
  id: 1.5,
  name: 1.5,
  accessibleName: 2,
  text: 2,
  address: 1.2,
  attributes: 0.8,
  classes: 0.6,
  neighbours: 1.8,
  heading: 2,
  path: 2.2,
  position: 0.5,
  size: 0.4,
};

/** A property that only one of both has says less than one that differs. */
const loneShare = 0.5;
/** What is taken away from the score of an element that is rather known to be another one. */
export const wasNeighbour = 0.2;

interface Reason {
  readonly property: Property | 'wasNeighbour';
  /** 0..1. */
  readonly similarity: number;
  /** Of the whole: all weights of a candidate add up to 1. */
  readonly weight: number;
}

export interface RankedCandidate {
  /** Of the candidate in the list that was given. */
  readonly index: number;
  /** 0..1. */
  readonly score: number;
  /** How alike that is by which people know the element, 0..1; undefined where it has neither name nor text nor address. */
  readonly identity: number | undefined;
  /** The heaviest first. */
  readonly reasons: readonly Reason[];
}

/**
 * All candidates, the likeliest first; of equals the one that comes first. Pure, and linear in the number of candidates. A property that
 * neither has is left out, so a sparse fingerprint is not held against its element.
 */
export function rankCandidates(
  old: ElementFingerprint,
  candidates: readonly ElementFingerprint[],
  table: Readonly<Record<Property, number>> = weights,
): readonly RankedCandidate[] {
  const remembered = prepare(old);
  return candidates
    .map((candidate, index) => judge(remembered, prepare(candidate), index, table))
    .sort((one, other) => other.score - one.score || one.index - other.index);
}

interface Prepared {
  readonly element: ElementFingerprint;
  readonly kind: string;
  readonly testId: string | undefined;
  readonly address: string | undefined;
  readonly name: string | undefined;
  readonly plain: readonly string[];
}

function prepare(element: ElementFingerprint): Prepared {
  const { href, src, action } = element.attributes ?? {};
  const told = new Set<string>(['href', 'src', 'action', 'for', testIdOf(element)?.attribute ?? '']);
  return {
    element,
    kind: kindOf(element),
    testId: testIdOf(element)?.value,
    address: [href, src, action].find(
      (one) => one !== undefined && !/^(?:#$|javascript:|data:|blob:|$)/.test(one),
    ),
    name:
      element.accessibleName ??
      element.attributes?.['aria-label'] ??
      element.attributes?.['alt'] ??
      element.attributes?.['data-original-title'],
    plain: Object.entries(element.attributes ?? {})
      .filter(([key]) => !told.has(key))
      .flatMap(([key, value]) => [key, `${key}=${normalized(value)}`]),
  };
}

function judge(
  old: Prepared,
  candidate: Prepared,
  index: number,
  table: Readonly<Record<Property, number>>,
): RankedCandidate {
  const found: Reason[] = [];
  let total = 0;
  let sum = 0;
  const add = (property: Property, similarity: number | undefined, lone = false): void => {
    if (similarity === undefined) return;
    const weight = table[property] * (lone ? loneShare : 1);
    total += weight;
    sum += weight * similarity;
    found.push({ property, similarity, weight });
  };
  const compare = <T>(
    property: Property,
    one: T | undefined,
    other: T | undefined,
    by: (a: T, b: T) => number,
  ): void => {
    if (one === undefined && other === undefined) return;
    if (one === undefined || other === undefined) add(property, 0, true);
    else add(property, by(one, other));
  };
  const [was, is] = [old.element, candidate.element];
  add('kind', old.kind === candidate.kind ? 1 : 0);
  add('tag', was.tag === is.tag ? 1 : 0);
  compare('type', was.type, is.type, equality);
  compare('testId', old.testId, candidate.testId, identifierSimilarity);
  compare('id', was.id, is.id, identifierSimilarity);
  compare('name', was.name, is.name, identifierSimilarity);
  compare('accessibleName', old.name, candidate.name, textSimilarity);
  compare('text', was.text, is.text, textSimilarity);
  compare('address', old.address, candidate.address, addressSimilarity);
  compare('attributes', filled(old.plain), filled(candidate.plain), dice);
  compare('classes', filled(was.classes), filled(is.classes), dice);
  compare('neighbours', filled(was.neighbours), filled(is.neighbours), contextSimilarity);
  compare('heading', was.heading, is.heading, textSimilarity);
  if (was.path !== undefined && is.path !== undefined) add('path', pathSimilarity(was.path, is.path));
  if (was.position && is.position) {
    const away = Math.hypot(was.position.x - is.position.x, was.position.y - is.position.y);
    add('position', Math.exp(-away / 300));
  }
  if (was.size && is.size)
    add('size', ratio(was.size.width, is.size.width) * 0.5 + ratio(was.size.height, is.size.height) * 0.5);
  let score = total === 0 ? 0 : sum / total;
  const reasons = found
    .map((reason) => ({ ...reason, weight: total === 0 ? 0 : reason.weight / total }))
    .sort((one, other) => other.weight - one.weight);
  if (isFormerNeighbour(was, is)) {
    score = Math.max(0, score - wasNeighbour);
    reasons.unshift({ property: 'wasNeighbour', similarity: 1, weight: wasNeighbour });
  }
  return { index, score, identity: identityIn(reasons), reasons };
}

/** A test id or id that stayed says it; else the first of name, text, address and key that either has. */
function identityIn(reasons: readonly Reason[]): number | undefined {
  const of = (property: Property): number | undefined =>
    reasons.find((reason) => reason.property === property)?.similarity;
  if (Math.max(of('testId') ?? 0, of('id') ?? 0) >= 0.9) return 1;
  return of('accessibleName') ?? of('text') ?? of('address') ?? of('name');
}

/** It has the text of what stood beside the element, and not that of the element. */
function isFormerNeighbour(was: ElementFingerprint, is: ElementFingerprint): boolean {
  if (!is.text || !was.neighbours) return false;
  const text = normalized(is.text).slice(0, 60);
  if (text === '' || (was.text !== undefined && normalized(was.text).slice(0, 60) === text)) return false;
  return was.neighbours.some((one) => normalized(one) === text);
}

const equality = (one: string, other: string): number => (one === other ? 1 : 0);
const filled = (list: readonly string[] | undefined): readonly string[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list;
const ratio = (one: number, other: number): number =>
  Math.max(one, other) <= 0 ? 1 : Math.min(one, other) / Math.max(one, other);
