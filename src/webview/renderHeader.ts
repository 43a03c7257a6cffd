// The head of the panel: where the cycle stands, the pass rate, what was applied, and what can be done about the cycle.
import { coverageText, isBelowTarget } from '../core/model/cycleScopeText.ts';
import { goesOnText, provenAgainText } from '../core/model/resumedText.ts';
import { button, element, setText } from './dom.ts';
import type { FromPanel, PanelState } from './messages.ts';
import type { PanelModel } from './panelModel.ts';
import { ProgressView } from './renderProgress.ts';
import { spentText } from './spentText.ts';
import { appliedText, percent, ratesOf, standingOf, type Rates, type Standing } from './standing.ts';

const marks: Record<Standing['tone'], string> = { good: '✔', bad: '✖', attention: '●', neutral: '' };

/** Made once and kept in step, so that its buttons keep the focus. */
export class Header {
  readonly element: HTMLElement;
  readonly #folder = element('p', { class: 'folder' });
  readonly #mark = element('span', { attributes: { 'aria-hidden': 'true' } });
  readonly #title = element('span', {});
  readonly #reason = element('p', { class: 'hint' });
  readonly #progress = new ProgressView();
  readonly #takenUp = element('p', { class: 'hint taken-up' });
  readonly #coverage = element('p', {});
  readonly #coverageNote = element('p', { class: 'hint coverage-note' });
  readonly #rate = new RateBar();
  readonly #applied = element('p', { class: 'applied' });
  readonly #spent = element('p', { class: 'hint spent' });
  readonly #message = element('p', {});
  readonly #stop: HTMLElement;
  readonly #takeUp: HTMLElement;
  readonly #forget: HTMLElement;
  readonly #again: HTMLElement;
  readonly #actions: HTMLElement;

  constructor(send: (message: FromPanel) => void) {
    this.#stop = button('Stop', () => send({ type: 'stop' }));
    this.#takeUp = button('Resume', () => send({ type: 'takeUp' }), {
      title: 'Resume the cycle that was cut off: the fixes it had proven are proven again first.',
    });
    this.#forget = button('Discard', () => send({ type: 'forget' }), {
      class: 'secondary',
      title: 'Discard the cycle that was cut off; nothing in the workspace changes.',
    });
    this.#again = button('Run again', () => send({ type: 'restart' }), { class: 'secondary' });
    const log = button('Show log', () => send({ type: 'showLog' }), { class: 'link' });
    const buttons = [this.#stop, this.#takeUp, this.#forget, this.#again, log];
    this.#actions = element('p', { class: 'actions' }, ...buttons);
    this.element = element(
      'header',
      {},
      this.#folder,
      element('h1', {}, this.#mark, this.#title),
      this.#reason,
      this.#progress.element,
      this.#takenUp,
      this.#rate.element,
      this.#coverage,
      this.#coverageNote,
      this.#applied,
      this.#spent,
      this.#message,
      this.#actions,
    );
  }

  update(model: PanelModel, state: PanelState): void {
    const standing = standingOf(model, state);
    const runs = state.phase === 'running' || state.phase === 'starting';
    const preset = model.preset === '' ? '' : ` · preset ${model.preset}`;
    setText(this.#folder, `${state.folder}${preset}${model.layer ? ` · layer ${model.layer} only` : ''}`);
    setText(this.#mark, marks[standing.tone]);
    this.#mark.className = `mark ${standing.tone}`;
    setText(this.#title, standing.text);
    this.element.dataset['phase'] = state.phase;
    show(this.#reason, runs && model.current !== undefined ? model.current.reason : '');
    this.#progress.update(model, state);
    this.#rate.update(ratesOf(model, state.decisions), model.targetPassRate);
    show(this.#takenUp, takenUpText(model));
    const { report } = model;
    this.#coverage.className = `coverage${report && isBelowTarget(report) ? ' below' : ''}`;
    show(this.#coverage, (report && coverageText(report)) ?? '');
    show(this.#coverageNote, report?.coverage?.note ?? '');
    show(this.#applied, appliedText(model, state));
    show(this.#spent, spentText(report));
    this.#message.className = `message ${state.message?.level ?? 'info'}`;
    show(this.#message, state.message?.text ?? '');
    this.#actions.hidden = state.recording !== undefined || state.inChat === true;
    this.#stop.hidden = !runs;
    this.#takeUp.hidden = runs || state.cutOff !== true;
    this.#forget.hidden = this.#takeUp.hidden;
    this.#again.hidden = state.phase !== 'ended' && state.phase !== 'failed';
  }
}

/** What a cycle goes on with while it runs, and what came of that. */
function takenUpText({ takenUp, report }: PanelModel): string {
  if (report?.takenUp !== undefined && report.takenUp.fixes > 0) return provenAgainText(report.takenUp);
  return takenUp === undefined ? '' : `${goesOnText(takenUp)} These are proven again first.`;
}

function show(line: HTMLElement, text: string): void {
  setText(line, text);
  line.hidden = text === '';
}

const svg = 'http://www.w3.org/2000/svg';

/** An SVG: its lengths are attributes, which no policy takes for inline styles. */
class RateBar {
  readonly element: HTMLElement;
  readonly #bar = document.createElementNS(svg, 'svg');
  readonly #all = document.createElementNS(svg, 'rect');
  readonly #reviewed = document.createElementNS(svg, 'rect');
  readonly #target = document.createElementNS(svg, 'rect');
  readonly #text = element('span', {});
  readonly #goal = element('span', { class: 'hint' });

  constructor() {
    this.#bar.setAttribute('class', 'bar');
    this.#bar.setAttribute('aria-hidden', 'true');
    for (const [part, name] of [
      [this.#all, 'all'],
      [this.#reviewed, 'reviewed'],
      [this.#target, 'target'],
    ] as const) {
      part.setAttribute('class', name);
      part.setAttribute('height', '100%');
    }
    this.#target.setAttribute('width', '2');
    this.#bar.append(this.#all, this.#reviewed, this.#target);
    this.element = element('div', { class: 'rate' }, this.#bar, element('p', {}, this.#text, this.#goal));
  }

  update({ all, reviewed }: Rates, target: number): void {
    this.element.hidden = all === null;
    if (all === null) return;
    const sure = reviewed ?? all;
    this.#all.setAttribute('width', `${all}%`);
    this.#reviewed.setAttribute('width', `${sure}%`);
    this.#target.setAttribute('x', `${target}%`);
    this.#target.setAttribute('visibility', target > 0 && target < 100 ? 'visible' : 'hidden');
    setText(
      this.#text,
      `Pass rate ${percent(sure)}${sure === all ? '' : `, ${percent(all)} with unreviewed expectations`}`,
    );
    setText(this.#goal, ` · target ${percent(target)}`);
  }
}
