// The figures of docs/benchmarks.md from the records of known cases, as a table in Markdown.
import type { CommitRecord } from '../../../src/core/replay/replayReport.ts';
import { totalsOf } from '../../../src/core/replay/totals.ts';

/** By family of categories and by repository; cases that were skipped are in no figure but their own. */
export function scoreTable(records: readonly CommitRecord[]): string {
  const inCategory = (...categories: readonly string[]) =>
    records.filter(({ category }) => categories.includes(category ?? ''));
  const withoutOwnOutcome = records.filter(({ category }) => !['D1', 'E1', 'E2'].includes(category ?? ''));
  const repositories = [...new Set(records.flatMap(({ repository }) => repository ?? []))];
  const rows: readonly (readonly [string, readonly CommitRecord[]])[] = [
    ['all', records],
    ['all but D1, E1, E2', withoutOwnOutcome],
    ['oracle (A1–A4, B1)', inCategory('A1', 'A2', 'A3', 'A4', 'B1')],
    ...[...new Set(records.flatMap(({ category }) => category ?? []))]
      .sort()
      .map((category) => [category, inCategory(category)] as const),
    ...repositories.map((name) => [name, records.filter(({ repository }) => repository === name)] as const),
  ];
  return [
    '| | cases | skipped | correct | sound | P | refused | partly | wrong | right outcome | applied automatically / wrong |',
    '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...rows.map(([name, own]) => row(name, own)),
  ].join('\n');
}

function row(name: string, records: readonly CommitRecord[]): string {
  const { cases, skipped, sourceIsRight: score, rightOutcome, automatic } = totalsOf(records);
  const of = (count: number): string =>
    cases === 0 ? '–' : `${count} (${Math.floor((100 * count) / cases)} %)`;
  const cells = [
    cases,
    skipped,
    of(score.correct),
    of(score.sound),
    of(score.passes),
    score.refused,
    score.partly,
    score.wrong,
    of(rightOutcome),
    `${automatic.applied} / ${automatic.wrong}`,
  ];
  return `| ${[name, ...cells].join(' | ')} |`;
}
