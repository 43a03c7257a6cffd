// Signs that an actual value is a bug rather than a new truth (REPAIR "Value stops"): such a fix is only proposed.
import type { Fix } from '../model/fix.ts';
import { propertiesOf, type AssertionOf, type CapturedAssertion, type Value } from '../model/value.ts';
import { haveChangedPlaces } from './changedPlaces.ts';
import { crashOf } from './crashes.ts';
import { gainedTrouble, leafStops } from './leafStops.ts';
import { asksForLength, asksForPart } from '../syntax/javascript/matchers.ts';

export type Stop = NonNullable<Fix['stops']>[number];

/** Reasons to lower a changed expectation to `propose`, one sentence each; empty when nothing looks wrong. */
export function valueStops(captured: JudgedAssertion): Stop[] {
  const known = knownStops.get(captured) ?? stopsOf(captured);
  knownStops.set(captured, known);
  return [...known];
}

/** What was recorded stays as it is, and each iteration asks again. */
const knownStops = new WeakMap<JudgedAssertion, readonly Stop[]>();

function stopsOf(captured: JudgedAssertion): readonly Stop[] {
  const reasons = new Set<string>();
  if (captured.kind === 'error') judgeThrown(captured, captured.thrown, reasons);
  else judgeValue(captured, reasons);
  return [...reasons].map((reason) => ({ kind: 'value', reason }));
}

/**
 * The same for one literal of an expectation whose recorded value is not known, such as what an asymmetric matcher holds;
 * `path` says where it stands, empty for the whole value. What is opaque on the old side is not judged.
 */
export function literalStops(old: Value, now: Value, path: string, asked: readonly string[] = []): Stop[] {
  const reasons = new Set<string>();
  compare(old, now, path === '' ? 'the value' : path, { reasons, asked });
  return [...reasons].map((reason) => ({ kind: 'value', reason }));
}

type JudgedAssertion = (CapturedAssertion | (Sides & { readonly kind?: undefined })) & {
  /** The names that the actual side asks for (`askedNames`), where its source is known. */
  readonly asked?: readonly string[];
};

type Sides = Pick<CapturedAssertion, 'matcher' | 'actual' | 'expected'>;

interface Judged {
  readonly reasons: Set<string>;
  readonly asked: readonly string[];
}

function judgeThrown(
  { actual, expected }: Sides,
  thrown: AssertionOf<'error'>['thrown'],
  reasons: Set<string>,
): void {
  if (thrown.className === undefined) reasons.add('Nothing is thrown where an error was expected.');
  else if (actual.kind !== 'string') reasons.add('What was thrown has no message.');
  else {
    const crash = crashOf(thrown.className, actual.value);
    if (crash !== undefined) reasons.add(`The actual error is a crash: ${crash}`);
    const before = expected.kind === 'regexp' ? expected.source : textOf(expected);
    compareText(before, actual.value, 'the message', reasons);
  }
}

const textOf = (value: Value): string => (value.kind === 'string' ? value.value : '');

function judgeValue(captured: JudgedAssertion, reasons: Set<string>): void {
  const { matcher, asked = [] } = captured;
  const calls = captured.kind === 'calls' ? captured.calls : undefined;
  if (matcher.endsWith('CalledTimes')) reasons.add('The number of calls is behavior, not just a value.');
  if (calls?.length === 0) reasons.add('The mock was not called.');
  // Which of several calls is meant is for the fixer to say, or for nobody.
  if (calls !== undefined && captured.actual.kind === 'undefined') return;
  if (asksForPart.test(matcher)) return judgePart(captured, reasons);
  const actual =
    captured.matcher === 'toMatchObject' || captured.matcher === 't.like'
      ? mentioned(captured.expected, captured.actual)
      : captured.actual;
  compare(captured.expected, actual, 'the value', { reasons, asked });
  if (asksForLength.test(matcher) && actual.kind === 'number' && actual.text === '0')
    reasons.add('The value is empty; values were expected.');
}

/** A pattern or a text that is a part of another, or an item of a list: the types of both sides differ by nature. */
function judgePart({ expected, actual }: Sides, reasons: Set<string>): void {
  const before = expected.kind === 'regexp' ? expected.source : textOf(expected);
  if (actual.kind === 'string') compareText(before, actual.value, 'the value', reasons);
  else if (actual.kind !== 'array') compare(expected, actual, 'the value', { reasons, asked: [] });
  else if (actual.items.length === 0) reasons.add('The value is empty; values were expected.');
}

