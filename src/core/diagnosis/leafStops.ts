// Signs that one changed value is a bug, by what became of it and by the names it stands under: the same in every language.
import type { Value } from '../model/value.ts';
import { haveChangedPlaces } from './changedPlaces.ts';
import { isCodeName, isShareName, isSizeName, isTroubleName, tellsOutcome } from './outcomeNames.ts';
import { textStops } from './textStops.ts';

interface ChangedLeaf {
  readonly was: Value;
  readonly is: Value;
  /** As it is told: `the value`, `rows[0].status`. */
  readonly place: string;
  /** The keys on the way to it. */
  readonly path: readonly string[];
  /** What the assertion asks for by name. */
  readonly asked: readonly string[];
}

/** Reasons for two values of one kind that differ; of lists and objects only whether there was one at all. */
export function leafStops(leaf: ChangedLeaf): readonly string[] {
  const gained = gainedValue(leaf);
  const texts =
    leaf.was.kind === 'string' && leaf.is.kind === 'string' ? textStops(leaf.was.value, leaf.is.value) : [];
  return [
    ...changedOutcome(leaf),
    ...oddNumber(leaf),
    ...oddShare(leaf),
    ...exchangedWords(leaf),
    ...texts,
    ...(gained === undefined ? [] : [gained]),
  ];
}

/** What newly came under a name that says that something went wrong. */
export function gainedTrouble(key: string, value: Value): string | undefined {
  const isSomething = !isNothing(value) && !/^(?:undefined|null|opaque)$/.test(value.kind);
  return isTroubleName(key) && isSomething && !(value.kind === 'boolean' && !value.value)
    ? `"${key}" now reports a problem and did not before.`
    : undefined;
}

/** A code of another kind: 0 and another one, an HTTP status of another hundred; a text that tells of a failure, and one that does not. */
function changedOutcome({ was, is, path, asked }: ChangedLeaf): readonly string[] {
  const last = path.at(-1);
  const names = last === undefined ? asked : [last];
  const [old, now] = [numberIn(was), numberIn(is)];
  const isOther =
    old !== undefined && now !== undefined
      ? names.some(isCodeName) && classOf(old) !== classOf(now)
      : was.kind === 'string' &&
        is.kind === 'string' &&
        names.some(tellsOutcome) &&
        failure.test(was.value) !== failure.test(is.value);
  return isOther
    ? [
        'The outcome changed: success and failure are behavior, and a different status is not just a different value.',
      ]
    : [];
}

const classOf = (code: number): number => (code >= 100 && code < 600 ? Math.floor(code / 100) * 100 : code);

const failure =
  /fail|error|denied|reject|invalid|abort|crash|time(?:d[ _-]?)?out|unauthori[sz]ed|forbidden|refused|broken|unavailable|cancel/i;

function oddNumber({ was, is, asked, path }: ChangedLeaf): readonly string[] {
  const [old, now] = [numberIn(was), numberIn(is)];
  if (old === undefined || now === undefined || old === now || old === 0) return [];
  const name = path.at(-1);
  const isSize = name === undefined ? asked.some(isSizeName) : isSizeName(name);
  if (now === 0)
    return [
      isSize
        ? 'The value is empty; values were expected.'
        : 'The number became 0, which code also returns when it finds nothing.',
    ];
  if (now === -1 && old >= 0) return ['The number became -1, which code also returns when it finds nothing.'];
  return now === -old ? ['The number changed its sign.'] : [];
}

function exchangedWords({ was, is, place }: ChangedLeaf): readonly string[] {
  if (was.kind !== 'string' || is.kind !== 'string') return [];
  // Another way to write the same, as of a day, changes what stands between them, too.
  return betweenWords(was.value) === betweenWords(is.value) &&
    haveChangedPlaces(wordsOf(was.value), wordsOf(is.value))
    ? [
        `The same words are in another order in ${place}, as they are when two of them are swapped by mistake.`,
      ]
    : [];
}

const word = /[\p{L}\p{N}_]+/gu;
const wordsOf = (text: string): readonly string[] => text.match(word) ?? [];

/** Columns may be as wide as their words. */
const betweenWords = (text: string): string => text.replace(word, '_').replace(/[ \t]+/g, ' ');

/** `rate`, `share`: a part of a whole is between 0 and 1, whichever way it is computed. */
function oddShare({ was, is, path, asked }: ChangedLeaf): readonly string[] {
  const [old, now] = [numberIn(was), numberIn(is)];
  const last = path.at(-1);
  if (old === undefined || now === undefined || !(last === undefined ? asked : [last]).some(isShareName))
    return [];
  const isPart = (number: number): boolean => number >= 0 && number <= 1;
  return isPart(old) && !isPart(now)
    ? ['The name stands for a share, and the number is no longer between 0 and 1.']
    : [];
}

/** Where nothing was expected, something is more than another value; a 0 within a result may be any number. */
function gainedValue({ was, is, place, path, asked }: ChangedLeaf): string | undefined {
  if (!isNothing(was) || isNothing(is)) return undefined;
  const isNumber = numberIn(was) !== undefined;
  if (isNumber && place !== 'the value' && ![...asked, ...path].some(isTroubleName)) return undefined;
  return place === 'the value'
    ? 'Nothing was expected, and now there is a value: that is a change of behavior.'
    : `Nothing was expected for ${place}, and now there is a value: that is a change of behavior.`;
}

/** An empty text, list or object, and 0. */
function isNothing(value: Value): boolean {
  if (value.kind === 'string') return value.value === '';
  if (value.kind === 'array' || value.kind === 'set') return value.items.length === 0;
  if (value.kind === 'object' || value.kind === 'map') return value.entries.length === 0;
  return numberIn(value) === 0;
}

function numberIn(value: Value): number | undefined {
  if (value.kind !== 'number' && value.kind !== 'bigint') return undefined;
  return Number(value.text.replace(/n$/, ''));
}
