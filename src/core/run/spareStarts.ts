// Starts the processes of runs, and keeps one waiting for the next run where a framework has a way to wait: an edit is run at once.
import { statSync } from 'node:fs';
import { runProcess, type ProcessRequest, type ProcessResult } from '../process/runProcess.ts';
import { SpareProcess } from '../process/spareProcess.ts';
import { userEnvironment } from '../process/userEnvironment.ts';
import type { Launch } from '../frameworks/framework.ts';

/** A spare that nobody needed for so long ends, ms. */
const defaultIdleMs = 5 * 60_000;
/** The results are on their way before the next spare takes its share of the machine, ms. */
const breatherMs = 20;

/** How a process is started that waits. */
export type SpareStart = Pick<Required<ProcessRequest>, 'command' | 'args' | 'cwd' | 'env'>;

export class SpareStarts {
  readonly #idleMs: number;
  /** What the last run of such a launch was started like. */
  #wanted: SpareStart | undefined;
  #spare: { readonly process: SpareProcess; readonly key: string } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Commands that start another program each time, by the folder for instance: what they start does not wait. */
  readonly #choosers = new Set<string>();

  constructor(idleMs: number = defaultIdleMs) {
    this.#idleMs = idleMs;
  }

  /** Runs a launch as runProcess does: in the process that waits, when there is one and it is what would be started now. */
  readonly start = async (request: ProcessRequest, { spare: way }: Launch): Promise<ProcessResult> => {
    const { command, cwd } = request;
    const { env = {} } = request;
    if (way === undefined || way.isLoaded || request.signal?.aborted) return runProcess(request);
    const start = { command, args: way.args, cwd, env };
    if (!canWait(start) || this.#choosers.has(command)) return runProcess(request);
    this.#wanted = start;
    const spare = this.#take(keyOf(start));
    if (spare === undefined) return runProcess(request);
    const result = await spare.run({ ...way.task, cwd }, request);
    if (typeof result === 'object') return result;
    if (result === 'other') this.#choosers.add(command);
    return runProcess(request);
  };

  /** Starts the process that waits for the next run like the last, a moment from now; call it when the runs have ended. */
  prepare(): void {
    const start = this.#wanted;
    if (start === undefined || this.#spare !== undefined || this.#choosers.has(start.command)) return;
    this.#later(breatherMs, () => {
      try {
        this.#spare = { process: startSpare(start), key: keyOf(start) };
        this.#later(this.#idleMs, () => this.#take(undefined));
      } catch {
        // The next run says why nothing can be started.
      }
    });
  }

  /** Ends the process that waits; there is another one after the next run. */
  dispose(): void {
    this.#wanted = undefined;
    clearTimeout(this.#timer);
    this.#take(undefined);
  }

  /** The process that waits, out of here; ended when it is not what `key` asks for. */
  #take(key: string | undefined): SpareProcess | undefined {
    clearTimeout(this.#timer);
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare?.key === key) return spare?.process;
    spare?.process.dispose();
    return undefined;
  }

  #later(ms: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, ms);
    this.#timer.unref();
  }
}

/** Throws for arguments that no system takes. */
export function startSpare(start: SpareStart): SpareProcess {
  return new SpareProcess({ ...start, env: { ...start.env, TESTMEND_CHANNEL: '3', TESTMEND_SPARE: '' } });
}

/** Everything of a start that a process cannot be told later; the folder it can. */
export function keyOf(start: SpareStart): string {
  return JSON.stringify([start.command, changeOf(start.command), start.args, environmentOf(start)]);
}

function environmentOf({ env }: SpareStart): Readonly<Record<string, string>> {
  return { ...userEnvironment(process.env), ...env };
}

/** When the program was last replaced, ms since 1970. */
function changeOf(program: string): number {
  return statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Options of node that load nothing of the user's and take no port. */
const harmless =
  /^(?:--max[-_]old[-_]space[-_]size=\d+|--(?:no-)?(?:warnings|deprecation)|--enable-source-maps)?$/;

/** Nothing of the user is loaded while a process waits: not where their options preload something. Pipes of Windows have not been tried. */
export function canWait(start: SpareStart): boolean {
  const options = environmentOf(start)['NODE_OPTIONS'] ?? '';
  return process.platform !== 'win32' && options.split(/\s+/).every((option) => harmless.test(option));
}
