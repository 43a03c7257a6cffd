// The gate for Go: outside of literals that a plain test certainly expects every token stays as it is, or the change is not judged.
import { goStops } from '../../fixes/go/goStops.ts';
import type { Value } from '../../model/value.ts';
import { numberOf } from '../../syntax/go/goExpression.ts';
import { expectedPlaces, type GoPlace, type IsTaken } from '../../syntax/go/expectations.ts';
import { goSource, type GoSource } from '../../syntax/go/goSource.ts';
import { unreadableAt } from '../../syntax/go/readable.ts';
import { changedValue, type ChangedValue } from '../changedValue.ts';
import type { FileChange, Finding } from '../fileFacts.ts';
import type { ReadSource } from '../repointedImports.ts';
import { suspectValue } from '../suspectValue.ts';
import { forbiddenGoChanges } from './forbiddenGoChanges.ts';

interface GoJudgement {
  readonly findings: readonly Finding[];
  /** Why nothing can be said of what is left when there are no findings. */
  readonly unjudged?: string;
}

/** Pure, but for what the files beside it mention. */
export function checkGo(change: FileChange, readSource?: ReadSource): GoJudgement {
  const { findings, unjudged } = readChange(change, readSource);
  return { findings, ...(unjudged === undefined ? {} : { unjudged }) };
}

/** What the change makes tests expect instead, by the same reading; empty where the gate cannot read it. */
export function changedInGo(change: FileChange, readSource?: ReadSource): readonly ChangedValue[] {
  return readChange(change, readSource).changed ?? [];
}

function readChange(
  { file, before, after }: FileChange,
  readSource: ReadSource | undefined,
): GoJudgement & { readonly changed?: readonly ChangedValue[] } {
  if (before === after) return { findings: [] };
  if (after === undefined)
    return { findings: [{ rule: 'removed-file', line: 1, text: 'The fix deletes a test file.' }] };
  if (!file.endsWith('_test.go'))
    return {
      findings: [],
      unjudged: `The fix policy reads only test files in Go: it cannot judge ${file}.`,
    };
  if (before === undefined)
    return {
      findings: [],
      unjudged: `The fix policy does not support new Go files: it cannot judge ${file}.`,
    };
  const [was, is] = [goSource(before), goSource(after)];
  const broken = unreadableAt(was);
  if (broken !== undefined)
    return { findings: [], unjudged: `The fix policy cannot read ${file} (line ${lineAt(was, broken)}).` };
  const brokenNow = unreadableAt(is);
  if (brokenNow !== undefined)
    return {
      findings: [{ rule: 'syntax-error', line: lineAt(is, brokenNow), text: 'The file no longer parses.' }],
    };
  const isTaken = readSource?.mayBeTakenByOthers?.(file);
  const pairs = pairPlaces(was, is, isTaken);
  if (typeof pairs !== 'number')
    return {
      findings: pairs.flatMap(({ old, now }) => {
        const finding = valueRule(old, now);
        const line = lineAt(is, is.tokens[now.leaf.from]?.start ?? 0);
        return finding === undefined
          ? suspectReasons(old, now).map((reason) => suspectValue(reason, line))
          : [{ ...finding, line }];
      }),
      changed: pairs.flatMap(({ old, now }) =>
        changedValue(textOf(was, old), textOf(is, now), lineAt(is, is.tokens[now.leaf.from]?.start ?? 0)),
      ),
    };
  return {
    findings: forbiddenGoChanges(was, is),
    unjudged: `In Go, the fix policy judges only changes of expected values that a test states as literals: it cannot judge the other change in ${file}:${lineAt(is, is.tokens[pairs]?.start ?? is.tokens.at(-1)?.start ?? 0)}.`,
  };
}

const lineAt = ({ lines }: GoSource, offset: number): number => lines.position(offset).line;

const textOf = ({ text, tokens }: GoSource, { leaf: { from, to } }: GoPlace): string =>
  text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);

interface PlacePair {
  readonly old: GoPlace;
  readonly now: GoPlace;
}

/** The index of the first token that differs, when anything else than expected literals does, or when they are no longer the expected ones. */
function pairPlaces(was: GoSource, is: GoSource, isTaken?: IsTaken): readonly PlacePair[] | number {
  const [old, now] = [expectedPlaces(was, isTaken), expectedPlaces(is, isTaken)];
  const pairs: PlacePair[] = [];
  let [left, right] = [0, 0];
  const same = (to: number, toNow: number): number | undefined => {
    for (; left < to || right < toNow; left++, right++)
      if (left >= to || right >= toNow || !isSameToken(was, left, is, right)) return right;
    return undefined;
  };
  for (const [index, place] of old.entries()) {
    const other = now[index];
    const differs = same(place.leaf.from, other?.leaf.from ?? is.tokens.length);
    if (differs !== undefined) return differs;
    if (other === undefined || place.test !== other.test || place.origin !== other.origin) return right;
    if (place.isCount !== other.isCount || !isSameGap(was, left, is, right)) return right;
    if (gapsIn(was, place) !== gapsIn(is, other) || directives(was, place) !== directives(is, other))
      return right;
    // What was compared with nothing may be a sign of trouble: no other value takes its place.
    if (place.isNothing && !isSameLeaf(was, place, is, other)) return right;
    pairs.push({ old: place, now: other });
    [left, right] = [place.leaf.to, other.leaf.to];
  }
  const differs = now.length === old.length ? same(was.tokens.length, is.tokens.length) : right;
  if (differs !== undefined) return differs;
  return isSameGap(was, left, is, right) ? pairs : right;
}