/** What toMatchObject and AVA's t.like look at: only the keys that the expected side mentions. */
export function mentioned(expected: Value, actual: Value): Value {
  if (expected.kind === 'array' && actual.kind === 'array') {
    return {
      ...actual,
      items: actual.items.map((item, index) => mentioned(expected.items[index] ?? item, item)),
    };
  }
  if (expected.kind === 'object' && actual.kind === 'error') return mentioned(expected, propertiesOf(actual));
  if (expected.kind !== 'object' || actual.kind !== 'object') return actual;
  const wanted = new Map(expected.entries);
  return {
    ...actual,
    entries: actual.entries.flatMap(([key, value]) => {
      const inner = wanted.get(key);
      return inner === undefined ? [] : [[key, mentioned(inner, value)] as const];
    }),
  };
}

/** Walks both sides together, so that what was already there on the expected side is no sign. */
function compare(expected: Value, actual: Value, place: string, judged: Judged): void {
  const { reasons, asked } = judged;
  if (expected.kind === 'opaque') return;
  if (expected.kind !== actual.kind) {
    if (!degenerate(actual, place, reasons) && actual.kind !== 'opaque')
      reasons.add(`The type changed: ${place} was ${noun(expected)} and is now ${noun(actual)}.`);
    return;
  }
  for (const reason of leafStops({ was: expected, is: actual, place, path: keysIn(place), asked }))
    reasons.add(reason);
  switch (actual.kind) {
    case 'boolean':
      if (expected.kind === 'boolean' && expected.value !== actual.value)
        reasons.add(`The answer is inverted: ${place} was ${expected.value} and is now ${actual.value}.`);
      return;
    case 'string':
      if (expected.kind === 'string') compareText(expected.value, actual.value, place, reasons);
      return;
    case 'number':
      if (expected.kind === 'number' && expected.text !== actual.text) degenerate(actual, place, reasons);
      return;
    case 'array':
    case 'set':
      if (expected.kind === 'array' && actual.kind === 'array')
        judgeOrder(expected.items, actual.items, place, reasons);
      if (expected.kind === 'array' || expected.kind === 'set')
        compareItems(expected.items, actual.items, place, judged);
      return;
    case 'object':
      if (expected.kind === 'object') compareEntries(expected.entries, actual.entries, place, judged);
      return;
    case 'map':
      if (expected.kind === 'map')
        compareItems(
          expected.entries.map(([, value]) => value),
          actual.entries.map(([, value]) => value),
          place,
          judged,
        );
      return;
    case 'date':
      if (expected.kind === 'date' && expected.iso !== actual.iso && actual.iso === 'Invalid Date')
        reasons.add(`The actual date of ${place} is invalid.`);
      return;
    default:
  }
}

function compareText(expected: string, actual: string, place: string, reasons: Set<string>): void {
  if (expected !== '' && actual.trim() === '')
    reasons.add(`The actual text of ${place} is empty; a value was expected.`);
  for (const sign of faultsIn(actual))
    if (!holds(expected, sign)) reasons.add(`The actual text of ${place} contains "${sign}".`);
  for (const day of [new Date(), new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)]) {
    const date = day.toISOString().slice(0, 10);
    if (actual.includes(date) && !expected.includes(date))
      reasons.add(`The actual text of ${place} contains today's date, ${date}.`);
  }
}

const textFaults = new RegExp(
  [
    /undefined|NaN|\bnull\b|\[object \w+\]|Invalid Date|Cannot (?:read|set) propert(?:y|ies) of|is not a function\b/,
    /\b(?:Type|Reference|Range|Syntax)Error: |Error: |\bpanic: |\bInternal Server Error\b/,
    /Traceback \(most recent call last\)|\b[Ss]egmentation fault\b|\bcore dumped\b/,
    /\bE(?:ACCES|EXIST|INVAL|ISDIR|MFILE|NOENT|NOSPC|NOTDIR|NOTEMPTY|PERM|PIPE|ROFS|CONN\w+|NOTFOUND|TIMEDOUT): /,
    /\b(?:connect|read|write|listen|getaddrinfo) E[A-Z_]{4,}\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Words in a text that broken code leaves there, each once. */
function faultsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(textFaults));
}

/** The name before a colon counts in any case. */
const holds = (text: string, sign: string): boolean =>
  text.includes(sign) || (sign.endsWith(': ') && text.toLowerCase().includes(sign.toLowerCase()));

/** Items, or the cells of rows. */
function judgeOrder(
  expected: readonly Value[],
  actual: readonly Value[],
  place: string,
  reasons: Set<string>,
): void {
  if (haveChangedPlaces(textsOf(expected), textsOf(actual)))
    reasons.add(
      `${named(place)} has the same items in another order, as it does when two are swapped by mistake.`,
    );
}

