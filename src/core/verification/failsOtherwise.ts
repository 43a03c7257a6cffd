// Do tests that fail in the original and in the copy fail in the same way? Else a value that the copy shows is not what the user sees.
import { sameFailure, withoutAddresses } from '../failures/sameFailure.ts';
import { templateOf } from '../model/testId.ts';
import { fullName } from '../model/testName.ts';
import type { Failure, RunSummary, TestResult } from '../model/testResult.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { inPlaceRemedy } from './baselineParity.ts';

/** A test that is red in both, in two ways. */
interface OtherFailure {
  readonly original: TestResult;
  readonly copy: TestResult;
}

type Places = Pick<Sandbox, 'originalRoot' | 'told'>;

export function otherFailures(
  original: RunSummary,
  copy: RunSummary,
  sandbox: Places,
): readonly OtherFailure[] {
  const here = new Map(original.tests.map((test) => [test.id, test]));
  return copy.tests.flatMap((test) => {
    const known = here.get(test.id);
    return known !== undefined && !failAlike(known, test, sandbox) ? [{ original: known, copy: test }] : [];
  });
}

/**
 * Those that still fail in another way once the original was run again, with nothing that was compiled before: a cache of the runner
 * may have shown another failure. What differs from run to run in the original itself is no difference, where it looks made up for
 * each run; a short value is a value.
 */
export function stillOther(
  others: readonly OtherFailure[],
  anew: RunSummary,
  sandbox: Places,
): readonly OtherFailure[] {
  const again = new Map(anew.tests.map((test) => [test.id, test]));
  return others.filter(({ original, copy }) => {
    const now = again.get(copy.id);
    if (now?.failure === undefined) return true;
    return !failAlike(now, copy, sandbox) && !differAtNames([original, now, copy], sandbox);
  });
}

/** By id: what people are told. */
export function describeOthers(
  others: readonly OtherFailure[],
  sandbox: Places,
): ReadonlyMap<string, string> {
  return new Map(
    others.map(({ original, copy }) => {
      const [there, here] = shownDifference(original, copy, sandbox);
      const reason = `"${fullName(copy)}" fails differently in the copy: ${there} in the workspace, ${here} in the copy. ${inPlaceRemedy}`;
      return [copy.id, reason];
    }),
  );
}

/** The reason for one of these tests or templates of tests; undefined where all fail as in the original. */
export function whyOtherwise(
  targets: readonly string[],
  reasons: ReadonlyMap<string, string> | undefined,
): string | undefined {
  for (const [id, reason] of reasons ?? [])
    if (targets.some((target) => id === target || templateOf(id) === target)) return reason;
  return undefined;
}

function failAlike(original: TestResult, copy: TestResult, sandbox: Places): boolean {
  const [left, right] = [failuresOf(original, sandbox), failuresOf(copy, sandbox)];
  // Red in one of them alone is another matter.
  if (left.length === 0 || right.length === 0) return true;
  return (
    left.length === right.length &&
    left.every((failure, index) => {
      const other = right[index];
      return (
        other !== undefined &&
        samePlace(failure, other, copy.file) &&
        sameFailure(failure, other, withoutAddresses)
      );
    })
  );
}

/** A test may compare the same values in two places. */
const samePlace = (one: Failure, other: Failure, file: string): boolean =>
  one.location?.file !== file || other.location?.file !== file || one.location.line === other.location.line;

/** In the words of the workspace, wherever they come from. */
function failuresOf(test: TestResult, sandbox: Places): readonly Failure[] {
  return [...(test.failure ? [test.failure] : []), ...(test.moreFailures ?? [])].map((failure) => ({
    ...failure,
    message: placeless(failure.message, sandbox),
    ...(failure.expected !== undefined && { expected: placeless(failure.expected, sandbox) }),
    ...(failure.actual !== undefined && { actual: placeless(failure.actual, sandbox) }),
  }));
}

function placeless(text: string, sandbox: Places): string {
  const { originalRoot } = sandbox;
  return sandbox
    .told(text)
    .replaceAll(`file://${originalRoot}/`, '')
    .replaceAll(`${originalRoot}/`, '')
    .replaceAll(`${originalRoot}\\`, '');
}

/** Do the three differ in nothing but words that are others in each run? */
function differAtNames(tests: readonly [TestResult, TestResult, TestResult], sandbox: Places): boolean {
  const words = (test: TestResult): readonly string[] =>
    failuresOf(test, sandbox).flatMap(({ message, expected = '', actual = '' }) =>
      [message, expected, actual].flatMap((text) =>
        withoutAddresses(text)
          .replace(/(\d) (?=m?s\b)/g, '$1')
          .split(/[\s'"`()[\]{},;=<>]+/),
      ),
    );
  const [first, again, copy] = tests.map(words);
  if (first?.length !== copy?.length || again?.length !== copy?.length) return false;
  return (copy ?? []).every((word, index) => {
    const [one = '', two = ''] = [first?.[index], again?.[index]];
    return word === two || (one !== two && [one, two, word].every(isMadeUp));
  });
}

/** An id, a time, the name of a temporary file, a duration: hardly what a test has calculated. */
const isMadeUp = (word: string): boolean =>
  /^\d+(?:\.\d+)?m?s\b/.test(word) || (word.length >= 6 && /\d/.test(word));

function shownDifference(original: TestResult, copy: TestResult, sandbox: Places): readonly [string, string] {
  const [left, right] = [failuresOf(original, sandbox), failuresOf(copy, sandbox)];
  const index = left.findIndex(
    (failure, at) => right[at] === undefined || !sameFailure(failure, right[at], withoutAddresses),
  );
  const [one, other] = [left[Math.max(index, 0)], right[Math.max(index, 0)]];
  if (one?.actual !== undefined && other?.actual !== undefined && one.actual !== other.actual)
    return [shown(one.actual), shown(other.actual)];
  return [shown(one?.message ?? original.outcome), shown(other?.message ?? copy.outcome)];
}

/** The first line that says something, in one line. */
const shown = (text: string): string => {
  const [first = ''] = text.split('\n').filter((line) => line.trim() !== '');
  return first.trim().slice(0, 160);
};
