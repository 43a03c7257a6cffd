// Serves the requests of the contract: parameters are parsed, cancellation becomes an AbortSignal, refusals keep their remedy.
import {
  LSPErrorCodes,
  ResponseError,
  type CancellationToken,
  type Connection,
} from 'vscode-languageserver/node';
import { CutOff } from '../core/base/cutOff.ts';
import { HumanError, remedyWith } from '../core/base/humanError.ts';
import type { RequestContract } from './messages.ts';

/** Work in progress that ends with the engine. */
export class ActiveWork {
  readonly #work = new Map<AbortController, Promise<unknown>>();

  /** Runs `work` with a signal that aborts with `token` and with `end()`. */
  async run<T>(token: CancellationToken | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const listener = token?.onCancellationRequested(() => controller.abort());
    if (token?.isCancellationRequested) controller.abort();
    const promise = work(controller.signal);
    this.#work.set(controller, promise);
    try {
      return await promise;
    } finally {
      this.#work.delete(controller);
      listener?.dispose();
    }
  }

  /** Aborts everything and waits for it, at most `graceMs`. */
  async end(graceMs: number): Promise<void> {
    const running = [...this.#work.values()];
    for (const controller of this.#work.keys()) controller.abort(new CutOff());
    await Promise.race([
      Promise.allSettled(running),
      new Promise((resolve) => setTimeout(resolve, graceMs).unref()),
    ]);
  }
}

/** Answers one request of the contract. */
export function serveRequest<P, R>(
  connection: Connection,
  active: ActiveWork,
  contract: RequestContract<P, R>,
  handler: (params: P, signal: AbortSignal) => Promise<R>,
): void {
  connection.onRequest(contract.method, async (params: unknown, token: CancellationToken) => {
    const parsed = contract.params.safeParse(params);
    if (!parsed.success)
      return new ResponseError(LSPErrorCodes.RequestFailed, `${contract.method}: ${parsed.error.message}`);
    try {
      return await active.run(token, (signal) => handler(parsed.data, signal));
    } catch (error) {
      return toResponseError(error);
    }
  });
}

/** A refusal with its remedy; anything else is a bug and keeps its stack for the log. */
function toResponseError(error: unknown): ResponseError<unknown> {
  if (error instanceof HumanError) {
    const { code, details } = error;
    return new ResponseError(LSPErrorCodes.RequestFailed, error.message, {
      code,
      remedy: remedyWith(error, { copy: 'the setting testmend.fix.sandbox' }),
      ...(details.file === undefined ? {} : { file: details.file }),
    });
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new ResponseError(LSPErrorCodes.RequestFailed, text);
}
