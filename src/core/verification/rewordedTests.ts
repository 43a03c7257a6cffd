// Files in which a patch says in other words what was there: their tests have other titles and places, and are counted.
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { fullName } from '../model/testName.ts';
import type { PatchAdmission } from './patchAdmission.ts';

type Reworded = PatchAdmission['reworded'];

/** Why the tests of these files are not as good as before; undefined where they are. */
export function whyNotReworded(
  reworded: Reworded,
  baseline: ReadonlyMap<string, TestResult>,
  { tests }: RunSummary,
): string | undefined {
  for (const file of reworded.keys()) {
    const [before, now] = [[...baseline.values()], tests].map((all) =>
      all.filter((test) => test.file === file),
    );
    if (before === undefined || now === undefined) continue;
    const had = new Map(before.map((test) => [test.id, test]));
    const worse = now.find(({ id, outcome }) => {
      const old = had.get(id);
      return outcome !== 'passed' && (old === undefined || old.outcome === 'passed');
    });
    if (worse) return `"${fullName(worse)}" does not pass with the patch.`;
    const passing = [before, now].map((all) => all.filter(({ outcome }) => outcome === 'passed').length);
    if ((passing[1] ?? 0) < (passing[0] ?? 0)) return `Fewer tests of ${file} pass than before.`;
  }
  return undefined;
}

/** Why nothing is known of tests that failed before: what looks for values that are only late knows them by their titles. */
export function whyUnclear(
  reworded: Reworded,
  baseline: ReadonlyMap<string, TestResult>,
  { tests }: RunSummary,
): string | undefined {
  const now = new Set(tests.map(({ id }) => id));
  for (const test of baseline.values()) {
    const form = reworded.get(test.file);
    if (form === undefined || test.outcome === 'passed' || test.outcome === 'skipped') continue;
    if (form.isReordered || !now.has(test.id))
      return `"${fullName(test)}" failed before, and the patch gives tests of its file other titles or places: mend it first, and move it in another patch.`;
  }
  return undefined;
}