const textsOf = (values: readonly Value[]): readonly string[] => values.map((value) => JSON.stringify(value));

function compareItems(
  expected: readonly Value[],
  actual: readonly Value[],
  place: string,
  judged: Judged,
): void {
  const { reasons } = judged;
  if (expected.length > 0 && actual.length === 0)
    reasons.add(`${named(place)} is empty; values were expected.`);
  const known = new Set(expected.map((value) => JSON.stringify(value)));
  actual.forEach((value, index) => {
    if (known.has(JSON.stringify(value))) return;
    const before = expected[index];
    const inner = `${place}[${index}]`;
    if (expected.length === actual.length && before !== undefined) compare(before, value, inner, judged);
    else degenerate(value, inner, reasons);
  });
}

function compareEntries(
  expected: readonly (readonly [string, Value])[],
  actual: readonly (readonly [string, Value])[],
  place: string,
  judged: Judged,
): void {
  const { reasons } = judged;
  if (expected.length > 0 && actual.length === 0)
    reasons.add(`${named(place)} is empty; values were expected.`);
  const after = new Map(actual);
  const before = new Map(expected);
  const changed = expected.filter(
    ([key, value]) => after.has(key) && JSON.stringify(after.get(key)) !== JSON.stringify(value),
  );
  const became = changed.flatMap(([key]) => after.get(key) ?? []);
  if (haveChangedPlaces(textsOf(changed.map(([, value]) => value)), textsOf(became)))
    reasons.add(
      `${changed.map(([key]) => named(pathOf(place, key))).join(' and ')} swapped their values, as they do when two names are swapped by mistake.`,
    );
  for (const [key, value] of expected) {
    const now = after.get(key);
    if (now !== undefined) compare(value, now, pathOf(place, key), judged);
    else if (value.kind !== 'undefined')
      reasons.add(`${named(pathOf(place, key))} is missing; a value was expected.`);
  }
  for (const [key, value] of actual) {
    if (before.has(key)) continue;
    degenerate(value, pathOf(place, key), reasons);
    const trouble = gainedTrouble(key, value);
    if (trouble !== undefined) reasons.add(trouble);
  }
}

/** Notes whatever in a new value looks like a fault; true when something did. */
function degenerate(value: Value, place: string, reasons: Set<string>): boolean {
  const count = reasons.size;
  switch (value.kind) {
    case 'undefined':
    case 'null':
      reasons.add(`${actual(place)} is ${value.kind}.`);
      break;
    case 'number':
      if (/^(?:NaN|-?Infinity)$/.test(value.text)) reasons.add(`${actual(place)} is ${value.text}.`);
      break;
    case 'error':
      reasons.add(`${actual(place)} is an error: ${value.name}: ${value.message}`);
      break;
    case 'string':
      compareText('x', value.value, place, reasons);
      break;
    case 'date':
      if (value.iso === 'Invalid Date') reasons.add(`The actual date of ${place} is invalid.`);
      break;
    case 'array':
    case 'set':
      if (value.items.length === 0) reasons.add(`${named(place)} is empty; a value was expected.`);
      value.items.forEach((item, index) => degenerate(item, `${place}[${index}]`, reasons));
      break;
    case 'map':
      value.entries.forEach(([, item], index) => degenerate(item, `${place}[${index}]`, reasons));
      break;
    case 'object':
      for (const [key, item] of value.entries) degenerate(item, pathOf(place, key), reasons);
      break;
    default:
  }
  return reasons.size > count;
}

/** Places in lists are keys that say nothing. */
const keysIn = (place: string): readonly string[] =>
  place === 'the value'
    ? []
    : place
        .replace(/^the value/, '')
        .split(/[.[\]]/)
        .filter((key) => key !== '' && !/^\d+$/.test(key));

function pathOf(place: string, key: string): string {
  return place === 'the value' ? key : `${place}.${key}`;
}

function noun(value: Value): string {
  switch (value.kind) {
    case 'undefined':
    case 'null':
      return value.kind;
    case 'object':
      if (value.className === 'null prototype') return 'an object without a prototype';
      return value.className === undefined ? 'an object' : `a ${value.className}`;
    case 'array':
    case 'error':
      return `an ${value.kind}`;
    case 'opaque':
      return value.description;
    default:
      return `a ${value.kind}`;
  }
}

/** At the beginning of a sentence: with a capital, a key would be another name. */
function named(place: string): string {
  return /^the (?:value|message)\b/.test(place) ? `T${place.slice(1)}` : `\`${place}\``;
}

function actual(place: string): string {
  return place === 'the value' ? 'The actual value' : `The actual value of ${place}`;
}
