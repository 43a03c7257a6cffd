// The head of the report: what came of the run, when, how long it took, and what the reader should know of it.
import type { RunReport } from '../../core/model/runReport.ts';
import { wirePassRate } from '../../core/model/summarize.ts';
import { element } from '../dom.ts';
import { withCode } from '../inlineCode.ts';
import { counted } from '../standing.ts';
import { atTime, duration } from './figures.ts';

export function overview(report: RunReport): HTMLElement {
  const { passed, failed, errored, skipped, flaky, folder, endedAt, durationMs, notes, ended } = report;
  const red = failed + errored;
  const isGood = red === 0 && passed > 0 && ended === 'complete';
  const tone = red > 0 ? 'bad' : isGood ? 'good' : 'attention';
  const parts = [
    ['failed', red],
    ['passed', passed],
    ['skipped', skipped],
    ['flaky', flaky],
  ] as const;
  return element(
    'header',
    {},
    element(
      'h1',
      {},
      element('span', { class: `mark ${tone}`, attributes: { 'aria-hidden': 'true' } }, marks[tone]),
      element('span', { class: 'text' }, headlineOf(report)),
    ),
    element('p', { class: 'folder' }, `${folder} · ${atTime(endedAt)} · ${duration(durationMs)}`),
    element(
      'p',
      { class: 'badges' },
      ...parts.map(([name, count]) =>
        count === 0
          ? undefined
          : element('span', { class: `badge ${name}` }, `${count.toLocaleString('en')} ${name}`),
      ),
    ),
    rateBar(wirePassRate(report)),
    notes.length === 0
      ? undefined
      : element('ul', { class: 'notes' }, ...notes.map((note) => element('li', {}, ...withCode(note)))),
  );
}

const marks = { good: '✓', bad: '✗', attention: '!' };

function headlineOf({ passed, failed, errored, total, ended }: RunReport): string {
  const red = failed + errored;
  const end =
    ended === 'complete'
      ? ''
      : `, and the run was ${ended === 'timeout' ? 'ended by its time limit' : 'cancelled'}`;
  if (red > 0)
    return `${red.toLocaleString('en')} of ${counted(total, 'test')} ${red === 1 ? 'fails' : 'fail'}${end}`;
  if (passed === 0) return `No test passed${end}`;
  return total === passed
    ? `${counted(total, 'test')} passed${end}`
    : `${passed.toLocaleString('en')} of ${counted(total, 'test')} passed, none failed${end}`;
}

function rateBar(rate: number | null): HTMLElement | undefined {
  if (rate === null) return undefined;
  const bar = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  bar.setAttribute('class', 'bar');
  bar.setAttribute('role', 'img');
  bar.setAttribute('aria-label', `${rate} % pass`);
  const done = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  done.setAttribute('class', 'reviewed');
  done.setAttribute('width', `${rate}%`);
  done.setAttribute('height', '100%');
  bar.append(done);
  const made = element('div', { class: 'rate' }, `${rate.toFixed(1)} % pass`);
  made.append(bar);
  return made;
}
