// Ties the contract and plain LSP to the engines of the roots.
import {
  CodeActionKind,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type CodeActionParams,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { errorMessage, HumanError } from '../core/base/humanError.ts';
import { createLogger, type Logger, type LogLevel } from '../core/base/logger.ts';
import type { CycleReport } from '../core/model/cycle.ts';
import { recoverRoot, removeOldSandboxes } from '../core/engine/recoverRoot.ts';
import { codeActionsAt } from './codeActions.ts';
import { readConfiguration } from './configuration.ts';
import { Diagnostics } from './diagnostics.ts';
import { EditorCommands } from './editorCommands.ts';
import { EditorDebugger } from './editorDebugger.ts';
import { EditorModels } from './editorModels.ts';
import { EventBatches } from './eventBatches.ts';
import { fileUri, pathOf, rootOf } from './fileUri.ts';
import {
  editorNotifications,
  engineNotifications,
  requests,
  type Configuration,
  type CycleEvents,
  type RunEnd,
  type StartCycle,
  type WireRunEvent,
} from './messages.ts';
import { ActiveWork, serveRequest } from './requests.ts';
import { ScenarioFiles } from './scenarioFiles.ts';
import { RootEngine, type AskedRun } from '../core/engine/rootEngine.ts';
import { RootFixes } from '../core/engine/rootFixes.ts';
import type { RootListing } from '../core/engine/rootListing.ts';

declare const TESTMEND_VERSION: string | undefined;
/** From the build; none when run from source. */
const ownVersion = typeof TESTMEND_VERSION === 'string' ? TESTMEND_VERSION : undefined;

/** One root with everything the engine does in it. */
interface Root {
  readonly engine: RootEngine;
  readonly fixes: RootFixes;
  /** How the editor names a file of this root. */
  readonly uriOf: (file: string) => string;
}

export class Engine {
  readonly #connection: Connection;
  readonly #goodbyeMs: number;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #active = new ActiveWork();
  readonly #diagnostics: Diagnostics;
  readonly #debugger: EditorDebugger;
  readonly #models: EditorModels;
  readonly #scenarios: ScenarioFiles;
  readonly #logger: Logger;
  readonly #roots = new Map<string, Root>();
  /** How the editor names roots, when that is not the real path. */
  readonly #uris = new Map<string, string | undefined>();
  /** What makes good just now what a killed command left, by root. */
  readonly #recovering = new Map<string, Promise<void>>();
  #configuration: Configuration = { roots: [], trusted: false, hasOwnUi: false };

  constructor(connection: Connection, goodbyeMs: number) {
    this.#connection = connection;
    this.#goodbyeMs = goodbyeMs;
    this.#diagnostics = new Diagnostics(connection);
    this.#debugger = new EditorDebugger(connection);
    this.#models = new EditorModels(connection);
    this.#logger = createLogger((level, message) => this.#write(level, message));
    this.#scenarios = new ScenarioFiles({
      connection,
      documents: this.#documents,
      pathOf,
      rootOf: (file) => rootOf(this.#roots.keys(), file)?.root,
      uriOf: (file) => this.#uriOf(file),
      show: (uri, problems) => this.#diagnostics.publishProblems(uri, problems),
      warn: (message) => this.log('warn', message),
    });
    const commands = new EditorCommands({
      connection,
      root: (name) => this.#trusted(name),
      rootOfUri: (uri) => this.#rootOfUri(uri),
      run: (name, targets, signal) => this.#run(this.#trusted(name), { targets }, () => undefined, signal),
      textOf: (uri) => this.#documents.get(uri),
      published: (root) => this.#publish(root),
    });
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => void this.#cleanUp());
    connection.onShutdown(() => this.end());
    connection.onNotification(editorNotifications.configure.method, (params: unknown) => {
      const parsed = editorNotifications.configure.params.safeParse(params);
      if (parsed.success) this.#configure(parsed.data);
    });
    connection.onCodeAction((params, token) =>
      this.#active.run(token, (signal) => this.#codeActions(params, signal)),
    );
    connection.onExecuteCommand((params, token) =>
      this.#active.run(token, (signal) => commands.execute(params, signal)),
    );
    this.#serve();
    this.#documents.listen(connection);
  }

  log(level: LogLevel, message: string): void {
    this.#logger.log(level, message);
  }

  /** Ends everything that runs, and its processes. */
  async end(): Promise<void> {
    for (const { engine } of this.#roots.values()) engine.dispose();
    await this.#active.end(this.#goodbyeMs);
    await Promise.allSettled(
      [...this.#roots.values()].flatMap(({ engine, fixes }) => [engine.settled(), fixes.dispose()]),
    );
  }

  /** What an engine that was killed left behind is removed at the next start; nothing waits for it. */
  async #cleanUp(): Promise<void> {
    try {
      const removed = await removeOldSandboxes();
      if (removed > 0) this.log('info', `Removed sandboxes that are no longer used: ${removed}.`);
    } catch (error) {
      this.log('warn', `Old sandboxes were not removed: ${errorMessage(error)}`);
    }
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.#configure(readConfiguration(params));
    return {
      serverInfo: {
        name: 'testmend',
        ...(ownVersion === undefined ? {} : { version: ownVersion }),
      },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        ...this.#scenarios.capabilities(params.capabilities, this.#configuration.hasOwnUi),
        executeCommandProvider: { commands: EditorCommands.idsFor(this.#configuration.hasOwnUi) },
      },
    };
  }

  #configure(configuration: Configuration): void {
    this.#configuration = configuration;
    const wanted = new Set(configuration.roots.map(({ root }) => root));
    for (const [name, root] of this.#roots) {
      if (wanted.has(name)) continue;
      this.#roots.delete(name);
      root.engine.dispose();
      void root.fixes.dispose();
    }
    for (const settings of configuration.roots) {
      this.#uris.set(settings.root, settings.uri);
      const known = this.#roots.get(settings.root);
      if (known !== undefined) {
        known.engine.configure(settings);
        continue;
      }
      const engine = new RootEngine(settings, configuration.storageFolder);
      this.#roots.set(settings.root, {
        engine,
        fixes: new RootFixes(engine, this.#logger, (note) => this.#tell(note)),
        uriOf: (file) => fileUri(engine.root, this.#uris.get(engine.root), file),
      });
    }
    for (const [name, { engine }] of this.#roots) {
      if (configuration.trusted) void this.#recover(name);
      else engine.endSpares();
    }
  }

  /**
   * Only the command line writes into a workspace by itself; with it, the journals lie in the user's cache. Asked before all that
   * reads the files, for a command may be killed at any time.
   */
  #recover(name: string): Promise<void> {
    if (!this.#configuration.trusted) return Promise.resolve();
    const known = this.#recovering.get(name);
    if (known !== undefined) return known;
    const recovering = recoverRoot(name).then((told) => {
      this.#recovering.delete(name);
      told.forEach((note) => this.#tell(note));
    });
    this.#recovering.set(name, recovering);
    return recovering;
  }

  #serve(): void {
    const [connection, active] = [this.#connection, this.#active];
    serveRequest(connection, active, requests.listFiles, async (_params, signal) => {
      const lists = await Promise.all([...this.#roots.values()].map((root) => this.#list(root, signal)));
      return {
        projects: lists.flatMap(({ projects }) => projects),
        notes: lists.flatMap(({ notes }) => notes),
      };
    });
    serveRequest(connection, active, requests.discoverFiles, async ({ root, ids }, signal) => ({
      files: await this.#root(root).engine.tests.discover(ids, (file) => this.#openText(file), signal),
    }));
    serveRequest(connection, active, requests.run, ({ runId, root, debug, coverage, ...rest }, signal) => {
      const batches = new EventBatches<WireRunEvent>((events) => this.#notifyRun(runId, events), printedSize);
      const asked = {
        ...rest,
        ...(debug && { debugger: this.#debugger.sessionsOf(runId) }),
        ...(coverage && { coverage }),
      };
      return this.#run(this.#trusted(root), asked, (event) => batches.push(event), signal, runId).finally(
        () => batches.flush(),
      );
    });
    serveRequest(connection, active, requests.affectedTests, ({ root, ...changes }, signal) =>
      this.#root(root).engine.affectedTests(changes, signal),
    );
    serveRequest(connection, active, requests.skills, ({ root }, signal) =>
      this.#root(root).engine.skills(signal),
    );
    serveRequest(connection, active, requests.smokeTestSkill, async ({ root, shortName }, signal) => {
      const { smokeTestOf } = await import('../core/engine/skills.ts');
      return smokeTestOf(this.#trusted(root).engine.workspace, shortName, signal);
    });
    serveRequest(connection, active, requests.newSkillTest, async ({ root, shortName }) => {
      const { newSkillTest } = await import('../core/engine/skills.ts');
      return newSkillTest(this.#root(root).engine.root, shortName);
    });
    serveRequest(connection, active, requests.sourceToBeginWith, async ({ root }, signal) => {
      const { sourceToBeginWith } = await import('../core/engine/firstTest.ts');
      return sourceToBeginWith(this.#root(root).engine.workspace, signal);
    });
    serveRequest(connection, active, requests.newTest, async ({ root, file }, signal) => {
      const { newTestFor } = await import('../core/engine/firstTest.ts');
      return newTestFor(this.#root(root).engine.workspace, file, signal);
    });
    serveRequest(connection, active, requests.tryNewTest, async ({ root, file, text }, signal) => {
      const { triedTestFor } = await import('../core/engine/firstTest.ts');
      return triedTestFor(this.#trusted(root).engine.workspace, { source: file, text }, signal);
    });
    serveRequest(connection, active, requests.recordScenario, async ({ root, url }, signal) => {
      const { recordForEditor } = await import('../core/engine/recordScenario.ts');
      return recordForEditor(this.#trusted(root).engine.root, url, signal);
    });
    serveRequest(connection, active, requests.layerTests, ({ root, layer }, signal) =>
      this.#root(root).engine.layerTests(layer, signal),
    );
    serveRequest(connection, active, requests.coverageDetails, async ({ runId, root, file, test }) => ({
      coverage: this.#root(root).engine.coverage.details(runId, file, test),
    }));
    serveRequest(connection, active, requests.lastResults, async ({ root }, signal) => ({
      results: await this.#root(root).engine.lastResults(signal),
    }));
    serveRequest(connection, active, requests.proposeFixes, async ({ root, ids }, signal) => {
      const { engine, fixes } = this.#trusted(root);
      await engine.recall();
      return fixes.propose(ids, signal);
    });
    serveRequest(connection, active, requests.verifyFix, ({ root, fixId }, signal) =>
      this.#trusted(root).fixes.verify(fixId, signal),
    );
    serveRequest(connection, active, requests.startCycle, async (asked, signal) => {
      const { cycleId } = asked;
      const batches = new EventBatches<CycleEvents['events'][number]>((events) =>
        this.#notifyCycle(cycleId, [...events]),
      );
      try {
        return await this.#cycle(asked, (event) => batches.push(event), signal);
      } finally {
        batches.flush();
      }
    });
    serveRequest(connection, active, requests.forgetCycle, async ({ cycleId, root }) => {
      await this.#root(root).fixes.forgetCycle(cycleId);
      return {};
    });
    serveRequest(connection, active, requests.composeFixes, async ({ root, ...accept }) => ({
      edits: await this.#root(root).fixes.acceptance.compose(accept),
    }));
    serveRequest(connection, active, requests.takeBackFixes, async ({ root, ...asked }, signal) => {
      const { takeBackApplied } = await import('../core/engine/takeBackApplied.ts');
      return takeBackApplied(this.#trusted(root).engine, asked, signal);
    });
    serveRequest(connection, active, requests.handOver, async ({ root, failures }) => {
      const { handOverMarkdown } = await import('../core/reports/handOverMarkdown.ts');
      return { markdown: handOverMarkdown(failures, this.#root(root).engine.root) };
    });
    serveRequest(connection, active, requests.markBug, async ({ root, ids }) => {
      const found = this.#root(root);
      await found.fixes.markBug(ids);
      return {};
    });
    serveRequest(connection, active, requests.useTool, async (asked, signal) => {
      const { useAgentTool } = await import('./agentTools.ts');
      for (const name of this.#roots.keys()) await this.#recover(name);
      return useAgentTool(asked, { ...this.#configuration, version: ownVersion ?? '' }, signal);
    });
  }

  /** With whoever the user has chosen to be asked after the built-in fixers. */
  async #cycle(
    { root, outside, ...asked }: StartCycle,
    onEvent: (event: CycleEvents['events'][number]) => void,
    signal: AbortSignal,
  ): Promise<CycleReport> {
    const { engine, fixes } = this.#trusted(root);
    await this.#recover(engine.root);
    if (outside === undefined) return fixes.cycle(asked, onEvent, signal);
    const { providersWith } = await import('./outsideProviders.ts');
    const providers = providersWith(await fixes.builtIn(), outside, engine.cacheFolder, this.#models);
    return fixes.cycle({ ...asked, providers }, onEvent, signal);
  }

  /** One root that cannot be listed (its folder is gone) takes nothing from the others. */
  async #list(root: Root, signal: AbortSignal): ReturnType<RootListing['listAnew']> {
    try {
      await this.#recover(root.engine.root);
      const listed = await root.engine.tests.listAnew(signal);
      await root.engine.recall();
      this.#publish(root);
      return listed;
    } catch (error) {
      if (signal.aborted || this.#roots.size < 2) throw error;
      const note = `${root.engine.root}: ${errorMessage(error)}`;
      this.log('warn', note);
      return { projects: [], notes: [note] };
    }
  }

  /** No actions rather than an error: the editor asks at every move of the cursor. */
  async #codeActions(params: CodeActionParams, signal: AbortSignal): Promise<CodeAction[]> {
    const { uri } = params.textDocument;
    const place = this.#configuration.trusted ? this.#rootOfUri(uri) : undefined;
    try {
      await place?.root.engine.recall();
      return [
        ...(await this.#scenarios.quickFixes(uri, params.range)),
        ...(await codeActionsAt(params, place, this.#documents, signal)),
      ];
    } catch (error) {
      if (!signal.aborted) this.log('warn', `No fixes for ${uri}: ${errorMessage(error)}`);
      return [];
    }
  }

  async #run(
    root: Root,
    asked: AskedRun,
    onEvent: (event: WireRunEvent) => void,
    signal: AbortSignal,
    runId = '',
  ): Promise<RunEnd> {
    try {
      await this.#recover(root.engine.root);
      root.fixes.sandboxes.checkNotInPlace();
      const { tests, coverage, ...counts } = await root.engine.run(
        asked,
        // What a test printed came as output already.
        (event) => {
          if (event.type === 'testEnded')
            onEvent({ ...event, result: { ...event.result, output: undefined } });
          else if (event.type !== 'fileEnded') onEvent(event);
        },
        signal,
      );
      const notRun = tests.filter(({ cancelled }) => cancelled).length;
      const end = { ...counts, ...(notRun > 0 && { notRun }) };
      return coverage && end.ended !== 'cancelled'
        ? { ...end, coverage: root.engine.coverage.keep(runId, coverage) }
        : end;
    } finally {
      root.fixes.forgetProposals();
      this.#publish(root);
    }
  }

  #publish({ engine, uriOf }: Root): void {
    this.#diagnostics.publish(engine.root, engine.failures, uriOf, this.#configuration.hasOwnUi);
  }

  #notifyRun(runId: string, events: readonly WireRunEvent[]): void {
    void this.#connection.sendNotification(engineNotifications.runEvents.method, { runId, events });
  }

  #notifyCycle(cycleId: string, events: CycleEvents['events']): void {
    void this.#connection.sendNotification(engineNotifications.cycleEvents.method, { cycleId, events });
  }

  #root(name: string): Root {
    const root = this.#roots.get(name);
    if (root !== undefined) return root;
    throw new HumanError('bad-input', `${name} is not a folder of this workspace.`, {
      remedy: 'Open the folder in the editor, or enable Testmend for it.',
    });
  }

  #trusted(name: string): Root {
    if (this.#configuration.trusted) return this.#root(name);
    throw new HumanError('untrusted', 'Testmend runs nothing in an untrusted workspace.', {
      remedy: 'Trust the workspace first.',
    });
  }

  #rootOfUri(uri: string): { readonly root: Root; readonly file: string } | undefined {
    const absolute = pathOf(uri);
    const place = absolute === undefined ? undefined : rootOf(this.#roots.keys(), absolute);
    const root = place === undefined ? undefined : this.#roots.get(place.root);
    return place === undefined || root === undefined ? undefined : { root, file: place.file };
  }

  /** How the editor names a file at an absolute path. */
  #uriOf(file: string): string {
    const place = rootOf(this.#roots.keys(), file);
    return place === undefined
      ? fileUri('', undefined, file)
      : fileUri(place.root, this.#uris.get(place.root), place.file);
  }

  /** Text of an open document at an absolute path. */
  #openText(file: string): string | undefined {
    for (const document of this.#documents.all())
      if (pathOf(document.uri) === file) return document.getText();
    return undefined;
  }

  /** An editor without our dialogue shows it as it is. */
  #tell(text: string): void {
    this.log('warn', text);
    if (this.#configuration.hasOwnUi)
      void this.#connection.sendNotification(engineNotifications.told.method, { text });
    else this.#connection.window.showWarningMessage(text);
  }

  #write(level: LogLevel, message: string): void {
    if (level === 'error') this.#connection.console.error(message);
    else if (level === 'warn') this.#connection.console.warn(message);
    else this.#connection.console.info(message);
  }
}

function printedSize(event: WireRunEvent): number {
  return event.type === 'output' ? event.text.length : 0;
}
