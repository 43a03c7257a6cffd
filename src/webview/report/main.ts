// The script of the HTML report: draws the run that stands in the page as data. Loads nothing and sends nothing.
// oxlint-disable-next-line import/no-unassigned-import -- it must run before any schema is made
import '../withoutEval.ts';
import type { RunReport } from '../../core/model/runReport.ts';
import { element } from '../dom.ts';
import { listenToKeys } from '../keyboard.ts';
import { coverageTable } from './coverageTable.ts';
import { cycleStory } from './cycleStory.ts';
import { failureCards } from './failureCards.ts';
import { historyCharts } from './historyCharts.ts';
import { overview } from './overview.ts';
import { TestList } from './testList.ts';
import { remarkableTests, slowestTests } from './testTables.ts';

const main = document.querySelector('main');
const data = document.querySelector('#data')?.textContent;
if (main !== null && data != null) draw(main, JSON.parse(data));

function draw(root: HTMLElement, report: RunReport): void {
  document.title = `${report.folder}: test report`;
  const list = new TestList(report.tests);
  const show = (id: string): void => list.show(id);
  const charts = historyCharts(report.history);
  const parts = [
    overview(report),
    ...failureCards(report, show),
    remarkableTests(report.trends, show),
    charts?.element,
    report.cycle && cycleStory(report.cycle, report.folder, show),
    slowestTests(report.tests, show),
    coverageTable(report.coverage),
    list.element,
  ];
  root.replaceChildren(...parts.filter((part) => part !== undefined));
  root.append(
    element(
      'p',
      { class: 'hint colophon' },
      `Made by Testmend. Keys: arrows go from card to card, / searches.`,
    ),
  );
  charts?.draw();
  listenToKeys(root);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    list.search();
  });
}
