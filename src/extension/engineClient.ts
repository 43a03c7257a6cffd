// Starts the engine on first need, talks to it, and starts it again when it dies.
import path from 'node:path';
import * as vscode from 'vscode';
import * as lsp from 'vscode-languageclient/node';
import { errorMessage, HumanError } from '../core/base/humanError.ts';
import { scenarioFileGlobs } from '../core/model/scenarioFile.ts';
import {
  editorNotifications,
  engineNotifications,
  errorDataSchema,
  requests,
  type Configuration,
  type CycleEvents,
  type NotificationContract,
  type RequestContract,
  type RunEvents,
} from '../server/messages.ts';
import { deathMessage, Deaths } from './deaths.ts';
import { EngineEnded, engineNotStarted, engineStopped } from './engineEnded.ts';
import { workspaceRoots } from './folders.ts';
import { QuietClient } from './quietClient.ts';
import { rootSettings, setting } from './settings.ts';
import { tell } from './tell.ts';

/** What is asked without the user asking for it: its failure needs no message. */
const quietMethods: ReadonlySet<string> = new Set(
  [requests.listFiles, requests.discoverFiles, requests.lastResults].map(({ method }) => method),
);

export class EngineClient implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #runEvents = new vscode.EventEmitter<RunEvents>();
  readonly #cycleEvents = new vscode.EventEmitter<CycleEvents>();
  readonly #served = new Map<
    string,
    (params: unknown, token: vscode.CancellationToken) => Promise<unknown>
  >();
  readonly #stopped = new vscode.EventEmitter<void>();
  readonly #restarted = new vscode.EventEmitter<void>();
  readonly #deaths = new Deaths();
  /** Methods of the requests that wait for their answers. */
  readonly #waiting = new Set<{ readonly method: string }>();
  /** Methods of those that a lost connection answered; the news of the death comes after them. */
  #interrupted: string[] = [];
  #client: Promise<QuietClient> | undefined;
  /** The one behind `#client`; what becomes of any other concerns nobody. */
  #current: QuietClient | undefined;
  /** Why it is not started until the user says so. */
  #trouble: string | undefined;
  #isTellingTrouble = false;
  #disposed = false;

  readonly onRunEvents = this.#runEvents.event;
  readonly onCycleEvents = this.#cycleEvents.event;
  /** The engine died; whatever it was doing will not be answered. */
  readonly onStopped = this.#stopped.event;
  /** It is up again after a death. */
  readonly onRestarted = this.#restarted.event;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  get isStarted(): boolean {
    return this.#client !== undefined;
  }

  /** Starts the engine unless it runs; resolves when it answers. */
  async start(): Promise<void> {
    await this.#start();
  }

  /**
   * Asks the engine, starting it first when needed. Rejects with a HumanError when the engine says why it refuses,
   * and with EngineEnded, of which the user knows already, when it does not start or dies meanwhile.
   */
  async request<P, R>(
    contract: RequestContract<P, R>,
    params: P,
    token?: vscode.CancellationToken,
  ): Promise<R> {
    const client = await this.#start(!quietMethods.has(contract.method));
    const own = this.#client;
    let answer: unknown;
    const death = this.#death();
    const waiting = { method: contract.method };
    this.#waiting.add(waiting);
    try {
      answer = await Promise.race([client.sendRequest(contract.method, params, token), death.promise]);
    } catch (error) {
      if (error instanceof EngineEnded) throw error;
      if (isGone(error)) {
        // Of a death that was told already it is no news.
        if (this.#client === own) this.#interrupted.push(contract.method);
        throw engineStopped();
      }
      const data = errorDataSchema.safeParse(dataOf(error));
      if (!data.success) throw error;
      throw new HumanError(
        data.data.code,
        errorMessage(error),
        { remedy: data.data.remedy },
        { cause: error },
      );
    } finally {
      this.#waiting.delete(waiting);
      death.listener.dispose();
    }
    return contract.result.parse(answer);
  }

  /** Answers what the engine asks; to be said before the engine starts. */
  serve<P, R>(
    { method, params: schema }: RequestContract<P, R>,
    answer: (params: P, token: vscode.CancellationToken) => Promise<R>,
  ): void {
    this.#served.set(method, (params, token) => answer(schema.parse(params), token));
  }

  /** Tells the engine, while it runs. */
  tell<P>({ method }: NotificationContract<P>, params: P): void {
    void this.#client?.then((client) => client.sendNotification(method, params)).catch(() => undefined);
  }

  /** Tells a running engine what changed in settings, folders or trust; one that is not running hears it at its start. */
  async configure(): Promise<void> {
    if (this.#client === undefined) return;
    const client = await this.#client;
    await client.sendNotification(editorNotifications.configure.method, this.#configuration());
  }

  /** Ends it and starts it afresh, forgetting earlier deaths. */
  async restart(): Promise<void> {
    this.#deaths.forget();
    this.#trouble = undefined;
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    this.#current = undefined;
    if (client !== undefined) {
      await client.dispose();
      this.#stopped.fire();
    }
    await this.#start();
    this.#restarted.fire();
  }

  dispose(): void {
    this.#disposed = true;
    void this.#client?.then((client) => client.dispose()).catch(() => undefined);
    for (const emitter of [this.#runEvents, this.#cycleEvents, this.#stopped, this.#restarted])
      emitter.dispose();
  }

  /** Requests in flight are never answered once the connection is gone. */
  #death(): { readonly promise: Promise<never>; readonly listener: vscode.Disposable } {
    let listener: vscode.Disposable = { dispose: () => undefined };
    const promise = new Promise<never>((_, reject) => {
      listener = this.#stopped.event(() => reject(engineStopped()));
    });
    return { promise, listener };
  }

  async #start(isAsked = false): Promise<QuietClient> {
    if (this.#trouble !== undefined) {
      if (isAsked) void this.#tellTrouble(this.#trouble);
      throw engineNotStarted();
    }
    this.#client ??= this.#launch().catch((error: unknown) => {
      this.#client = undefined;
      this.#current = undefined;
      this.#log.error('The engine did not start.', errorMessage(error));
      // It may have been killed while it started: a death like any other.
      this.#tellDeath(
        { runs: 0, cycles: 0 },
        'Testmend: the engine did not start, so no tests are found or run.',
      );
      throw engineNotStarted();
    });
    return this.#client;
  }

  async #launch(): Promise<QuietClient> {
    const module = path.join(this.#context.extensionPath, 'dist', 'server.js');
    const trace = setting('trace');
    // What a process was started with can be read by all others of the user, tests and agents among them.
    const env = { TESTMEND_MODEL_KEY: undefined };
    const client = new QuietClient(
      'testmend',
      'Testmend',
      { module, transport: lsp.TransportKind.ipc, options: { cwd: this.#context.extensionPath, env } },
      {
        documentSelector: ['**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,py,go}', ...scenarioFileGlobs].map(
          (pattern) => ({ scheme: 'file', pattern }),
        ),
        outputChannel: this.#log,
        traceOutputChannel: this.#log,
        initializationOptions: this.#configuration(),
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: lsp.ErrorAction.Continue, handled: true }),
          closed: () => ({ action: lsp.CloseAction.DoNotRestart, handled: true }),
        },
      },
    );
    client.onNotification(engineNotifications.runEvents.method, (params: unknown) => {
      const parsed = engineNotifications.runEvents.params.safeParse(params);
      if (parsed.success) this.#runEvents.fire(parsed.data);
      else this.#log.error('The engine sent run events that could not be read.', parsed.error.message);
    });
    client.onNotification(engineNotifications.cycleEvents.method, (params: unknown) => {
      const parsed = engineNotifications.cycleEvents.params.safeParse(params);
      if (parsed.success) this.#cycleEvents.fire(parsed.data);
      else this.#log.error('The engine sent cycle events that could not be read.', parsed.error.message);
    });
    client.onNotification(engineNotifications.told.method, (params: unknown) => {
      const parsed = engineNotifications.told.params.safeParse(params);
      if (parsed.success) void tell.warning(withName(parsed.data.text));
    });
    for (const [method, answer] of this.#served) client.onRequest(method, answer);
    client.onDidChangeState((change) => {
      if (change.newState === lsp.State.Stopped) this.#died(client);
    });
    this.#current = client;
    const started = performance.now();
    await client.start();
    const detail = trace === 'verbose' ? lsp.Trace.Verbose : lsp.Trace.Messages;
    if (trace !== 'off') await client.setTrace(detail).catch(() => undefined);
    this.#log.info(`Engine started in ${Math.round(performance.now() - started)} ms.`);
    return client;
  }

  #died(client: QuietClient): void {
    if (this.#disposed || this.#current !== client) return;
    this.#client = undefined;
    this.#current = undefined;
    void client.dispose().catch(() => undefined);
    const asked = [...this.#interrupted, ...[...this.#waiting].map(({ method }) => method)];
    this.#interrupted = [];
    const runs = asked.filter((method) => method === requests.run.method).length;
    const cycles = asked.filter((method) => method === requests.startCycle.method).length;
    this.#log.error(`The engine stopped unexpectedly; ${asked.length} requests were waiting for it.`);
    this.#stopped.fire();
    this.#tellDeath(
      { runs, cycles },
      'Testmend: the engine keeps stopping, so it is no longer restarted automatically.',
    );
  }

  /** One message for each death, and the next start; after too many of them `lastWord` and no start. */
  #tellDeath(interrupted: { readonly runs: number; readonly cycles: number }, lastWord: string): void {
    if (this.#disposed) return;
    const delay = this.#deaths.note(Date.now());
    if (delay === undefined) {
      void this.#tellTrouble(lastWord);
      return;
    }
    const isInPlace = workspaceRoots().some(({ folder }) => setting('fix.sandbox', folder) === 'inPlace');
    void tell.warning(deathMessage({ ...interrupted, isInPlace }), 'Show Log').then((choice) => {
      if (choice !== undefined) this.#log.show();
    });
    setTimeout(() => void this.#startAgain(), delay);
  }

  async #startAgain(): Promise<void> {
    if (this.#disposed || this.#client !== undefined) return;
    await this.#start().then(
      () => this.#restarted.fire(),
      () => undefined,
    );
  }

  /** Says once what only the user can help with; everything that fails meanwhile for the same reason stays quiet. */
  async #tellTrouble(message: string): Promise<void> {
    this.#trouble = message;
    if (this.#isTellingTrouble || this.#disposed) return;
    this.#isTellingTrouble = true;
    const choice = await tell.error(message, 'Restart', 'Show Log').then(undefined, () => undefined);
    this.#isTellingTrouble = false;
    if (choice === 'Show Log') this.#log.show();
    if (choice === 'Restart') await this.restart().catch(() => undefined);
  }

  #configuration(): Configuration {
    return {
      roots: workspaceRoots().map(({ path: root, folder }) => rootSettings(root, folder)),
      trusted: vscode.workspace.isTrusted,
      storageFolder: this.#context.globalStorageUri.fsPath,
      hasOwnUi: true,
    };
  }
}

/** Among the messages of other extensions it has to be seen whose it is. */
const withName = (text: string): string => (text.startsWith('Testmend') ? text : `Testmend: ${text}`);

/** The connection went away before the answer came. */
function isGone(error: unknown): boolean {
  return (
    error instanceof lsp.ResponseError &&
    (error.code === lsp.ErrorCodes.PendingResponseRejected ||
      error.code === lsp.ErrorCodes.ConnectionInactive)
  );
}

function dataOf(error: unknown): unknown {
  return error instanceof Error && 'data' in error ? error.data : undefined;
}
