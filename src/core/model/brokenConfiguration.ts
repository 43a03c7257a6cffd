// A project whose configuration does not load is broken: its tests say nothing, and no fix of theirs helps.
import { HumanError } from '../base/humanError.ts';
import type { RunSummary, TestResult } from './testResult.ts';

const isBroken = ({ failure }: TestResult): boolean => failure?.kind === 'config';

/** Did a part of the tests not run for that reason? */
export function hasBrokenConfiguration(tests: readonly TestResult[]): boolean {
  return tests.some(isBroken);
}

/** Throws a HumanError where not a single test ran, and a configuration is the reason. */
export function refuseBrokenConfiguration({ tests }: Pick<RunSummary, 'tests'>): void {
  const broken = tests.find(isBroken);
  if (broken === undefined || !tests.every(isBroken)) return;
  throw new HumanError('broken-project', broken.failure?.message ?? '', {
    file: broken.failure?.location?.file ?? broken.file,
    remedy: 'Repair it first: no test can run until then, so no fix can be tried.',
  });
}
