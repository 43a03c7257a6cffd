// The last fix cycle in the report: the fix-cycle panel itself, of which nothing can be decided here.
import type { CycleReport } from '../../core/model/cycle.ts';
import { element } from '../dom.ts';
import { emptyPanelState } from '../messages.ts';
import { emptyModel, reduceEvents } from '../panelModel.ts';
import { PanelView } from '../renderPanel.ts';
import { KeptView } from '../viewState.ts';

/** `show` goes to a test in the list of all. */
export function cycleStory(report: CycleReport, folder: string, show: (id: string) => void): HTMLElement {
  const panel = element('div', { class: 'cycle-panel' });
  const made = element(
    'details',
    { class: 'cycle' },
    element('summary', {}, element('h2', {}, 'The last fix cycle')),
    panel,
  );
  const kept = new KeptView(undefined, () => undefined);
  const model = reduceEvents(emptyModel, [{ type: 'cycleEnded', report }]);
  const state = { ...emptyPanelState, folder, phase: 'ended' as const, recording: { file: '', root: '' } };
  const draw = (): void => {
    if (!view.render({ model, state, step: undefined })) requestAnimationFrame(draw);
  };
  const view = new PanelView(
    panel,
    kept,
    (message) => message.type === 'reveal' && show(message.testId),
    draw,
  );
  made.addEventListener('toggle', draw, { once: true });
  return made;
}
