// The parts of the panel that are no cards: what is on trial, the iterations, the notes.
import { afterIteration } from '../core/model/cycle.ts';
import { element } from './dom.ts';
import { withCode } from './inlineCode.ts';
import type { PanelModel } from './panelModel.ts';
import { counted, percent } from './standing.ts';
import { oneLine } from '../core/model/visibleText.ts';

/** Changes on trial that are named; the others are counted. */
const named = 5;

/** `isOver`: the cycle was stopped before it knew. */
export function onTrial({ onTrial }: PanelModel, isOver: boolean): HTMLElement {
  const titles = new Map<string, number>();
  for (const title of onTrial.values()) titles.set(title, (titles.get(title) ?? 0) + 1);
  const rows = [...titles]
    .slice(0, named)
    .map(([title, times]) =>
      element('li', {}, oneLine(title, 200), times === 1 ? undefined : `, in ${times} places`),
    );
  if (titles.size > named) rows.push(element('li', {}, `and ${titles.size - named} more`));
  return element(
    'section',
    { class: 'trial', attributes: { 'aria-labelledby': 'heading-trial' } },
    element(
      'h2',
      { id: 'heading-trial' },
      isOver ? 'Being tried when the cycle stopped, and not proven' : 'On trial',
    ),
    element('ul', {}, ...rows),
  );
}

export function iterationTable({ iterations }: PanelModel): HTMLElement {
  const head = ['#', 'Strategy', 'Ran', 'Passed', 'Pass rate', 'Reviewed'].map((text) =>
    element('th', { attributes: { scope: 'col' } }, text),
  );
  const rows = iterations.map((record) => {
    const after = afterIteration(record);
    return element(
      'tr',
      {},
      element('td', {}, `${record.iteration}`),
      element('td', {}, record.strategy, element('span', { class: 'why' }, record.strategy_reason)),
      element('td', {}, record.scope === 'suite' ? 'everything' : 'affected tests'),
      element('td', {}, `${after.passed.toLocaleString('en')} of ${counted(after.total, 'test')}`),
      element('td', {}, percent(after.pass_rate)),
      element('td', {}, percent(after.pass_rate_reviewed)),
    );
  });
  const made = element(
    'section',
    { class: 'iterations', attributes: { 'aria-labelledby': 'heading-iterations' } },
    element('h2', { id: 'heading-iterations' }, 'Iterations'),
    element(
      'div',
      {
        class: 'wide',
        attributes: { tabindex: '0', role: 'region', 'aria-label': 'Table of iterations' },
      },
      element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)),
    ),
  );
  made.hidden = iterations.length === 0;
  return made;
}

export function notes({ report, warnings }: PanelModel): HTMLElement {
  const lines = report?.notes ?? warnings;
  const made = element(
    'section',
    { class: 'notes', attributes: { 'aria-labelledby': 'heading-notes' } },
    element('h2', { id: 'heading-notes' }, 'Notes'),
    element('ul', {}, ...lines.map((note) => element('li', {}, ...withCode(note)))),
  );
  made.hidden = lines.length === 0;
  return made;
}
