// Has the editor debug a process of a run: asks it to start a session, and hears what the process prints.
import { randomUUID } from 'node:crypto';
import { CancellationTokenSource, type Connection } from 'vscode-languageserver/node';
import { errorMessage } from '../core/base/humanError.ts';
import type { DebugEnd, RunSession } from '../core/model/debugSession.ts';
import { editorNotifications, editorRequests } from './messages.ts';

export class EditorDebugger {
  readonly #connection: Connection;
  /** Who hears the output of which session. */
  readonly #listeners = new Map<string, (stream: 'stdout' | 'stderr', text: string) => void>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onNotification(editorNotifications.debugOutput.method, (params: unknown) => {
      const { data } = editorNotifications.debugOutput.params.safeParse(params);
      if (data) this.#listeners.get(data.sessionId)?.(data.stream, data.text);
    });
  }

  /** Sessions of one run, which the editor knows by its id. An editor that cannot debug is told in the end of the session. */
  sessionsOf(runId: string): RunSession {
    return async (session, onOutput, signal) => {
      const sessionId = randomUUID();
      const cancel = new CancellationTokenSource();
      const onAbort = (): void => cancel.cancel();
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#listeners.set(sessionId, onOutput);
      try {
        const { method, params, result } = editorRequests.debug;
        const asked = params.parse({ runId, sessionId, session });
        const end = result.parse(await this.#connection.sendRequest(method, asked, cancel.token));
        return signal?.aborted ? { ...end, ended: 'cancelled' } : end;
      } catch (error) {
        const ended: DebugEnd['ended'] = signal?.aborted ? 'cancelled' : 'not-started';
        return { ended, exitCode: null, error: errorMessage(error) };
      } finally {
        this.#listeners.delete(sessionId);
        signal?.removeEventListener('abort', onAbort);
        cancel.dispose();
      }
    };
  }
}
