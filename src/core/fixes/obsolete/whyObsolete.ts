// Why a failing test may check what the change of the source removed, or give what the source no longer takes: one sentence each.
import { thrownIn, type CapturedAssertion, type Value } from '../../model/value.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { ChangedSources } from './changedPairs.ts';
import { goneChoices, type GoneChoice } from './goneChoices.ts';
import {
  goneThrows,
  keptThrows,
  messageOf,
  newThrows,
  throwsMessage,
  type ThrownError,
} from './goneThrows.ts';
import { goneNames, movedBodies, newWaysOut } from './otherWays.ts';
import type { TestSubject } from './testSubject.ts';

export interface Doubt {
  /** removed: what the test checks is gone · input: what the test gives is not what it was. */
  readonly kind: 'removed' | 'input';
  /** One sentence for people. */
  readonly sentence: string;
  /** Names that the source no longer has: an import of them is of no use without the test. */
  readonly names?: readonly string[];
  /** What else may be meant than that what the test checks is gone: one sentence. */
  readonly otherSide?: string;
  /** What the source knows in place of a text that it no longer knows. */
  readonly successor?: GoneChoice;
}

interface DoubtedTest {
  readonly result: TestResult;
  readonly captured: readonly CapturedAssertion[];
  readonly subject: TestSubject;
}

/** The first evidence in the order of how much it says; undefined for an ordinary change. */
export function whyObsolete(test: DoubtedTest, sources: ChangedSources): Doubt | undefined {
  if (sources.pairs.length === 0) return undefined;
  for (const rule of [lostName, lostError, taken, rejected, lostChoice, givenBack, movedAway]) {
    const doubt = rule(test, sources);
    if (doubt !== undefined) return doubt;
  }
  return undefined;
}

/** The test calls a function that is gone, and fails since it is not there. */
function lostName(
  { result, subject, captured }: DoubtedTest,
  { pairs, when }: ChangedSources,
): Doubt | undefined {
  const message = result.failure?.message ?? '';
  const isMissing =
    /\bis not (?:a function|a constructor|defined)\b/.test(message) ||
    captured.some(({ actual }) => actual.kind === 'undefined');
  if (!isMissing) return undefined;
  const gone = [...goneNames(pairs).values()].filter(({ name }) => subject.names.has(name));
  const [first] = gone.filter(({ name }) => message.includes(name)).concat(gone);
  if (first === undefined) return undefined;
  return {
    kind: 'removed',
    sentence: `\`${first.name}\`, which the test calls, was removed from ${first.file} ${when}, and no certain replacement was found.`,
    names: gone.map(({ name }) => name),
  };
}

/** The test expects an error that no statement throws any more. */
function lostError(test: DoubtedTest, { pairs, when }: ChangedSources): Doubt | undefined {
  const { captured, result, subject } = test;
  const gone = goneThrows(pairs);
  if (gone.length === 0) return undefined;
  const nothingThrown = captured.find(isNothingThrown);
  const texts = [...captured.map(({ expected }) => expectedText(expected)), result.failure?.expected ?? ''];
  const named = gone.find((one) => texts.some((text) => throwsMessage(one, text)));
  const [only, ...others] = gone;
  const unnamed = nothingThrown !== undefined && expectedText(nothingThrown.expected) === '';
  const found =
    named ??
    (unnamed ? gone.find(({ owner }) => owner !== undefined && subject.names.has(owner)) : undefined) ??
    (unnamed && others.length === 0 ? only : undefined);
  if (found === undefined) return undefined;
  const message = messageOf(found);
  return {
    kind: 'removed',
    sentence: `${placeOf(found)} no longer throws ${message === undefined ? 'an error' : `"${shorten(message)}"`} ${when}, but the test still expects it.`,
  };
}

/** The source still throws the error, but not for what the test gives. */
function taken({ captured, subject }: DoubtedTest, { pairs, when }: ChangedSources): Doubt | undefined {
  const [assertion, ...others] = captured;
  if (assertion === undefined || others.length > 0 || !isNothingThrown(assertion)) return undefined;
  const text = expectedText(assertion.expected);
  const kept = keptThrows(pairs);
  const owned = kept.filter(({ owner }) => owner !== undefined && subject.names.has(owner));
  const onlyOwned = owned.length === 1 ? owned[0] : undefined;
  const found = text === '' ? onlyOwned : kept.find((one) => throwsMessage(one, text) || isPartOf(text, one));
  const message = found && messageOf(found);
  if (found === undefined || message === undefined) return undefined;
  return {
    kind: 'removed',
    sentence: `${placeOf(found)} no longer rejects the input of the test (${when}); for other input it still throws "${shorten(message)}".`,
    otherSide: 'If accepting this input is intended, the test may need another input that is still rejected.',
  };
}