const isSameLeaf = (was: GoSource, { leaf: old }: GoPlace, is: GoSource, { leaf: now }: GoPlace): boolean =>
  was.tokens[old.to - 1]?.text === is.tokens[now.to - 1]?.text && old.to - old.from === now.to - now.from;

/** With what stands between it and the one before: comments, and ends of lines, which end statements. */
function isSameToken(was: GoSource, left: number, is: GoSource, right: number): boolean {
  const [old, now] = [was.tokens[left], is.tokens[right]];
  return old?.kind === now?.kind && old?.text === now?.text && isSameGap(was, left, is, right);
}

function isSameGap(was: GoSource, left: number, is: GoSource, right: number): boolean {
  return gapBefore(was, left) === gapBefore(is, right);
}

/** The comments within a value. */
const gapsIn = (source: GoSource, { leaf: { from, to } }: GoPlace): string => {
  const [start, end] = [source.tokens[from]?.start ?? 0, source.tokens[to - 1]?.end ?? 0];
  return source.comments
    .filter((comment) => comment.start > start && comment.start < end)
    .map(({ text }) => text)
    .join('\n');
};

/** Lines of a text that tools take for their own: `//go:generate …` counts wherever a line begins with it. */
const directives = ({ tokens }: GoSource, { leaf: { from, to } }: GoPlace): string =>
  tokens
    .slice(from, to)
    .flatMap(({ text }) => text.match(/^(?:\/\/(?:go:|line |export |[ \t]*\+build)|\/\*line ).*$/gm) ?? [])
    .join('\n');

/** Blanks count as one: gofmt puts another number of them where the values have another length. */
function gapBefore({ text, tokens }: GoSource, at: number): string {
  const gap = text.slice(tokens[at - 1]?.end ?? 0, tokens[at]?.start ?? text.length);
  return gap
    .split(/(\/\/[^\n]*|\/\*[^]*?\*\/)/)
    .map((part, index) => (index % 2 === 0 ? part.replace(/[ \t]+/g, ' ') : part))
    .join('\0');
}

function valueRule(
  { leaf: old, isCount }: GoPlace,
  { leaf: now }: GoPlace,
): Pick<Finding, 'rule' | 'text'> | undefined {
  const isNumber = ({ kind }: GoPlace['leaf']): boolean => kind === 'int' || kind === 'float';
  if (old.kind !== now.kind && !(isNumber(old) && isNumber(now)))
    return { rule: 'changed-type', text: `The expected ${noun[old.kind]} became a ${noun[now.kind]}.` };
  if (old.kind === 'bool' && now.kind === 'bool' && old.value !== now.value)
    return { rule: 'inverted', text: 'The expected boolean was inverted.' };
  if (old.kind === 'string' && now.kind === 'string' && old.value.trim() !== '' && now.value.trim() === '')
    return { rule: 'lost-value', text: 'The expected text became empty.' };
  const isNothing = (leaf: GoPlace['leaf']): boolean => 'text' in leaf && numberOf(leaf.text) === '0';
  if (isCount && isNothing(now) && !isNothing(old))
    return { rule: 'lost-value', text: 'The expected number became 0.' };
  return undefined;
}

/** Why broken code gives such a value as well. */
function suspectReasons({ leaf: old }: GoPlace, { leaf: now, ...place }: GoPlace): readonly string[] {
  const [expected, actual] = [valueOf(old), valueOf(now)];
  if (JSON.stringify(expected) === JSON.stringify(actual)) return [];
  return goStops({ ...place, expected, actual }).map(({ reason }) => reason);
}

function valueOf(leaf: GoPlace['leaf']): Value {
  if (leaf.kind === 'bool') return { kind: 'boolean', value: leaf.value };
  if (leaf.kind === 'string') return { kind: 'string', value: leaf.value };
  if (leaf.kind === 'rune') return { kind: 'string', value: leaf.text };
  return { kind: 'number', text: numberOf(leaf.text) ?? leaf.text };
}

const noun = { string: 'text', int: 'integer', float: 'float', rune: 'rune', bool: 'boolean' } as const;
