// Starts the processes of runs that follow upon each other: while one runs, the next starts, and loads its framework.
import { runProcess, type ProcessRequest, type ProcessResult } from '../process/runProcess.ts';
import type { SpareProcess } from '../process/spareProcess.ts';
import type { Launch, SpareWay } from '../frameworks/framework.ts';
import { canWait, keyOf, startSpare, type SpareStart } from './spareStarts.ts';

/** Every run has a process of its own, as without this; only its start is earlier. */
export class AheadStarts {
  #spare: { readonly process: SpareProcess; readonly key: string } | undefined;
  /** A command that starts another program, by the folder for instance, starts none ahead. */
  readonly #choosers = new Set<string>();
  #isOver = false;

  /** Runs a launch as runProcess does: in the process that waits, when it is what would be started now. */
  readonly start = async (request: ProcessRequest, { spare: way }: Launch): Promise<ProcessResult> => {
    if (way === undefined || request.signal?.aborted) return runProcess(request);
    const { command, cwd, env = {} } = request;
    const [own, others] = divided(env, way);
    const start = { command, args: way.args, cwd, env: others };
    if (!canWait(start) || this.#choosers.has(command)) return runProcess(request);
    const spare = this.#take(keyIn(start));
    if (way.nextFolder !== undefined) this.#prepare({ ...start, cwd: way.nextFolder });
    const result = await spare?.run({ ...way.task, cwd, env: own }, request);
    if (typeof result === 'object') return result;
    if (result === 'other') this.#choosers.add(command);
    return runProcess(request);
  };

  /** Ends the process that waits, for good. */
  dispose(): void {
    this.#isOver = true;
    this.#spare?.process.dispose();
    this.#spare = undefined;
  }

  #prepare(start: SpareStart): void {
    if (this.#spare !== undefined || this.#isOver) return;
    try {
      this.#spare = { process: startSpare(start), key: keyIn(start) };
    } catch {
      // The next run says why nothing can be started.
    }
  }

  /** Out of here, if it is what the key asks for; another one waits on. */
  #take(key: string): SpareProcess | undefined {
    const spare = this.#spare;
    if (spare?.key !== key) return undefined;
    this.#spare = undefined;
    return spare.process;
  }
}

const keyIn = (start: SpareStart): string => JSON.stringify([start.cwd, keyOf(start)]);

/** What we tell our own code, if it is told that later, with the PATH of the folder, and the rest. */
function divided(
  env: Readonly<Record<string, string>>,
  { isLoaded }: SpareWay,
): readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>] {
  const isOwn = (name: string): boolean => isLoaded === true && /^(?:TESTMEND_.*|path)$/i.test(name);
  const of = (own: boolean): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(env).filter(([name]) => isOwn(name) === own));
  return [of(true), of(false)];
}
