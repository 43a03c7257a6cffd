// The head of the panel: where the cycle stands, the pass rate, what was applied, and what can be done about the cycle.
import { button, element, setText } from './dom.ts';
import type { FromPanel, PanelState } from './messages.ts';
import type { PanelModel } from './panelModel.ts';
import {
  appliedText,
  percent,
  ratesOf,
  sentenceOf,
  standingOf,
  type Rates,
  type Standing,
} from './standing.ts';

const marks: Record<Standing['tone'], string> = { good: '✔', bad: '✖', attention: '●', neutral: '' };

/** Made once and kept in step, so that its buttons keep the focus. */
export class Header {
  readonly element: HTMLElement;
  readonly #folder = element('p', { class: 'folder' });
  readonly #mark = element('span', { attributes: { 'aria-hidden': 'true' } });
  readonly #title = element('span', {});
  readonly #reason = element('p', { class: 'hint' });
  readonly #step = element('p', { class: 'hint' });
  readonly #rate = new RateBar();
  readonly #applied = element('p', { class: 'applied' });
  readonly #message = element('p', {});
  readonly #stop: HTMLElement;
  readonly #again: HTMLElement;

  constructor(send: (message: FromPanel) => void) {
    this.#stop = button('Stop', () => send({ type: 'stop' }));
    this.#again = button('Run again', () => send({ type: 'restart' }), { class: 'secondary' });
    this.element = element(
      'header',
      {},
      this.#folder,
      element('h1', {}, this.#mark, this.#title),
      this.#reason,
      this.#step,
      this.#rate.element,
      this.#applied,
      this.#message,
      element(
        'p',
        { class: 'actions' },
        this.#stop,
        this.#again,
        button('Show log', () => send({ type: 'showLog' }), { class: 'link' }),
      ),
    );
  }

  update(model: PanelModel, state: PanelState): void {
    const standing = standingOf(model, state);
    const runs = state.phase === 'running' || state.phase === 'starting';
    setText(this.#folder, `${state.folder}${model.preset === '' ? '' : ` · preset ${model.preset}`}`);
    setText(this.#mark, marks[standing.tone]);
    this.#mark.className = `mark ${standing.tone}`;
    setText(this.#title, standing.text);
    this.element.dataset['phase'] = state.phase;
    show(this.#reason, runs && model.current !== undefined ? model.current.reason : '');
    show(this.#step, runs && model.current !== undefined ? sentenceOf(model.progress) : '');
    this.#rate.update(ratesOf(model, state.decisions), model.targetPassRate);
    show(this.#applied, appliedText(model, state));
    this.#message.className = `message ${state.message?.level ?? 'info'}`;
    show(this.#message, state.message?.text ?? '');
    this.#stop.hidden = !runs;
    this.#again.hidden = state.phase !== 'ended' && state.phase !== 'failed';
  }
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
