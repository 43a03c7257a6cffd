// The changes of the workspace as the sandbox has them: read once until something is written there, and then no more than that.
import { throwIfCancelled } from '../base/humanError.ts';
import {
  noChanges,
  readSourceChanges,
  type SourceChanges,
  type SourceChangesRequest,
} from '../diagnosis/sourceChanges.ts';

export class ChangesNow {
  readonly #request: Omit<SourceChangesRequest, 'graph'> & { readonly signal: AbortSignal };
  #now: Promise<SourceChanges> | undefined;
  #last: SourceChanges | undefined;

  constructor(request: Omit<SourceChangesRequest, 'graph'> & { readonly signal: AbortSignal }) {
    this.#request = request;
  }

  /** Where they cannot be read they say why they are empty; throws only when cancelled. */
  read(graph: SourceChangesRequest['graph']): Promise<SourceChanges> {
    this.#now ??= this.#readWith(graph).catch((error: unknown) => {
      throwIfCancelled(this.#request.signal);
      return noChanges(`the changes cannot be read: ${String(error)}`);
    });
    return this.#now;
  }

  /** Files are others now. */
  forget(): void {
    this.#now = undefined;
  }

  async #readWith(graph: SourceChangesRequest['graph']): Promise<SourceChanges> {
    const again = await this.#last?.readAgain?.(graph);
    this.#last = again ?? (await readSourceChanges({ ...this.#request, graph }));
    return this.#last;
  }
}
