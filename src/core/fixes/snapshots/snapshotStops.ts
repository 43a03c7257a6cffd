// Signs in what newly appears in a snapshot that the code is at fault, not the snapshot (REPAIR "Value stops").
import type { Stop } from '../../diagnosis/valueStops.ts';
import { diffOfLines } from '../../workspace/lineDiff.ts';
import { leafReasons } from './snapshotLeaves.ts';

/** Reasons why only a person may take the new text over; what the old one had already is no sign. */
export function snapshotStops(old: string, now: string): readonly Stop[] {
  const reasons = [
    ...emptiness(old, now),
    ...signs.flatMap(([pattern, what]) => (count(now, pattern) > count(old, pattern) ? [what] : [])),
    ...newErrors(old, now),
    ...today(old, now),
    ...changedLeaves(old, now),
    ...leafReasons(old, now),
  ];
  return [...new Set(reasons)].map((reason) => ({ kind: 'value', reason }));
}

const signs: readonly (readonly [RegExp, string])[] = [
  [/\bundefined\b/g, 'The new snapshot contains "undefined".'],
  [/\bNaN\b/g, 'The new snapshot contains "NaN".'],
  [/\bnull\b/g, 'The new snapshot contains "null".'],
  [/\bInfinity\b/g, 'The new snapshot contains "Infinity".'],
  [/\[Function\b/g, 'The new snapshot contains a function.'],
  [/\[object \w+\]/g, 'The new snapshot contains "[object Object]".'],
  [/\bInvalid Date\b/g, 'The new snapshot contains "Invalid Date".'],
  [/^\s*at .+:\d+:\d+[)"',]*$/gm, 'The new snapshot contains a stack trace.'],
  [
    /\bCannot (?:read|set) propert|\bis not (?:a function|defined|iterable|a constructor)\b/g,
    'The new snapshot contains the message of a crash.',
  ],
  [
    /(?<![\w.:/-])\/(?:home|Users|root|tmp|var|private|opt|mnt|usr|srv)\/[\w.-]|\b[A-Za-z]:\\[\w.-]/g,
    'The new snapshot contains a path of this machine.',
  ],
  [/(?:^|[:\s])"",?$/gm, 'The new snapshot contains an empty text; a value was stored.'],
  [/(?:\[\]|\{\}),?$/gm, 'The new snapshot contains an empty list or object; a value was stored.'],
];

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

const isEmpty = (text: string): boolean => /^\s*(?:""|'')?\s*$/.test(text);

function emptiness(old: string, now: string): string[] {
  return isEmpty(now) && !isEmpty(old) ? ['The new snapshot is empty; a value was stored.'] : [];
}

/** A date that is right today only; two runs do not tell. */
function today(old: string, now: string): string[] {
  const date = new Date().toISOString().slice(0, 10);
  return now.includes(date) && !old.includes(date)
    ? [`The new snapshot contains today's date, ${date}.`]
    : [];
}

/** Classes of errors that were not there before. */
function newErrors(old: string, now: string): string[] {
  const known = new Set(old.match(errorClass));
  return [...new Set(now.match(errorClass))]
    .filter((name) => !known.has(name))
    .map((name) => `The new snapshot contains an error: ${name}.`);
}

const errorClass = /\b(?:[A-Z][A-Za-z]*)?(?:Error|Exception)\b/g;

/** Line by line, where as many lines came as went; and keys that are gone. */
function changedLeaves(old: string, now: string): string[] {
  const reasons: string[] = [];
  const gone: string[] = [];
  const came: string[] = [];
  const parts = diffOfLines(`${old}\n`, `${now}\n`);
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    if (part.removed) gone.push(...keysOf(part.value));
    if (part.added) came.push(...keysOf(part.value));
    if (!part.removed || next?.added !== true || part.count !== next.count) continue;
    const after = linesOf(next.value);
    for (const [line, before] of linesOf(part.value).entries())
      reasons.push(...compareLeaf(before, after[line] ?? ''));
  }
  for (const key of came) if (gone.includes(key)) gone.splice(gone.indexOf(key), 1);
  return [...reasons, ...gone.map((key) => `"${key}" is missing; a value was stored.`)];
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

const keysOf = (text: string): readonly string[] =>
  [...text.matchAll(/^\s*"((?:[^"\\]|\\.)*)": /gm)].map((found) => found[1] ?? '');

interface Leaf {
  readonly key: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'object' | undefined;
  readonly value: string;
}

function leafOf(line: string): Leaf {
  const [, key = '', value = ''] = /^\s*(?:"((?:[^"\\]|\\.)*)": )?(.*?),?\s*$/.exec(line) ?? [];
  const kind = value.startsWith('"')
    ? 'text'
    : /^-?\d[\d.e+-]*n?$/.test(value)
      ? 'number'
      : /^(?:true|false)$/.test(value)
        ? 'boolean'
        : /^(?:Array )?\[\]?$/.test(value)
          ? 'list'
          : /^(?:\w+ )?\{\}?$/.test(value)
            ? 'object'
            : undefined;
  return { key, kind, value };
}

function compareLeaf(before: string, after: string): string[] {
  const [was, is] = [leafOf(before), leafOf(after)];
  if (was.key !== is.key || was.kind === undefined || is.kind === undefined) return [];
  const place = was.key === '' ? 'the value' : `"${was.key}"`;
  if (was.kind !== is.kind) return [`The type changed: ${place} was a ${was.kind} and is now a ${is.kind}.`];
  if (was.kind === 'boolean' && was.value !== is.value)
    return [`The answer is inverted: ${place} was ${was.value} and is now ${is.value}.`];
  return [];
}
