// Debugs the processes of a run when the engine asks for it: one session for each, with the run that it belongs to.
import * as vscode from 'vscode';
import { errorMessage } from '../../core/base/humanError.ts';
import type { DebugEnd, DebugSession } from '../../core/model/debugSession.ts';
import { editorNotifications, editorRequests, type DebugParams } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { debugConfiguration, debuggers, type Debugger } from './debugConfiguration.ts';
import { tell } from '../tell.ts';

/** Key of a configuration by which its session is known again. */
const sessionKey = 'testmendSession';

export class DebugSessions implements vscode.Disposable {
  readonly #engine: EngineClient;
  readonly #runs = new Map<string, { readonly run: vscode.TestRun; readonly folder: string }>();
  readonly #sessions = new Map<string, FollowedSession>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(engine: EngineClient) {
    this.#engine = engine;
    engine.serve(editorRequests.debug, (params, token) => this.#debug(params, token));
    const followed = (session: vscode.DebugSession): FollowedSession | undefined =>
      session.parentSession === undefined
        ? this.#sessions.get(String(session.configuration[sessionKey]))
        : undefined;
    this.#subscriptions = [
      vscode.debug.onDidStartDebugSession((session) => followed(session)?.started(session)),
      vscode.debug.onDidTerminateDebugSession((session) => followed(session)?.terminated()),
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => this.#trackerOf(session),
      }),
      // An engine that died reads no results any more.
      engine.onStopped(() => this.#sessions.forEach((session) => session.stop())),
    ];
  }

  /** While it is not disposed, sessions for the run are the user's run in that folder (absolute). */
  register(runId: string, run: vscode.TestRun, folder: string): vscode.Disposable {
    this.#runs.set(runId, { run, folder });
    return { dispose: () => this.#runs.delete(runId) };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const session of this.#sessions.values()) session.stop();
  }

  async #debug(
    { runId, sessionId, session }: DebugParams,
    token: vscode.CancellationToken,
  ): Promise<DebugEnd> {
    const own = this.#runs.get(runId);
    if (own === undefined || token.isCancellationRequested) return { ended: 'cancelled', exitCode: null };
    const missing = explainMissing(debuggers[session.language]);
    if (missing !== undefined) return { ended: 'not-started', exitCode: null, error: missing };
    const followed = new FollowedSession();
    this.#sessions.set(sessionId, followed);
    const listener = token.onCancellationRequested(() => followed.stop());
    try {
      const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(own.folder));
      const configuration = { ...debugConfiguration(session, process.env), [sessionKey]: sessionId };
      const started = await vscode.debug.startDebugging(folder, configuration, {
        testRun: own.run,
        suppressSaveBeforeStart: true,
      });
      // A session that ended at once was started too, whatever the editor says of it.
      if (!started && !followed.hasStarted) return notStarted(session, 'VS Code did not start the debugger.');
      return await followed.end;
    } catch (error) {
      return notStarted(session, errorMessage(error));
    } finally {
      listener.dispose();
      this.#sessions.delete(sessionId);
    }
  }

  /** What the processes of a session print, also in its child sessions, and how the first of them exits. */
  #trackerOf(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    let top = session;
    while (top.parentSession !== undefined) top = top.parentSession;
    const sessionId = String(top.configuration[sessionKey]);
    const followed = this.#sessions.get(sessionId);
    if (followed === undefined) return undefined;
    return {
      onDidSendMessage: (message: unknown) => {
        const event = readEvent(message);
        if (event?.name === 'exited' && session === top) followed.exitCode = event.exitCode;
        if (event?.name !== 'output') return;
        const { stream, text } = event;
        this.#engine.tell(editorNotifications.debugOutput, { sessionId, stream, text });
      },
    };
  }
}

/** A session from the request to start it until it is gone. */
class FollowedSession {
  exitCode: number | null = null;
  readonly end: Promise<DebugEnd>;
  #end: (end: DebugEnd) => void = () => undefined;
  #session: vscode.DebugSession | undefined;
  #stopped = false;

  constructor() {
    this.end = new Promise((resolve) => (this.#end = resolve));
  }

  get hasStarted(): boolean {
    return this.#session !== undefined;
  }

  started(session: vscode.DebugSession): void {
    this.#session = session;
    if (this.#stopped) this.stop();
  }

  terminated(): void {
    this.#end({ ended: this.#stopped ? 'cancelled' : 'exited', exitCode: this.exitCode });
  }

  /** Ends it now, or as soon as it has started. */
  stop(): void {
    this.#stopped = true;
    if (this.#session) void vscode.debug.stopDebugging(this.#session);
  }
}

type AdapterEvent =
  | { readonly name: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly name: 'exited'; readonly exitCode: number | null };

/** Events of the Debug Adapter Protocol that concern a run. */
function readEvent(message: unknown): AdapterEvent | undefined {
  const { type, event, body } = record(message);
  if (type !== 'event') return undefined;
  const { category, output, exitCode } = record(body);
  if (event === 'exited') return { name: 'exited', exitCode: typeof exitCode === 'number' ? exitCode : null };
  if (event !== 'output' || typeof output !== 'string') return undefined;
  return category === 'stdout' || category === 'stderr'
    ? { name: 'output', stream: category, text: output }
    : undefined;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** A sentence when the extension with the debugger is not there, and an offer to look for it. */
function explainMissing({ language, extension: { id, name } }: Debugger): string | undefined {
  if (vscode.extensions.getExtension(id) !== undefined) return undefined;
  const text = `debugging ${language} tests needs the extension "${name}" (${id}), which is not installed or not enabled.`;
  void tell
    .error(`Testmend: ${text[0]?.toUpperCase()}${text.slice(1)}`, 'Show Extension')
    .then((choice) => choice && vscode.commands.executeCommand('workbench.extensions.search', `@id:${id}`));
  return text;
}

function notStarted({ label }: DebugSession, reason: string): DebugEnd {
  return { ended: 'not-started', exitCode: null, error: `the debugger did not start ${label}: ${reason}` };
}
