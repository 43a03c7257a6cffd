// Tells a screen reader how things stand, politely: the last of many changes, with a pause in between.
import { element, setText } from './dom.ts';

/** At least this time between two announcements, ms. */
const pauseMs = 3_000;

export class Announcer {
  readonly element = element('div', {
    class: 'unseen',
    attributes: { role: 'status', 'aria-live': 'polite' },
  });
  #waiting: string | undefined;
  #last = '';
  #timer: number | undefined;

  say(text: string): void {
    if (text === '' || text === this.#last) {
      this.#waiting = undefined;
      return;
    }
    this.#waiting = text;
    if (this.#timer === undefined) this.#tell();
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#waiting === undefined) return;
    this.#last = this.#waiting;
    this.#waiting = undefined;
    setText(this.element, this.#last);
    this.#timer = window.setTimeout(() => this.#tell(), pauseMs);
  }
}
