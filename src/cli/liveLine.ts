// One line on stderr that shows what is going on, redrawn in place and gone at the end.
import { cutEnd, plainLine } from '../core/reports/paint.ts';
import type { Terminal } from './terminal.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Shows nothing where stderr is no terminal. */
export class LiveLine {
  readonly #terminal: Terminal;
  #timer: NodeJS.Timeout | undefined;
  #text: string | (() => string) = '';
  #frame = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** A text that often changes is asked for when it is drawn. */
  show(text: string | (() => string)): void {
    if (!this.#terminal.live) return;
    this.#text = text;
    if (this.#timer) return;
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), 80);
    this.#timer.unref();
  }

  /** Takes the line away, so that other text can be written. */
  clear(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    void this.#terminal.err('\r\u001b[K');
  }

  #draw(): void {
    this.#frame = (this.#frame + 1) % frames.length;
    const { errorPaint, width } = this.#terminal;
    const text = plainLine(typeof this.#text === 'string' ? this.#text : this.#text());
    void this.#terminal.err(
      `\r\u001b[K${errorPaint.cyan(frames[this.#frame] ?? '')} ${cutEnd(text, width - 3)}`,
    );
  }
}
