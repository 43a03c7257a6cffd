// Runs of the Testing view: what is picked runs in the engine, every state arrives, and the run always ends.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { errorMessage, HumanError } from '../../core/base/humanError.ts';
import { inParallel } from '../../core/base/inParallel.ts';
import { requests, type RunEnd } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { EngineEnded } from '../engineEnded.ts';
import { rootAt } from '../folders.ts';
import type { RunCoverage } from './coverage.ts';
import type { DebugSessions } from './debugSessions.ts';
import type { Discovery } from './discovery.ts';
import { RunResults } from './results.ts';
import { selectTests, type RootSelection } from './selection.ts';
import type { TestTree } from './tree.ts';
import { offerToSave } from './unsavedFiles.ts';
import { tell } from '../tell.ts';

/** How a request is to be run. */
export interface RunKind {
  /** Under the debugger of its language. */
  readonly debug?: boolean;
  /** Nobody asked for it just now: no question about files that are not saved. */
  readonly isUnattended?: boolean;
  /** So many times, judged as one run. */
  readonly repeat?: number;
  /** Stored snapshots are written anew. */
  readonly updateSnapshots?: boolean;
  /** Said at its beginning, as sentences. */
  readonly notes?: readonly string[];
  /** What it runs of the sources is counted. */
  readonly coverage?: boolean;
}

/** After a cancel the engine has this long to tell how it ended, ms. */
const cancelGraceMs = 5_000;

export class TestRuns {
  readonly #controller: vscode.TestController;
  readonly #engine: EngineClient;
  readonly #discovery: Discovery;
  readonly #tree: TestTree;
  readonly #debugSessions: DebugSessions;
  readonly #coverage: RunCoverage;
  readonly #log: vscode.LogOutputChannel;
  #hasRun = false;

  constructor(
    controller: vscode.TestController,
    engine: EngineClient,
    discovery: Discovery,
    tree: TestTree,
    debugSessions: DebugSessions,
    coverage: RunCoverage,
    log: vscode.LogOutputChannel,
  ) {
    this.#controller = controller;
    this.#engine = engine;
    this.#discovery = discovery;
    this.#tree = tree;
    this.#debugSessions = debugSessions;
    this.#coverage = coverage;
    this.#log = log;
  }

  /** Something was run in this window. */
  get hasRun(): boolean {
    return this.#hasRun;
  }

  /** Runs the request and resolves when it has ended; never rejects: what goes wrong is told in the run and in the log. */
  async run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    kind: RunKind = {},
  ): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      explainTrust();
      return;
    }
    if (!kind.isUnattended && !(await offerToSave('run'))) return;
    this.#hasRun = true;
    const run = this.#controller.createTestRun(request);
    // A run that a command began can be stopped by its own token only.
    const either = new vscode.CancellationTokenSource();
    const stops = [token, run.token].map((one) => one.onCancellationRequested(() => either.cancel()));
    for (const note of kind.notes ?? []) run.appendOutput(`${note}\r\n`);
    try {
      await this.#discovery.listed();
      const selections = await selectTests(request, this.#controller, this.#tree, (files) =>
        this.#discovery.discoverOnce(files),
      );
      if (selections.length === 0) run.appendOutput('No tests were found.\r\n');
      // Under a debugger one root after the other: whoever steps through one does not want to be called to the next.
      await inParallel(selections, kind.debug ? 1 : selections.length, (selection) =>
        this.#runRoot(run, selection, either.token, kind),
      );
    } catch (error) {
      this.#tell(run, error);
    } finally {
      for (const stop of stops) stop.dispose();
      either.dispose();
      run.end();
    }
  }

  async #runRoot(
    run: vscode.TestRun,
    selection: RootSelection,
    token: vscode.CancellationToken,
    { debug, coverage, repeat, updateSnapshots }: RunKind,
  ): Promise<void> {
    const runId = randomUUID();
    const { root, targets } = selection;
    const results = new RunResults(
      run,
      this.#tree,
      root,
      (files) => this.#discovery.discoverOnce(files),
      token,
    );
    const listener = this.#engine.onRunEvents((message) => {
      if (message.runId === runId) results.push(message.events);
    });
    const debugging = this.#debugSessions.register(runId, run, root);
    try {
      await results.enqueue(selection.items);
      if (token.isCancellationRequested) return;
      const request = this.#engine.request(
        requests.run,
        {
          runId,
          root,
          ...(targets === undefined ? {} : { targets: [...targets] }),
          ...(debug && { debug }),
          ...(coverage && { coverage }),
          ...(repeat !== undefined && { repeat }),
          ...(updateSnapshots && { updateSnapshots }),
        },
        token,
      );
      const end = await Promise.race([request, cancelled(token)]);
      await results.settled();
      if (end?.ended === 'complete') results.pruneFiles(wholeFiles(selection));
      results.finish(end === undefined || end.ended === 'cancelled' ? undefined : unfinished(end));
      if (end?.coverage) await this.#coverage.tell(run, { runId, root, files: end.coverage });
      if (end !== undefined) run.appendOutput(`${summary(end, root)}\r\n`);
    } catch (error) {
      await results.settled();
      results.fail(token.isCancellationRequested ? undefined : errorMessage(error));
      if (!token.isCancellationRequested) this.#tell(run, error);
    } finally {
      listener.dispose();
      debugging.dispose();
      results.finish(undefined);
    }
  }

  #tell(run: vscode.TestRun, error: unknown): void {
    const remedy = error instanceof HumanError ? ` ${error.details.remedy}` : '';
    const text = `${errorMessage(error)}${remedy}`;
    this.#log.error(error instanceof HumanError ? text : error instanceof Error ? error : text);
    run.appendOutput(`${text.replace(/\r?\n/g, '\r\n')}\r\n`);
    if (error instanceof EngineEnded) return;
    void tell.error(`Testmend: ${text}`, 'Show Log').then((choice) => {
      if (choice !== undefined) this.#log.show();
    });
  }
}

function explainTrust(): void {
  void tell
    .warning('Testmend runs tests only in a trusted workspace.', 'Manage Workspace Trust')
    .then((choice) => choice && vscode.commands.executeCommand('workbench.trust.manage'));
}

function cancelled(token: vscode.CancellationToken): Promise<undefined> {
  return new Promise((resolve) => {
    token.onCancellationRequested(() => setTimeout(() => resolve(undefined), cancelGraceMs));
  });
}

function wholeFiles(selection: RootSelection): ReadonlySet<string> | undefined {
  if (selection.targets === undefined) return undefined;
  return new Set(
    selection.targets.filter((target) => target.names === undefined).map((target) => target.fileId),
  );
}

function unfinished(end: RunEnd): string {
  return end.ended === 'timeout'
    ? 'The time limit was reached before this test finished.'
    : 'The run did not report this test: it is gone, or its file has changed since it was found.';
}

function summary(end: RunEnd, root: string): string {
  const { notRun = 0 } = end;
  const skipped = end.skipped - notRun;
  const counts = [
    `${end.passed} passed`,
    ...(end.failed > 0 ? [`${end.failed} failed`] : []),
    ...(end.errored > 0 ? [`${end.errored} errored`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ].join(', ');
  const ended =
    end.ended === 'complete' ? '' : ` (${end.ended === 'timeout' ? 'time limit reached' : 'cancelled'})`;
  return `${rootAt(root)?.folder.name ?? root}: ${counts} in ${(end.durationMs / 1000).toFixed(1)} s${ended}`;
}
