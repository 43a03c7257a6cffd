// A process that is started before it is needed, waits for one task, does it, and ends.
import { Duplex } from 'node:stream';
import { realPathOr } from '../base/paths.ts';
import {
  followProcess,
  startProcess,
  type ProcessRequest,
  type ProcessResult,
  type StartedProcess,
} from './runProcess.ts';

/** One that does not answer within this time is given up, ms; one that was just started has as long as node takes on a busy machine. */
const answerMs = 1_000;
const startMs = 5_000;

export class SpareProcess {
  readonly #started: StartedProcess;
  readonly #startedAt = performance.now();
  readonly #command: string;
  #isGone = false;

  /** Throws for arguments that no system takes. */
  constructor(start: Pick<ProcessRequest, 'command' | 'args' | 'cwd' | 'env'>) {
    this.#command = start.command;
    this.#started = startProcess(start);
    void this.#started.exited.then(() => (this.#isGone = true));
    void this.#started.failed.then(() => (this.#isGone = true));
    // Neither the process nor its pipes keep us alive; a pipe that breaks tells what the exit tells.
    const { child } = this.#started;
    child.unref();
    for (const pipe of child.stdio.slice(1)) {
      pipe?.on('error', () => undefined);
      if (pipe && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
    }
  }

  /**
   * Hands the task over and follows it to its end, as runProcess does. Not begun is what a process does that is dead or silent
   * (`gone`), or that turns out to be another program than its command, which then only chooses one (`other`); neither lives on.
   */
  async run(task: unknown, request: ProcessRequest): Promise<ProcessResult | 'gone' | 'other'> {
    const { child } = this.#started;
    const pipe = child.stdio[3];
    if (this.#isGone || child.pid === undefined || !(pipe instanceof Duplex)) {
      this.dispose();
      return 'gone';
    }
    pipe.write(`${JSON.stringify(task)}\n`);
    const answer = await this.#answer(pipe, request.signal);
    // From here on somebody waits for it, if only for its end: an event loop without it would end us first.
    child.ref();
    if (answer === undefined || realPathOr(answer) !== realPathOr(this.#command)) {
      this.dispose();
      await Promise.race([this.#started.exited, this.#started.failed]);
      return answer === undefined ? 'gone' : 'other';
    }
    pipe.write(`\n${request.secret ?? ''}\n`);
    return followProcess(this.#started, request);
  }

  /** Ends it; it has run nothing that needs a farewell. */
  dispose(): void {
    const { child } = this.#started;
    if (!this.#isGone) child.kill('SIGKILL');
    for (const pipe of child.stdio) pipe?.destroy();
  }

  /** The first line it says; undefined when it ends, or says nothing in time. */
  #answer(pipe: Duplex, signal: AbortSignal | undefined): Promise<string | undefined> {
    return new Promise((resolve) => {
      let text = '';
      const settle = (answer: string | undefined): void => {
        clearTimeout(timer);
        pipe.off('data', read).pause();
        signal?.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      const giveUp = (): void => settle(undefined);
      const read = (chunk: Buffer): void => {
        text += chunk.toString();
        if (text.endsWith('\n')) settle(text.slice(0, -1));
      };
      const timer = setTimeout(giveUp, Math.max(answerMs, this.#startedAt + startMs - performance.now()));
      pipe.on('data', read).once('close', giveUp);
      signal?.addEventListener('abort', giveUp, { once: true });
      void this.#started.exited.then(giveUp);
    });
  }
}
