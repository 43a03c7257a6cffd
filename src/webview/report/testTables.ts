// Tables of tests: those that the history shows as broken, flaky or slower, and the slowest of this run.
import type { ReportedTest, ReportedTrend } from '../../core/model/runReport.ts';
import { fullName } from '../../core/model/testName.ts';
import { oneLine } from '../../core/model/visibleText.ts';
import { button, element, type Child } from '../dom.ts';
import { duration } from './figures.ts';
import { outcomeRow } from './outcomeRow.ts';
import { tableSection } from './tableSection.ts';

const mostRows = 50;
const slowest = 20;
/** ms: nobody looks for time in tests that take less. */
const slow = 100;

export function remarkableTests(
  trends: readonly ReportedTrend[],
  show: (id: string) => void,
): HTMLElement | undefined {
  if (trends.length === 0) return undefined;
  const rows = trends
    .slice(0, mostRows)
    .map(({ id, category, flakeScore, outcomes, meanDuration, recentDuration }): Child[] => [
      link(id, id, show),
      category.replace('-', ' '),
      flakeScore.toFixed(2),
      outcomeRow(outcomes),
      duration(meanDuration * 1_000),
      duration(recentDuration * 1_000),
    ]);
  const heads = ['Test', 'It is', 'Flake score', 'Last runs', 'Mean', 'Last three'];
  const hint = `Flake score: changes between pass and fail, divided by runs − 1.${rest(trends.length)}`;
  return tableSection({ name: 'trends', title: 'Broken, flaky or slower', hint, heads, rows });
}

const rest = (count: number): string =>
  count > mostRows ? ` The worst ${mostRows} of ${count.toLocaleString('en')} are listed.` : '';

export function slowestTests(
  tests: readonly ReportedTest[],
  show: (id: string) => void,
): HTMLElement | undefined {
  const found = tests
    .filter(({ durationMs }) => durationMs >= slow)
    .sort((a, b) => b.durationMs - a.durationMs)
    .slice(0, slowest);
  if (found.length === 0) return undefined;
  const rows = found.map((test): Child[] => [
    link(test.id, fullName(test), show),
    element('span', { class: 'file' }, test.file),
    duration(test.durationMs),
  ]);
  return tableSection({ name: 'slowest', title: 'Slowest tests', heads: ['Test', 'File', 'Took'], rows });
}

function link(id: string, text: string, show: (id: string) => void): HTMLElement {
  return button(oneLine(text, 200), () => show(id), { class: 'link' });
}
