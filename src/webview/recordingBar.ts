// Above a recorded cycle: which file it is, and the steps through its events.
import { button, element, setResting, setText } from './dom.ts';
import type { PanelState } from './messages.ts';

/** A recording plays at most this long, and each event is seen at most and at least so long, ms. */
const pace = { whole: 20_000, most: 800, least: 60 };

const figureSpace = '\u2007';

export interface Step {
  /** From 1. */
  readonly step: number;
  readonly length: number;
  /** What happened in it. */
  readonly text: string;
}

/** Made once and kept in step, so that its controls keep the focus. */
export class RecordingBar {
  readonly banner = element('p', { class: 'banner' });
  readonly stepper: HTMLElement;
  readonly #slider = document.createElement('input');
  readonly #play: HTMLElement;
  readonly #back: HTMLElement;
  readonly #on: HTMLElement;
  readonly #count = element('span', { class: 'count' });
  readonly #text = element('p', { class: 'hint' });
  readonly #show: (step: number) => void;
  #step: Step = { step: 1, length: 1, text: '' };
  #timer: number | undefined;

  /** `show` is called with the step that the user wants to see. */
  constructor(show: (step: number) => void) {
    this.#show = show;
    this.#back = button('‹', () => this.#goByHand(this.#step.step - 1), named('Previous event'));
    this.#on = button('›', () => this.#goByHand(this.#step.step + 1), named('Next event'));
    this.#play = button('Play', () => this.#toggle(), { class: 'play secondary' });
    this.#slider.type = 'range';
    this.#slider.min = '1';
    this.#slider.setAttribute('aria-label', 'Event of the recording');
    this.#slider.addEventListener('input', () => this.#goByHand(Number(this.#slider.value)));
    this.stepper = element(
      'div',
      { class: 'stepper', attributes: { role: 'group', 'aria-label': 'Steps of the recording' } },
      this.#back,
      this.#on,
      this.#play,
      this.#slider,
      this.#count,
      this.#text,
    );
  }

  update(recording: PanelState['recording'], step: Step | undefined): void {
    this.banner.hidden = recording === undefined;
    this.stepper.hidden = recording === undefined || step === undefined;
    if (recording === undefined || step === undefined) return this.#pause();
    this.#step = step;
    setText(this.banner, bannerText(recording));
    this.#slider.max = String(step.length);
    this.#slider.value = String(step.step);
    this.#slider.setAttribute('aria-valuetext', spokenStep(step));
    const length = step.length.toLocaleString('en');
    // As wide for the first as for the last, so that the slider keeps its place.
    const now = step.step.toLocaleString('en').padStart(length.length, figureSpace);
    setText(this.#count, `Event ${now} of ${length}`);
    setText(this.#text, step.text);
    setResting(this.#back, step.step === 1);
    setResting(this.#on, step.step === step.length);
  }

  #goByHand(step: number): void {
    this.#pause();
    this.#go(step);
  }

  #go(step: number): void {
    this.#step = { ...this.#step, step };
    this.#show(step);
  }

  #toggle(): void {
    if (this.#timer !== undefined) return this.#pause();
    const { step, length } = this.#step;
    if (step === length) this.#go(1);
    const wait = Math.max(pace.least, Math.min(pace.most, pace.whole / length));
    this.#timer = window.setInterval(() => this.#tick(), wait);
    setText(this.#play, 'Pause');
  }

  #tick(): void {
    const { step, length } = this.#step;
    // It is not shown to whoever wants nothing to move.
    const isOffered = this.#play.getClientRects().length > 0;
    if (step < length && isOffered) this.#go(step + 1);
    if (step + 1 >= length || !isOffered) this.#pause();
  }

  #pause(): void {
    window.clearInterval(this.#timer);
    this.#timer = undefined;
    setText(this.#play, 'Play');
  }
}

/** `Event 12 of 48: Verified: expect 'Hello'` */
export function spokenStep({ step, length, text }: Step): string {
  return `Event ${step} of ${length}: ${text}`;
}

function bannerText({ file, root, missing }: NonNullable<PanelState['recording']>): string {
  const told = `Recording ${file} of a cycle in ${root}. Nothing runs, and nothing can be applied from here.`;
  return missing === undefined ? told : `${told} ${missing}`;
}

const named = (name: string): { class: string; title: string; attributes: Record<string, string> } => ({
  class: 'secondary',
  title: name,
  attributes: { 'aria-label': name },
});
