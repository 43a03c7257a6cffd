// What the report of a fix cycle says of one test, and what its patch puts in.
import type { CycleReport } from '../../src/core/model/cycle.ts';

/** The first fix of the test whose id ends so. */
export function fixIn(report: CycleReport, test: string): CycleReport['fixes'][number] | undefined {
  return report.fixes.find(({ failures }) => failures.some((id) => id.endsWith(test)));
}

/** What that fix writes, one change after the other. */
export function writtenIn(report: CycleReport, test: string): readonly string[] {
  return fixIn(report, test)?.edits.flatMap(({ changes }) => changes.map(({ newText }) => newText)) ?? [];
}

/** Why the test whose id ends so is left as it is. */
export function reasonIn(report: CycleReport, test: string): string {
  return report.remaining.find(({ id }) => id.endsWith(test))?.reason ?? 'nothing';
}

/** The lines that the patch puts into a file, or into all of them. */
export function linesAdded({ patch }: CycleReport, file?: string): readonly string[] {
  const [, diff = ''] = file === undefined ? ['', patch] : patch.split(`+++ b/${file}\n`);
  const own = file === undefined ? diff : (diff.split('diff --git')[0] ?? '');
  return own
    .split('\n')
    .filter((line) => /^\+(?!\+\+ )/.test(line))
    .map((line) => line.slice(1));
}
