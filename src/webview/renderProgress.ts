// How far a cycle is while it runs: its steps, n of m, the files that run, the time that passed and what is left of it.
import type { CycleEvent, CyclePhase } from '../core/model/cycle.ts';
import { countText, leftText } from '../core/model/progressText.ts';
import { element, setText } from './dom.ts';
import type { PanelState } from './messages.ts';
import type { PanelModel } from './panelModel.ts';
import { sentenceOf } from './standing.ts';

/** What a person needs to tell apart, in the order in which a cycle comes to it. */
const steps: readonly { readonly name: string; readonly phases: readonly CyclePhase[] }[] = [
  { name: 'Get ready', phases: ['looking', 'copying'] },
  { name: 'First run', phases: ['first-run', 'copy-run'] },
  { name: 'Values', phases: ['recording'] },
  { name: 'Fixes', phases: ['asking', 'comparing'] },
  { name: 'Proof', phases: ['proving'] },
  { name: 'Last run', phases: ['suite', 'coverage'] },
];

/** The time is shown anew after this, ms; it is never read aloud by itself. */
const tickMs = 1_000;
const svg = 'http://www.w3.org/2000/svg';

/** Made once and kept in step. */
export class ProgressView {
  readonly element: HTMLElement;
  readonly #steps = steps.map(({ name }) => element('li', {}, name));
  readonly #text = element('p', { class: 'step' });
  readonly #bar = element('div', { class: 'progress', attributes: { role: 'progressbar' } });
  readonly #filled = document.createElementNS(svg, 'rect');
  readonly #time = element('p', { class: 'hint time' });
  readonly #running = element('p', { class: 'hint running' });
  #step: Extract<CycleEvent, { type: 'progress' }> | undefined;
  #toldAt = 0;
  /** The step in which files were told last. */
  #runningIn: CyclePhase | undefined;
  #startedAt: number | undefined;
  #timer: number | undefined;

  constructor() {
    const drawn = document.createElementNS(svg, 'svg');
    drawn.setAttribute('class', 'bar');
    drawn.setAttribute('aria-hidden', 'true');
    this.#filled.setAttribute('class', 'done');
    this.#filled.setAttribute('height', '100%');
    drawn.append(this.#filled);
    this.#bar.append(drawn);
    const list = element('ol', { class: 'steps', attributes: { 'aria-label': 'Steps' } }, ...this.#steps);
    this.element = element('div', { class: 'going' }, list, this.#text, this.#time, this.#bar, this.#running);
  }

  update({ step, current, progress }: PanelModel, state: PanelState): void {
    const runs = state.phase === 'running' || state.phase === 'starting' || state.phase === 'stopping';
    this.element.hidden = !runs;
    if (step !== this.#step) this.#toldAt = Date.now();
    this.#step = step;
    this.#startedAt = state.recording === undefined ? state.startedAt : undefined;
    this.#tickWhile(runs && this.#startedAt !== undefined);
    if (!runs) return;
    // Before the first iteration it is the headline.
    show(this.#text, current === undefined ? '' : sentenceOf(progress));
    this.#showSteps(step?.phase);
    this.#showBar();
    this.#showTime();
    // Between two files the last stay, and what is not counted keeps its place: nothing below may jump.
    const files = step?.running ?? [];
    if (files.length > 0) setText(this.#running, `Now: ${files.join(', ')}`);
    this.#running.classList.toggle('idle', files.length === 0 && step?.phase !== this.#runningIn);
    if (files.length > 0) this.#runningIn = step?.phase;
  }

  #showSteps(phase: CyclePhase | undefined): void {
    // Before anything is told, the engine starts.
    const at = phase === undefined ? 0 : steps.findIndex(({ phases }) => phases.includes(phase));
    for (const [index, item] of this.#steps.entries()) {
      item.className = index < at ? 'done' : index === at ? 'now' : '';
      if (index === at) item.setAttribute('aria-current', 'step');
      else item.removeAttribute('aria-current');
    }
  }

  #showBar(): void {
    const { done = 0, total } = this.#step ?? {};
    const isCounted = total !== undefined && total > 1;
    this.#bar.classList.toggle('idle', !isCounted);
    if (!isCounted) return;
    this.#filled.setAttribute('width', `${Math.round((100 * done) / total)}%`);
    this.#bar.setAttribute('aria-label', sentenceOf(this.#step?.text ?? ''));
    this.#bar.setAttribute('aria-valuemax', `${total}`);
    this.#bar.setAttribute('aria-valuenow', `${done}`);
  }

  #showTime(): void {
    const passed = this.#startedAt === undefined ? '' : elapsedText(Date.now() - this.#startedAt);
    const { leftMs } = this.#step ?? {};
    const left = leftMs === undefined || passed === '' ? '' : leftText(leftMs - (Date.now() - this.#toldAt));
    const parts = [countText(this.#step ?? {}), passed, left].filter((part) => part !== '');
    show(this.#time, parts.join(' · '));
  }

  #tickWhile(runs: boolean): void {
    if (runs) this.#timer ??= window.setInterval(() => this.#showTime(), tickMs);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}

/** `4 s`, `1 min 05 s` */
function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

function show(line: HTMLElement, text: string): void {
  setText(line, text);
  line.hidden = text === '';
}
