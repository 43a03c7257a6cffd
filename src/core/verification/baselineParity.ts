// Does the sandbox reproduce what the tests do in the original? Without that, no verdict means anything.
import { fullName } from '../model/testName.ts';
import type { Outcome, RunSummary } from '../model/testResult.ts';

export interface DifferingTest {
  readonly id: string;
  /** Relative to the root. */
  readonly file: string;
  readonly title: string;
  /** undefined: the test is not there. */
  readonly original: Outcome | undefined;
  readonly sandbox: Outcome | undefined;
  /** What is wrong with it in the copy, in one line. */
  readonly message?: string;
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

/** What people are told about a test that behaves differently in the copy, and what they can do. */
export function describeDifference(test: DifferingTest): string {
  return `The sandbox does not reproduce "${test.title}": ${test.original ?? 'not found'} in the workspace, ${test.sandbox ?? 'not found'} in the copy${test.message === undefined ? '' : `: ${test.message}`}. ${remedy}`;
}

const remedy =
  'Fixes can be tried in the workspace itself: --sandbox in-place, in VS Code the setting testmend.fix.sandbox.';