const isNothingThrown = (captured: CapturedAssertion): boolean =>
  !captured.negated && captured.kind === 'error' && captured.thrown.className === undefined;

const isPartOf = (text: string, error: ThrownError): boolean =>
  text.trim().length > 3 && (messageOf(error) ?? '').includes(text);

const placeOf = ({ owner, file }: ThrownError): string =>
  owner === undefined ? file : `\`${owner}\` in ${file}`;

/** The source refuses now what the test gives. */
function rejected({ captured, result }: DoubtedTest, { pairs, when }: ChangedSources): Doubt | undefined {
  const refused = captured.find((one) => one.negated && thrownIn(one)?.className !== undefined);
  const message = refused?.actual.kind === 'string' ? refused.actual.value : '';
  const thrown = refused === undefined && result.failure?.kind === 'error' ? result.failure.message : message;
  const found = thrown === '' ? undefined : newThrows(pairs).find((one) => throwsMessage(one, thrown));
  if (found === undefined) return undefined;
  return {
    kind: 'input',
    sentence: `${found.file}, line ${found.line}, rejects the input of the test ${when}: "${shorten(thrown.split('\n')[0] ?? '')}"; the test may need another input.`,
  };
}

/** The test gives a text or an option that the source told apart, and does not any more. */
function lostChoice({ subject }: DoubtedTest, { pairs, when }: ChangedSources): Doubt | undefined {
  const gone = goneChoices(pairs);
  const found =
    subject.inputs.flatMap(({ text }) => gone.get(text) ?? []).find(({ kind }) => kind === 'value') ??
    [...subject.keys].flatMap((key) => gone.get(key) ?? []).find(({ kind }) => kind === 'option');
  if (found === undefined) return undefined;
  const { file, successor } = found;
  const what = found.kind === 'value' ? `the text '${shorten(found.text)}'` : `the option ${found.text}`;
  const sentence = `The test passes ${what}, and ${file} had special code for it that was removed ${when}`;
  return successor === undefined
    ? { kind: 'removed', sentence: `${sentence}.` }
    : {
        kind: 'input',
        sentence: `${sentence}; there is one for '${shorten(successor)}' now.`,
        successor: found,
      };
}

/** The new value is what the test gave, and the source has a new way out that gives an argument back. */
function givenBack({ captured, subject }: DoubtedTest, { pairs, when }: ChangedSources): Doubt | undefined {
  const [assertion, ...others] = captured;
  if (assertion === undefined || others.length > 0 || assertion.negated) return undefined;
  const { actual } = assertion;
  if (
    actual.kind !== 'string' ||
    actual.value === '' ||
    !subject.inputs.some(({ text }) => text === actual.value)
  )
    return undefined;
  const way = newWaysOut(pairs).find(({ owner }) => subject.names.has(owner));
  if (way === undefined) return undefined;
  return {
    kind: 'removed',
    sentence: `\`${way.owner}\` returns the input '${shorten(actual.value)}' unchanged through a new early return ${when}: \`${shorten(way.text)}\` (${way.file}, line ${way.line}).`,
  };
}

/** The test calls a function whose work another, new one does now. */
function movedAway({ subject }: DoubtedTest, { pairs, when }: ChangedSources): Doubt | undefined {
  const moved = [...movedBodies(pairs).values()].find(({ from }) => subject.names.has(from));
  if (moved === undefined || subject.names.has(moved.to)) return undefined;
  return {
    kind: 'input',
    sentence: `The new \`${moved.to}\` in ${moved.file} does the work of \`${moved.from}\` ${when}: the test may now belong to \`${moved.to}\`.`,
  };
}

function expectedText(expected: Value): string {
  if (expected.kind === 'string') return expected.value;
  return expected.kind === 'regexp' ? expected.source.replace(/\\(.)/g, '$1') : '';
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
