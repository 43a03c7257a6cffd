// Does the sandbox reproduce what the tests do in the original? Without that, no verdict means anything.
import { fullName } from '../model/testName.ts';
import type { Outcome, RunSummary } from '../model/testResult.ts';

interface DifferingTest {
  readonly id: string;
  /** Relative to the root. */
  readonly file: string;
  readonly title: string;
  /** undefined: the test is not there. */
  readonly original: Outcome | undefined;
  readonly sandbox: Outcome | undefined;
  /** What is wrong with it in the copy, in one line. */
  readonly message?: string;
  /** It passed when it was run again in the original with nothing compiled before. */
  readonly passedAnew?: true;
}

/** Compares outcomes test by test. */
export function checkBaselineParity(
  original: RunSummary,
  sandbox: RunSummary,
): { readonly parity: boolean; readonly differing: readonly DifferingTest[] } {
  const left = new Map(original.tests.map((test) => [test.id, test]));
  const right = new Map(sandbox.tests.map((test) => [test.id, test]));
  const differing: DifferingTest[] = [];
  for (const id of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(id), right.get(id)];
    const known = a ?? b;
    if (known === undefined || a?.outcome === b?.outcome) continue;
    differing.push({
      id,
      file: known.file,
      title: fullName(known),
      original: a?.outcome,
      sandbox: b?.outcome,
      ...(b?.failure && { message: b.failure.message.split('\n')[0] ?? '' }),
    });
  }
  return { parity: differing.length === 0, differing };
}

/**
 * What still differs once files that differ were run again in the original, with nothing that was compiled before. A cache of the
 * test runner may hide what is wrong there, in another form or altogether: what is red anew, as in the copy, is reproduced. What
 * is green anew is not: it passes only sometimes, or the user sees a failure that only the cache has.
 */
export function differingAnew(
  differing: readonly DifferingTest[],
  { original, anew, copy }: Readonly<Record<'original' | 'anew' | 'copy', RunSummary>>,
): readonly DifferingTest[] {
  return [...new Set(differing.map(({ file }) => file))].flatMap((file) => {
    const of = (run: RunSummary): RunSummary => ({
      ...run,
      tests: run.tests.filter((test) => test.file === file),
    });
    const still = checkBaselineParity(of(anew), of(copy)).differing;
    if (still.length > 0) return still;
    const first = new Map(original.tests.map((test) => [test.id, test.outcome]));
    const healed = of(anew).tests.filter(
      ({ id, outcome }) => outcome === 'passed' && /^(?:failed|errored)$/.test(first.get(id) ?? ''),
    );
    const ids = new Set(healed.map(({ id }) => id));
    return differing.filter(({ id }) => ids.has(id)).map((test) => ({ ...test, passedAnew: true as const }));
  });
}

/** By file: what people are told about tests that behave differently in the copy, and what they can do. */
export function describeDifferences(differing: readonly DifferingTest[]): ReadonlyMap<string, string> {
  const byFile = new Map<string, DifferingTest[]>();
  for (const test of differing) byFile.set(test.file, [...(byFile.get(test.file) ?? []), test]);
  return new Map(
    [...byFile].map(([file, tests]) => {
      // The one that says what is wrong in the copy: where a file does not load, its tests are only missing.
      const shown = tests.find(({ message }) => message !== undefined) ?? tests[0];
      return [file, shown === undefined ? '' : describe(shown, tests.length - 1)];
    }),
  );
}

function describe(test: DifferingTest, others: number): string {
  const more = others === 0 ? '' : ` (and ${others} more of its file)`;
  if (test.passedAnew)
    return `"${test.title}"${more} failed in the workspace and passed when it was run again without the test runner's cache: the test is flaky, or the cache is out of date.`;
  const message = test.message === undefined ? '' : `: ${test.message.replace(/[.\s]+$/, '')}`;
  return `The sandbox does not reproduce "${test.title}"${more}: ${test.original ?? 'not found'} in the workspace, ${test.sandbox ?? 'not found'} in the copy${message}. ${inPlaceRemedy}`;
}

/** What people can do where the copy is no likeness. */
export const inPlaceRemedy =
  'To try fixes in the workspace itself, use --sandbox in-place (in VS Code, the setting testmend.fix.sandbox).';
